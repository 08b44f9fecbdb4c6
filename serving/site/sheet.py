"""The sheet for the fridge door: the coming week around a ZIP code on one page, to print."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

import msgspec
import numpy as np

from schemas.api.area_help import AreaContact
from schemas.values.coordinates import miles_to_chord
from serving.places.area_served import area_sentence
from serving.places.view import distance_words, place_view
from serving.places.week import DayHours, week_of
from serving.render.words import Language
from serving.search.area_help import FAR_MILES, help_for
from serving.search.find import find
from serving.search.openings import BY_OLD_HOURS, levels_within, window_of
from serving.search.parameters import WEEKDAYS
from serving.search.query import Page, Query, Types
from serving.search.rank import are_old
from serving.search.start import Start
from serving.site.place_page import papers_of
from warehouse.index.reader import OpenRelease

DEFAULT_PLACES, MAX_PLACES = 8, 10
# Nearest places among which those with hours go first.
_CANDIDATES = 3
_CONTACTS = 3


class Opening(NamedTuple):
    """A place on a day. `is_usual`: by hours not confirmed recently."""

    number: int
    name: str
    hours: str
    is_usual: bool


class SheetDay(NamedTuple):
    """A coming day and the places that are open on it."""

    name: str
    openings: list[Opening]


@dataclass(frozen=True)
class SheetPlace:
    """A place of the sheet. `papers` is None if unknown, empty for none."""

    number: int
    name: str
    type_label: str
    distance: str | None
    address: str
    phone: str | None
    papers: list[str] | None
    notes: list[str]
    has_hours: bool
    has_words: bool
    """Whether `age` says its usual hours, which no day may show."""
    is_usual: bool
    age: str
    is_doubtful: bool
    """Whether `age` says whom to call."""


@dataclass(frozen=True)
class Sheet:
    """Contents of a sheet; `days` begin with `today`, by the clock of the nearest place."""

    today: date
    days: list[SheetDay]
    places: list[SheetPlace]
    contacts: list[AreaContact]

    @property
    def has_usual(self) -> bool:
        return any(place.is_usual for place in self.places)


def sheet_of(
    release: OpenRelease,
    start: Start,
    types: Types,
    count: int,
    now: datetime,
    language: Language,
) -> Sheet:
    """Return the sheet of a start with at most `count` places, nearest first.

    Of the nearest places those whose hours can be read go before those without: a sheet by days is
    of use only with them. Listings that may be long gone are left out. Reads details of the
    release: call it in a thread.
    """
    query = Query(types, None, Page(count * _CANDIDATES))
    hits = [h for h in find(release, start, query, now).hits if h[0] <= _FAR_SQUARE]
    rows = np.fromiter((row for _, row in hits), dtype=np.int64, count=len(hits))
    is_left_out = are_old(release, rows, now)
    has_opening = np.zeros(len(rows), dtype=bool)
    for weekday in range(len(WEEKDAYS)):
        levels = levels_within(release, rows, window_of(weekday, None, None), now)
        has_opening |= levels <= BY_OLD_HOURS
    has_opening &= release.is_confidential.take(rows) == 0
    # By groups, then by distance, as `hits` are.
    order = np.lexsort((np.arange(len(rows)), ~has_opening, is_left_out))
    best = sorted(order[: min(count, int((~is_left_out).sum()))].tolist())
    selection = [hits[n] for n in best]
    places = [
        _place(release, number, row, miles, now, language)
        for number, (miles, (_, row)) in enumerate(
            zip(release.display_miles(selection), selection, strict=True), 1
        )
    ]
    return Sheet(
        release.local_day(selection[0][1], now) if selection else now.date(),
        _days(places),
        [place for place, _ in places],
        help_for(release, start).contacts[:_CONTACTS],
    )


_FAR_SQUARE = miles_to_chord(FAR_MILES) ** 2


def _place(
    release: OpenRelease, number: int, row: int, miles: float, now: datetime, language: Language
) -> tuple[SheetPlace, list[DayHours]]:
    """Return a place of the sheet and its week, from the same facts as its own page."""
    view = place_view(release, row, now, language)
    week = week_of(release, row, now, language) or []
    detail: dict[str, Any] = msgspec.json.decode(release.detail(row, release.moment(row, now)))
    area = area_sentence(release, row, detail["service_area_text"], language)
    has_hours = any(day.is_open and day.hours for day in week)
    place = SheetPlace(
        number=number,
        name=view.name,
        type_label=view.type_label,
        distance=None if view.is_confidential else distance_words(miles, language),
        address=view.address,
        phone=view.phone,
        papers=papers_of(detail, language),
        notes=[note for note in (area, view.doubt) if note],
        has_hours=has_hours,
        has_words=view.usual is not None,
        is_usual=has_hours and not release.shows_hours(row, now),
        age=view.caution,
        is_doubtful=view.is_doubtful,
    )
    return place, week


def _days(places: list[tuple[SheetPlace, list[DayHours]]]) -> list[SheetDay]:
    """Return the days with the openings of the numbered places."""
    weeks = [(place, week) for place, week in places if week]
    if not weeks:
        return []
    return [
        SheetDay(
            day.name,
            [
                Opening(place.number, place.name, week[n].hours or "", place.is_usual)
                for place, week in weeks
                if week[n].is_open and week[n].hours
            ],
        )
        for n, day in enumerate(weeks[0][1])
    ]
