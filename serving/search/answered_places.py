"""Places of an answer in plain language: as records and in words."""

from datetime import datetime

import msgspec

from schemas.api.plain_language import FoundPlace
from schemas.values.usual_hours import origin_words
from serving.places.detail import hours_age
from serving.places.view import place_path
from serving.search.language import reply
from serving.search.language.text import Language, printable
from warehouse.index.reader import OpenRelease

# These precisions locate an area, not a place.
_ROUGH = frozenset({"zip", "county", "city"})


class _Record(msgspec.Struct):
    """The members of a stored record that an answer uses."""

    id: int
    name: str
    resource_type: str
    address: str | None
    city: str | None
    state: str | None
    zip: str | None
    phone: str | None


def build_place(
    release: OpenRelease,
    base: str,
    language: Language,
    row: int,
    miles: float | None,
    now: datetime,
) -> FoundPlace:
    """Return the place of a row; `base` is the address of the service."""
    record = msgspec.json.decode(release.read_record(row) + b"}", type=_Record)
    return FoundPlace(
        record.id,
        _line(record.name),
        record.resource_type,
        _address(record),
        record.phone,
        miles,
        release.moment(row, now).hours_status,
        release.usual_hours(row, now),
        f"{base}{place_path(record.id, language)}",
        f"{base}/api/resources/{record.id}",
        release.doubt(row),
    )


def name_place(
    release: OpenRelease,
    row: int,
    place: FoundPlace,
    then: reply.Then | None,
    now: datetime,
    language: Language,
) -> reply.Entry:
    """Add the age and the origin of a place's hours, and the first thing to do, in words."""
    origin = release.hours_origin(row)
    age = hours_age(release, row, now)[language] if origin else ""
    words = origin_words(origin.basis, origin.day)[language] if origin else ""
    hours = reply.HoursWords(age, words, release.advice(row).clause[language])
    return reply.Entry(place, release.precision_of(row) in _ROUGH, hours, then)


def _line(text: str) -> str:
    """Return a text of a record in one line, without control characters."""
    return " ".join(printable(text).split())


def _address(record: _Record) -> str:
    """Return the address in one line, without unknown parts."""
    town = " ".join(part for part in (record.state, record.zip) if part)
    return ", ".join(_line(part) for part in (record.address, record.city, town) if part)
