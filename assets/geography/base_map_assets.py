"""The base of the interactive map as files."""

from pathlib import Path

import msgspec
import pandas as pd

from assets.geography.base_map import base_map
from assets.geography.boundaries import Boundaries
from assets.steps.decorators import Facts, load_frame, product_asset
from assets.steps.workspace import Workspace
from schemas.tables.core import CITIES
from schemas.vocab.base_map import BASE_MAP_FOLDER, base_map_file
from warehouse.exports.gzip_files import write_gzip


def boundaries_vintage(workspace: Workspace) -> str:
    """Return the vintage of the boundaries, for people."""
    boundaries = workspace.geography().boundaries
    return boundaries.vintage if boundaries else "no boundaries"


@product_asset(
    "out_map__base",
    BASE_MAP_FOLDER,
    reads={CITIES.name: ["place_name", "state", "search_name", "lat", "lng", "population"]},
    group="statistics",
    kinds={"geojson", "geopandas"},
    settings=lambda workspace: {"vintage": boundaries_vintage(workspace)},
    arguments=lambda workspace: {"boundaries": workspace.geography().boundaries},
    load=load_frame,
    description=(
        "Base of the interactive map: towns by state and, where there are boundaries, the borders "
        "of states and counties, as GeoJSON."
    ),
)
def out_map__base(
    folder: Path, towns: pd.DataFrame, vintage: str, boundaries: Boundaries | None
) -> Facts:
    """Write one file for the nation and one for each state."""
    for code, features in base_map(boundaries, towns).items():
        write_gzip(folder / base_map_file(code), msgspec.json.encode(features))
    return {"boundaries": vintage, "files": len(list(folder.iterdir()))}
