"""Pages for people: one layout, one style sheet, English and Spanish.

`page(scope, "x.html", Head(...), **values)` renders the template `x.html` of a package below
`serving`, which begins with `{% extends "layout.html" %}` and fills `{% block main %}`. In every
template:

- `language` and its `spec` (`schemas.languages`), `others` (the page in other languages), `t`
  (words of content/messages/layout.yaml), `words(name)` (those of another file);
- filters `number`, `money`, `percent`, `day` in the page's language (`serving.render.formats`);
- `link(path)`: the path in the page's language, where the page exists in it; `to(path)`: the same
  as the attributes of a link, which say where it leads to English;
- `parts` (parts.html): the search box, place cards, states, notes of sources, tables, bars.

Everything is escaped by the renderer (autoescape, StrictUndefined). No style attributes, no inline
script: the content security policy forbids both. Classes are those of web/static/style.css and of
no other place; it stands in the page, whose policy has its digest, for a file of its own would take
one more round trip of a slow connection before anything is shown.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeVar

import msgspec
from litestar.types import Scope
from markupsafe import Markup

from schemas.languages import (
    SOURCE,
    LanguageSpec,
    language_of_path,
    languages,
    localize,
)
from serving.context import context_of, current_release
from serving.http.answers import HOUR, Answer, Header
from serving.http.caching import of_minute
from serving.reference.organization import facts, organization_of
from serving.render.assets import style_sources
from serving.render.street_map import StreetMap, street_map_of
from serving.render.templates import templates
from serving.render.words import (
    Language,
    active_languages,
    is_of_finder,
    path_language,
    paths_of,
)
from serving.settings import Settings

T = TypeVar("T")
HTML_TYPE = b"text/html; charset=utf-8"
# Characters forbidden in HTML, which records may contain (HTML standard, 13.1.4), in UTF-8: single
# bytes, and the pairs of C1.
_CONTROLS = bytes([*range(9), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F])
_C1_CONTROLS = re.compile(rb"\xc2[\x80-\x9f]")
# Nothing of a device is wanted, nor of pages that are framed here; a search box may ask where its
# reader is.
_PERMISSIONS = (
    b"geolocation=(%b), camera=(), microphone=(), payment=(), usb=(), serial=(), hid=(), midi=(), "
    b"accelerometer=(), gyroscope=(), magnetometer=(), display-capture=(), browsing-topics=()"
)
_POLICY = (
    "default-src 'none'; style-src 'self' {styles}; img-src 'self' data:{map}; script-src 'self'; "
    "connect-src 'self'{map}; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors {ancestors}"
)


@dataclass(frozen=True)
class Head:
    """Head of a page. Paths begin with a slash; `twin` is the page in English, of an English page
    in Spanish."""

    path: str
    title: str
    description: str
    language: Language = "en"
    twin: str | None = None
    image: str | None = None
    """Path of the Open Graph card without its ending; a PNG twin is expected at `<image>.png`."""
    json_ld: list[dict[str, Any]] = field(default_factory=list)
    alternates: tuple[tuple[str, str, str], ...] = ()
    """Other forms of the page: media type, path, title."""
    is_indexed: bool = True
    may_be_framed: bool = False
    is_bare: bool = False
    """Without header and footer: what is shown within other people's pages."""
    has_map: bool = False
    """True for a page with an interactive map: MapLibre starts its worker from a blob."""
    shows_frames: bool = False
    """True for a page that shows pages of this service in frames."""
    has_finder: bool = False
    """Shows the search box, whose script suggests places and, on a tap, asks for the location."""
    theme: Literal["light", "dark"] | None = None
    """The colours that were asked for; None for those that the reader's device prefers."""


def page_head(
    scope: Scope, path: str, title: str, description: str, *, query: str = "", **members: Any
) -> Head:
    """Return the head of a page by its English path, in the language of the request; `query` is
    that of the same page in other languages.

    Raises ServiceProblem (404) for a language that is switched off.
    """
    language = path_language(scope)
    own, twin = paths_of(path, language)
    return Head(own, title, description, language, f"{twin}?{query}" if query else twin, **members)


def guards(head: Head, street_map: StreetMap | None = None) -> tuple[Header, ...]:
    """Return security headers of a page. One with a map may ask the origin of the street map, and
    no other."""
    ancestors = "*" if head.may_be_framed else "'self'"
    origin = f" {street_map.origin}" if head.has_map and street_map and street_map.origin else ""
    policy = _POLICY.format(styles=style_sources(), ancestors=ancestors, map=origin)
    if head.has_map:
        policy += "; worker-src blob: 'self'"
    if head.shows_frames:
        policy += "; frame-src 'self'"
    return (
        (b"content-security-policy", policy.encode()),
        (b"referrer-policy", b"strict-origin-when-cross-origin"),
        (b"permissions-policy", _PERMISSIONS % (b"self" if head.has_finder else b"")),
    )


def page(
    scope: Scope,
    template: str,
    head: Head,
    *,
    max_age: int = HOUR,
    status: int = 200,
    headers: tuple[Header, ...] = (),
    **values: Any,
) -> Answer:
    """Return a page as an answer. `values` are the template's own."""
    body = render(scope, template, head, **values)
    header_names = {name for name, _ in headers}
    own = guards(head, street_map_of(context_of(scope).settings))
    others = tuple(h for h in own if h[0] not in header_names)
    language = (b"content-language", head.language.encode())
    return Answer(
        body,
        media_type=HTML_TYPE,
        max_age=max_age,
        status=status,
        headers=(*others, language, *headers),
    )


async def page_of_minute(
    scope: Scope, now: datetime, make: Callable[[], Awaitable[tuple[Answer, T]]]
) -> tuple[Answer, T]:
    """Return the page of the requested address and a note on it from the shared cache; make and
    store both if they are missing.

    For pages that depend on the release, the reports, the minute and the address only.
    """
    release, responses = current_release(scope), context_of(scope).responses
    if release is None:
        return await make()
    key = of_minute(release, now, "page", scope["path"], scope["query_string"])
    made: tuple[Answer, T] | None = responses.get(key)
    if made is None:
        made = await make()
        responses.put(key, made, len(made[0].payload))
    return made


def render(scope: Scope, template: str, head: Head, **values: Any) -> bytes:
    """Return the page as bytes."""
    context, release = context_of(scope), current_release(scope)
    text = (
        templates(head.language)
        .get_template(template)
        .render(
            head=head,
            base_url=context.settings.url,
            organization=organization_of(context.settings),
            release=release,
            json_ld=[_script_safe(entry) for entry in head.json_ld],
            others=_others(head, context.settings),
            help_line=facts().local,
            **values,
        )
    )
    return _C1_CONTROLS.sub(b"", text.encode().translate(None, _CONTROLS))


def plain_page(
    scope: Scope, title: str, body: str, max_age: int, headers: tuple[Header, ...] = ()
) -> Answer:
    """Return a page in English whose inside is made elsewhere: `title` is text, `body` is HTML."""
    head = Head(scope["path"], title, title)
    return page(scope, "plain.html", head, max_age=max_age, headers=headers, body=Markup(body))  # noqa: S704


def _others(head: Head, settings: Settings) -> list[tuple[LanguageSpec, str]]:
    """Return the other languages of a page with its address in each."""
    if not head.twin:
        return []
    english, twin = (head.path, head.twin) if head.language == SOURCE else (head.twin, head.twin)
    if not is_of_finder(english):
        return [(languages()[language_of_path(twin)], twin)]
    path, mark, query = english.partition("?")[0], *twin.partition("?")[1:]
    others = (one for one in active_languages(settings) if one.code != head.language)
    return [(one, localize(path, one.code) + mark + query) for one in others]


def _script_safe(value: dict[str, Any]) -> Markup:
    """Return JSON that cannot end its script element early (HTML standard, 4.12.1.3)."""
    text = msgspec.json.encode(value).decode()
    safe = text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return Markup(safe)  # noqa: S704 - escaped just above
