"""Records the directory's history: changes from the served release, and each record's last
change."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg

from assets.steps.checks import check, check_result
from assets.steps.keys import keys_of
from assets.steps.tables import asset_of, product_of
from assets.steps.workspace import Workspace, read_served_edition
from schemas.api.history import ReleaseReport
from schemas.tables.core import (
    AUTOMATIC_CHANGES,
    IDENTITIES,
    LAST_CHANGES,
    RECORD_SOURCES,
    RESOURCES,
    RIGHTS,
)
from schemas.vocab.reviews import CHANGE_KINDS
from warehouse.parquet import read_frame
from warehouse.release.changes import Edition, last_changes
from warehouse.release.diff import write_changes
from warehouse.release.log import CHANGES_FOLDER, FEED_NAME, SUMMARY_NAME, read_report

_COMPARED = (RESOURCES, IDENTITIES, AUTOMATIC_CHANGES, RECORD_SOURCES, RIGHTS)


def _edition_in_making(workspace: Workspace) -> Edition:
    return Edition(workspace.release_in_making, {t.name: workspace.path(t.name) for t in _COMPARED})


def changes_of(workspace: Workspace) -> ReleaseReport:
    """Return the report of the last run. Raises FileNotFoundError."""
    return read_report(workspace.product(CHANGES_FOLDER) / SUMMARY_NAME)


@check(
    asset="out_directory__changes",
    name="sums",
    reads=[RESOURCES.name],
    description=(
        "Listed before + added + reactivated - merged - retired = listed now, counted from the "
        "tables."
    ),
)
def changes_add_up(workspace: Workspace) -> dg.AssetCheckResult:
    report = changes_of(workspace)
    faults = change_faults(
        report, _active(read_served_edition(workspace)), _active(_edition_in_making(workspace))
    )
    if report.older is not None:
        lines = _line_count(workspace.product(CHANGES_FOLDER) / FEED_NAME)
        total = sum(getattr(report, kind) for kind in CHANGE_KINDS)
        faults += [f"{total} changes, {lines} lines in the feed"] * (lines != total)
    return check_result(faults, "the changes add up")


def change_faults(report: ReleaseReport, before: int, after: int) -> list[str]:
    """Return the faults of a report's figures, given the listings counted before and now."""
    expected = before + report.added + report.reactivated - report.merged - report.retired
    return [
        f"{name}: {stated} reported, {actual} counted"
        for name, stated, actual in (
            ("before", report.before, before),
            ("after", report.after, after),
            ("sum", expected, after),
        )
        if stated != actual
    ]


def _active(edition: Edition | None) -> int:
    if edition is None:
        return 0
    return int(read_frame(edition.tables[RESOURCES.name], ["is_active"])["is_active"].sum())


def _line_count(path: Path) -> int:
    with path.open("rb") as stream:
        return sum(1 for _ in stream)


@dg.asset(
    deps=keys_of(table.name for table in _COMPARED),
    **asset_of(LAST_CHANGES, "release", {"duckdb", "parquet"}),
)
def core_directory__last_changes(workspace: Workspace) -> Any:
    return last_changes(read_served_edition(workspace), _edition_in_making(workspace))


@dg.asset(
    **product_of(
        "out_directory__changes",
        "release",
        kinds={"duckdb", "json"},
        description=(
            "What changed against the served release: the change feed and the report on it."
        ),
        deps=[table.name for table in _COMPARED],
    ),
)
def out_directory__changes(workspace: Workspace) -> Iterator[dg.Output[Path]]:
    older, newer = read_served_edition(workspace), _edition_in_making(workspace)
    with workspace.scratch() as folder:
        report = write_changes(older, newer, folder)
        counts: dict[str, int] = {kind: getattr(report, kind) for kind in CHANGE_KINDS}
        facts: dict[str, Any] = {
            "dagster/row_count": sum(counts.values()),
            "compared_with": report.older or "nothing: first release",
            **counts,
        }
        yield dg.Output(folder, metadata=facts)
