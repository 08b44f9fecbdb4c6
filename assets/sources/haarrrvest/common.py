"""Helpers shared by the layouts of the scraped food-bank locators."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import by_rules, contains, digests, type_by_name, without_emails
from assets.sources.reading import join_texts, with_rejects
from assets.sources.reading_json import Record, member, numbers, texts

Layout = Callable[[list[Record]], pd.DataFrame]

# Labels that locators put on a place. The first that fits decides; a pantry that also cooks is a
# pantry.
_LABEL_RULES: tuple[tuple[str, str], ...] = (
    (r"\bfree groceries\b|\b(?:choice |prepack |food )?pantry\b|\bcupboard\b", "food_pantry"),
    (r"\bsoup kitchen\b|\bready-to-eat meals\b|\bhot meal\b", "soup_kitchen"),
    (r"\bchild meal sig?h?te?\b", "summer_meal"),
    (r"\bemergency food\b", "emergency"),
    (r"\bfood bank\b", "food_bank"),
    (r"\bcsfp\b", "senior_commodity"),
    (r"\bmeal\b", "soup_kitchen"),
)
_NOT_IN_CATALOG = r"^(?:farmers markets|shelter)$"


def finish(places: pd.DataFrame) -> pd.DataFrame:
    """Return places of any layout with type, key and rejects; e-mail addresses go from free text.

    A layout that sets `resource_type`, `source_key` or `reject_reason` itself keeps what it set.
    """
    for name in ("hours_text", "notes", "services_text", "eligibility_text"):
        if name in places:
            places[name] = without_emails(places[name].astype("str"))
    labels = _column(places, "services_text")
    found = type_by_name(places["name"]).where(lambda kinds: kinds == "mobile_pantry")
    found = found.fillna(by_rules(labels, _LABEL_RULES)).fillna(type_by_name(places["name"]))
    places["resource_type"] = _column(places, "resource_type").fillna(found)
    places["source_key"] = _column(places, "source_key").fillna(_digest_keys(places))
    only_delivers = contains(places["name"], r"\bmeals on wheels\b") & (found != "mobile_pantry")
    detail = places["name"].where(only_delivers, labels)
    return with_rejects(
        places,
        (
            *_own_rejects(places),
            ("type_not_in_catalog", contains(labels, _NOT_IN_CATALOG), detail),
            ("home_delivery_only", only_delivers, detail),
        ),
    )


def _own_rejects(places: pd.DataFrame) -> list[tuple[str, pd.Series, pd.Series]]:
    if "reject_reason" not in places:
        return []
    reason, detail = places["reject_reason"].copy(), places["reject_detail"].copy()
    return [(code, reason == code, detail) for code in reason.dropna().unique()]


def _digest_keys(places: pd.DataFrame) -> pd.Series:
    """Return name, street and ZIP; without a street, the city and the phone."""
    place = places["address"].fillna(_column(places, "city"))
    return digests(
        places["name"],
        place.fillna(_column(places, "phone")),
        _column(places, "zip"),
    )


def _column(places: pd.DataFrame, name: str) -> pd.Series:
    if name in places:
        return places[name].astype("str")
    return pd.Series(None, index=places.index, dtype="str")


def with_origin(places: pd.DataFrame, file: RawFile) -> pd.DataFrame:
    """Add row numbers, and the layout as prefix of every key."""
    places["source_row"] = range(1, len(places) + 1)
    places["source_key"] = file.layout + ":" + places["source_key"]
    return places


def columns_of(records: list[Record], *names: str) -> pd.DataFrame:
    """Return the named members as text columns of the same names."""
    return pd.DataFrame({name: texts(records, name) for name in names})


def points_of(records: list[Record], *path: str) -> pd.DataFrame:
    """Return columns lat and lng from members latitude and longitude; 0, 0 stands for nothing."""
    lat = numbers(records, *path, "latitude")
    lng = numbers(records, *path, "longitude")
    nowhere = (lat == 0) & (lng == 0)
    return pd.DataFrame({"lat": lat.mask(nowhere), "lng": lng.mask(nowhere)})


def labels_of(records: list[Record], name: str) -> pd.Series:
    """Return a list of labels as one text, comma between; missing where the list is empty."""
    lists = [member(record, name) for record in records]
    plain = [
        ", ".join(str(v) for v in found) if isinstance(found, list) else None for found in lists
    ]
    column = pd.Series(plain, dtype="str")
    return column.mask(column == "")


def hours_or_notes(column: pd.Series, is_hours: pd.Series) -> pd.DataFrame:
    """Return a cell of hours or remarks whole: a remark may limit the hours."""
    return pd.DataFrame({"hours_text": column.where(is_hours), "notes": column.mask(is_hours)})


def lines(*columns: pd.Series) -> pd.Series:
    """Return texts of several columns, one under the other."""
    return join_texts(*columns, separator="\n")
