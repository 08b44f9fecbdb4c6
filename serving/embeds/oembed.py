"""oEmbed 1.0 for the widget, the cards and the pages of places (oembed.com, sections 2.2 and
2.3)."""

import re
from typing import Annotated, NamedTuple
from urllib.parse import parse_qsl, quote, urlsplit
from xml.etree import ElementTree

import msgspec
from litestar import get
from litestar.types import Scope

from schemas.api.embeds import RichEmbed
from serving.context import context_of
from serving.embeds import embeds
from serving.http.answers import HOUR, Answer, json_answer
from serving.http.errors import ServiceProblem, release_of
from serving.http.openapi import answers
from serving.http.parameters import query
from serving.places.detail import read_record
from serving.places.listings import row_or_successor
from serving.reference.organization import organization_of
from serving.render.svg_text import plain
from serving.render.words import Language, words
from serving.settings import Settings
from warehouse.index.reader import OpenRelease

CACHE_AGE = 3600
_PLACE = re.compile(r"/(?P<es>es/)?(?:place|embed/pantry|badge)/(?P<id>[0-9]{1,16})/?")
_WIDGETS = frozenset({"/embed/widget", "/api/widget"})
_WIDGET_OPTIONS = ("zip", "mode", "theme", "limit", "ref", "compact", "lang")
_MAX_LENGTH = 100

Links = tuple[tuple[str, str, str], ...]


def discovery(base_url: str, path: str, title: str) -> Links:
    """Return `Head.alternates` of a page that oEmbed knows: `path` with its query is the page's
    own."""
    address = quote(base_url + path, safe="")
    return tuple(
        (f"{kind}+oembed", f"/oembed?url={address}&format={form}", title)
        for kind, form in (("application/json", "json"), ("text/xml", "xml"))
    )


class Room(NamedTuple):
    """The largest size that fits at the requester, in pixels; None for any."""

    width: int | None
    height: int | None

    def holds(self, size: tuple[int, int]) -> bool:
        return self.fitting(size) == size

    def fitting(self, size: tuple[int, int]) -> tuple[int, int]:
        width, height = size
        return min(width, self.width or width), min(height, self.height or height)


def rich_embed(
    release: OpenRelease, settings: Settings, url: str, hosts: frozenset[str], room: Room
) -> RichEmbed:
    """Return the oEmbed answer for an address of this service. Raises ServiceProblem (404) for any
    other.

    `hosts`: names, with ports, that requests use for this service.
    """
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        raise _make_unknown_problem(url) from None
    if parts.scheme.lower() not in {"http", "https"} or parts.netloc.lower() not in hosts:
        raise _make_unknown_problem(url)
    options = dict(parse_qsl(parts.query))
    if parts.path in _WIDGETS:
        widget = {k: options[k][:_MAX_LENGTH] for k in _WIDGET_OPTIONS if options.get(k)}
        title = str(words("embed", "es" if widget.get("lang") == "es" else "en").widget.title)
        size = room.fitting(embeds.WIDGET_SIZE)
        return _rich(settings, embeds.widget_path(widget), title, size)
    match = _PLACE.fullmatch(parts.path)
    row = row_or_successor(release, int(match["id"])) if match else None
    if match is None or row is None:
        raise _make_unknown_problem(url)
    language: Language = "es" if match["es"] or options.get("lang") == "es" else "en"
    return _card(release, settings, row, language, options.get("theme"), room)


def _make_unknown_problem(url: str) -> ServiceProblem:
    return ServiceProblem(
        "not-found",
        f"url: {url[:_MAX_LENGTH]!r} is not a page that can be embedded. You can embed "
        "pages of places (/place/...), cards (/embed/pantry/...) and the widget "
        "(/embed/widget).",
    )


def _card(
    release: OpenRelease,
    settings: Settings,
    row: int,
    language: Language,
    theme: str | None,
    room: Room,
) -> RichEmbed:
    record = read_record(release, row)
    options = {"lang": "es"} if language == "es" else {}
    if theme in {"light", "dark"}:
        options["theme"] = theme
    path, ending = embeds.card_path(record["id"], options), "-es" if language == "es" else ""
    title = plain(record["name"])
    embed = _rich(settings, path, title, room.fitting(embeds.CARD_SIZE))
    if room.holds(embeds.PICTURE_SIZE):
        embed.thumbnail_url = f"{settings.url}/og/resource/{record['id']}{ending}.png"
        embed.thumbnail_width, embed.thumbnail_height = embeds.PICTURE_SIZE
    return embed


def _rich(settings: Settings, path: str, title: str, size: tuple[int, int]) -> RichEmbed:
    return RichEmbed(
        type="rich",
        version="1.0",
        title=title,
        provider_name=organization_of(settings).common_name,
        provider_url=settings.url,
        cache_age=CACHE_AGE,
        html=embeds.iframe(settings.url + path, title, size, is_fixed=True),
        width=size[0],
        height=size[1],
    )


def as_xml(embed: RichEmbed) -> bytes:
    """Return the same as XML: an element `oembed` with one child per member."""
    root = ElementTree.Element("oembed")
    for name, value in msgspec.to_builtins(embed).items():
        ElementTree.SubElement(root, name).text = str(value)
    body: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=False)
    return b'<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n' + body


# ---------------------------------------------------------------- the address

_MOST = 10_000
Url = Annotated[str, query("url", min_length=1, max_length=2000)]
MaxWidth = Annotated[int | None, query("maxwidth", ge=1, le=_MOST)]
MaxHeight = Annotated[int | None, query("maxheight", ge=1, le=_MOST)]
Format = Annotated[str, query("format", of="oembed", max_length=20)]


@get(
    "/oembed",
    summary="oEmbed",
    tags=["embeds"],
    responses=answers(RichEmbed, "An answer of the type rich.", 404),
)
async def get_oembed(
    scope: Scope,
    url: Url,
    maxwidth: MaxWidth = None,
    maxheight: MaxHeight = None,
    format: Format = "json",
) -> Answer:
    """Return oEmbed 1.0 for pages of places, cards and the search widget: an iframe within the
    requested size.

    The heads of those pages have discovery links. A foreign address, or a place that is no longer
    listed, gives 404; a format other than json and xml 501.
    """
    release, settings = release_of(scope), context_of(scope).settings
    if format not in {"json", "xml"}:
        raise ServiceProblem("unsupported-format", "format: json or xml", {"format": "json or xml"})
    # Behind a proxy without a public address in the settings, the requested host is ours too.
    host = dict(scope["headers"]).get(b"host", b"").decode("latin-1").lower()
    hosts = frozenset({urlsplit(settings.url).netloc.lower(), host})
    embed = rich_embed(release, settings, url, hosts, Room(maxwidth, maxheight))
    if format == "xml":
        return Answer(as_xml(embed), media_type=b"text/xml; charset=utf-8", max_age=HOUR)
    return json_answer(embed, HOUR)
