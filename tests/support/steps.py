"""Run one step of the pipeline by itself."""

from typing import Any

import dagster as dg

from assets.steps.workspace import Workspace


def run_step(
    asset: dg.AssetsDefinition, workspace: Workspace, *, raise_on_error: bool = True
) -> dict[str, dict[str, Any]]:
    """Materialize the assets of a step; their metadata by name."""
    with dg.DagsterInstance.ephemeral() as instance:
        result = dg.materialize(
            [asset],
            resources={"workspace": workspace},
            instance=instance,
            raise_on_error=raise_on_error,
        )
    return {
        event.asset_key.to_user_string(): {
            name: value.value for name, value in event.materialization.metadata.items()
        }
        for event in result.get_asset_materialization_events()
        if event.asset_key
    }
