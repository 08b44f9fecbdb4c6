"""Food pantries of Maine, collected at a hack day in 2014: a CSV, and the same as GeoJSON where it
has a point.

The points are a geocoder's, with its own score. A low one is the middle of a ZIP code or town.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import digests, type_by_name
from assets.sources.reading import as_number
from assets.sources.reading_geojson import read_geojson_points
from assets.sources.reading_json import records_as_text
from assets.sources.reading_table import read_table
from assets.sources.whole_addresses import address_parts
from schemas.sources.registry import Source

_TEXTS = ["name", "address", "phone", "Accuracy Score"]
# Geocodio: 0.6 and more is on the right street.
_ON_STREET = 0.6


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the pantries in one frame. Raises UnreadableFileError for missing columns."""
    rows = _geojson(file) if file.layout == "geojson" else _csv(file)
    # The same key in both files: blanks, dashes and stray line ends do not count.
    plain = rows["address"].str.replace(r"[\s,]+", " ", regex=True)
    is_vague = as_number(rows["Accuracy Score"]) < _ON_STREET
    vague = pd.Series("city", index=rows.index).where(is_vague & rows["latitude"].notna(), None)
    yield address_parts(rows["address"], "ME").assign(
        source_row=rows["source_row"],
        source_key=digests(rows["name"], plain),
        name=rows["name"],
        resource_type=type_by_name(rows["name"]),
        lat=as_number(rows["latitude"]),
        lng=as_number(rows["longitude"]),
        location_precision=vague,
        phone=rows["phone"],
    )


def _csv(file: RawFile) -> pd.DataFrame:
    rows = read_table(file, required=[*_TEXTS, "Latitude", "Longitude"], lineterminator="\r")
    return rows.rename(columns={"Latitude": "latitude", "Longitude": "longitude"})


def _geojson(file: RawFile) -> pd.DataFrame:
    names = [*_TEXTS, "latitude", "longitude"]
    return records_as_text(read_geojson_points(file), names, file, required=names)
