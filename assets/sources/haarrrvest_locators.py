"""Readers of three locators in the HAARRRvest archive whose records are no places yet."""

import re
from typing import Any

import pandas as pd

from assets.sources.free_text import contains, digests
from assets.sources.reading import join_texts
from assets.sources.reading_records import Record, numbers, texts


def chester_county(records: list[Record]) -> pd.DataFrame:
    """Return name, address, city, ZIP and phone from their shifted columns; `services` as
    listed."""
    town, whole = texts(records, "name"), texts(records, "phone")
    shifted = whole.str.extract(r"^(?P<name>.+) — (?P<rest>[^—]+)$")
    parts = shifted["rest"].str.extract(r"^(?P<place>.*?), PA(?: (?P<zip>\d{5}))?$")
    # "12 Elm St, Coatesville" in Coatesville: the street before the town.
    streets = [
        re.sub(r"[, ]+$", "", place.removesuffix(name)) or None
        if isinstance(place, str) and isinstance(name, str) and place.endswith(name)
        else None
        for place, name in zip(parts["place"], town, strict=True)
    ]
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


_MEMBERS = ("name", "address", "city", "state", "zip", "phone", "notes")

# Labels of the locator before a name: "CHILD MEAL SITE:: Bellview Library".
_LABEL = (
    r"^(?P<label>hot meal|child meal sig?h?te?|food distribution|job \w+|health resource"
    r"|home resource"
    r"|financial \w+) *:+ *(?P<name>.+)$"
)
_NOT_FOOD = r"^(?:job|health|home|financial)\b|^workinmobile\.com$"
# A rest of the street at the head of the city: house unit, number of a highway, direction behind
# the street.
_STREET_REST = (
    r"^\.? ?(?P<rest>#?\d+(?: ?[A-Z]\b)?(?: (?:North|South|East|West)\b)?|Unit \w+|Trail"
    r"|(?:North|South|East|West|[NS][EW]|[NSEW]\.?)(?=\W))?"
    r"\W*(?P<city>.*)$"
)
# Towns whose first words end like a street.
_CUT_TOWNS = (("Bay St", ". Louis", "Bay St. Louis"), ("Port St", ". Joe", "Port St. Joe"))
# USPS three-digit areas of Alabama, west Florida and Mississippi: anything else is a house number.
_ZIP_AREAS = r"^(?:3[56]\d|32[45]|38[6-9]|39[0-7])\d\d$"


def gulf_coast(records: list[Record]) -> pd.DataFrame:
    """Return name, label (`services`), phone, notes, and the address where it is found."""
    raw = pd.DataFrame({name: texts(records, name) for name in _MEMBERS})
    labelled = raw["name"].str.extract(_LABEL, flags=2)  # 2 is re.IGNORECASE
    house_number = raw["address"].str.extract(r"^(\d{5})\b")[0]
    is_no_code = (raw["zip"] == house_number) | ~contains(raw["zip"], _ZIP_AREAS)
    places = raw[["state", "phone", "notes"]].assign(
        # A church's own pantry and a food distribution there are two records: the label belongs to
        # the key.
        source_key=digests(raw["name"], raw["address"], raw["zip"]),
        name=labelled["name"].fillna(raw["name"]),
        services=labelled["label"],
        zip=raw["zip"].mask(is_no_code),
    )
    is_other = contains(labelled["label"].fillna(raw["name"]), _NOT_FOOD)
    places["reject_reason"] = pd.Series("not_food_assistance", index=raw.index).where(is_other)
    places["reject_detail"] = raw["name"]
    return places.join(_streets(raw))


def _streets(raw: pd.DataFrame) -> pd.DataFrame:
    """Return address and city with the split at the right word."""
    city = raw["city"].str.replace("\u200b", "", regex=False)
    parts = city.str.extract(_STREET_REST)
    address = join_texts(raw["address"], parts["rest"])
    town = parts["city"]
    for street_end, town_name, whole in _CUT_TOWNS:
        here = raw["address"].str.endswith(street_end).fillna(False).astype(bool) & (
            city == town_name
        )
        address = address.mask(here, raw["address"].str.removesuffix(street_end).str.strip())
        town = town.mask(here, whole)
    in_prichard = raw["city"].isna() & contains(raw["address"], r" Prichard$")
    address = address.mask(in_prichard, address.str.removesuffix(" Prichard"))
    return pd.DataFrame({"address": address, "city": town.mask(in_prichard, "Prichard")})


Event = dict[str, Any]
_REGULAR = "Regular Hours - "
_SITE = ("address", "city", "state", "zip")


def freshtrak(records: list[Record]) -> pd.DataFrame:
    """Return one row per agency record, at the address where it gives out food.

    The agencies were read on two days; the later records come later in the file and hold fewer past
    slots. Earlier records of an agency are rejected.
    """
    sites = [_site(record) for record in records]
    # The distributions at the site's address, and those elsewhere.
    here: list[list[Event]] = []
    away: list[list[Event]] = []
    for record, site in zip(records, sites, strict=True):
        events = _events(record)
        here.append([event for event in events if _address(event) == _address(site)])
        away.append([event for event in events if _address(event) != _address(site)])
    slots = [[slot for e in each for slot in e.get("event_dates") or []] for each in here]
    walkins = [bool(each) and all(slot.get("accept_walkin") for slot in each) for each in slots]
    # Every slot takes reservations and none takes walk-ins.
    reserved = [
        bool(each)
        and all(s.get("accept_reservations") and not s.get("accept_walkin") for s in each)
        for each in slots
    ]
    nickname = texts(records, "nickname")
    notes = join_texts(
        ("Also called " + nickname).where(nickname != texts(records, "name")),
        _column([_remarks(*each) for each in zip(here, away, strict=True)]),
        _column([_other_addresses(*each) for each in zip(here, away, strict=True)]),
        separator="\n",
    )
    # The site's point, else that of a distribution at the same address.
    located = [next((e for e in events if e.get("latitude")), {}) for events in here]
    points = _points_of(sites).fillna(_points_of(located))
    places = pd.DataFrame({name: texts(sites, name) for name in _SITE}).assign(
        name=texts(records, "name"),
        phone=texts(records, "phone"),
        source_key=texts(records, "id"),
        hours_text=_column(
            [_regular_hours(e) or _slots(s) for e, s in zip(here, slots, strict=True)]
        ),
        services_text=_column([_categories(_events(record)) for record in records]),
        accepts_walkins=pd.Series([each or None for each in walkins], dtype="boolean"),
        requires_appointment=pd.Series([each or None for each in reserved], dtype="boolean"),
        notes=notes,
    )
    is_earlier = places.duplicated("source_key", keep="last")
    places["reject_reason"] = pd.Series("duplicate_key", index=places.index).where(is_earlier)
    places["reject_detail"] = "a later record of agency " + places["source_key"] + " follows"
    return places.join(points)


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


def _regular_hours(events: list[Event]) -> str | None:
    """Return "Regular Hours - ..." of the details, if every distribution has it."""
    details = [str(event.get("event_details") or "") for event in events]
    if not details or not all(text.startswith(_REGULAR) for text in details):
        return None
    return "\n".join(dict.fromkeys(text.removeprefix(_REGULAR).strip() for text in details))


def _slots(dates: list[dict[str, Any]]) -> str | None:
    """Return lines "2025-08-13 1 PM - 4 PM" by date, each once."""
    slots = {(s["date"], f"{s['start_time']} - {s['end_time']}"): None for s in dates}
    in_order = sorted(slots, key=lambda slot: slot[0])
    return "\n".join(f"{date} {times}" for date, times in in_order) or None


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
    places: dict[str, None] = {}
    for event in away:
        parts = (str(event.get(key) or "").strip() for key in ("address", "city", "state", "zip"))
        hours = _regular_hours([event])
        place = ", ".join(part for part in parts if part)
        places[f"{place} ({hours})" if hours else place] = None
    if not places:
        return None
    return f"{'Also gives' if here else 'Gives'} out food at: {'; '.join(places)}"


def _column(values: list[str | None]) -> pd.Series:
    return pd.Series(values, dtype="str")
