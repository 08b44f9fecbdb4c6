"""Reference geography as assets: ZIP codes and cities, from packages or official files, and the
base of the interactive map."""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import msgspec
import pandas as pd

from assets.geography.base_map import base_map
from assets.geography.packages import cities_from_packages, zips_from_packages
from assets.steps.products import product_of
from assets.steps.tables import outputs, outs_of, read
from assets.steps.workspace import Workspace
from schemas.tables.core import CITIES, ZIPS
from schemas.vocab.base_map import base_map_file
from warehouse.exports.gzip_files import write_gzip


@dg.multi_asset(outs=outs_of("geography", ZIPS, CITIES), can_subset=True)
def core_geography(
    context: dg.AssetExecutionContext, workspace: Workspace
) -> Iterator[dg.Output[pd.DataFrame]]:
    """Make ZIP codes and cities with points, population and time zones, from files or packages."""
    folder = Path(workspace.geography_dir) if workspace.geography_dir else None
    if folder and folder.is_dir() and any(folder.iterdir()):
        from assets.geography.official import geography_from_files  # noqa: PLC0415

        zips, cities, notes = geography_from_files(folder)
    else:
        zips, notes = zips_from_packages(), ["from packages"]
        cities = cities_from_packages(zips)
    yield from outputs(context, {ZIPS: zips, CITIES: cities}, {"notes": notes})


def boundaries_vintage(workspace: Workspace) -> str:
    """Return the vintage of the boundaries, for people."""
    boundaries = workspace.geography().boundaries
    return boundaries.vintage if boundaries else "no boundaries"


@dg.asset(
    ins={"towns": read(CITIES, ["place_name", "state", "search_name", "lat", "lng", "population"])},
    **product_of(
        "out_map__base",
        "statistics",
        kinds={"geojson", "geopandas"},
        description=(
            "Base of the interactive map: towns by state and, where there are boundaries, the "
            "borders of states and counties, as GeoJSON."
        ),
        deps=[ZIPS.name],
    ),
)
def out_map__base(workspace: Workspace, towns: pd.DataFrame) -> Iterator[dg.Output[Path]]:
    """Write one file for the nation and one for each state."""
    boundaries = workspace.geography().boundaries
    with workspace.scratch() as folder:
        for code, features in base_map(boundaries, towns).items():
            write_gzip(folder / base_map_file(code), msgspec.json.encode(features))
        files = len(list(folder.iterdir()))
        yield dg.Output(
            folder, metadata={"boundaries": boundaries_vintage(workspace), "files": files}
        )
