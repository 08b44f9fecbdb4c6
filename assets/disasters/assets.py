"""Writes the file that informs the service of new disasters between two releases."""

from datetime import UTC, datetime

import dagster as dg

from assets.disasters.declarations import edition_of, recent_declarations
from assets.steps.keys import keys_of, place_in_graph
from assets.steps.workspace import Workspace
from schemas.tables.core import DECLARATIONS
from warehouse.disaster_file import read_side_file, write_side_file


@dg.asset(
    **place_in_graph("out_disasters__current", "release"),
    kinds={"json"},
    deps=keys_of([DECLARATIONS.name]),
    description=(
        "Disaster declarations of the last three years in one checked file next to the releases, "
        "which the service loads without a new release."
    ),
)
def out_disasters__current(
    context: dg.AssetExecutionContext, workspace: Workspace
) -> dg.MaterializeResult:
    """Write the declarations; if none could be read, leave the last good file."""
    areas = workspace.read(DECLARATIONS.name)
    if areas.empty:
        context.log.info("no declarations have been read: the file stays as it is")
        return dg.MaterializeResult(metadata={"written": False})
    day = datetime.now(UTC).date()
    rows = recent_declarations(areas, day)
    edition = edition_of(areas, day, datetime.now(UTC), workspace.is_synthetic)
    path = write_side_file(workspace.root, edition, rows)
    # Declarations that the service would reject fail here.
    read_side_file(path)
    return dg.MaterializeResult(
        metadata={
            "written": True,
            "dagster/row_count": len(rows),
            "as_of": str(edition.as_of),
            "bytes": path.stat().st_size,
            "path": dg.MetadataValue.path(str(path)),
        }
    )
