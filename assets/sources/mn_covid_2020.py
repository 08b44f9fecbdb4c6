"""Free lunches in Minnesota in March 2020, geocoded: a CSV and the same as GeoJSON."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import digests, five_digits, website_without_email, without_emails
from assets.sources.reading import as_number
from assets.sources.reading_geojson import read_geojson_points
from assets.sources.reading_json import records_as_text
from assets.sources.reading_table import read_table
from schemas.sources.registry import Source

_TEXTS = [
    "place_name",
    "address_street",
    "address_city",
    "address_state",
    "address_zip",
    "availability",
    "offering",
    "link",
    "Accuracy Type",
    "County",
]
# Geocodio's words; "street_center" lies anywhere on the street.
_PRECISIONS = {
    "rooftop": "rooftop",
    "point": "rooftop",
    "range_interpolation": "street",
    "nearest_rooftop_match": "street",
    "street_center": "city",
    "place": "city",
}


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's places in one frame. Raises UnreadableFileError when columns are missing."""
    rows = _geojson(file) if file.layout == "geojson" else _csv(file)
    yield pd.DataFrame(
        {
            "source_row": rows["source_row"],
            "source_key": digests(
                rows["place_name"], rows["address_street"], five_digits(rows["address_zip"])
            ),
            "name": rows["place_name"],
            "address": rows["address_street"],
            "city": rows["address_city"],
            "state": rows["address_state"],
            "zip": rows["address_zip"],
            "county_name": rows["County"],
            "lat": as_number(rows["latitude"]),
            "lng": as_number(rows["longitude"]),
            "location_precision": rows["Accuracy Type"].map(_PRECISIONS),
            "website": website_without_email(rows["link"]),
            "hours_text": rows["availability"],
            "services_text": without_emails(rows["offering"]).str.strip('"'),
        }
    )


def _csv(file: RawFile) -> pd.DataFrame:
    rows = read_table(file, required=[*_TEXTS, "Latitude", "Longitude"])
    return rows.rename(columns={"Latitude": "latitude", "Longitude": "longitude"})


def _geojson(file: RawFile) -> pd.DataFrame:
    names = [*_TEXTS, "latitude", "longitude"]
    return records_as_text(read_geojson_points(file), names, file, required=names)
