"""Chester County Food Bank, Pennsylvania: the columns are shifted by one or two.

The town holds the name, the telephone name and address, the hours the telephone. The points are
invented: the middle of the county with a little noise.
"""

import re

import pandas as pd

from assets.sources.reading_json import Record, texts


def chester_county(records: list[Record]) -> pd.DataFrame:
    """Return name, address, city, ZIP and phone from their shifted columns; `services` as
    listed."""
    town, whole = texts(records, "name"), texts(records, "phone")
    shifted = whole.str.extract(r"^(?P<name>.+) — (?P<rest>[^—]+)$")
    parts = shifted["rest"].str.extract(r"^(?P<place>.*?), PA(?: (?P<zip>\d{5}))?$")
    streets = [_before_town(place, name) for place, name in zip(parts["place"], town, strict=True)]
    places = pd.DataFrame(
        {
            "name": shifted["name"],
            "address": pd.Series(streets, dtype="str"),
            "city": town,
            "state": texts(records, "state"),
            "zip": parts["zip"],
            "phone": texts(records, "hours"),
            "services": [", ".join(record.get("services") or ()) for record in records],
        }
    )
    unread = places["name"].isna() | places["address"].isna()
    places["reject_reason"] = pd.Series("unreadable_address", index=places.index).where(unread)
    places["reject_detail"] = whole
    return places


def _before_town(place: object, town: object) -> str | None:
    if not isinstance(place, str) or not isinstance(town, str) or not place.endswith(town):
        return None
    return re.sub(r"[, ]+$", "", place.removesuffix(town)) or None
