"""The feeds: their addresses, formats, languages and names on pages."""

from typing import NamedTuple

from serving.render.words import Language

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
