"""Writes the file that informs the service of new disasters between two releases."""

from datetime import UTC, date, datetime

import dagster as dg
import pandas as pd

from assets.steps.keys import keys_of, place_in_graph
from assets.steps.workspace import Workspace
from schemas.tables.core import DECLARATIONS
from warehouse.disaster_file import (
    Declaration,
    Edition,
    cutoff_day,
    read_side_file,
    write_side_file,
)

_COLUMNS = list(Declaration.__struct_fields__)
_DATES = [name for name in _COLUMNS if name.endswith("_date")]


def recent_declarations(areas: pd.DataFrame, as_of: date) -> list[Declaration]:
    """Return the declarations to serve on the day `as_of`, in the service's order."""
    since = pd.Timestamp(cutoff_day(as_of))
    days = areas[
        ["declaration_date", "incident_begin_date", "incident_end_date", "last_ia_filing_date"]
    ]
    latest = days.apply(pd.to_datetime).max(axis=1)
    order = ["disaster_number", "declaration_type", "designated_area", "county_fips"]
    recent = areas.loc[latest >= since, _COLUMNS].sort_values(order, na_position="first")
    plain = recent.astype("object").where(recent.notna(), None)
    for name in _DATES:
        plain[name] = [_day(value) for value in plain[name]]
    return [Declaration(**row) for row in plain.to_dict("records")]


def edition_of(
    areas: pd.DataFrame, as_of: date, checked_at: datetime, is_synthetic: bool
) -> Edition:
    """Return the data's edition: FEMA's newest date, and the times of fetching and checking."""
    updated = pd.to_datetime(areas["source_updated_date"]).max()
    newest = pd.to_datetime(areas["declaration_date"]).max()
    retrieved = areas["retrieved_at"].max() if len(areas) else None
    return Edition(
        as_of=_day(updated),
        newest_declaration_date=_day(newest),
        cutoff_day=cutoff_day(as_of),
        retrieved_at=retrieved.to_pydatetime().astimezone(UTC) if retrieved is not None else None,
        checked_at=checked_at,
        files=sorted(areas["file_name"].unique()),
        is_synthetic=is_synthetic,
    )


def _day(value: object) -> date | None:
    if value is None or pd.isna(value):
        return None
    day: date = pd.Timestamp(value).date()
    return day


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
