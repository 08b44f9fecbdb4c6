"""Templates of pages, by language, with its words and filters."""

import re
from functools import cache, lru_cache, partial
from pathlib import Path
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from schemas.languages import languages
from schemas.vocab.languages import language_of_text
from serving.render.assets import STYLE_SHEETS, asset, style_sheet
from serving.render.formats import filters
from serving.render.words import Language, page_path, words

# Telephone numbers in texts of ours, with the short ones of hotlines.
_PHONE = re.compile(r"\b(?:911|988|211|(?:1-)?\d{3}-\d{3}-\d{4})\b")
_EXTENSION = re.compile(r" (?:x|ext\b)")
# Each capability has its own templates; names are unique.
_TEMPLATES = sorted({path.parent for path in Path(__file__).resolve().parents[1].glob("*/*.html")})


@cache
def templates(language: Language) -> Environment:
    """Return the templates of all packages, with the words and filters of a language."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Templates change with the installed version only: no look at the files for each page.
        auto_reload=False,
    )
    spec = languages()[language]
    environment.filters |= filters(language) | {
        "fill": fill,
        "host": as_host,
        "link_phones": link_phones,
        "published": partial(as_published, language=language),
        "unbroken": as_unbroken,
    }
    environment.globals |= {
        "language": language,
        "spec": spec,
        "t": words("layout", language),
        "words": partial(words, language=language),
        "link": partial(page_path, language=language),
        "to": partial(link_attributes, language=language),
        "asset": asset,
        "styles": {name: Markup(style_sheet(name)) for name in STYLE_SHEETS},  # noqa: S704 - our own files
        "phone": partial(phone_link, is_rtl=spec.direction == "rtl"),
        "in_own": partial(list_attributes, language=language),
        "language_of": language_of_text,
    }
    environment.globals["parts"] = environment.get_template("parts.html").module
    return environment


@lru_cache(maxsize=1024)
def link_attributes(path: str, language: Language) -> Markup:
    """Return the attributes of a link to an English page in a language, which it may lack."""
    own = page_path(path, language)
    attributes = Markup('href="{}"').format(own)
    is_own = own.startswith(languages()[language].prefix)
    return attributes if is_own else attributes + Markup(' hreflang="en"')


def fill(text: str, **parts: str | Markup) -> Markup:
    """Return a sentence with its `{parts}` filled in; texts are escaped, marked-up parts are
    not."""
    # `Markup.format` parses the sentence in Python, at ten times the cost.
    return Markup(str(escape(text)).format(**{name: escape(part) for name, part in parts.items()}))  # noqa: S704 - escaped here


def list_attributes(text: str, language: Language) -> Markup:
    """Return the attributes of an element with a publisher's text on a page: its language if it
    differs."""
    text_language = language_of_text(text)
    attributes = (
        Markup(' lang="{}"').format(text_language)
        if text_language and text_language != language
        else Markup("")
    )
    return (
        attributes + Markup(' dir="ltr"')
        if languages()[language].direction == "rtl"
        else attributes
    )


def as_published(text: str, language: Language) -> str | Markup:
    """Return a name or address as published, marked with its language if it is known to differ from
    the page's."""
    attributes = list_attributes(text, language)
    return Markup("<span{}>{}</span>").format(attributes, text) if attributes else text


def as_unbroken(text: str) -> Markup:
    """Return a text that stays on one line."""
    return Markup(f'<span class="whole">{escape(text)}</span>')  # noqa: S704 - escaped here


def as_host(url: str) -> str:
    """Return the name of a website as people write it: "foodbanknyc.org"."""
    return (urlsplit(url).hostname or url).removeprefix("www.")


def link_phones(text: str) -> Markup:
    """Return a text of ours with links on its telephone numbers."""
    return Markup(_PHONE.sub(lambda m: phone_link(m[0]), str(escape(text))))  # noqa: S704


def phone_link(number: str, *, is_rtl: bool = False) -> Markup:
    """Return a telephone number that a phone calls when tapped, written from left to right."""
    digits = "".join(c for c in _EXTENSION.split(number)[0] if c.isdigit())
    full = f"+1{digits}" if len(digits) == 10 else f"+{digits}" if len(digits) == 11 else digits
    direction = ' dir="ltr"' if is_rtl else ""
    return Markup(f'<a href="tel:{full}"{direction}>{escape(number)}</a>')  # noqa: S704 - escaped here
