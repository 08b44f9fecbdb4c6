"""Automation: conditions that rerun assets when their inputs have changed."""

from collections.abc import Sequence

import dagster as dg

from assets.steps.workspace import Workspace
from pipelines.jobs import BUILD_RELEASE
from warehouse.operations.engine import StoreUnavailableError
from warehouse.operations.export import version_of_approved, version_of_nothing
from warehouse.operations.location import store_of

# Content counts, not runs: a publisher's file fetched again with the same bytes triggers nothing.
# Assets made in the same run as their upstream are up to date already.
_DEPENDENCY_CHANGED = dg.AutomationCondition.any_deps_match(
    (
        dg.AutomationCondition.data_version_changed()
        & ~dg.AutomationCondition.executed_with_root_target()
    )
    | dg.AutomationCondition.will_be_requested()
).with_label("dependency_changed")

ON_CHANGE = (
    dg.AutomationCondition.eager().replace("any_deps_updated", _DEPENDENCY_CHANGED)
    & dg.AutomationCondition.all_deps_blocking_checks_passed()
).with_label("when a dependency has changed and its blocking checks have passed")


def with_automation(assets: Sequence[dg.AssetsDefinition]) -> list[dg.AssetsDefinition]:
    """Return the assets, with `ON_CHANGE` on all that depend on another one, except raw files.

    Schedules and people refresh raw files and geography. (The demo invents its raw files from the
    geography, which is no reason to fetch others again.)
    """
    return [
        asset.map_asset_specs(
            lambda spec: (
                spec.replace_attributes(automation_condition=ON_CHANGE)
                if spec.deps and not spec.key.to_user_string().startswith("raw_")
                else spec
            )
        )
        for asset in assets
    ]


@dg.sensor(
    name="approved_writes",
    job_name=BUILD_RELEASE,
    minimum_interval_seconds=60,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description=(
        "Builds a release when a reviewer has approved or undone something since the last look."
    ),
)
def approved_writes(
    context: dg.SensorEvaluationContext, workspace: Workspace
) -> dg.SkipReason | dg.RunRequest:
    """Poll the operations store every minute; the first poll compares with an empty state."""
    store = store_of(workspace.root)
    try:
        version = version_of_approved(store)
    except StoreUnavailableError as error:
        return dg.SkipReason(f"the operations store cannot be read: {error}")
    finally:
        store.close()
    before = context.cursor or version_of_nothing()
    context.update_cursor(version)
    if version == before:
        return dg.SkipReason("nothing was decided since the last look")
    return dg.RunRequest(run_key=version)
