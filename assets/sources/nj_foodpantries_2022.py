"""New Jersey's pages of foodpantries.org: an object of towns, each an object of pantries by name.

The link is a page about the pantry and not its own, and serves as key only.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.free_text import contains, type_by_name
from assets.sources.reading import with_rejects
from assets.sources.reading_json import Record, numbers, texts
from assets.sources.reading_json_whole import read_json_object
from schemas.sources.registry import Source


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's pantries in one frame. Raises UnreadableFileError for another nesting."""
    records = _pantries(file)
    name = texts(records, "name")
    places = pd.DataFrame(
        {
            "source_row": range(1, len(records) + 1),
            "source_key": texts(records, "link").str.extract(r"/li/(.+)$")[0],
            "name": name,
            "resource_type": type_by_name(name),
            "address": texts(records, "street"),
            "city": texts(records, "city"),
            "state": texts(records, "state"),
            "zip": texts(records, "postal_code"),
            "lat": numbers(records, "latitude"),
            "lng": numbers(records, "longitude"),
            "phone": texts(records, "telephone"),
        }
    )
    delivers = contains(name, r"\bmeals on wheels\b")
    yield with_rejects(places, [("home_delivery_only", delivers, name)])


def _pantries(file: RawFile) -> list[Record]:
    found: list[Record] = []
    for town, pantries in read_json_object(file).items():
        for name, pantry in pantries.items():
            if not isinstance(pantry, dict):
                raise UnreadableFileError(f"{file.name}: {town}: {name} is no object")
            found.append({**pantry, "name": name})
    return found
