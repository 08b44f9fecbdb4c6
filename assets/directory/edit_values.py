"""Values of one record under one edit: published fields, dates, a new location."""

import datetime
from collections.abc import Callable
from typing import Any

import pandas as pd

from assets.attributes.reading import FACT_COLUMNS, with_facts
from assets.directory.closures import CLOSURE
from assets.directory.places import FIELD_GROUPS
from assets.directory.record_dates import HOURS_DATES, hours_date
from assets.hours.columns import read_hours
from schemas.tables.core import PLACES
from schemas.values.phone import parse_phone
from schemas.vocab.statuses import DateKind

Locate = Callable[[pd.DataFrame], pd.DataFrame]
# Kinds of sources whose dates count for hours.
_HOURS_AUTHORITY = {"visitors": "visitor", "community": "community", "operator": "operator"}
# Published fields derived from texts: reread when a text changes.
_READ_FROM = {
    "requirements_text": ("required_documents", "requires_documents", "requires_id"),
    "eligibility_text": (
        "audiences",
        "minimum_age",
        "maximum_age",
        "service_area_text",
        "service_areas",
        "is_service_area_exclusive",
    ),
}


def date_hours(
    record: dict[str, Any], kind: DateKind, edit: dict[str, Any], day: datetime.date
) -> None:
    """Date a record's hours by an edit, if it vouches for them at least as long as their date."""
    authority = _HOURS_AUTHORITY[edit["edit_authority"]]
    new_date = hours_date(authority, {kind: day})
    until = record["hours_until_date"]
    if new_date is None or not is_known(record["hours_text"]):
        return
    if not is_known(until) or new_date.until >= pd.Timestamp(until).date():
        record |= dict(zip(HOURS_DATES, new_date, strict=True))


def set_values(record: dict[str, Any], fields: dict[str, Any]) -> None:
    for name, value in fields.items():
        if name == "phone":
            record["phone"], record["phone_e164"] = value, None
        elif name == "services_text":
            parts = [p.strip() for p in (value or "").split(";") if p.strip()]
            record["services_offered"] = parts or None
        elif name == "hours_text":
            hours = read_hours(pd.Series([value], dtype="str")).iloc[0]
            record |= dict.fromkeys(CLOSURE)  # new hours end it, unless they say otherwise
            record |= {
                "hours_text": value,
                "schedules_json": hours["schedules_json"],
                "hours_json": hours["hours_json"],
            }
        else:
            record[name] = list(value) if name == "languages" and value is not None else value
    if fields.get("phone") is not None:
        phone = parse_phone(fields["phone"])
        record["phone_e164"] = phone.e164 if phone else None
    _read_facts(record, fields)


def _read_facts(record: dict[str, Any], fields: dict[str, Any]) -> None:
    """Read attributes from the new texts; those stated only by an old text become unknown."""
    texts = {
        n: fields.get(n)
        for n in ("services_text", "requirements_text", "eligibility_text", "notes", "hours_text")
    }
    if not any(name in fields for name in texts):
        return
    for name, facts in _READ_FROM.items():
        if name in fields:
            record.update(dict.fromkeys(facts))
    row = pd.DataFrame(
        [
            {
                **texts,
                "state": record["state"],
                "accepts_walkins": None,
                "requires_appointment": None,
                "languages": None,
            }
        ]
    )
    statements = with_facts(
        row.astype(
            dict.fromkeys(texts, "str")
            | {"accepts_walkins": "boolean", "requires_appointment": "boolean"}
        )
    ).iloc[0]
    for name in FACT_COLUMNS:
        if name in statements and is_known(statements[name]) and name not in fields:
            record[name] = _as_list(statements[name])


def move(
    record: dict[str, Any], location: dict[str, Any], edit: dict[str, Any], locate: Locate
) -> None:
    """Move the address and its point: the edit's own, else its ZIP code's."""
    place = dict.fromkeys(PLACES.field_names)
    place |= {
        name: record[name] for name in ("name", "resource_type", "address", "city", "state", "zip")
    }
    place |= location | {
        "source_id": edit["source_id"],
        "source_key": edit["source_key"],
        "source_row": 1,
        "file_name": edit["file_name"],
        "is_public": True,
        "is_confidential": bool(record["is_confidential"]),
        "is_synthetic": bool(record["is_synthetic"]),
        "retrieved_at": edit["retrieved_at"],
    }
    if set(location) <= {"address"} and location.get("address") is None:
        place |= {"lat": record["lat"], "lng": record["lng"]}
    frame = pd.DataFrame([place]).astype(
        dict.fromkeys(
            ("address", "city", "state", "zip", "county_name", "location_precision"), "str"
        )
        | {"lat": "float64", "lng": "float64"}
    )
    located = locate(frame)
    if len(located):
        record.update({name: _none(located.iloc[0][name]) for name in FIELD_GROUPS["lat"]})


def name_member(name: str) -> str:
    return "services_offered" if name == "services_text" else name


def later(one: Any, day: datetime.date) -> datetime.date:
    return max(pd.Timestamp(one).date(), day) if is_known(one) else day


def is_known(value: Any) -> bool:
    if value is None or value is pd.NA:
        return False
    return True if hasattr(value, "__len__") and not isinstance(value, str) else not pd.isna(value)


def _none(value: Any) -> Any:
    return value if is_known(value) else None


def as_list(value: Any) -> list[Any]:
    return list(value) if is_known(value) else []


def _as_list(value: Any) -> Any:
    """Convert arrays to lists: frames return some lists as arrays."""
    return list(value) if hasattr(value, "__len__") and not isinstance(value, str) else value


def plain(value: Any) -> Any:
    if not is_known(value):
        return None
    return (
        list(value) or None if hasattr(value, "__len__") and not isinstance(value, str) else value
    )
