"""Blocking checks: made from the table declarations, and row drops against the release that is
served.

A failed check stops the run before the release is built; the last good release keeps serving.
"""

import dagster as dg

from assets.defs.access_assets import ACCESS_CHECKS
from assets.defs.atlas_assets import ATLAS_CHECKS
from assets.defs.bulk_assets import bulk_holds_the_directory
from assets.defs.history_assets import changes_add_up
from assets.defs.hsds_assets import HSDS_CHECKS
from assets.defs.lineage import blocking_check
from assets.defs.quality_assets import quality_has_no_contradiction
from assets.defs.release_asset import PUBLISHED
from assets.defs.veteran_assets import veteran_files_agree, veterans_are_sound
from assets.defs.workspace import Workspace
from schemas.table import Table
from schemas.tables.core import RECORD_SOURCES, RESOURCES
from schemas.tables.veterans import VETERAN_RESOURCES
from warehouse.checks.declared import Finding, check_table, row_drops

# By the rows of a source or a state: the share that it may lose between two releases before a
# person must look. In short lists single places weigh more; nearly half of one gone is no ordinary
# week either.
MAX_DROPS = {50: 0.30, 10: 0.40}
_ORDINARY = ", ".join(f"{share:.0%} from {rows} rows on" for rows, share in MAX_DROPS.items())


def declaration_check(table: Table) -> dg.AssetChecksDefinition:
    """Check a published table against its declaration: key, required, vocabulary, pattern,
    range."""

    # Of a table that is referred to, nothing is read but the column of the reference.
    referred = {
        name: sorted({k.references_field for k in table.foreign_keys if k.references == name})
        for name in sorted({key.references for key in table.foreign_keys})
    }

    @blocking_check(
        asset=table.name,
        name="declaration",
        reads=referred,
        settings=[table],
        # A table is made together with, or after, those to which it refers.
        waits_for=(),
        description=f"{table.name} matches its declaration.",
    )
    def check(workspace: Workspace) -> dg.AssetCheckResult:
        others = {
            t.name: workspace.path(t.name) for t in PUBLISHED if workspace.path(t.name).exists()
        }
        return _result(check_table(table, workspace.path(table.name), others))

    return check


def _result(findings: list[Finding]) -> dg.AssetCheckResult:
    return dg.AssetCheckResult(
        passed=not findings,
        severity=dg.AssetCheckSeverity.ERROR,
        description="; ".join(map(str, findings)) or "no violations",
        metadata={finding.rule: finding.broken for finding in findings},
    )


def _drop_check(table: Table, column: str, name: str) -> dg.AssetChecksDefinition:
    @blocking_check(
        asset=table.name,
        name=name,
        compares_with_served=True,
        description=f"No {column} lost more of its rows since the served release than is ordinary: {_ORDINARY}.",
    )
    def check(workspace: Workspace) -> dg.AssetCheckResult:
        current = workspace.releases.current()
        manifest = workspace.releases.manifest(current) if current else None
        previous = (
            workspace.releases.folder(manifest.release_id) / "exports" / f"{table.name}.parquet"
            if manifest
            else None
        )
        # A table that is new in this version has nothing to compare with either.
        if (
            manifest is None
            or previous is None
            or not previous.exists()
            or manifest.is_synthetic != workspace.is_synthetic
            or workspace.accept_drops
        ):
            return dg.AssetCheckResult(
                passed=True, description="nothing to compare with, or drops accepted"
            )
        drops = row_drops(workspace.path(table.name), previous, column, MAX_DROPS)
        return dg.AssetCheckResult(
            passed=not drops,
            description="; ".join(map(str, drops)) or "no group shrank beyond the limit",
            metadata={drop.group: f"{drop.before} -> {drop.after}" for drop in drops},
        )

    return check


def build_checks() -> list[dg.AssetChecksDefinition]:
    """Return all checks of the pipeline."""
    return [
        *(declaration_check(table) for table in PUBLISHED),
        *HSDS_CHECKS,
        quality_has_no_contradiction,
        bulk_holds_the_directory,
        *ATLAS_CHECKS,
        *ACCESS_CHECKS,
        changes_add_up,
        _drop_check(RESOURCES, "state", "rows_by_state"),
        _drop_check(RESOURCES, "resource_type", "rows_by_type"),
        _drop_check(RECORD_SOURCES, "source_id", "rows_by_source"),
        veterans_are_sound,
        veteran_files_agree,
        _drop_check(VETERAN_RESOURCES, "resource_type", "rows_by_type"),
    ]
