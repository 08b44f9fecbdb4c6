"""Write the places of a release as one archive of vector tiles (PMTiles 3), by GDAL."""

import warnings
from pathlib import Path

import geopandas as gpd

from schemas.bulk import BULK_FOLDER

_ON_TILES = ["geometry", "id", "name", "resource_type", "city", "state", "zip", "phone"]


def write_tiles(release: Path, archive: Path, max_zoom: int) -> int:
    """Write tiles from the bulk file in the folder of a release; return the number of places.

    Crowded tiles are thinned. Raises FileNotFoundError for a release without bulk files.
    """
    file = release / BULK_FOLDER / "resources.geoparquet"
    places = gpd.read_parquet(file, columns=_ON_TILES)
    archive.unlink(missing_ok=True)
    with warnings.catch_warnings():
        # GDAL warns of every tile that it thins.
        warnings.simplefilter("ignore", RuntimeWarning)
        places.to_file(archive, driver="PMTiles", layer="places", MAXZOOM=str(max_zoom))
    return len(places)
