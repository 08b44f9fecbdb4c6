"""The history for pages: the list of releases, and the report on one."""

from typing import Any

from schemas.api.history import Movement, ReleaseList, ReleaseReport
from schemas.vocab.changes import CHANGES, RETIREMENT_REASONS
from serving.releases.history import check_results
from warehouse.release.manifest import Manifest

_SHOWN_SOURCES = 15


def history_values(found: ReleaseList) -> dict[str, Any]:
    """Return the context of `releases.html`."""
    return {"found": found, "kinds": list(CHANGES.items())}


def report_values(
    manifest: Manifest, report: ReleaseReport | None, *, is_kept: bool
) -> dict[str, Any]:
    """Return the context of `release.html`; without a report it says so."""
    return {
        "manifest": manifest,
        "report": report,
        "is_kept": is_kept,
        "checks": check_results(manifest),
        "kinds": list(CHANGES.items()),
        "reasons": RETIREMENT_REASONS,
        "changed_fields": sorted(report.changed_fields.items(), key=lambda f: (-f[1], f[0]))
        if report
        else [],
        "tables": _tables(report) if report else [],
    }


def _tables(report: ReleaseReport) -> list[tuple[str, str, list[Movement]]]:
    """Return title, caption and rows of the tables: sources are cut to those that moved most."""
    moved = [
        s
        for s in report.by_source
        if s.before != s.after or s.added or s.changed or s.reactivated or s.merged or s.retired
    ]
    return [
        ("By type", "Listed places and changes by type of place", report.by_type),
        ("By state", "Listed places and changes by state or territory", report.by_state),
        (
            "Biggest movements by source",
            f"The {_SHOWN_SOURCES} sources with most changes, by the source that leads a place",
            moved[:_SHOWN_SOURCES],
        ),
    ]
