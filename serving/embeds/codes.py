"""The code that other sites copy: iframes, containers for the script, badges. Every value is
escaped here.
"""

from collections.abc import Mapping
from urllib.parse import urlencode

from markupsafe import escape

from serving.places.view import place_path
from serving.render.words import Language

# Width at most and height in pixels.
WIDGET_SIZE, CARD_SIZE, BADGE_SIZE, PICTURE_SIZE = (520, 500), (420, 380), (240, 60), (1200, 630)
SCRIPT_PATH = "/embed/embed.js"


def widget_path(options: Mapping[str, str]) -> str:
    """Return path of the search widget with its options in the order given."""
    return "/embed/widget" + (f"?{urlencode(options)}" if options else "")


def card_path(resource_id: int, options: Mapping[str, str] | None = None) -> str:
    """Return path of the card of a place."""
    return f"/embed/pantry/{resource_id}" + (f"?{urlencode(options)}" if options else "")


def iframe(address: str, title: str, size: tuple[int, int]) -> str:
    """Return an iframe as wide as its column, up to the width of `size`."""
    width, height = size
    return (
        f'<iframe src="{escape(address)}" title="{escape(title)}" width="100%" height="{height}"'
        f' style="border:0;max-width:{width}px" loading="lazy"></iframe>'
    )


def fixed_iframe(address: str, title: str, size: tuple[int, int]) -> str:
    """Return an iframe of exactly this size, for oEmbed."""
    width, height = size
    return (
        f'<iframe src="{escape(address)}" title="{escape(title)}" width="{width}" height="{height}"'
        f' style="border:0" loading="lazy"></iframe>'
    )


def scripted_embed(
    base_url: str, attributes: Mapping[str, str], fallback_path: str, fallback_words: str
) -> str:
    """Return a container and the script that fills it; without JavaScript the link in it stays."""
    named = "".join(
        f' {name}="{escape(value)}"' if value else f" {name}" for name, value in attributes.items()
    )
    return (
        f'<div{named}><a href="{escape(base_url + fallback_path)}">{escape(fallback_words)}</a></div>\n'
        f'<script async src="{escape(base_url + SCRIPT_PATH)}"></script>'
    )


def badge_html(base_url: str, resource_id: int, description: str, language: Language) -> str:
    """Return the badge as a link to the page of the place."""
    width, height = BADGE_SIZE
    query = "?lang=es" if language == "es" else ""
    return (
        f'<a href="{escape(base_url + place_path(resource_id, language))}">'
        f'<img src="{escape(base_url)}/badge/{resource_id}.svg{query}" width="{width}" height="{height}"'
        f' alt="{escape(description)}"></a>'
    )


def badge_markdown(base_url: str, resource_id: int, description: str, language: Language) -> str:
    """Return the same for a page in Markdown."""
    query = "?lang=es" if language == "es" else ""
    words = "".join(f"\\{c}" if c in "\\[]()*_`<>!" else c for c in description)
    return f"[![{words}]({base_url}/badge/{resource_id}.svg{query})]({base_url}{place_path(resource_id, language)})"
