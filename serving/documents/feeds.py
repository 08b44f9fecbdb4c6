"""Press releases, and the feeds: one of press releases, one of news, which adds active federal
disasters and milestones.

A press release is content/press/<id>.yaml, in English and Spanish. Its file name is its permanent
id. The text of a published release never changes: a correction is a new release. Feeds are JSON
Feed 1.1 and Atom (RFC 4287); their ids are tag URIs (RFC 4151) and never change.
"""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from functools import cache
from importlib import resources
from typing import Literal, NamedTuple
from xml.etree import ElementTree

import msgspec

from schemas.api.discovery import FeedAuthor, FeedItem, JsonFeed
from schemas.api.history import ReleaseReport
from schemas.languages import localize
from schemas.values.instants import instant_text
from schemas.vocab.states import FIFTY_ONE, STATES
from serving.disasters import disasters
from serving.documents.render_context import TAGS
from serving.http.errors import ServiceProblem
from serving.reference.organization import organization_of
from serving.releases.history import read_served_ids, report_of
from serving.render.formats import day, number
from serving.render.words import Language, words
from serving.settings import Settings
from warehouse.index.reader import OpenRelease
from warehouse.release.store import ReleaseStore

# Characters that XML 1.0 does not know (2.2).
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ATOM = "http://www.w3.org/2005/Atom"
# Year in which the names under the domain were first given out (RFC 4151, 2.1).
_SINCE = "2026"


class PressText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Press release in one language."""

    title: str
    summary: str
    paragraphs: list[str]


class PressItem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A press release. `see` is a path of this service to read on at."""

    id: str
    date: date
    see: str
    en: PressText
    es: PressText

    def texts(self, language: Language) -> PressText:
        return self.en if language == "en" else self.es


@cache
def press_items() -> tuple[PressItem, ...]:
    """Return all of them, newest first. Raises ValueError naming the file when one is damaged."""
    items = []
    for file in (resources.files("content") / "press").iterdir():
        if not file.name.endswith(".yaml"):
            continue
        try:
            item = msgspec.yaml.decode(file.read_bytes(), type=PressItem)
        except msgspec.DecodeError as error:
            raise ValueError(f"content/press/{file.name}: {error}") from error
        if file.name != f"{item.id}.yaml":
            raise ValueError(f"content/press/{file.name}: id is {item.id!r}")
        items.append(item)
    return tuple(sorted(items, key=lambda item: (item.date, item.id), reverse=True))


def press_path(item: PressItem, language: Language) -> str:
    """Return the page of a press release."""
    return localize(f"/press/news/{item.id}", language)


# ---------------------------------------------------------------- feeds


def at_midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def tag_of(settings: Settings, key: str) -> str:
    """Return the permanent id of a feed or an item."""
    return f"tag:{organization_of(settings).domain},{_SINCE}:{key}"


def press_entries(settings: Settings, language: Language) -> list[FeedItem]:
    """Return the press releases, newest first."""
    entries = []
    for item in press_items():
        texts = item.texts(language)
        entries.append(
            FeedItem(
                tag_of(settings, f"press/{item.id}/{language}"),
                settings.url + press_path(item, language),
                texts.title,
                texts.summary,
                "\n\n".join((texts.summary, *texts.paragraphs)),
                instant_text(at_midnight(item.date)),
                TAGS[language],
            )
        )
    return entries


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


# ---------------------------------------------------------------- addresses


JSON_FEED, ATOM = "application/feed+json", "application/atom+xml"


class FeedEntry(NamedTuple):
    """A feed. `kind` is `press` or `news` (press, active disasters, milestones)."""

    kind: str
    language: Language
    media_type: str
    path: str
    title: str


FEEDS: tuple[FeedEntry, ...] = (
    FeedEntry("press", "en", JSON_FEED, "/press/feed.json", "Press releases"),
    FeedEntry("press", "en", ATOM, "/press/feed.atom", "Press releases"),
    FeedEntry("news", "en", ATOM, "/api/feed/news.atom", "Press, active disasters, milestones"),
    FeedEntry("press", "es", JSON_FEED, "/es/press/feed.json", "Comunicados de prensa"),
    FeedEntry("press", "es", ATOM, "/es/press/feed.atom", "Comunicados de prensa"),
    FeedEntry("news", "es", ATOM, "/api/feed/es/news.atom", "Prensa, desastres vigentes e hitos"),
)


def feed_alternates(language: Language) -> tuple[tuple[str, str, str], ...]:
    """Return media type, path and title of the feeds in a language, for the head of a page
    (autodiscovery)."""
    kinds = {JSON_FEED: "JSON Feed", ATOM: "Atom"}
    return tuple(
        (f.media_type, f.path, f"{f.title} ({kinds[f.media_type]})")
        for f in FEEDS
        if f.language == language
    )


# ---------------------------------------------------------------- news

# Counts of listed places that are news once, when first passed.
_LISTED = (1_000, 10_000, 50_000, 100_000, 200_000, 300_000, 400_000, 500_000, 1_000_000)


class ReleaseSummary(NamedTuple):
    """What milestones need of a release."""

    release_id: str
    created_at: str
    is_synthetic: bool
    report: ReleaseReport


class Milestone(NamedTuple):
    """First occurrence of something in a release. `key` is permanent; `reached` is part of the
    title."""

    key: str
    word: str
    reached: int
    release: ReleaseSummary


def news_feed(settings: Settings, release: OpenRelease, language: Language, path: str) -> JsonFeed:
    """Return the news, newest first. Reads files and the database: call it in a thread."""
    items = [
        *press_entries(settings, language),
        *_disasters(settings, release, language),
        *(_as_item(settings, m, language) for m in milestones_of(release)),
    ]
    items.sort(key=lambda item: item.id)
    items.sort(key=lambda item: item.date_published, reverse=True)
    return feed_of(settings, language, "news", path, items)


# ---------------------------------------------------------------- milestones


def milestones_of(release: OpenRelease) -> list[Milestone]:
    """Return the milestones of every release ever served; releases made before reports existed
    show none."""
    store = ReleaseStore(release.folder.parent.parent)
    releases = []
    for release_id in read_served_ids(store, release):
        try:
            manifest, report = report_of(store, release_id)
        except FileNotFoundError:
            continue
        # Milestones of a demonstration are separate from those of real data.
        if report is not None and manifest.is_synthetic == release.is_synthetic:
            releases.append(
                ReleaseSummary(release_id, manifest.created_at, manifest.is_synthetic, report)
            )
    return milestones_in(releases)


def milestones_in(releases: list[ReleaseSummary]) -> list[Milestone]:
    """Return the firsts of each release, in the order in which they were served."""
    milestones: dict[str, Milestone] = {}
    for one in releases:
        after = one.report.after
        reached = [("first-release", "first", after)]
        reached += [(f"listed-{count}", "listed", count) for count in _LISTED if after > count]
        if set(FIFTY_ONE) <= {m.group for m in one.report.by_state if m.after}:
            reached.append(("every-state", "states", len(FIFTY_ONE)))
        for key, word, count in reached:
            milestones.setdefault(key, Milestone(key, word, count, one))
    return list(milestones.values())


def _as_item(settings: Settings, milestone: Milestone, language: Language) -> FeedItem:
    phrases, w = words("press", language), words("press", language).milestones
    release = milestone.release
    at = datetime.fromisoformat(release.created_at.replace("Z", "+00:00")).astimezone(UTC)
    text = w.text.format(
        release=release.release_id,
        date=day(at.date(), language),
        count=number(release.report.after, language),
    )
    if release.is_synthetic:
        text = f"{text} {phrases.synthetic}"
    return FeedItem(
        tag_of(settings, f"milestone/{milestone.key}/{language}"),
        f"{settings.url}/releases/{release.release_id}",
        w[milestone.word].format(count=number(milestone.reached, language)),
        text,
        text,
        instant_text(at),
        TAGS[language],
    )


# ---------------------------------------------------------------- disasters


def _disasters(settings: Settings, release: OpenRelease, language: Language) -> list[FeedItem]:
    """Return active declarations; none when the release has no list of them."""
    try:
        declarations = disasters.current(release).declarations
    except ServiceProblem:
        return []
    w, items = words("press", language).disaster, []
    for one in declarations:
        place = STATES[one.state].names[language]
        text = w.text.format(
            kind=one.type_label[language],
            state=place,
            incident=one.incident_label[language] if one.incident_label else one.title,
            date=day(one.declaration_date, language),
        )
        if one.is_dsnap_likely:
            text += f" {w.dsnap}"
        if release.is_synthetic:
            text += f" {words('press', language).synthetic}"
        items.append(
            FeedItem(
                tag_of(settings, f"disaster/{one.declaration_string}/{language}"),
                settings.url + localize(f"/disasters/{one.state}", language),
                w.title.format(name=one.declaration_string, title=one.title, state=place),
                text,
                text,
                instant_text(at_midnight(one.declaration_date)),
                TAGS[language],
            )
        )
    return items
