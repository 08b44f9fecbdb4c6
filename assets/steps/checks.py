"""Makes Dagster's asset checks of tables and products, from declarations, queries and functions.

A failed blocking check stops the run before anything below its asset is made; the last good release
keeps serving. Each check can be executed alone; failing rows are a table in its metadata.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import dagster as dg

from assets.steps.keys import key_of
from assets.steps.provenance import record_check
from assets.steps.workspace import Workspace, find_served_file
from schemas.checks.registry import QueryCheck
from schemas.table import Table
from schemas.tables.registry import PUBLISHED
from warehouse.checks.declared import (
    BrokenRows,
    check_table,
    row_drops,
    run_query_check,
    select_lost,
)

CheckFunction = Callable[[Workspace], dg.AssetCheckResult]

# By the number of rows of a source or a state: the share it may lose between two releases before a
# person must review. In short lists single places weigh more; losing nearly half is never ordinary.
MAX_DROPS = {50: 0.30, 10: 0.40}
# Users there would find nothing.
ALL = {1: 1 - 1e-9}
_ORDINARY = ", ".join(f"{share:.0%} from {rows} rows on" for rows, share in MAX_DROPS.items())
_IF_RIGHT = (
    "; if the lists truly shrank: larder build --accept-drops, in the launchpad accept_drops: true"
)


def check(
    *,
    asset: str,
    name: str,
    description: str,
    reads: Sequence[str] = (),
    blocking: bool = True,
) -> Callable[[CheckFunction], dg.AssetChecksDefinition]:
    """Make the check of an asset from a function; `reads` are the other tables that it reads, which
    are made before the asset or with it.

    The result of a blocking check is recorded for the release. `reads` are no dependencies of
    Dagster's: two tables of one step would have to wait for each other's checks.
    """
    others = [other for other in dict.fromkeys(reads) if other != asset]
    severity = dg.AssetCheckSeverity.ERROR if blocking else dg.AssetCheckSeverity.WARN

    def decorate(function: CheckFunction) -> dg.AssetChecksDefinition:
        @dg.asset_check(
            asset=key_of(asset),
            name=name,
            description=description,
            blocking=blocking,
        )
        def run(workspace: Workspace) -> dg.AssetCheckResult:
            result = function(workspace)
            if blocking:
                record_check(
                    workspace,
                    asset,
                    name,
                    passed=bool(result.passed),
                    detail=result.description or "",
                    reads=others,
                )
            return result._replace(severity=severity)

        return run

    return decorate


def check_result(faults: Iterable[object], success: str = "no violations") -> dg.AssetCheckResult:
    """Return the result of a check: passed if there are no faults, which its metadata lists."""
    texts = [str(fault) for fault in faults]
    return dg.AssetCheckResult(
        passed=not texts,
        description="; ".join(texts) or success,
        metadata={"faults": _as_table(["fault"], [(text,) for text in texts])} if texts else {},
    )


def declaration_check(table: Table) -> dg.AssetChecksDefinition:
    """Check a published table against its declaration: key, required, vocabulary, pattern, range.

    A table is made together with, or after, the tables it refers to.
    """

    def compare(workspace: Workspace) -> dg.AssetCheckResult:
        paths = {t.name: workspace.path(t.name) for t in PUBLISHED}
        others = {name: path for name, path in paths.items() if path.exists()}
        return check_result(check_table(table, workspace.path(table.name), others))

    return check(
        asset=table.name,
        name="declaration",
        description=f"{table.name} matches its declaration.",
        reads=sorted({key.references for key in table.foreign_keys}),
    )(compare)


def query_check(declaration: QueryCheck) -> dg.AssetChecksDefinition:
    """Make the check of a query that must return no rows; the first returned rows are shown."""

    def ask(workspace: Workspace) -> dg.AssetCheckResult:
        paths = {n: workspace.path(n) for n in declaration.reads}
        broken = run_query_check(declaration.query, paths)
        return dg.AssetCheckResult(
            passed=not broken.total,
            description=_count_rows(broken),
            metadata=_show_rows(broken) if broken.total else {},
        )

    return check(
        asset=declaration.table,
        name=declaration.name,
        description=declaration.description,
        reads=declaration.reads,
        blocking=declaration.severity == "error",
    )(ask)


def _count_rows(broken: BrokenRows) -> str:
    return f"{broken.total} rows, for example {broken.rows[0]}" if broken.total else "no rows"


def _show_rows(broken: BrokenRows) -> dict[str, Any]:
    """Return how many rows a query returned, and the first as a table."""
    return {"rows": broken.total, "examples": _as_table(broken.columns, broken.rows)}


def _as_table(columns: list[str], rows: Iterable[tuple[Any, ...]]) -> dg.TableMetadataValue:
    records = [
        dg.TableRecord({c: "" if v is None else str(v) for c, v in zip(columns, row, strict=True)})
        for row in rows
    ]
    return dg.MetadataValue.table(records, dg.TableSchema([dg.TableColumn(c) for c in columns]))


def drop_check(
    table: Table,
    column: str,
    name: str,
    *,
    where: str = "true",
    limits: Mapping[int, float] = MAX_DROPS,
    blocking: bool = True,
) -> dg.AssetChecksDefinition:
    """Check that no group of a table has lost more rows `where` (SQL) since the served release than
    `limits` allow (`row_drops`), and show rows that are gone; warn where the check is not
    blocking."""

    def compare(workspace: Workspace) -> dg.AssetCheckResult:
        previous = _served_before(workspace, table)
        if previous is None or workspace.accept_drops:
            return check_result([], "nothing to compare with, or drops accepted")
        drops = row_drops(workspace.path(table.name), previous, column, limits, where)
        result = check_result(drops, "no group shrank beyond the limit")
        if not drops:
            return result
        query = select_lost(table, column, [drop.group for drop in drops], where)
        gone = run_query_check(query, {"served": previous, "made": workspace.path(table.name)})
        text = f"{result.description}; gone: {_count_rows(gone)}{_IF_RIGHT if blocking else ''}"
        return result._replace(description=text, metadata={**result.metadata, **_show_rows(gone)})

    return check(
        asset=table.name,
        name=name,
        description=f"No {column} lost "
        + ("all" if limits is ALL else f"more than is ordinary ({_ORDINARY})")
        + " of its rows since the served release"
        + ("." if where == "true" else f" where {where}."),
        blocking=blocking,
    )(compare)


def _served_before(workspace: Workspace, table: Table) -> Path | None:
    """Return the served file of a table; None without one that invented or real rows share.

    A table new in this version has no previous one to compare with.
    """
    current = workspace.releases.current()
    if current is None:
        return None
    is_other = workspace.releases.manifest(current).is_synthetic != workspace.is_synthetic
    return None if is_other else find_served_file(workspace, table.name)
