"""The finder as pages: front, search, filters, open now. All work without JavaScript."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlencode

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter
from litestar.types import Scope

from schemas.vocab.resource_types import MODES
from schemas.vocab.states import STATES, state_by_words
from serving.context import context_of, current_release
from serving.http.answers import MINUTE, Answer
from serving.http.errors import ServiceProblem, release_of
from serving.places import json_ld
from serving.places.view import Way, shares_of_list
from serving.reference.organization import organization_of
from serving.reference.totals import Live
from serving.render.formats import number
from serving.render.page import page, page_head, page_of_minute
from serving.render.street_map import street_map_of
from serving.render.words import finder_paths, path_language, paths_of, words
from serving.search.area_help import contacts_of_state
from serving.search.find import DEFAULT_RADIUS, Page, find
from serving.search.parameters import page_number
from serving.site import site
from serving.site.choices import Choices, choices_of_address, leave_out_empty
from serving.site.filter_form import removable
from serving.site.finder import Finder
from serving.site.result_map import MAX_DOTS, dots_of, draw, map_data

# Long enough for a question, short enough for a quick answer.
Text = Annotated[str, QueryParameter(name="q", max_length=200)]
ZipText = Annotated[str, QueryParameter(name="zip", max_length=100)]
CityText = Annotated[str, QueryParameter(name="city", max_length=100)]
StateText = Annotated[str, QueryParameter(name="state", max_length=60)]
QuestionText = Annotated[str, QueryParameter(name="question", max_length=200)]
ModeText = Annotated[str, QueryParameter(name="mode", max_length=20)]
PageText = Annotated[str, QueryParameter(name="page", max_length=6)]
_WORDS = "site"


async def read_place(
    q: Text = "",
    zip: ZipText = "",
    city: CityText = "",
    us_state: StateText = "",
    question: QuestionText = "",
) -> str:
    """Return the place requested, as one text: `q`; else `zip`, as the API calls it; else `city`
    and `state`; after the question that named none."""
    town = ", ".join(part for part in (city.strip(), us_state.strip()) if part)
    place = q.strip() or zip.strip() or town
    return ", ".join(part for part in (question.strip(), place) if part)


PLACE_TEXT = {"text": Provide(read_place)}


class Searched(NamedTuple):
    """A search to count: its ZIP code, its mode, and whether it found nothing."""

    zip_code: str
    mode: str
    is_empty: bool


@get(finder_paths("/"), include_in_schema=False)
async def front(scope: Scope) -> Answer:
    """Return the front page: the search first."""

    async def make() -> tuple[Answer, None]:
        language, release = path_language(scope), current_release(scope)
        settings = context_of(scope).settings
        w, live = words(_WORDS, language), Live(release)
        cities = await site.largest_cities.in_thread(release) if release else []
        description = w.front_lead
        if live.known:
            total = number(live.total_resources, language)
            description = w.front_description.format(total=total)
        name = organization_of(settings).common_name
        head = page_head(
            scope,
            "/",
            w.front_title,
            description,
            has_finder=True,
            json_ld=[json_ld.site(settings.url, name, language)],
        )
        values: dict[str, Any] = {"live": live, "cities": cities, "modes": MODES}
        return page(scope, "front.html", head, max_age=MINUTE, **values), None

    answer, _ = await page_of_minute(scope, datetime.now(UTC), make)
    return answer


@get(
    finder_paths("/search"),
    include_in_schema=False,
    dependencies=PLACE_TEXT,
    guards=[leave_out_empty],
)
async def search(
    scope: Scope, text: NamedDependency[str], mode: ModeText = "free", page_text: PageText = "1"
) -> Answer:
    """Return results of a search, ten a page, with their map."""
    number, now = page_number(page_text, site.MAX_PAGE), datetime.now(UTC)

    async def make() -> tuple[Answer, Searched | None]:
        return await _search_page(scope, text, mode, number, now)

    answer, searched = await page_of_minute(scope, now, make)
    _count(scope, searched, now)
    return answer


def _count(scope: Scope, searched: Searched | None, now: datetime) -> None:
    """Count a search, whether its page was made or found in the cache."""
    if searched:
        context_of(scope).searches.add(now.date(), *searched[:2], is_empty=searched.is_empty)


async def _search_page(
    scope: Scope, text: str, mode: str, number: int, now: datetime
) -> tuple[Answer, Searched | None]:
    language, release = path_language(scope), release_of(scope)
    finder = await run_search(scope, text, mode, number, now)
    w, mw = words(_WORDS, language), words("map", language)
    title, drawn, data, searched = w.search_nowhere, None, None, None
    start_name = None
    if finder.place:
        title = w.search_title.format(place=finder.place.name)
    elif finder.state:
        title = w.state_title.format(state=finder.state)
    elif finder.listings:
        title = w.named_title.format(text=finder.name)
    if finder.place and finder.results:
        start = finder.place.start
        zip_code = start.location.zip or ""
        searched = Searched(zip_code, finder.mode, not finder.results.total)
        drawn = draw(release, start, finder.results.places, (number - 1) * site.PER_PAGE + 1)
        place = finder.place
        start_name = mw.you if place.is_device else mw.start if place.is_map else place.name
        if drawn:
            data = map_data(
                release,
                street_map_of(context_of(scope).settings),
                drawn.pins,
                language,
                state=start.location.state,
                start=start,
                start_name=start_name,
                query=finder.choices.address(finder.text, finder.mode),
            )
    answer = _finder_page(
        scope,
        "search.html",
        finder,
        title,
        has_map=drawn is not None,
        # The empty form is a page to find; searches are not.
        is_indexed=not _build_query(scope),
        drawn=drawn,
        mw=mw,
        map_data=data,
        start_name=start_name,
        shares=_shares(scope, finder, title),
    )
    return answer, searched


@get("/search/places.geojson", include_in_schema=False, dependencies=PLACE_TEXT)
async def search_map(scope: Scope, text: NamedDependency[str], mode: ModeText = "free") -> Answer:
    """Return the places of a search for its map: those of the same address of `/search`."""
    release, now = release_of(scope), datetime.now(UTC)
    finder = await read_search(scope, text, mode, now)
    if finder.place is None:
        raise ServiceProblem("unknown-place", finder.problem or "", suggestions=finder.suggestions)
    start = finder.place.start

    def dots() -> bytes:
        matches = find(release, start, finder.query(Page(MAX_DOTS)), now)
        return dots_of(release, [row for _, row in matches.hits], matches.total, now)

    return Answer(await asyncio.to_thread(dots), media_type=b"application/geo+json")


@get(
    finder_paths("/filters"),
    include_in_schema=False,
    dependencies=PLACE_TEXT,
    guards=[leave_out_empty],
)
async def filters(scope: Scope, text: NamedDependency[str], mode: ModeText = "free") -> Answer:
    """Return the form of filters of a search as a page, with the number of places of each."""
    now = datetime.now(UTC)

    async def make() -> tuple[Answer, None]:
        language = path_language(scope)
        finder = await read_search(scope, text, mode, now)
        groups = finder.count(release_of(scope), now, language)
        fw = words("filters", language)
        title = fw.title_near.format(place=finder.place.name) if finder.place else fw.title
        return _finder_page(scope, "filters.html", finder, title, groups=groups), None

    answer, _ = await page_of_minute(scope, now, make)
    return answer


async def run_search(scope: Scope, text: str, mode: str, number: int, now: datetime) -> Finder:
    """Return a search with its place, its choices and a page of its results."""
    finder = await read_search(scope, text, mode, now)
    if finder.place and finder.seeks_food:
        language, release = path_language(scope), release_of(scope)
        finder.search(release, finder.place, number, now, language)
    return finder


async def read_search(scope: Scope, text: str, mode: str, now: datetime) -> Finder:
    """Return a search with its place, or the fault of that, and its choices."""
    language, release = path_language(scope), release_of(scope)
    finder = Finder(text, mode if mode in MODES or mode == "all" else "free")
    finder.choices = choices_of_address(_build_query(scope))
    if text:
        try:
            place = site.place_of(release, text)
        except ServiceProblem as problem:
            finder.problem = site.problem_of_place(problem, text, language)
            finder.suggestions = problem.suggestions
            missing = problem if isinstance(problem, site.PlaceMissing) else None
            name = (missing and missing.reading.name) or site.name_of_text(text)
            if code := state_by_words(text) if problem.kind == "place-too-wide" else None:
                # No place to search from: whom to ask, and the largest cities.
                finder.state, finder.problem = STATES[code].names[language], None
                finder.banks = contacts_of_state(code)
                # "LA" may mean Los Angeles.
                names = finder.suggestions
                finder.suggestions = tuple(one for one in names if one.endswith(f", {code}"))
                finder.alike = [(one, one) for one in names if one not in finder.suggestions]
            elif name and not (missing and missing.reading.needs):
                await asyncio.to_thread(finder.find_named, release, name, now, language)
            if missing and missing.is_question and not finder.listings:
                finder.question = text
                finder.problem = words(_WORDS, language).where.format(text=text)
                finder.guide(missing.reading, language, has_place=False)
                finder.answer(release, missing.reading, None)
                if not finder.seeks_food:
                    finder.problem = None
        else:
            # The form sends its first kind with any text: a question names its own.
            has_mode = "mode=" in _build_query(scope) and finder.mode != "free"
            finder.read(release, place, has_mode, now, language)
            if place.reading and (name := place.reading.name):
                await asyncio.to_thread(finder.find_named, release, name, now, language)
    return finder


def _shares(scope: Scope, finder: Finder, title: str) -> list[Way]:
    """Return ways to send the list; none from a device, whose address has the reader's point."""
    results, place = finder.results, finder.place
    if results is None or place is None or place.is_device or not results.places:
        return []
    path = paths_of("/search", path_language(scope))[0]
    query = finder.choices.address(finder.text, finder.mode)
    url = f"{context_of(scope).settings.url}{path}?{query}"
    return shares_of_list(title, results.places, url)


def _finder_page(
    scope: Scope,
    template: str,
    finder: Finder,
    title: str,
    *,
    has_map: bool = False,
    is_indexed: bool = False,
    **values: Any,
) -> Answer:
    language = path_language(scope)
    query = finder.choices.address(finder.text, finder.mode)
    certain = {k: v for k, v in finder.choices.values.items() if k != "include_unknown"}
    head = page_head(
        scope,
        f"/{template.removesuffix('.html')}",
        title,
        words(_WORDS, language).front_lead,
        query=query,
        is_indexed=is_indexed,
        has_finder=template == "search.html",
        has_map=has_map,
    )
    return page(
        scope,
        template,
        head,
        max_age=MINUTE,
        status=404 if finder.problem and not finder.listings else 200,
        finder=finder,
        near_miles=DEFAULT_RADIUS,
        chosen=removable(
            finder.choices,
            finder.text,
            finder.mode,
            language,
            () if finder.is_understood else {c.name for c in finder.chips if c.is_chosen},
        ),
        fw=words("filters", language),
        query=query,
        cleared=Choices({}).address(finder.text, finder.mode),
        without_unknown=replace(finder.choices, values=certain).address(finder.text, finder.mode),
        modes=MODES,
        problem=None if finder.listings else finder.problem,
        suggestions=finder.suggestions,
        **values,
    )


def _build_query(scope: Scope) -> str:
    return scope["query_string"].decode("ascii", "replace")


@get(finder_paths("/urgent"), include_in_schema=False, dependencies=PLACE_TEXT)
async def urgent(scope: Scope, text: NamedDependency[str]) -> Answer:
    """Return free food that is open now, then the next to open, then telephones."""
    now = datetime.now(UTC)

    async def make() -> tuple[Answer, Searched | None]:
        return _urgent_page(scope, text, now)

    answer, searched = await page_of_minute(scope, now, make)
    _count(scope, searched, now)
    return answer


def _urgent_page(scope: Scope, text: str, now: datetime) -> tuple[Answer, Searched | None]:
    language, release = path_language(scope), release_of(scope)
    w = words(_WORDS, language)
    values: dict[str, Any] = {"problem": None, "suggestions": (), "groups": None, "place": None}
    title, status, searched = w.urgent_title, 200, None
    if text:
        try:
            place = site.place_of(release, text)
        except ServiceProblem as problem:
            status = 404
            values["problem"] = site.problem_of_place(problem, text, language)
            values["suggestions"] = problem.suggestions
        else:
            openings = site.urgent_groups(release, place, now, language)
            is_empty = not any(openings.groups.values())
            searched = Searched(place.start.location.zip or "", "free", is_empty)
            title = w.urgent_near.format(place=place.name)
            values |= {
                "groups": openings.groups,
                "place": place,
                "radius": openings.radius,
                "area": openings.area,
            }
    query = urlencode({"q": text}) if text else ""
    head = page_head(
        scope,
        "/urgent",
        title,
        w.urgent_lead,
        query=query,
        is_indexed=not text,
        has_finder=True,
    )
    values |= {"q": text, "query": query}
    return page(scope, "urgent.html", head, max_age=MINUTE, status=status, **values), searched
