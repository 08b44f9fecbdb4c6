"""Pantries and soup kitchens in New York City's Facilities Database (Food Bank For NYC,
2016-08-05).

A third file holds the city's senior centers, which the directory has no type for.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import digests
from assets.sources.reading import with_rejects
from assets.sources.reading_json import numbers, texts
from assets.sources.reading_json_whole import read_json_list
from schemas.sources.registry import Source

_TYPES = {"FOOD_PANTRY": "food_pantry", "SOUP_KITCHEN": "soup_kitchen"}


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's facilities in one frame. Raises UnreadableFileError when it is no list."""
    records = read_json_list(file)
    name, kind = texts(records, "Name"), texts(records, "Type")
    street = texts(records, "Address").str.replace(r"\s+", " ", regex=True)
    city = texts(records, "city").fillna(texts(records, "Borough"))
    places = pd.DataFrame(
        {
            "source_row": range(1, len(records) + 1),
            "source_key": digests(kind, name, street, texts(records, "Zip Code")),
            "name": name,
            "resource_type": kind.map(_TYPES),
            "address": street,
            "city": city.replace("Staten Is", "Staten Island"),
            "state": "NY",
            "zip": texts(records, "Zip Code"),
            "lat": numbers(records, "lat"),
            "lng": numbers(records, "lng"),
        }
    )
    is_other = ~kind.isin(list(_TYPES))
    yield with_rejects(places, [("not_food_assistance", is_other, kind.fillna("no Type"))])
