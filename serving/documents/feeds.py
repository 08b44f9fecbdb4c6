"""The feeds: JSON Feed 1.1 and Atom (RFC 4287), from one list of entries. Ids are tag URIs (RFC
4151) and never change.
"""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from typing import NamedTuple
from xml.etree import ElementTree

from schemas.api.discovery import FeedAuthor, FeedItem, JsonFeed
from schemas.languages import localize
from schemas.values.instants import instant_text
from serving.documents.press import PressItem, press_items, press_path
from serving.documents.render_context import TAGS
from serving.reference.organization import organization_of
from serving.render.words import Language, words
from serving.settings import Settings

# Characters that XML 1.0 does not know (2.2).
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ATOM = "http://www.w3.org/2005/Atom"
# Year in which the names under the domain were first given out (RFC 4151, 2.1).
_SINCE = "2026"


class Entry(NamedTuple):
    """Something that happened. `key` is its permanent name, `at` when it was published (aware)."""

    key: str
    at: datetime
    title: str
    summary: str
    text: str
    path: str


class Feed(NamedTuple):
    """A feed to be written out. `empty_at` dates a feed without entries."""

    key: str
    language: Language
    title: str
    description: str
    path: str
    home: str
    entries: list[Entry]
    empty_at: datetime


def at_midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def press_entries(language: Language) -> list[Entry]:
    """Return the press releases, newest first."""
    return [_press_entry(item, language) for item in press_items()]


def _press_entry(item: PressItem, language: Language) -> Entry:
    texts = item.texts(language)
    text = "\n\n".join((texts.summary, *texts.paragraphs))
    return Entry(
        f"press/{item.id}/{language}",
        at_midnight(item.date),
        texts.title,
        texts.summary,
        text,
        press_path(item, language),
    )


def press_feed(settings: Settings, language: Language, path: str) -> Feed:
    """Return the feed of press releases."""
    w, name = words("press", language), organization_of(settings).common_name
    home = localize("/press", language)
    return Feed(
        f"press/{language}",
        language,
        w.feed_title.format(name=name),
        w.feed_description,
        path,
        home,
        press_entries(language),
        at_midnight(date(2026, 1, 1)),
    )


# ---------------------------------------------------------------- forms


def _id(settings: Settings, key: str) -> str:
    return f"tag:{organization_of(settings).domain},{_SINCE}:{key}"


def _full(settings: Settings, path: str) -> str:
    return path if path.startswith("https://") else settings.url + path


def as_json_feed(settings: Settings, feed: Feed) -> JsonFeed:
    """Return JSON Feed 1.1."""
    return JsonFeed(
        version="https://jsonfeed.org/version/1.1",
        title=feed.title,
        home_page_url=_full(settings, feed.home),
        feed_url=_full(settings, feed.path),
        description=feed.description,
        language=TAGS[feed.language],
        authors=[FeedAuthor(organization_of(settings).common_name, settings.url)],
        items=[
            FeedItem(
                _id(settings, e.key),
                _full(settings, e.path),
                e.title,
                e.summary,
                e.text,
                instant_text(e.at),
                TAGS[feed.language],
            )
            for e in feed.entries
        ],
    )


def as_atom(settings: Settings, feed: Feed) -> bytes:
    """Format Atom 1.0."""
    ElementTree.register_namespace("", _ATOM)
    root = ElementTree.Element(
        f"{{{_ATOM}}}feed", {"{http://www.w3.org/XML/1998/namespace}lang": TAGS[feed.language]}
    )
    updated = max((e.at for e in feed.entries), default=feed.empty_at)
    _texts(
        root,
        (
            ("id", _id(settings, f"feed/{feed.key}")),
            ("title", feed.title),
            ("subtitle", feed.description),
            ("updated", instant_text(updated)),
        ),
    )
    _links(
        root,
        (
            ("self", "application/atom+xml", _full(settings, feed.path)),
            ("alternate", "text/html", _full(settings, feed.home)),
        ),
    )
    author = ElementTree.SubElement(root, f"{{{_ATOM}}}author")
    _texts(author, (("name", organization_of(settings).common_name), ("uri", settings.url)))
    for entry in feed.entries:
        element = ElementTree.SubElement(root, f"{{{_ATOM}}}entry")
        _texts(
            element,
            (
                ("id", _id(settings, entry.key)),
                ("title", entry.title),
                ("updated", instant_text(entry.at)),
                ("published", instant_text(entry.at)),
                ("summary", entry.summary),
                ("content", entry.text),
            ),
        )
        _links(element, (("alternate", "text/html", _full(settings, entry.path)),))
    body: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return body


def _texts(parent: ElementTree.Element, parts: Iterable[tuple[str, str]]) -> None:
    for name, text in parts:
        ElementTree.SubElement(parent, f"{{{_ATOM}}}{name}").text = _NOT_IN_XML.sub(" ", text)


def _links(parent: ElementTree.Element, links: Iterable[tuple[str, str, str]]) -> None:
    for rel, kind, url in links:
        ElementTree.SubElement(parent, f"{{{_ATOM}}}link", {"rel": rel, "type": kind, "href": url})
