"""Reader for ArcGIS query answers whose point is only in the geometry of each feature."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.reading import read_arcgis_json
from assets.sources.reading_json import numbers, read_json_pages


def read_arcgis_points(file: RawFile, required: Iterable[str] = ()) -> pd.DataFrame:
    """Return the attributes as text with `source_row`, plus `lng` and `lat`: x and y of the
    geometry as numbers.

    They may be Web Mercator metres: the location step decides. Raises what `read_arcgis_json` raises.
    """
    rows = read_arcgis_json(file, required)
    features = read_json_pages(file, "features")
    return rows.assign(
        lng=numbers(features, "geometry", "x"), lat=numbers(features, "geometry", "y")
    )
