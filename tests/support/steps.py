"""Run steps of the pipeline by themselves."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import dagster as dg
from upath import UPath

from assets.steps.keys import keys_of, name_of
from assets.steps.tables import PRODUCTS_STORE, TABLES_STORE, FolderIOManager, ParquetIOManager
from assets.steps.workspace import Workspace
from pipelines.build import folder_store, parquet_store
from schemas.table import Table


def resources_of(workspace: Workspace, tables: Mapping[str, Table] | None = None) -> dict[str, Any]:
    """Return the resources of a build; `tables` are declarations besides those of the project."""
    if tables is None:
        return {
            "workspace": workspace,
            TABLES_STORE: parquet_store,
            PRODUCTS_STORE: folder_store,
        }
    return {
        "workspace": workspace,
        TABLES_STORE: ParquetIOManager(UPath(workspace.root / "tables"), workspace, tables),
        PRODUCTS_STORE: FolderIOManager(workspace),
    }


def with_inputs(assets: Sequence[Any]) -> list[Any]:
    """Add the assets that some read and none makes: their files are on disk."""
    definitions = [asset for asset in assets if not isinstance(asset, dg.AssetChecksDefinition)]
    made = {key for asset in definitions for key in asset.keys}
    read = {key for asset in definitions for key in asset.keys_by_input_name.values()}
    return [
        *assets,
        *(dg.AssetSpec(key).with_io_manager_key(TABLES_STORE) for key in sorted(read - made)),
    ]


def run_steps(
    assets: Sequence[dg.AssetsDefinition | dg.AssetChecksDefinition],
    workspace: Workspace,
    *names: str,
    tables: Mapping[str, Table] | None = None,
    instance: dg.DagsterInstance | None = None,
) -> dg.ExecuteInProcessResult:
    """Materialize assets (all unless named), and run their checks; failures are in the result."""
    with ExitStack() as stack:
        return dg.materialize(
            with_inputs(assets),
            resources=resources_of(workspace, tables),
            instance=instance or stack.enter_context(dg.DagsterInstance.ephemeral()),
            raise_on_error=False,
            selection=dg.AssetSelection.assets(*keys_of(names)) if names else None,
        )


def run_step(
    asset: dg.AssetsDefinition, workspace: Workspace, *, tables: Mapping[str, Table] | None = None
) -> dict[str, dict[str, Any]]:
    """Materialize the assets of a step; their metadata by name."""
    result = run_steps([asset], workspace, tables=tables)
    assert result.success
    return {
        name_of(event.asset_key): {
            name: value.value for name, value in event.materialization.metadata.items()
        }
        for event in result.get_asset_materialization_events()
        if event.asset_key
    }


def run_check(check: dg.AssetChecksDefinition, workspace: Workspace) -> dg.AssetCheckEvaluation:
    """Run a check of tables on disk by itself, as Dagster's pages do."""
    with dg.DagsterInstance.ephemeral() as instance:
        result = (
            dg.Definitions(asset_checks=[check], resources={"workspace": workspace})
            .resolve_implicit_global_asset_job_def()
            .execute_in_process(instance=instance, raise_on_error=False)
        )
    (evaluation,) = result.get_asset_check_evaluations()
    return evaluation
