"""The sheet for the fridge door: the coming week around a ZIP code on one page, to print."""

import math
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from schemas.api.area_help import AreaContact
from schemas.attributes import EVERYONE
from schemas.hours.clock_words import capital, full_date, sentence
from schemas.values.coordinates import miles_to_chord
from serving.places.detail import area_sentence
from serving.places.view import DAYS, distance_words, place_view, week_of
from serving.render.words import Language, words
from serving.search.area_help import FAR_MILES, contacts_for
from serving.search.filter import Filters
from serving.search.find import Page, Query, Types, find
from serving.search.openings import BY_OLD_HOURS, levels_within, window_of
from serving.search.parameters import WEEKDAYS
from serving.search.rank import are_old
from serving.search.start import Start
from warehouse.index.points import bits_of
from warehouse.index.reader import OpenRelease

MAX_PLACES = 10
# Nearest places among which those with hours go first.
_CANDIDATES = 3
_CONTACTS = 3
# Lines of 11 points that a page has for places, and characters of a line and of a day in it, in a
# wide font.
_LINES, _LINE, _DAY = 23, 112, 15


class SheetCell(NamedTuple):
    """A place on a day: its hours, "closed", or that they are not known. `is_usual`: by hours not
    confirmed recently."""

    text: str
    is_open: bool
    is_usual: bool


@dataclass(frozen=True)
class SheetPlace:
    """A place of the sheet. `facts`: its address, what to bring and whom it serves, as
    sentences."""

    name: str
    phone: str | None
    facts: list[str]
    cells: list[SheetCell]
    """One for each day; none where no day has certain hours."""
    age: str
    """How old the hours are; without `cells`, what is known of them and whom to call."""

    @property
    def is_usual(self) -> bool:
        return any(cell.is_usual for cell in self.cells)

    @property
    def lines(self) -> float:
        """About how many lines it takes on paper."""
        facts = [*self.facts, self.age] if self.cells else self.facts
        days = [math.ceil(len(cell.text) / _DAY) for cell in self.cells]
        # And the space between places.
        return 1.4 + math.ceil(len(" ".join(facts)) / _LINE) + max(days, default=1)


@dataclass(frozen=True)
class Sheet:
    """Contents of a sheet; `days` begin with `today`, by the clock of the nearest place. `more`
    places within `radius` miles have no room on it."""

    today: date
    days: list[str]
    places: list[SheetPlace]
    more: int
    radius: float
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
    """Return the sheet of a start, nearest places first: at most `count`, and as many as fit on a
    page in large type.

    Of the nearest places those whose hours can be read go before those without: a sheet by days is
    of use only with them. Listings that may be long gone are left out, and places that serve only
    others: people of other ZIP codes, or one group. Reads details of the release: call it in a
    thread.
    """
    home = Filters(serves_zip=start.location.zip)
    query = Query(types, None, Page(count * _CANDIDATES), home)
    matches = find(release, start, query, now)
    hits = [h for h in matches.hits if h[0] <= _FAR_SQUARE]
    rows = np.fromiter((row for _, row in hits), dtype=np.int64, count=len(hits))
    is_left_out = are_old(release, rows, now) | _serve_one_group(release, rows)
    has_opening = np.zeros(len(rows), dtype=bool)
    for weekday in range(len(WEEKDAYS)):
        levels = levels_within(release, rows, window_of(weekday, None, None), now)
        has_opening |= levels <= BY_OLD_HOURS
    has_opening &= release.is_confidential.take(rows) == 0
    # By groups, then by distance, as `hits` are.
    order = np.lexsort((np.arange(len(rows)), ~has_opening, is_left_out))
    distances, room = release.display_miles(hits), float(_LINES)
    placed: dict[int, SheetPlace] = {}
    for n in order[: min(count, int((~is_left_out).sum()))].tolist():
        place = _place(release, hits[n][1], distances[n], now, language)
        if not placed or place.lines <= room:
            placed[n] = place
            room -= place.lines
    today = release.local_day(hits[min(placed)][1], now) if placed else now.date()
    return Sheet(
        today=today,
        days=[capital(full_date(today + timedelta(days=n), language)) for n in range(DAYS)],
        places=[placed[n] for n in sorted(placed)],
        more=matches.total - len(placed) if hits else 0,
        radius=matches.radius,
        contacts=contacts_for(release, start)[:_CONTACTS],
    )


def _serve_one_group(release: OpenRelease, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which places are known to serve certain groups only, such as students."""
    groups = release.attributes.bits("audiences", rows)
    everyone = bits_of("audiences", [EVERYONE])
    return np.array([bool(group) and not group & everyone for group in groups], dtype=bool)


_FAR_SQUARE = miles_to_chord(FAR_MILES) ** 2


def _place(
    release: OpenRelease, row: int, miles: float, now: datetime, language: Language
) -> SheetPlace:
    """Return a place of the sheet and its week, from the same facts as its own page."""
    view = place_view(release, row, now, language)
    week = week_of(release, row, now, language) or []
    area = area_sentence(release, row, view.record["service_area_text"], language)
    is_usual, unknown = not release.shows_hours(row, now), words("site", language).day_unknown
    cells = [SheetCell(d.hours or unknown, d.is_open, d.is_open and is_usual) for d in week]
    has_hours = any(day.is_open and day.hours for day in week)
    t = words("layout", language)
    if view.hours:
        age = f"{sentence(view.hours)} {view.caution}"
    else:
        age = f"{sentence(t.statuses[view.badge])} {view.confirmed}"
    distance = "" if view.is_confidential else f" ({distance_words(miles, language)})"
    where = f"{view.address}{distance}."
    return SheetPlace(
        name=view.name,
        phone=view.phone,
        facts=[fact for fact in (where, view.papers, area, view.doubt) if fact],
        cells=cells if has_hours else [],
        age=view.confirmed if has_hours else view.usual or age,
    )
