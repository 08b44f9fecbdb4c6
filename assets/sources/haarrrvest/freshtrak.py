"""FreshTrak: agencies with their distributions, each with dated slots, at the agency or
elsewhere."""

from typing import Any

import pandas as pd

from assets.sources.reading import join_texts
from assets.sources.reading_json import Record, numbers, texts

Event = dict[str, Any]
_REGULAR = "Regular Hours - "
_SITE = ("address", "city", "state", "zip")


def freshtrak(records: list[Record]) -> pd.DataFrame:
    """Return one row per agency record, at the address where it gives out food.

    The agencies were read on two days; the later records come later in the file and hold fewer past
    slots. Earlier records of an agency are rejected.
    """
    sites = [_site(record) for record in records]
    split = [_split(record, site) for record, site in zip(records, sites, strict=True)]
    here = [events for events, _ in split]
    places = pd.DataFrame({name: texts(sites, name) for name in _SITE}).assign(
        name=texts(records, "name"),
        phone=texts(records, "phone"),
        source_key=texts(records, "id"),
        hours_text=_column([_regular_hours(events) or _slots(events) for events in here]),
        services_text=_column([_categories(_events(record)) for record in records]),
        accepts_walkins=_booleans([_is_walkin(events) for events in here]),
        requires_appointment=_booleans([_is_by_appointment(events) for events in here]),
        notes=_notes(records, split),
    )
    is_earlier = places.duplicated("source_key", keep="last")
    places["reject_reason"] = pd.Series("duplicate_key", index=places.index).where(is_earlier)
    places["reject_detail"] = "a later record of agency " + places["source_key"] + " follows"
    return places.join(_points(sites, here))


def _notes(records: list[Record], split: list[tuple[list[Event], list[Event]]]) -> pd.Series:
    nickname = texts(records, "nickname")
    return join_texts(
        ("Also called " + nickname).where(nickname != texts(records, "name")),
        _column([_remarks(here, away) for here, away in split]),
        _column([_other_addresses(here, away) for here, away in split]),
        separator="\n",
    )


def _split(record: Record, site: Record) -> tuple[list[Event], list[Event]]:
    """Return the distributions at the site's address, and those elsewhere."""
    here = [event for event in _events(record) if _address(event) == _address(site)]
    return here, [event for event in _events(record) if _address(event) != _address(site)]


def _site(record: Record) -> Record:
    """Return the place of distribution: the agency's address, else the one other address.

    With several other addresses and no distribution at its own, its street is an office: only its
    town is returned.
    """
    addresses = {_address(event): event for event in _events(record)}
    if not addresses or _address(record) in addresses:
        return record
    if len(addresses) == 1:
        return next(iter(addresses.values()))
    return {key: record.get(key) for key in ("city", "state", "zip")}


def _points(sites: list[Record], here: list[list[Event]]) -> pd.DataFrame:
    """Return the site's point, else that of a distribution at the same address."""
    located = [next((e for e in events if e.get("latitude")), {}) for events in here]
    return _points_of(sites).fillna(_points_of(located))


def _points_of(records: list[Record]) -> pd.DataFrame:
    """Return latitude and longitude of records; 0, 0 means missing."""
    lat, lng = numbers(records, "latitude"), numbers(records, "longitude")
    nowhere = (lat == 0) & (lng == 0)
    return pd.DataFrame({"lat": lat.mask(nowhere), "lng": lng.mask(nowhere)})


def _events(record: Record) -> list[Event]:
    return [event for event in record.get("events") or [] if isinstance(event, dict)]


def _address(place: Record) -> tuple[str, ...]:
    parts = (place.get("address"), place.get("city"), place.get("zip"))
    return tuple(" ".join(str(part or "").casefold().replace(".", "").split()) for part in parts)


def _dates(events: list[Event]) -> list[dict[str, Any]]:
    return [slot for event in events for slot in event.get("event_dates") or []]


def _regular_hours(events: list[Event]) -> str | None:
    """Return "Regular Hours - ..." of the details, if every distribution has it."""
    details = [str(event.get("event_details") or "") for event in events]
    if not details or not all(text.startswith(_REGULAR) for text in details):
        return None
    return "\n".join(dict.fromkeys(text.removeprefix(_REGULAR).strip() for text in details))


def _slots(events: list[Event]) -> str | None:
    """Return lines "2025-08-13 1 PM - 4 PM" by date, each once."""
    slots = {(s["date"], f"{s['start_time']} - {s['end_time']}"): None for s in _dates(events)}
    in_order = sorted(slots, key=lambda slot: slot[0])
    return "\n".join(f"{date} {times}" for date, times in in_order) or None


def _is_walkin(events: list[Event]) -> bool | None:
    slots = _dates(events)
    return True if slots and all(slot.get("accept_walkin") for slot in slots) else None


def _is_by_appointment(events: list[Event]) -> bool | None:
    """Return every slot takes reservations and none takes walk-ins."""
    slots = _dates(events)
    only = [s.get("accept_reservations") and not s.get("accept_walkin") for s in slots]
    return True if only and all(only) else None


def _categories(events: list[Event]) -> str | None:
    names = ((event.get("service_category") or {}).get("service_category_name") for event in events)
    return ", ".join(sorted({str(name) for name in names if name})) or None


def _remarks(here: list[Event], away: list[Event]) -> str | None:
    """Return details and exceptions, each once, without "0", hours and other addresses."""
    repeated = {"", "0", *(_regular_hours(here) or "").splitlines()}
    repeated |= {hours for event in away if (hours := _regular_hours([event]))}
    events = (
        event.get(key) for event in here + away for key in ("event_details", "exception_note")
    )
    plain = dict.fromkeys(str(text).strip() for text in events if text)
    return "\n".join(t for t in plain if t.removeprefix(_REGULAR).strip() not in repeated) or None


def _other_addresses(here: list[Event], away: list[Event]) -> str | None:
    """Return "Gives out food at: ..." with regular hours after each address that has them."""
    places = dict.fromkeys(f"{_one_line(event)}{_in_brackets(event)}" for event in away)
    if not places:
        return None
    return f"{'Also gives' if here else 'Gives'} out food at: {'; '.join(places)}"


def _one_line(event: Event) -> str:
    parts = (str(event.get(key) or "").strip() for key in ("address", "city", "state", "zip"))
    return ", ".join(part for part in parts if part)


def _in_brackets(event: Event) -> str:
    hours = _regular_hours([event])
    return f" ({hours})" if hours else ""


def _column(values: list[str | None]) -> pd.Series:
    return pd.Series(values, dtype="str")


def _booleans(values: list[bool | None]) -> pd.Series:
    return pd.Series(values, dtype="boolean")
