"""Press releases as pages, and the feeds."""

from datetime import UTC, date, datetime

import msgspec
from litestar import get
from litestar.params import FromPath
from litestar.types import Scope

from schemas.api.discovery import JsonFeed
from schemas.languages import localize
from serving.context import context_of
from serving.documents.feeds import (
    ATOM,
    JSON_FEED,
    PressItem,
    as_atom,
    at_midnight,
    feed_alternates,
    news_feed,
    press_feed,
    press_items,
    press_path,
    tag_of,
)
from serving.documents.render_context import TAGS
from serving.documents.renderer import library
from serving.http.answers import HOUR, Answer
from serving.http.caching import of_minute
from serving.http.errors import ServiceProblem, release_of
from serving.http.openapi import answers
from serving.places import json_ld
from serving.reference.organization import organization_of
from serving.render.page import page, page_head
from serving.render.words import Language, words

_HALF_HOUR = 1800
_NO_RELEASES_AT = at_midnight(date(2026, 1, 1))
_WORDS = "press"


def _language(scope: Scope) -> Language:
    """Return the language of a page or feed. Addresses of feeds name it further back."""
    return "es" if "/es/" in scope["path"] else "en"


@get(["/press/news/{name:str}", "/es/press/news/{name:str}"], include_in_schema=False)
async def release_page(scope: Scope, name: FromPath[str]) -> Answer:
    """Return one press release."""
    language = _language(scope)
    item = next((i for i in press_items() if i.id == name), None)
    if item is None:
        raise ServiceProblem("not-found", f"There is no press release {name[:60]!r}.")
    texts = item.texts(language)
    head = page_head(
        scope,
        f"/press/news/{item.id}",
        texts.title,
        texts.summary,
        json_ld=_json_ld(scope, item, language),
        alternates=feed_alternates(language),
    )
    return page(
        scope,
        "press_item.html",
        head,
        max_age=HOUR,
        item=item,
        texts=texts,
        see=library().link(item.see, language),
    )


def _json_ld(scope: Scope, item: PressItem, language: Language) -> list[dict[str, object]]:
    settings = context_of(scope).settings
    texts = item.texts(language)
    path = press_path(item, language)
    name = organization_of(settings).common_name
    publisher = {"@type": "Organization", "name": name, "url": settings.url}
    home = localize("/", language)
    trail = [
        (home, str(words("layout", language).home)),
        (library().link("/press", language), str(words(_WORDS, language).press)),
        (path, texts.title),
    ]
    article = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": texts.title,
        "description": texts.summary,
        "datePublished": item.date.isoformat(),
        "inLanguage": TAGS[language],
        "url": settings.url + path,
        "author": publisher,
        "publisher": publisher,
    }
    return [article, json_ld.breadcrumbs(settings.url, trail)]


# ---------------------------------------------------------------- feeds


@get(
    "/press/feed.json",
    summary="Press releases as JSON Feed",
    tags=["discovery"],
    responses=answers(JsonFeed, "JSON Feed 1.1.", media_type=JSON_FEED),
)
async def get_press_feed(scope: Scope) -> Answer:
    """Return press releases, newest first. In Spanish at `/es/press/feed.json`."""
    settings = context_of(scope).settings
    feed = press_feed(settings, _language(scope), scope["path"])
    return Answer(msgspec.json.encode(feed), media_type=JSON_FEED.encode(), max_age=_HALF_HOUR)


press_feed_in_spanish = get("/es/press/feed.json", include_in_schema=False)(get_press_feed.fn)


@get(["/press/feed.atom", "/es/press/feed.atom"], include_in_schema=False)
async def press_atom(scope: Scope) -> Answer:
    """Return press releases as Atom."""
    settings, language = context_of(scope).settings, _language(scope)
    feed = press_feed(settings, language, scope["path"])
    return _atom(as_atom(feed, tag_of(settings, f"feed/press/{language}"), _NO_RELEASES_AT))


@get(["/api/feed/news.atom", "/api/feed/es/news.atom"], include_in_schema=False)
async def news(scope: Scope) -> Answer:
    """Return press releases, active disasters, milestones as Atom."""
    release = release_of(scope)
    settings = context_of(scope).settings
    language = _language(scope)
    path = scope["path"]
    # Disasters come between releases, within the hour.
    body = await context_of(scope).responses.find_or_compute(
        of_minute(release, datetime.now(UTC), "news", path),
        lambda: as_atom(
            news_feed(settings, release, language, path),
            tag_of(settings, f"feed/news/{language}"),
            datetime.fromisoformat(release.manifest.created_at),
        ),
    )
    return _atom(body)


def _atom(body: bytes) -> Answer:
    return Answer(body, media_type=f"{ATOM}; charset=utf-8".encode(), max_age=_HALF_HOUR)
