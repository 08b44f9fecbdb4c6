"""The page of examples: the style sheet's colours with their contrasts, and every part of pages."""

from typing import NamedTuple

import msgspec
from litestar import get
from litestar.types import Scope

from schemas.vocab.resource_types import RESOURCE_TYPES
from serving.http.answers import Answer
from serving.places.view import PlaceView
from serving.render.assets import tokens
from serving.render.page import page, page_head
from serving.render.words import Words, path_language, words

# Contrast ratios required by WCAG 2.2: of text (1.4.3), and of edges and rings (1.4.11).
TEXT, EDGE = 4.5, 3.0
# By colour: its background, and the least contrast.
PAIRS: dict[str, tuple[str, float]] = {
    "ink": ("warn-wash", TEXT),
    "soft": ("wash", TEXT),
    "edge": ("paper", EDGE),
    "accent": ("wash", TEXT),
    "on-accent": ("accent", TEXT),
    "good": ("paper", TEXT),
    "bad": ("paper", TEXT),
    "warn": ("warn-wash", TEXT),
    "focus": ("paper", EDGE),
}
SPACES = (4, 8, 16, 24, 40)


class Token(NamedTuple):
    """A colour: its name, its values, and its minimum contrast in light and dark, if any."""

    name: str
    light: str
    dark: str
    contrast: float | None


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours such as `#0b5f43` (WCAG 2.2, relative luminance)."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    digits = "".join(c * 2 for c in digits) if len(digits) == 3 else digits
    parts = (int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def colours() -> list[Token]:
    """Return the colours of the style sheet in its order."""
    light, dark = tokens()["light"], tokens()["dark"]
    palette = []
    for name in light:
        ground = PAIRS.get(name)
        least = ground and min(contrast(t[name], t[ground[0]]) for t in (light, dark))
        palette.append(Token(name, light[name], dark[name], least))
    return palette


def _examples(w: Words, type_name: str) -> list[PlaceView]:
    """Return invented places: one with current hours, and one with little information."""
    e = w.example
    current = PlaceView(
        id=1,
        name=e.name,
        path="#place",
        organization=None,
        type_label=type_name,
        mode="free",
        distance=e.distance,
        status="open",
        when=e.when,
        today=e.today,
        is_closed_all_day=False,
        closure=None,
        hours=None,
        badge="open",
        confirmed=e.confirmed,
        advice="",
        is_doubtful=False,
        live=None,
        doubt=None,
        shows_status=True,
        phone="(202) 555-0100",
        usual=None,
        usual_short=None,
        call_url="tel:+12025550100",
        directions_url="#place",
        address=e.address,
        website=None,
        papers=None,
        notes=(),
        verification_status="unverified",
        is_confidential=False,
        record={},
    )
    doubtful = msgspec.structs.replace(
        current,
        status="unknown",
        badge="unknown",
        when=None,
        today=None,
        confirmed=e.doubt,
        is_doubtful=True,
    )
    return [current, doubtful]


@get(["/design", "/es/design"], include_in_schema=False)
async def design(scope: Scope) -> Answer:
    """Return the page of examples."""
    language = path_language(scope)
    w = words("design", language)
    return page(
        scope,
        "design.html",
        page_head(scope, "/design", w.title, w.lead),
        colours=colours(),
        spaces=SPACES,
        places=_examples(w, RESOURCE_TYPES["food_pantry"].labels[language]),
        s=words("site", language),
    )
