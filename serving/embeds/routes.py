"""Embeds for other sites: the search widget, the card of a place, the catalog of embeds."""

import asyncio
import re
from datetime import UTC, datetime
from typing import Annotated, Literal, NamedTuple
from urllib.parse import parse_qsl, urlencode

from litestar import get
from litestar.types import Scope

from schemas.api.area_help import AreaHelp
from schemas.api.embeds import EmbedCatalog, PlaceEmbed
from schemas.languages import localize
from schemas.vocab.resource_types import MODES
from serving.context import context_of
from serving.embeds.embeds import card_path, catalog, place_embed
from serving.embeds.oembed import discovery
from serving.embeds.wordpress_plugin import PATH as PLUGIN_PATH
from serving.embeds.wordpress_plugin import plugin_zip
from serving.http.answers import FIVE_MINUTES, HOUR, MINUTE, Answer, json_answer
from serving.http.errors import ServiceProblem, release_of
from serving.http.openapi import answers
from serving.http.parameters import path_part
from serving.places.listings import find_row
from serving.places.view import PlaceView, place_view, views_of
from serving.render.assets import static_files
from serving.render.page import HTML_TYPE, Head, guards, page, page_head, render
from serving.render.words import Language, path_language, words
from serving.search.area_help import help_where_far
from serving.search.find import Matches, Page, Query, choose_types, find, miles_in_vain
from serving.search.parameters import MAX_ID, ResourceId
from serving.search.start import Start, start_of_text
from warehouse.index.reader import OpenRelease

Theme = Literal["light", "dark"]
_THEMES: dict[str, Theme] = {"light": "light", "dark": "dark"}
_MAX_LISTED, _LISTED, _MAX_TEXT = 20, 5, 100
_REF = re.compile(r"[\w.\-]{1,60}", re.ASCII)
_FILE = re.compile(r"([1-9][0-9]{0,15})\.json")
FileName = Annotated[str, path_part("file/card")]
# A card changes when the place opens, closes or reports.
_CARD_AGE = MINUTE
_FRAME = Head("/embed/widget", "", "", may_be_framed=True)


class WidgetQuery(NamedTuple):
    """Parameters of a frame. An invalid value counts as none: a typing error on another site
    must not hide food from its readers."""

    zip: str
    mode: str
    theme: Theme | None
    limit: int
    ref: str
    is_compact: bool
    language: Language

    def options(self, **more: str) -> dict[str, str]:
        """Return the options that are not the usual ones, with others in their place."""
        current = {
            "zip": self.zip,
            "mode": self.mode if self.mode != "free" else "",
            "theme": self.theme or "",
            "limit": str(self.limit) if self.limit != _LISTED else "",
            "ref": self.ref,
            "compact": "1" if self.is_compact else "",
            "lang": self.language if self.language != "en" else "",
        }
        return {name: value for name, value in (current | more).items() if value}


def parse_query(scope: Scope) -> WidgetQuery:
    """Return the query of a frame."""
    query = dict(parse_qsl(scope["query_string"].decode("utf-8", "replace")))
    limit, ref = query.get("limit", ""), query.get("ref", "")
    return WidgetQuery(
        zip=query.get("zip", "").strip()[:_MAX_TEXT],
        mode=query["mode"] if query.get("mode") in MODES else "free",
        theme=_THEMES.get(query.get("theme", "")),
        limit=max(1, min(int(limit), _MAX_LISTED))
        if limit.isascii() and limit.isdigit() and len(limit) < 5
        else _LISTED,
        ref=ref if _REF.fullmatch(ref) else "",
        is_compact=query.get("compact", "").lower() in {"1", "true", "yes"},
        language="es" if query.get("lang") == "es" else "en",
    )


def _frame_head(
    scope: Scope,
    query: WidgetQuery,
    path: str,
    title: str,
    description: str,
    image: str | None = None,
) -> Head:
    """Return the head of a page that other sites show in a frame."""
    return Head(
        path,
        title,
        description,
        query.language,
        image=image,
        is_indexed=False,
        is_bare=True,
        may_be_framed=True,
        theme=query.theme,
        alternates=discovery(context_of(scope).settings.url, path, title),
    )


# ---------------------------------------------------------------- widget


class WidgetResults(NamedTuple):
    """Result of a widget: the places, their location, and the words for them."""

    places: list[PlaceView]
    near: str | None
    message: str | None
    suggestions: tuple[str, ...]
    area: AreaHelp | None = None


@get(["/embed/widget", "/api/widget"], include_in_schema=False)
async def widget(scope: Scope) -> Answer:
    """Return the search widget: a form, and the nearest places. Works without JavaScript, in a
    frame of any site."""
    release, query, now = release_of(scope), parse_query(scope), datetime.now(UTC)
    outcome = _search(release, query) if query.zip else None
    if isinstance(outcome, tuple):
        start, nearest = outcome
        context_of(scope).searches.add(
            now.date(), start.location.zip or "", query.mode, is_empty=not nearest.hits
        )
    body = _show(scope, release, query, outcome, now)
    headers = (*guards(_FRAME), (b"content-language", query.language.encode()))
    return Answer(body, media_type=HTML_TYPE, max_age=MINUTE, headers=headers)


Nearest = tuple[Start, Matches]


def _search(release: OpenRelease, query: WidgetQuery) -> Nearest | ServiceProblem:
    """Return start and nearest places, or the fault of the text. For the event loop: it queries the
    R-tree."""
    try:
        start = start_of_text(release, query.zip)
    except ServiceProblem as problem:
        return problem
    types = choose_types(query.mode, None)
    return start, find(release, start, Query(types, page=Page(query.limit)))


def _show(
    scope: Scope,
    release: OpenRelease,
    query: WidgetQuery,
    outcome: Nearest | ServiceProblem | None,
    now: datetime,
) -> bytes:
    """Return the page of a search. Safe for threads."""
    t = words("embed", query.language).widget
    results = _list_places(release, query, outcome, now)
    title = str(t.title_near).format(place=results.near) if results.near else str(t.title)
    path = _path(scope, query.options())
    head = _frame_head(scope, query, path, title, str(t.description))
    other = "en" if query.language == "es" else "es"
    # The search page with the same question; `ref` names the embedding site.
    fields = {"q": query.zip, "mode": query.mode, "ref": query.ref}
    search = {name: value for name, value in fields.items() if value}
    return render(
        scope,
        "widget.html",
        head,
        query=query,
        results=results,
        action=scope["path"],
        hidden={name: value for name, value in query.options().items() if name != "zip"},
        other_language=_path(scope, query.options(lang=other)),
        suggested=[(text, _path(scope, query.options(zip=text))) for text in results.suggestions],
        all_path=f"{localize('/search', query.language)}?{urlencode(search)}",
    )


def _path(scope: Scope, options: dict[str, str]) -> str:
    return scope["path"] + (f"?{urlencode(options)}" if options else "")


def _list_places(
    release: OpenRelease,
    query: WidgetQuery,
    outcome: Nearest | ServiceProblem | None,
    now: datetime,
) -> WidgetResults:
    if outcome is None:
        return WidgetResults([], None, None, ())
    if isinstance(outcome, ServiceProblem):
        unknown = str(words("embed", query.language).widget.unknown).format(text=query.zip)
        return WidgetResults([], None, unknown, outcome.suggestions[:3])
    start, nearest = outcome
    place = start.location
    town = ", ".join(part for part in (place.city, place.state) if part)
    near = " ".join(part for part in (town, place.zip) if part)
    area = help_where_far(release, start, choose_types(query.mode, None), nearest.hits)
    if area:
        # Nobody asked for places so far away.
        return WidgetResults([], near, None, (), area)
    places = views_of(release, nearest.hits, now, query.language)
    t, radius = words("embed", query.language).widget, f"{nearest.radius:g}"
    if not nearest.total:
        message = t.nothing.format(radius=radius)
    elif nearest.is_expanded:
        message = t.widened.format(vain=f"{miles_in_vain(None, nearest.radius):g}")
    elif nearest.total == 1:
        message = t.found_one.format(radius=radius)
    else:
        message = t.found.format(total=f"{nearest.total:,}", radius=radius)
    return WidgetResults(places, near, message, ())


# ---------------------------------------------------------------- card


@get("/embed/pantry/{resource_id:int}", include_in_schema=False)
async def card(scope: Scope, resource_id: ResourceId) -> Answer:
    """Return the card of a place in a frame of any site."""
    release, query = release_of(scope), parse_query(scope)
    options = {k: v for k, v in query.options().items() if k in {"theme", "lang"}}
    row = find_row(release, resource_id, card_path(0, options).replace("/0", "/{id}", 1))
    place = place_view(release, row, datetime.now(UTC), query.language)
    t = words("embed", query.language).card
    path, title = card_path(resource_id, options), str(t.title).format(name=place.name)
    image = f"/og/resource/{resource_id}{'-es' if query.language == 'es' else ''}"
    head = _frame_head(scope, query, path, title, title, image)
    other = {**options, "lang": "es" if query.language == "en" else ""}
    other_path = card_path(resource_id, {k: v for k, v in other.items() if v})
    return page(
        scope,
        "embed_card.html",
        head,
        max_age=_CARD_AGE,
        place=place,
        other_language=other_path,
    )


@get(
    "/api/embed/pantry/{file_name:str}",
    summary="One place as a card shows it",
    tags=["embeds"],
    responses=answers(PlaceEmbed, "What a card shows, and addresses.", 404, 410),
)
async def get_place_embed(scope: Scope, file_name: FileName) -> Answer:
    """Return name, address, opening state, telephone, badge and addresses of one place, for a card
    of your own design.

    An id merged into another answers 301, a retired one 410.
    """
    release, settings = release_of(scope), context_of(scope).settings
    match = _FILE.fullmatch(file_name)
    if match is None or int(match[1]) > MAX_ID:
        raise ServiceProblem("not-found", "The address of a place is /api/embed/pantry/{id}.json.")
    row = find_row(release, int(match[1]), "/api/embed/pantry/{id}.json")
    embed = place_embed(release, settings, row, datetime.now(UTC))
    return json_answer(embed, MINUTE)


@get("/embed/embed.js", include_in_schema=False)
async def script() -> Answer:
    """Return the script that turns a container of another site into a frame and keeps its
    height."""
    file = static_files()["embed.js"]
    headers = ((b"cross-origin-resource-policy", b"cross-origin"),)
    return Answer(file.body, media_type=file.media_type, max_age=HOUR, headers=headers)


@get(PLUGIN_PATH, include_in_schema=False)
async def plugin() -> Answer:
    """Return the WordPress plugin, to be uploaded to a site as it is."""
    body = await asyncio.to_thread(plugin_zip)
    name = PLUGIN_PATH.rpartition("/")[2].encode()
    headers = ((b"content-disposition", b'attachment; filename="%s"' % name),)
    return Answer(body, media_type=b"application/zip", max_age=HOUR, headers=headers)


# ---------------------------------------------------------------- catalog


async def _catalog(scope: Scope) -> EmbedCatalog:
    release, settings = release_of(scope), context_of(scope).settings
    return await catalog.in_thread(release, settings)


@get(
    "/api/embed/catalog.json",
    summary="All that can be embedded",
    tags=["embeds"],
    responses=answers(EmbedCatalog, "Nine items with code to copy."),
)
async def get_embed_catalog(scope: Scope) -> Answer:
    """Return widgets, cards, badges, pictures, data and machine interfaces, each with an example
    that works."""
    return json_answer(await _catalog(scope), FIVE_MINUTES)


@get(["/embed/catalog", "/es/embed/catalog"], include_in_schema=False)
async def catalog_as_page(scope: Scope) -> Answer:
    """Return the catalog for people who run a site."""
    language = path_language(scope)
    embeds, t = await _catalog(scope), words("embed", language).catalog
    head = page_head(
        scope,
        "/embed/catalog",
        str(t.title),
        str(t.description),
        may_be_framed=True,
        shows_frames=True,
        theme=parse_query(scope).theme,
        alternates=(("application/json", "/api/embed/catalog.json", str(t.machine)),),
    )
    return page(scope, "embed_catalog.html", head, max_age=HOUR, catalog=embeds)
