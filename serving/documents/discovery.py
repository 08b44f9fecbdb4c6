"""llms.txt, the sitemap, robots.txt, security.txt, the manifest of AI plugins."""

import asyncio
import re
from datetime import UTC, datetime, time, timedelta
from functools import partial

from litestar import get
from litestar.params import FromPath
from litestar.types import Scope

from schemas.api.discovery import AiPlugin, PluginApi, PluginAuth
from schemas.api.organization import Organization
from schemas.values.instants import instant_text
from schemas.vocab.states import STATES
from serving.context import context_of, current_release
from serving.documents import sitemap
from serving.documents.feeds import press_items, press_path
from serving.documents.llms import llms_full_txt, llms_txt
from serving.documents.renderer import library
from serving.documents.sitemap import Page
from serving.http.answers import DAY, HOUR, Answer, StreamedAnswer, json_answer
from serving.http.caching import of_release
from serving.http.errors import ServiceProblem, release_of
from serving.http.openapi import answers
from serving.reference.organization import organization_of
from serving.render.assets import asset
from serving.settings import Settings

TEXT_TYPE, XML_TYPE = b"text/plain; charset=utf-8", b"application/xml; charset=utf-8"
_PART = re.compile(r"([a-z]+)-(\d{1,5})\.xml")
# Pages for people that are in no registry.
_MORE = tuple(
    Page(path, f"/es{path}", None)
    for path in (
        "/disasters",
        "/coverage",
        "/coverage/map",
        *(f"/coverage/{code}" for code in STATES),
    )
)
_get = partial(get, tags=["discovery"])


@_get(
    "/llms.txt",
    summary="Summary for language models",
    responses=answers(str, "llms.txt (llmstxt.org).", media_type="text/plain"),
)
async def get_llms_txt(scope: Scope) -> Answer:
    """Return what this service is, live counts, every address, the documents and the sources.
    Also at `/.well-known/llms.txt`."""
    release, context = current_release(scope), context_of(scope)
    body = await context.responses.find_or_compute(
        of_release(release, "llms.txt"),
        lambda: llms_txt(release, context.settings, library()).encode(),
    )
    return Answer(body, media_type=TEXT_TYPE, max_age=HOUR)


well_known_llms_txt = get("/.well-known/llms.txt", include_in_schema=False)(get_llms_txt.fn)


@_get(
    "/llms-full.txt",
    summary="Places as text",
    responses=answers(str, "Markdown.", media_type="text/plain"),
)
async def get_llms_full_txt(scope: Scope) -> Answer:
    """Return at most 200 places of each type with address and phone, the most complete records
    first.
    """
    release, context = release_of(scope), context_of(scope)
    body = await context.responses.find_or_compute(
        of_release(release, "llms-full.txt"),
        lambda: llms_full_txt(release, context.settings, datetime.now(UTC)).encode(),
    )
    return Answer(body, media_type=TEXT_TYPE, max_age=HOUR)


@_get(
    "/.well-known/ai-plugin.json",
    summary="AI plugin manifest",
    responses=answers(AiPlugin, "The manifest."),
)
async def get_ai_plugin(scope: Scope) -> Answer:
    """Return the manifest that AI plugins read: names, descriptions, address of the API
    description."""
    return json_answer(ai_plugin(context_of(scope).settings), DAY)


@get("/robots.txt", include_in_schema=False)
async def robots(scope: Scope) -> Answer:
    """Return rules for crawlers."""
    return Answer(
        robots_txt(context_of(scope).settings).encode(), media_type=TEXT_TYPE, max_age=DAY
    )


@get(["/.well-known/security.txt", "/security.txt"], include_in_schema=False)
async def security(scope: Scope) -> Answer:
    """Return the contact for reporting vulnerabilities (RFC 9116)."""
    text = security_txt(context_of(scope).settings)
    if text is None:
        raise ServiceProblem(
            "not-found",
            "The organization has not said when it last checked its contact for security "
            "(security_contact_checked). See /contacts.",
        )
    return Answer(text.encode(), media_type=TEXT_TYPE, max_age=DAY)


# ---------------------------------------------------------------- sitemap


@get("/sitemap.xml", include_in_schema=False)
async def sitemap_index(scope: Scope) -> Answer:
    """Return the index of the sitemaps."""
    release, url = current_release(scope), context_of(scope).settings.url
    body = await asyncio.to_thread(sitemap.index_xml, url, release)
    return Answer(body.encode(), media_type=XML_TYPE, max_age=HOUR)


@get("/sitemaps/site.xml", include_in_schema=False)
async def sitemap_of_pages(scope: Scope) -> Answer:
    """Return the pages of the site."""
    release, url = current_release(scope), context_of(scope).settings.url
    body = await asyncio.to_thread(sitemap.site_xml, url, release, library(), _more())
    return Answer(body.encode(), media_type=XML_TYPE, max_age=HOUR)


@get("/sitemaps/{name:str}", include_in_schema=False)
async def sitemap_of_part(scope: Scope, name: FromPath[str]) -> StreamedAnswer:
    """Return `places-1.xml`, `zips-1.xml` and so on: every place, ZIP code, city and county."""
    settings, current = context_of(scope).settings, release_of(scope)
    match, parts = _PART.fullmatch(name), await asyncio.to_thread(sitemap.parts, current)
    part, number = (parts.get(match[1]), int(match[2])) if match else (None, 0)
    if part is None or not 1 <= number <= part.files:
        raise ServiceProblem("not-found", f"There is no sitemap {name[:60]!r}; see /sitemap.xml.")
    etag = f'W/"{current.release_id}-{name[:-4]}"'.encode()
    chunks = sitemap.part_xml(settings.url, part, number)
    return StreamedAnswer(chunks, XML_TYPE, HOUR, ((b"etag", etag),))


def _more() -> tuple[Page, ...]:
    """Return pages that no row of the registry names, without those that one does."""
    paths = {page.path for page in sitemap.site_pages(library(), None)}
    items = (
        Page(press_path(i, "en"), press_path(i, "es"), i.date.isoformat()) for i in press_items()
    )
    return tuple(page for page in (*_MORE, *items) if page.path not in paths)


# A notice is valid for less than a year (RFC 9116, 2.5.5) from the day a person checked the
# contact.
SECURITY_DAYS = 360
# Paths for one person alone, or for operators of the instance.
_NOT_FOR_CRAWLERS = (
    "/admin",
    "/pantry/manage/",
    "/es/pantry/manage/",
    "/pantry/confirm/",
    "/es/pantry/confirm/",
)


def robots_txt(settings: Settings) -> str:
    """Return rules that allow everything; pages that search engines must skip say so themselves."""
    rules = "".join(f"Disallow: {path}\n" for path in _NOT_FOR_CRAWLERS)
    return f"User-agent: *\n{rules}\nSitemap: {settings.url}/sitemap.xml\n"


def security_expires(organization: Organization) -> datetime | None:
    """Return the last day of the notice; None if the contact was never checked."""
    day = organization.security_contact_checked
    return datetime.combine(day, time(), UTC) + timedelta(days=SECURITY_DAYS) if day else None


def security_txt(settings: Settings) -> str | None:
    """Return the notice; None when the day on which the contact was checked is not known: it may
    not be left open."""
    organization = organization_of(settings)
    expires = security_expires(organization)
    if expires is None:
        return None
    url, contacts = settings.url, {c.id: c.email for c in organization.contacts}
    lines = [
        f"Contact: mailto:{contacts.get('security') or organization.email}",
        f"Expires: {instant_text(expires)}",
        "Preferred-Languages: en, es",
    ]
    if url.startswith("https://"):  # web addresses must begin so (2.5.2, 2.5.3, 2.5.7)
        lines += [
            f"Contact: {url}/contacts",
            f"Canonical: {url}/.well-known/security.txt",
            f"Policy: {url}/security",
        ]
    return "\n".join(lines) + "\n"


def ai_plugin(settings: Settings) -> AiPlugin:
    """Return the manifest of AI plugins (a retired form that some agents still read)."""
    organization = organization_of(settings)
    return AiPlugin(
        schema_version="v1",
        name_for_human="Food help directory",
        name_for_model="food_assistance_directory",
        description_for_human="Find free food, SNAP and WIC help near you.",
        description_for_model=(
            "Finds food assistance in the United States: pantries, meal sites, SNAP and WIC "
            "offices, health centers, by ZIP code, city or point; what is open now; active "
            "disasters. When hours_status is unknown, tell people to call first. Stores "
            "(snap_retailer) sell food and are not free food."
        ),
        auth=PluginAuth("none"),
        api=PluginApi("openapi", f"{settings.url}/api/openapi.json"),
        logo_url=settings.url + asset("icon.svg"),
        contact_email=organization.email,
        legal_info_url=f"{settings.url}/policies",
    )
