"""The sheet for the fridge door: the coming week around a ZIP code on one page, to print."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from schemas.api.area_help import AreaContact
from schemas.values.coordinates import miles_to_chord
from serving.places.view import distance_words
from serving.render.words import Language
from serving.search.area_help import FAR_MILES, help_for
from serving.search.find import find
from serving.search.query import Page, Query, Types
from serving.search.start import Start
from serving.site.place_page import PlacePage, place_page
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
    base_url: str,
) -> Sheet:
    """Return the sheet of a start with at most `count` places, nearest first.

    Of the nearest places those whose hours can be read go before those without: a sheet by days is
    of use only with them. Reads details of the release: call it in a thread.
    """
    query = Query(types, None, Page(count * _CANDIDATES))
    hits = [h for h in find(release, start, query, now).hits if h[0] <= _FAR_SQUARE]
    pages = [(hit, place_page(release, hit[1], now, language, base_url)) for hit in hits]
    first = sorted(pages, key=lambda one: not _is_open_at_all(one[1]))
    best = {hit for hit, _ in first[:count]}
    selection = [one for one in pages if one[0] in best]
    distances = release.display_miles([hit for hit, _ in selection])
    places = [
        _place(number, miles, page, language)
        for number, (miles, (_, page)) in enumerate(zip(distances, selection, strict=True), 1)
    ]
    return Sheet(
        release.local_day(selection[0][0][1], now) if selection else now.date(),
        _days([page for _, page in selection]),
        places,
        help_for(release, start).contacts[:_CONTACTS],
    )


_FAR_SQUARE = miles_to_chord(FAR_MILES) ** 2


def _is_open_at_all(page: PlacePage) -> bool:
    return any(day.is_open and day.hours for day in page.week or ())


def _place(number: int, miles: float, page: PlacePage, language: Language) -> SheetPlace:
    view = page.view
    return SheetPlace(
        number=number,
        name=view.name,
        type_label=view.type_label,
        distance=None if view.is_confidential else distance_words(miles, language),
        address=view.address,
        phone=view.phone,
        papers=page.papers,
        notes=[note for note in (page.area, view.doubt) if note],
        has_hours=_is_open_at_all(page),
        has_words=view.usual is not None,
        is_usual=page.is_usual and _is_open_at_all(page),
        age=view.confirmed,
        is_doubtful=view.is_doubtful,
    )


def _days(pages: list[PlacePage]) -> list[SheetDay]:
    """Return the days with the openings of numbered pages, from the same week as each place's
    page."""
    weeks = [(number, page) for number, page in enumerate(pages, 1) if page.week]
    if not weeks:
        return []
    names = [day.name for day in weeks[0][1].week or ()]
    return [
        SheetDay(
            name,
            [
                Opening(number, page.view.name, day.hours, page.is_usual)
                for number, page in weeks
                if (day := (page.week or [])[at]).is_open and day.hours
            ],
        )
        for at, name in enumerate(names)
    ]
