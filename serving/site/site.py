"""Data of the finder's pages: a search, open now. From the same services as the API."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

import numpy as np
from babel import Locale

from schemas.api.area_help import AreaHelp, HomeDelivery
from schemas.languages import languages
from schemas.values.names import fold_name
from schemas.vocab.languages import LANGUAGE_NAMES
from serving.http.caching import per_release
from serving.http.errors import ServiceProblem
from serving.places.view import PlaceView, place_view, views_of
from serving.reference.totals import statistics_of
from serving.render.words import Language, words
from serving.search.area_help import FAR_MILES, help_where_far, home_deliveries
from serving.search.find import Query, find
from serving.search.language.landmarks import ListingName
from serving.search.language.place import labels_of
from serving.search.language.reading import Reading, read_question
from serving.search.language.tables import tables
from serving.search.language.text import clean, tokens_of
from serving.search.plain_language import names_of
from serving.search.plain_search import NamedPlaces, places_of_name, start_of_reading
from serving.search.rank import are_old
from serving.search.start import Start, start_of_point, start_of_text
from serving.search.urgent import find_urgent
from serving.site.area_links import city_link, county_path, zip_path
from warehouse.index.points import MODE_TYPES
from warehouse.index.reader import OpenRelease

PER_PAGE, MAX_PAGE = 10, 100
# Kinds of problems with a place, by their sentence in content/messages/site.yaml.
PROBLEM_WORDS = {"no-point": "no_point"}
# A point as the finder's script writes it; with an @, the middle of a map.
_POINT = re.compile(r"(@?)(-?\d{1,2}(?:\.\d+)?), *(-?\d{1,3}(?:\.\d+)?)", re.ASCII)
_POINT_DIGITS = 3
_ZIP = re.compile(r"\d{5}", re.ASCII)
_HOUSE = re.compile(r"\s*\d+\s+[^\W\d]")
# Among cities spelt alike, one with this many people may be meant.
_GREAT_CITY, _NAMESAKES = 20_000, 4
_FREE, _MAX_URGENT = MODE_TYPES["free"], 8
_LARGEST_CITIES = 12


@dataclass(frozen=True)
class SitePlace:
    """Resolved text: the start, its name, and the rest of the text."""

    start: Start
    name: str
    reading: Reading | None = None
    """The rest of the text, where it is a question."""
    is_device: bool = False
    """Whether the reader's device gave the point."""
    is_map: bool = False
    """Whether it is the middle of a map that was moved."""
    others: tuple[str, ...] = ()
    """Other cities that a name without a state may mean, or questions for other places."""

    @property
    def is_middle(self) -> bool:
        """Whether the search starts in the middle of a city or county, even for a street."""
        by_zip = self.start.location.zip or ""
        return not (self.is_device or self.is_map) and not (by_zip and by_zip in self.name)


class PlaceMissing(ServiceProblem):
    """A text that names no place. `is_question`: it was still understood as a question."""

    def __init__(self, problem: ServiceProblem, reading: Reading, is_question: bool) -> None:
        instead = tuple(question for _, question in reading.instead)
        suggestions = instead or (() if is_question else problem.suggestions)
        super().__init__(problem.kind, problem.detail, suggestions=suggestions)
        self.reading, self.is_question = reading, is_question


@dataclass(frozen=True)
class SiteSearch:
    """A page of results."""

    places: list[PlaceView]
    total: int
    radius: float
    is_widened: bool
    page: int
    pages: int
    listed: int
    """Places that the pages show: the first of a long list."""
    area: AreaHelp | None
    """Whom to ask, where nothing is near."""
    unknown: int = 0
    """Places left out only for lack of knowledge."""
    deliveries: Sequence[HomeDelivery] = ()
    """Services that bring food home, on the first page."""
    opens_first: bool = False
    """Whether open places are before nearer ones."""
    first_old: int | None = None
    """Position on the page of the first listing that may be long gone; all after it are such."""
    area_page: tuple[str, str] | None = None
    """Path and name of the page of the ZIP code, city or county where the search starts."""


def problem_of_place(problem: ServiceProblem, text: str, language: Language) -> str:
    """Return a sentence on a text that names no place, or none to search from."""
    if problem.kind not in PROBLEM_WORDS and _ZIP.fullmatch(text.strip()):
        return str(words("areas", language).unknown_zip.format(name=text.strip()))
    w = words("site", language)
    if problem.kind == "place-too-wide":
        return str(w.state_lead)
    return str(w[PROBLEM_WORDS.get(problem.kind, "not_known")].format(text=text))


def place_of(release: OpenRelease, text: str) -> SitePlace:
    """Return a place name, a ZIP code, or a question such as "comida gratis hoy en Orlando".

    Raises ServiceProblem (404) with suggestions when no place is in it.
    """
    if point := _start_of_script(release, text):
        is_map = text.lstrip().startswith("@")
        return replace(_site_place(point, text, is_point=True), is_device=not is_map, is_map=is_map)
    problem, start = None, None
    try:
        start = start_of_text(release, text)
    except ServiceProblem as error:
        if error.kind in {"no-point", "place-too-wide"}:
            raise
        problem = error
    if start is not None and _ZIP.fullmatch(text.strip()):
        return _site_place(start, text)
    reading = read_question(text, names_of(release))
    # Without a place a strange word may be a misspelled one.
    is_said = bool(reading.landmarks or (start and reading.strange)) and not _HOUSE.match(text)
    is_question = is_said or bool(
        reading.needs
        or reading.wishes
        or reading.unsupported
        or reading.unused
        # SNAP, WIC, school or summer meals, a kind of place, help after a disaster; "12 School St"
        # is none.
        or (not _HOUSE.match(text) and (reading.wants.targets != ("free",) or reading.wants.topics))
    )
    if start is None or is_question:
        start = start_of_reading(reading) or start
    else:
        of_name = reading if reading.name else None
        others = _namesakes(release, text, start)
        return replace(_site_place(start, text), reading=of_name, others=others)
    if start is None:
        assert problem is not None
        text_words = [token.word for token in tokens_of(clean(text)) if not token.is_break]
        # "I'm hungry", "food near me": no misspelled name.
        is_question = is_question or all(word in tables().vocabulary for word in text_words)
        raise PlaceMissing(problem, reading, is_question)
    instead = tuple(question for _, question in reading.instead)
    return replace(_site_place(start, text), reading=reading, others=instead)


def _namesakes(release: OpenRelease, text: str, start: Start) -> tuple[str, ...]:
    """Return other cities or counties of a name, and larger cities that are spelt almost so."""
    city_name = start.location.city
    if text.strip()[-5:].isdigit():
        return ()
    named = release.gazetteer.cities(city_name, start.location.state) if city_name else []
    same = labels_of(release.gazetteer.namesakes(named[0])) if named else ()
    if "," in text:
        return same[:_NAMESAKES]
    if city_name is None:
        return labels_of(release.gazetteer.counties(text)[1:])
    cities = release.gazetteer.cities(text)
    people = (cities[0].population or 0) if cities else _GREAT_CITY
    near = [c for c in release.gazetteer.cities_near(text, 1) if (c.population or 0) > people]
    names = [*same, *(f"{city.name}, {city.state}" for city in (*near, *cities[1:]))]
    own = f"{city_name}, {start.location.state}"
    return tuple(name for name in dict.fromkeys(names) if name != own)[:_NAMESAKES]


def _start_of_script(release: OpenRelease, text: str) -> Start | None:
    """Return the point that "use my location" or the map puts into the box, to about 100 m."""
    match = _POINT.fullmatch(text.strip())
    if match is None or abs(lat := float(match[2])) > 90 or abs(lng := float(match[3])) > 180:
        return None
    return start_of_point(release, round(lat, _POINT_DIGITS), round(lng, _POINT_DIGITS))


def _site_place(start: Start, text: str, *, is_point: bool = False) -> SitePlace:
    """Return a place by its ZIP code if the text has one, or if it has no other name."""
    place = start.location
    middle = place.city or (start.county and start.county.name)
    town = ", ".join(part for part in (middle, place.state) if part)
    is_by_zip = place.zip and (is_point or place.zip in text or not middle)
    name = f"{town} {place.zip}".strip() if is_by_zip else town
    return SitePlace(start, name or f"{place.lat:g}, {place.lng:g}")


def search_page(
    release: OpenRelease,
    place: SitePlace,
    query: Query,
    now: datetime,
    language: Language,
) -> SiteSearch:
    """Return a page of places around a start; the search is widened when nothing is near.

    Safe for threads.
    """
    results, number, types = find(release, place.start, query, now), query.page.number, query.types
    list_size = min(results.total, PER_PAGE * MAX_PAGE)
    views = views_of(release, results.hits, now, language)
    area = help_where_far(release, place.start, types, results.hits)
    if area and not (query.radius and query.radius > FAR_MILES):
        # Nobody asked for places so far away.
        results, views, list_size = results._replace(hits=[], total=0), [], 0
    first_old = None
    if query.order == "open_first" and views:
        is_old = are_old(release, np.array([row for _, row in results.hits]), now)
        first_old = int(is_old.argmax()) if is_old.any() else None
    deliveries = home_deliveries(release, place.start, types) if number == 1 else []
    return SiteSearch(
        views,
        results.total,
        results.radius,
        results.is_expanded,
        number,
        -(-list_size // PER_PAGE),
        list_size,
        area,
        results.unknown,
        deliveries,
        query.order == "open_first",
        first_old,
        _area_page(release, place),
    )


def _area_page(release: OpenRelease, place: SitePlace) -> tuple[str, str] | None:
    at, county = place.start.location, place.start.county
    if county:
        return county_path(county.fips), place.name
    if place.is_middle and (path := city_link(release, at.city, at.state)):
        return path, place.name
    return (zip_path(at.zip), at.zip) if at.zip else None


@dataclass(frozen=True)
class SiteUrgent:
    """Places of "open now" by group, the radius in miles, and contacts if nothing is near."""

    groups: dict[str, list[PlaceView]]
    radius: float
    area: AreaHelp | None


def urgent_groups(
    release: OpenRelease, place: SitePlace, now: datetime, language: Language
) -> SiteUrgent:
    """Return the answer to "open now". Safe for threads."""
    found = find_urgent(release, place.start, None, _MAX_URGENT, now)
    groups = found.groups
    hits = {
        "open": [*groups.open.first.hits(), *groups.soon.first.hits()],
        "usual": groups.usual.first.hits(),
        "opening_later": groups.later.first.hits(),
        "call_first": groups.unknown.first.hits(),
        "for_children": found.for_children.hits(),
    }
    area = help_where_far(release, place.start, _FREE) if found.is_expanded else None
    views = {
        name: [] if area else views_of(release, some[:_MAX_URGENT], now, language)
        for name, some in hits.items()
    }
    return SiteUrgent(views, found.radius, area)


def find_places_by_name(
    release: OpenRelease, name: ListingName, start: Start | None, now: datetime, language: Language
) -> tuple[NamedPlaces, list[PlaceView]]:
    """Return the places of a name, near a start if there is one.

    Queries the database: call it in a thread.
    """
    matches = places_of_name(release, name, start)
    if matches.start is not None:
        return matches, views_of(release, matches.hits, now, language)
    return matches, [place_view(release, row, now, language) for _, row in matches.hits]


def name_of_text(text: str) -> ListingName | None:
    """Return a whole text as a name; none for words that all are of food: "free food"."""
    lists = tables().words
    is_food = set(fold_name(text).split()) <= lists["food_after"] | lists["food_before"]
    return None if is_food else ListingName("", text, "", is_sure=False)


@per_release
def largest_cities(release: OpenRelease) -> list[tuple[str, str]]:
    """Return names and paths of the cities with most places with free food, for people who do not
    type."""
    cities = sorted(
        statistics_of(release).cities,
        key=lambda c: (-c.pantry_class_count, -c.resource_count, c.city),
    )
    links = ((f"{c.city}, {c.state}", city_link(release, c.city, c.state)) for c in cities)
    return list(islice(((name, path) for name, path in links if path), _LARGEST_CITIES))


def language_names(tags: list[str], language: Language) -> list[str]:
    """Return names of languages in a language (CLDR); a tag that CLDR does not know by its
    English name."""
    spec = languages()[language]
    names = spec.language_names or Locale(spec.locale.language, script=spec.locale.script).languages
    return [str(names.get(tag) or LANGUAGE_NAMES.get(tag, tag)) for tag in tags]
