"""The sensor that builds a release after a reviewer's decision."""

import dagster as dg

from assets.steps.workspace import Workspace
from pipelines.jobs import BUILD_RELEASE
from warehouse.operations.engine import StoreUnavailableError
from warehouse.operations.export import version_of_approved, version_of_nothing
from warehouse.operations.location import store_of


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
