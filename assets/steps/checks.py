"""Define the checks of tables and products, which run within the step of their asset.

A failed check fails the step before anything below it runs; the last good release keeps serving.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import dagster as dg

from assets.steps.code_version import code_digest, root_of
from assets.steps.lineage import (
    SERVED_RELEASE,
    CheckRecord,
    contents,
    forget_check,
    last_check,
    record_check,
)
from assets.steps.served import find_served_file
from assets.steps.workspace import Reads, Workspace, digest_of
from schemas.checks.registry import QueryCheck
from schemas.table import Table
from schemas.tables.published import PUBLISHED
from warehouse.checks.declared import Finding, check_table, row_drops, select_lost
from warehouse.checks.queries import BrokenRows, run_query_check
from warehouse.parquet import columns_digest, content_digest

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


@dataclass(frozen=True)
class Check:
    """Check of an asset, blocking by default; `reads` names the additional tables it reads.

    A check that passed is not repeated for the same inputs, if `reads` gives the columns of each
    table (None for all; the asset itself counts whole unless listed) and `settings` all other
    inputs.
    """

    asset: str
    name: str
    description: str
    function: CheckFunction
    reads: Reads | Sequence[str] = ()
    settings: Sequence[object] = ()
    compares_with_served: bool = False
    is_blocking: bool = True

    @property
    def spec(self) -> dg.AssetCheckSpec:
        return dg.AssetCheckSpec(
            self.name, asset=self.asset, description=self.description, blocking=self.is_blocking
        )

    def __call__(self, workspace: Workspace) -> dg.AssetCheckResult:
        """Run the check, or repeat its last result, and record it."""
        last = last_check(workspace, self.asset, self.name)
        # If the check itself fails, there is no result.
        forget_check(workspace, self.asset, self.name)
        others = [name for name in self.reads if name != self.asset]
        releases = [SERVED_RELEASE] if self.compares_with_served else []
        digests = contents(workspace, [self.asset, *others, *releases])
        version = self._version(workspace, digests[self.asset])
        if last and last.passed and version and last.version == version:
            result = dg.AssetCheckResult(
                passed=True, description=last.detail, metadata={"reused": True}
            )
        else:
            result = self.function(workspace)
        record_check(
            workspace,
            self.asset,
            self.name,
            CheckRecord(bool(result.passed), result.description or "", digests, version=version),
        )
        return dg.AssetCheckResult(
            asset_key=self.asset,
            check_name=self.name,
            passed=result.passed,
            severity=result.severity,
            description=result.description,
            metadata=result.metadata,
        )

    def _version(self, workspace: Workspace, content: str) -> str:
        """Digest all inputs; "" for a check that always runs."""
        if not isinstance(self.reads, Mapping):
            return ""
        compared = [
            content_digest(path) if columns is None else columns_digest(path, columns)
            for path, columns in (
                (workspace.path(name), columns) for name, columns in self.reads.items()
            )
        ]
        own = "" if self.asset in self.reads else content
        return digest_of(own, *compared, code_digest(root_of(self.function)), *self.settings)


def blocking_check(
    *,
    asset: str,
    name: str,
    description: str,
    reads: Reads | Sequence[str] = (),
    compares_with_served: bool = False,
) -> Callable[[CheckFunction], Check]:
    """Make a `Check` of a function."""

    def decorate(function: CheckFunction) -> Check:
        return Check(
            asset, name, description, function, reads, compares_with_served=compares_with_served
        )

    return decorate


def recount_check(
    *, table: Table, name: str, reads: Reads, description: str, count: Callable[..., list[Finding]]
) -> Check:
    """Make a check that recounts a table from the tables it `reads`, in their order."""

    def check(workspace: Workspace) -> dg.AssetCheckResult:
        paths = (workspace.path(n) for n in (table.name, *reads))
        return check_result(count(*paths), "all figures agree")

    code = code_digest(root_of(count))
    return Check(table.name, name, description, check, reads, settings=[code])


def check_result(faults: Iterable[object], success: str = "no violations") -> dg.AssetCheckResult:
    """Return the result of a check: passed if there are no faults."""
    texts = [str(fault) for fault in faults]
    return dg.AssetCheckResult(passed=not texts, description="; ".join(texts) or success)


def declaration_check(table: Table) -> Check:
    """Check a published table against its declaration: key, required, vocabulary, pattern, range.

    A table is made together with, or after, the tables it refers to.
    """

    def check(workspace: Workspace) -> dg.AssetCheckResult:
        paths = {t.name: workspace.path(t.name) for t in PUBLISHED}
        others = {name: path for name, path in paths.items() if path.exists()}
        return check_result(check_table(table, workspace.path(table.name), others))

    return Check(
        table.name,
        "declaration",
        f"{table.name} matches its declaration.",
        check,
        # Of a referenced table only the referenced column is read.
        reads={
            name: sorted({k.references_field for k in table.foreign_keys if k.references == name})
            for name in sorted({key.references for key in table.foreign_keys})
        },
        settings=[table],
    )


def query_check(declaration: QueryCheck) -> Check:
    """Make the check of a query that must return no rows; the first returned rows are shown."""
    is_blocking = declaration.severity == "error"
    severity = dg.AssetCheckSeverity.ERROR if is_blocking else dg.AssetCheckSeverity.WARN

    def check(workspace: Workspace) -> dg.AssetCheckResult:
        broken = run_query_check(
            declaration.query, {n: workspace.path(n) for n in declaration.reads}
        )
        return dg.AssetCheckResult(
            passed=not broken.total,
            severity=severity,
            description=_count_rows(broken),
            metadata=_show_rows(broken) if broken.total else {},
        )

    return Check(
        declaration.table,
        declaration.name,
        declaration.description,
        check,
        reads=dict.fromkeys(declaration.reads),
        settings=[declaration.query],
        is_blocking=is_blocking,
    )


def _count_rows(broken: BrokenRows) -> str:
    return f"{broken.total} rows, for example {broken.rows[0]}" if broken.total else "no rows"


def _show_rows(broken: BrokenRows) -> dict[str, Any]:
    """Return how many rows a query returned, and the first as a table."""
    lines = [broken.columns, ["---"] * len(broken.columns), *broken.rows]
    table = "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)
    return {"rows": broken.total, "examples": dg.MetadataValue.md(table)}


def drop_check(
    table: Table,
    column: str,
    name: str,
    *,
    where: str = "true",
    limits: Mapping[int, float] = MAX_DROPS,
    is_blocking: bool = True,
) -> Check:
    """Check that no group of a table has lost more rows `where` (SQL) since the served release than
    `limits` allow (`row_drops`), and show rows that are gone; warn where the check is not
    blocking."""

    def check(workspace: Workspace) -> dg.AssetCheckResult:
        current = workspace.releases.current()
        previous = find_served_file(workspace, table.name)
        # A table new in this version has no previous one to compare with.
        if (
            current is None
            or previous is None
            or workspace.releases.manifest(current).is_synthetic != workspace.is_synthetic
            or workspace.accept_drops
        ):
            return check_result([], "nothing to compare with, or drops accepted")
        drops = row_drops(workspace.path(table.name), previous, column, limits, where)
        result = check_result(drops, "no group shrank beyond the limit")
        if drops:
            query = select_lost(table, column, [drop.group for drop in drops], where)
            missing_rows = run_query_check(
                query, {"served": previous, "made": workspace.path(table.name)}
            )
            text = f"{result.description}; gone: {_count_rows(missing_rows)}"
            result = result._replace(description=text, metadata=_show_rows(missing_rows))
        if not is_blocking:
            return result._replace(severity=dg.AssetCheckSeverity.WARN)
        return (
            result
            if result.passed
            else result._replace(description=f"{result.description}{_IF_RIGHT}")
        )

    return Check(
        table.name,
        name,
        f"No {column} lost "
        + ("all" if limits is ALL else f"more than is ordinary ({_ORDINARY})")
        + " of its rows since the served release"
        + ("." if where == "true" else f" where {where}."),
        check,
        compares_with_served=True,
        is_blocking=is_blocking,
    )
