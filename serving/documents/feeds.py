"""The feeds: JSON Feed 1.1, and Atom (RFC 4287) of the same. Ids are tag URIs (RFC 4151) and never
change.
"""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from typing import Literal
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


def at_midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def tag_of(settings: Settings, key: str) -> str:
    """Return the permanent id of a feed or an item."""
    return f"tag:{organization_of(settings).domain},{_SINCE}:{key}"


def press_entries(settings: Settings, language: Language) -> list[FeedItem]:
    """Return the press releases, newest first."""
    return [_press_entry(settings, item, language) for item in press_items()]


def _press_entry(settings: Settings, item: PressItem, language: Language) -> FeedItem:
    texts = item.texts(language)
    return FeedItem(
        tag_of(settings, f"press/{item.id}/{language}"),
        settings.url + press_path(item, language),
        texts.title,
        texts.summary,
        "\n\n".join((texts.summary, *texts.paragraphs)),
        instant_text(at_midnight(item.date)),
        TAGS[language],
    )


def press_feed(settings: Settings, language: Language, path: str) -> JsonFeed:
    """Return the feed of press releases."""
    return feed_of(settings, language, "feed", path, press_entries(settings, language))


def feed_of(
    settings: Settings,
    language: Language,
    kind: Literal["feed", "news"],
    path: str,
    items: list[FeedItem],
) -> JsonFeed:
    """Return a feed; `kind` begins its words in content/messages/press.yaml."""
    w, name = words("press", language), organization_of(settings).common_name
    return JsonFeed(
        version="https://jsonfeed.org/version/1.1",
        title=w[f"{kind}_title"].format(name=name),
        home_page_url=settings.url + localize("/press", language),
        feed_url=settings.url + path,
        description=w[f"{kind}_description"],
        language=TAGS[language],
        authors=[FeedAuthor(name, settings.url)],
        items=items,
    )


def as_atom(feed: JsonFeed, feed_id: str, empty_at: datetime) -> bytes:
    """Format as Atom 1.0. `empty_at` dates a feed without items."""
    ElementTree.register_namespace("", _ATOM)
    root = ElementTree.Element(
        f"{{{_ATOM}}}feed", {"{http://www.w3.org/XML/1998/namespace}lang": feed.language}
    )
    updated = max((item.date_published for item in feed.items), default=instant_text(empty_at))
    _texts(
        root,
        (
            ("id", feed_id),
            ("title", feed.title),
            ("subtitle", feed.description),
            ("updated", updated),
        ),
    )
    _links(
        root,
        (
            ("self", "application/atom+xml", feed.feed_url),
            ("alternate", "text/html", feed.home_page_url),
        ),
    )
    (author,) = feed.authors
    _texts(
        ElementTree.SubElement(root, f"{{{_ATOM}}}author"),
        (("name", author.name), ("uri", author.url)),
    )
    for item in feed.items:
        element = ElementTree.SubElement(root, f"{{{_ATOM}}}entry")
        _texts(
            element,
            (
                ("id", item.id),
                ("title", item.title),
                ("updated", item.date_published),
                ("published", item.date_published),
                ("summary", item.summary),
                ("content", item.content_text),
            ),
        )
        _links(element, (("alternate", "text/html", item.url),))
    body: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return body


def _texts(parent: ElementTree.Element, parts: Iterable[tuple[str, str]]) -> None:
    for name, text in parts:
        ElementTree.SubElement(parent, f"{{{_ATOM}}}{name}").text = _NOT_IN_XML.sub(" ", text)


def _links(parent: ElementTree.Element, links: Iterable[tuple[str, str, str]]) -> None:
    for rel, kind, url in links:
        ElementTree.SubElement(parent, f"{{{_ATOM}}}link", {"rel": rel, "type": kind, "href": url})
