"""The sheet for the fridge door: the coming week around a ZIP code on one page, to print, as a page
and as PDF."""

import asyncio
import math
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlencode

import msgspec
import numpy as np
import segno
from litestar import get
from litestar.params import FromPath, QueryParameter
from litestar.types import Scope

from schemas.api.area_help import AreaContact
from schemas.attributes import EVERYONE
from schemas.hours.clock_words import capital, full_date, sentence
from schemas.languages import languages
from schemas.values.coordinates import miles_to_chord
from schemas.vocab.resource_types import MODES
from serving.context import context_of
from serving.http.answers import MINUTE, Answer
from serving.http.errors import ServiceProblem, release_of
from serving.places.detail import area_sentence
from serving.places.view import DAYS, distance_words, place_view, week_of
from serving.reference.organization import facts, organization_of
from serving.render.formats import number
from serving.render.page import page, page_head, page_of_minute
from serving.render.templates import as_host
from serving.render.words import Language, finder_paths, path_language, paths_of, words
from serving.search.area_help import FAR_MILES, contacts_for
from serving.search.filter import Filters
from serving.search.find import Page, Query, Types, choose_types, find
from serving.search.openings import BY_OLD_HOURS, levels_within_any, window_of
from serving.search.parameters import WEEKDAYS
from serving.search.rank import are_old
from serving.search.start import Start, start_of_zip
from serving.site.area_links import zip_path
from warehouse.index.points import bits_of
from warehouse.index.reader import OpenRelease

MAX_PLACES = 10
# Nearest places among which those with hours go first.
_CANDIDATES = 3
_CONTACTS = 3
# Lines of 11 points that a page has for places, and characters of a line and of a day in it, in a
# wide font.
_LINES, _LINE, _DAY = 23, 112, 15
PDF = b"application/pdf"
_WORDS = "sheet"
# Any of the eight is read as well; to try them all takes longer than the rest of the page.
QR_MASK = 2
# Text sizes in points, largest first: the first that fits on one page is used.
_SIZES = ("14", "13", "12", "11", "10")
# Scripts of the fonts of Typst; pages in other scripts are printed from the browser.
_PDF_SCRIPTS = frozenset({"Latn", "Cyrl"})
_SOURCE = Path(__file__).with_name("sheet.typ").read_bytes()

ModeText = Annotated[str, QueryParameter(name="mode", max_length=20)]
PlacesText = Annotated[str, QueryParameter(name="places", max_length=4)]


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
    hits = [h for h in matches.hits if h[0] <= miles_to_chord(FAR_MILES) ** 2]
    rows = np.fromiter((row for _, row in hits), dtype=np.int64, count=len(hits))
    # Known to serve certain groups only, such as students.
    everyone = bits_of("audiences", [EVERYONE])
    groups = release.attributes.bits("audiences", rows)
    serve_others = np.array([bool(group) and not group & everyone for group in groups], dtype=bool)
    is_left_out = are_old(release, rows, now) | serve_others
    week = [window_of(weekday, None, None) for weekday in range(len(WEEKDAYS))]
    has_opening = levels_within_any(release, rows, week, now) <= BY_OLD_HOURS
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


# ---------------------------------------------------------------- routes


@get(finder_paths("/print/{code:str}"), include_in_schema=False)
async def sheet(
    scope: Scope,
    code: FromPath[str],
    mode: ModeText = "free",
    places_text: PlacesText = str(MAX_PLACES),
) -> Answer:
    """Return the sheet of a ZIP code as a page, with `.pdf` as PDF/UA. `mode`: kind of place;
    `places`: at most how many, to 10."""
    language, release, now = path_language(scope), release_of(scope), datetime.now(UTC)
    zip_code, _, ending = code.partition(".")
    has_pdf = languages()[language].script in _PDF_SCRIPTS
    if ending not in ("", "pdf") or (ending and not has_pdf):
        raise ServiceProblem("not-found", f"There is no sheet {code[:20]!r}.")
    start = start_of_zip(release, zip_code)
    mode = mode if mode in MODES or mode == "all" else "free"
    count = int(places_text) if places_text.isdecimal() else MAX_PLACES
    count = max(1, min(count, MAX_PLACES))

    async def make() -> tuple[Answer, None]:
        types = choose_types(None if mode == "all" else mode, None)
        contents = sheet_of(release, start, types, count, now, language)
        return await _sheet_page(scope, contents, start, zip_code, mode, count, bool(ending)), None

    answer, _ = await page_of_minute(scope, now, make)
    return answer


async def _sheet_page(
    scope: Scope,
    contents: Sheet,
    start: Start,
    zip_code: str,
    mode: str,
    count: int,
    is_pdf: bool,
) -> Answer:
    language, release = path_language(scope), release_of(scope)
    w = words(_WORDS, language)
    day = full_date(contents.today, language)
    town = ", ".join(part for part in (start.location.city, start.location.state) if part)
    place = f"{town} {zip_code}".strip()
    address = context_of(scope).settings.url + paths_of(zip_path(zip_code), language)[0]
    title = str(w.title[mode if mode in ("free", "snap") else "other"]).format(place=place)
    values: dict[str, Any] = {
        "title": title,
        "lead": w.lead.format(day=day),
        "scan": w.more(
            contents.more, count=number(contents.more, language), radius=f"{contents.radius:g}"
        )
        if contents.more
        else w.scan,
        "address": address,
        "code": segno.make(address, error="m", mask=QR_MASK).svg_data_uri(scale=4, border=2),
    }
    if is_pdf:
        body = await asyncio.to_thread(_pdf, scope, release, contents, values, language)
        disposition = f'inline; filename="food-{zip_code}-{language}.pdf"'.encode()
        headers = ((b"content-disposition", disposition),)
        return Answer(body, media_type=PDF, max_age=MINUTE, headers=headers)
    query = urlencode({"mode": mode, "places": count})
    head = page_head(
        scope, f"/print/{zip_code}", title, title, query=query, is_indexed=False, is_bare=True
    )
    has_pdf = languages()[language].script in _PDF_SCRIPTS
    return page(
        scope,
        "sheet.html",
        head,
        max_age=MINUTE,
        sheet=contents,
        modes=[*MODES, "all"],
        mode=mode,
        count=count,
        most=MAX_PLACES,
        pdf=f"{head.path}.pdf?{query}" if has_pdf else None,
        zip_page=paths_of(zip_path(zip_code), language)[0],
        s=words("site", language),
        **values,
    )


def _pdf(
    scope: Scope, release: OpenRelease, contents: Sheet, values: dict[str, Any], language: Language
) -> bytes:
    """Return the sheet as a tagged PDF (PDF/UA-1), the same for the same content."""
    w, t, local = words(_WORDS, language), words("layout", language), facts().local
    code = segno.make(values["address"], error="m", mask=QR_MASK).svg_inline(scale=4, border=2)
    notes = [t.draft] if languages()[language].is_draft else []
    notes += [t.synthetic] if release.is_synthetic else []
    contacts = [
        {
            "name": c.name,
            "text": c.text[language],
            "phone": None if c.phone == c.name else c.phone,
            "url": c.url and as_host(c.url),
        }
        for c in contents.contacts
    ]
    data = {
        **values,
        "code": code.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1),
        "language": language,
        "author": organization_of(context_of(scope).settings).common_name,
        "days": contents.days,
        "places": [
            asdict(place) | {"cells": [cell._asdict() for cell in place.cells]}
            for place in contents.places
        ],
        "contacts": contacts,
        "help_line": str(t.help_line).format(local=local.number) if local else None,
        "synthetic": " ".join(notes) or None,
        "words": {name: word for name, word in w.items() if isinstance(word, str)},
    }
    inputs = {"data": msgspec.json.encode(data).decode()}

    def compile_sheet(size: str, **options: Any) -> Any:
        # A compiler with its fonts, for sheets on paper alone.
        import typst  # noqa: PLC0415

        options |= {"sys_inputs": {**inputs, "size": size}, "ignore_system_fonts": True}
        return typst.compile(_SOURCE, **options)

    # Pictures of several pages come as a list.
    fitting = (s for s in _SIZES if not isinstance(compile_sheet(s, format="svg"), list))
    size = next(fitting, _SIZES[-1])
    body = compile_sheet(size, format="pdf", pdf_standards=["ua-1"], timestamp=0)
    assert isinstance(body, bytes), "PDF is one file"
    return body
