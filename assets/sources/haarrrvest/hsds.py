"""Locators scraped into HSDS-like objects: Care and Share, Hudson County, Rutgers Against Hunger."""

from __future__ import annotations

from typing import Any

import pandas as pd

from assets.sources.haarrrvest.common import finish, points_of
from assets.sources.reading import join_texts
from assets.sources.reading_json import Record, member, texts


def hsds(records: list[Record]) -> pd.DataFrame:
    """Return one object per place; Hudson County's ZIP and state are in other members."""
    about = texts(records, "description")
    status = texts(records, "status")
    labels = [_attribute(record, "PROGRAM_TYPE") for record in records]
    places = points_of(records, "location").assign(
        name=texts(records, "name"),
        address=join_texts(
            texts(records, "address", "address_1"), texts(records, "address", "address_2")
        ),
        city=texts(records, "address", "city"),
        state=texts(records, "address", "state_province"),
        zip=texts(records, "address", "postal_code").fillna(about.str.extract(r"[.] (\d{5})$")[0]),
        county_name=pd.Series([_attribute(r, "COUNTY") for r in records], dtype="str"),
        phone=pd.Series([_phone(record) for record in records], dtype="str"),
        website=texts(records, "url"),
        hours_text=pd.Series([_hours(record) for record in records], dtype="str"),
        services_text=pd.Series(labels, dtype="str"),
        notes=about,
    )
    is_listed = status.isna() | (status == "active")
    places["location_precision"] = pd.Series("city", index=places.index).where(
        places["address"].isna()
    )
    places["reject_reason"] = pd.Series("not_open", index=places.index).mask(is_listed)
    places["reject_detail"] = status
    return finish(places)


def _list(record: Record, name: str) -> list[dict[str, Any]]:
    found = member(record, name)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def _attribute(record: Record, key: str) -> str | None:
    found = _list(record, "service_attributes")
    return next((a.get("attribute_value") for a in found if a.get("attribute_key") == key), None)


def _phone(record: Record) -> str | None:
    return ", ".join(str(p["number"]) for p in _list(record, "phones") if p.get("number")) or None


def _hours(record: Record) -> str | None:
    slots = _list(record, "regular_schedule")
    return (
        "; ".join(f"{s.get('weekday')} {s.get('opens_at')} - {s.get('closes_at')}" for s in slots)
        or None
    )
