"""North Carolina: pantries and meal sites of NC 211, partner sites of the Food Bank of Central &
Eastern NC.

NC 211 writes "street, city, NC, county" without a ZIP, and one site may be in both of its lists.
The food bank writes street and city without a comma between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import contains, digests, type_by_name
from assets.sources.reading import with_rejects
from assets.sources.reading_json import Record, numbers, texts
from assets.sources.reading_json_whole import read_json_list
from assets.sources.whole_addresses import address_parts
from schemas.sources.registry import Source

_NC211_ADDRESS = r"^(?:(?P<address>.*?), )?(?P<city>[^,]+), NC(?:, (?P<county_name>[^,]+))?$"
_ANIMALS = r"\bhumane society\b|\banimal\b|\bpet food\b"
_DELIVERS = r"\bmeals on wheels\b|\bhomebound\b"


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's places in one frame. Raises UnreadableFileError when it is no list of
    objects."""
    records = read_json_list(file)
    name = texts(records, "name")
    places = _LAYOUTS[file.layout](records).assign(
        source_row=range(1, len(records) + 1),
        name=name,
        state="NC",
        lat=numbers(records, "lat"),
        lng=numbers(records, "lng"),
        phone=texts(records, "phone"),
    )
    yield with_rejects(
        places,
        (
            ("not_food_assistance", contains(name, _ANIMALS), name),
            ("home_delivery_only", contains(name, _DELIVERS), name),
            ("past_event", contains(name, r"^20\d\d\b"), name),
            ("not_in_catalog", contains(name, r"[-–]\s*shelter$"), name),
        ),
    )


def _nc211_pantries(records: list[Record]) -> pd.DataFrame:
    address = texts(records, "address")
    parts = address.str.extract(_NC211_ADDRESS)
    return parts.assign(
        address=parts["address"].mask(parts["city"].isna(), address),
        source_key=texts(records, "nc211LocationId"),
        resource_type=type_by_name(texts(records, "name")),
    )


def _nc211_meals(records: list[Record]) -> pd.DataFrame:
    street = texts(records, "address")
    name = texts(records, "name")
    return pd.DataFrame(
        {
            "source_key": texts(records, "nc211LocationId"),
            "resource_type": type_by_name(name).fillna("soup_kitchen"),
            "address": street.mask(street.str.casefold() == "multiple locations"),
            "city": texts(records, "city"),
            "zip": texts(records, "zip"),
            "hours_text": texts(records, "hours"),
        }
    )


def _food_bank_sites(records: list[Record]) -> pd.DataFrame:
    name, address = texts(records, "name"), texts(records, "address")
    meals = contains(name, r"[-–]\s*meals$")
    return address_parts(address, "NC").assign(
        source_key="foodbankcenc:" + digests(name, address),
        resource_type=type_by_name(name).mask(meals, "soup_kitchen"),
    )


_LAYOUTS: dict[str, Callable[[list[Record]], pd.DataFrame]] = {
    "nc211_pantries": _nc211_pantries,
    "nc211_meals": _nc211_meals,
    "food_bank_sites": _food_bank_sites,
}
