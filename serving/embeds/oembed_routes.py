"""oEmbed for addresses of this service."""

from typing import Annotated

import msgspec
from litestar import get
from litestar.types import Scope

from schemas.api.embeds import RichEmbed
from serving.context import context_of
from serving.embeds.oembed import Room, as_xml, rich_embed
from serving.http.answers import HOUR, Answer
from serving.http.errors import ServiceProblem, release_of
from serving.http.openapi import answers
from serving.http.parameters import query

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
    hosts = frozenset({_host_of(settings.url), _asked_host(scope)})
    found = rich_embed(release, settings, url, hosts, Room(maxwidth, maxheight))
    if format == "xml":
        return Answer(as_xml(found), media_type=b"text/xml; charset=utf-8", max_age=HOUR)
    return Answer(msgspec.json.encode(found), max_age=HOUR)


def _host_of(url: str) -> str:
    return url.partition("://")[2].partition("/")[0].lower()


def _asked_host(scope: Scope) -> str:
    """Return `Host` of the request: behind a proxy without a public address in the settings, it
    is ours too."""
    named = next((value for name, value in scope["headers"] if name == b"host"), b"")
    return named.decode("latin-1").lower()
