"""The feeds: read by an independent reader, with ids that stay, and each milestone once."""

import json
import re
from datetime import UTC, datetime
from urllib.parse import urlsplit

import feedparser
import pytest

from schemas.api.discovery import FeedItem
from schemas.api.history import Movement, ReleaseReport
from schemas.languages import PUBLISHED
from schemas.vocab.states import FIFTY_ONE
from serving.documents.feeds import (
    ATOM,
    FEEDS,
    JSON_FEED,
    ReleaseSummary,
    as_atom,
    feed_alternates,
    feed_of,
    milestones_in,
)
from serving.settings import Settings
from tests.support.clients import Client

atoms = pytest.mark.parametrize(
    "feed", [f for f in FEEDS if f.media_type == ATOM], ids=lambda f: f.path
)
jsons = pytest.mark.parametrize(
    "feed", [f for f in FEEDS if f.media_type == JSON_FEED], ids=lambda f: f.path
)


@atoms
def test_an_atom_feed_is_read_without_a_fault(feed, client: Client) -> None:
    answer = client.get(feed.path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(ATOM)
    parsed = feedparser.parse(
        answer.content, response_headers={"content-type": answer.headers["content-type"]}
    )
    assert parsed.bozo == 0, parsed.get("bozo_exception")
    assert parsed.version == "atom10"
    assert parsed.feed.language == f"{feed.language}-US"
    assert parsed.feed.id.startswith("tag:")
    assert parsed.feed.author_detail.name
    assert parsed.entries
    ids = [entry.id for entry in parsed.entries]
    assert len(set(ids)) == len(ids)
    for entry in parsed.entries:
        assert re.fullmatch(r"tag:[a-z.]+,\d{4}:[a-z0-9A-Z/.-]+", entry.id)
        assert entry.title
        assert entry.summary
        assert entry.updated_parsed
        path = urlsplit(entry.link)
        assert client.get(path.path).status_code == 200, entry.link
    assert parsed.feed.updated == max(entry.updated for entry in parsed.entries)
    assert [link.href for link in parsed.feed.links if link.rel == "self"] == [
        f"http://127.0.0.1:8000{feed.path}"
    ]


@jsons
def test_a_json_feed_follows_the_standard(feed, client: Client) -> None:
    answer = client.get(feed.path)
    assert answer.headers["content-type"] == JSON_FEED
    assert answer.headers["access-control-allow-origin"] == "*"
    body = answer.json()
    assert body["version"] == "https://jsonfeed.org/version/1.1"
    assert body["title"]
    assert body["feed_url"].endswith(feed.path)
    assert body["language"] == f"{feed.language}-US"
    assert body["authors"][0]["name"]
    assert body["items"]
    for item in body["items"]:
        assert isinstance(item["id"], str)
        assert item["content_text"]
        assert datetime.fromisoformat(item["date_published"]).tzinfo == UTC
        assert client.get(urlsplit(item["url"]).path).status_code == 200
    days = [item["date_published"] for item in body["items"]]
    assert days == sorted(days, reverse=True)
    assert json.loads(client.get(feed.path).content) == body, "nothing depends on the moment"


def test_both_languages_have_the_same_press_releases(client: Client) -> None:
    english, spanish = (
        client.get(path).json()["items"] for path in ("/press/feed.json", "/es/press/feed.json")
    )
    assert [i["id"].removesuffix("en") for i in english] == [
        i["id"].removesuffix("es") for i in spanish
    ]
    assert not {i["title"] for i in english} & {i["title"] for i in spanish}


@pytest.mark.parametrize(
    "path", ["/feeds", "/press", "/press/NY", "/es/feeds", "/es/press", "/es/press/NY"]
)
def test_pages_name_the_feeds(path: str, client: Client) -> None:
    text = client.get(path).text
    for kind, address, title in feed_alternates("es" if path.startswith("/es/") else "en"):
        assert (
            f'<link rel="alternate" type="{kind}" href="http://127.0.0.1:8000{address}" title="{title}">'
            in text
        )


@pytest.mark.parametrize("language", PUBLISHED)
def test_a_press_release_is_a_page_of_its_own(language: str, client: Client) -> None:
    start = "/es" if language == "es" else ""
    path = f"{start}/press/news/2026-11-22-open-data"
    text = client.get(path).text
    assert f'<html lang="{language}">' in text
    assert '"NewsArticle"' in text
    assert client.get(f"{start}/press/news/no-such").status_code == 404


def _report(after: int, states: tuple[str, ...] = ("NY",)) -> ReleaseReport:
    groups = [Movement(s, 0, 1, 1, 0, 0, 0, 0) for s in states]
    nothing = {
        "changed_fields": {},
        "retired_reasons": {},
        "by_type": [],
        "by_source": [],
        "examples": [],
        "uncounted_fields": {},
    }
    return ReleaseReport(
        older=None,
        newer="20260101T000000Z-00000000",
        before=0,
        after=after,
        added=after,
        changed=0,
        reactivated=0,
        merged=0,
        retired=0,
        by_state=groups,
        **nothing,
    )


def _served(day: int, after: int, states: tuple[str, ...] = ("NY",)) -> ReleaseSummary:
    return ReleaseSummary(
        f"release-{day}", f"2026-01-{day:02}T00:00:00Z", False, _report(after, states)
    )


MILESTONES = {
    "none": ([], []),
    "a small first release": ([_served(1, 12)], [("first-release", 1)]),
    "exactly a thousand is not more": ([_served(1, 1000)], [("first-release", 1)]),
    "once, although it falls and rises": (
        [_served(1, 900), _served(2, 1001), _served(3, 900), _served(4, 1200)],
        [("first-release", 1), ("listed-1000", 2)],
    ),
    "several at once": (
        [_served(1, 60_000)],
        [("first-release", 1), ("listed-1000", 1), ("listed-10000", 1), ("listed-50000", 1)],
    ),
    "every state": (
        [_served(1, 60), _served(2, 60, (*FIFTY_ONE, "PR"))],
        [("first-release", 1), ("every-state", 2)],
    ),
    "all states but one": ([_served(1, 60, tuple(FIFTY_ONE)[1:])], [("first-release", 1)]),
}


@pytest.mark.parametrize(("releases", "expected"), MILESTONES.values(), ids=MILESTONES)
def test_a_milestone_is_dated_by_the_first_release_that_shows_it(releases, expected) -> None:
    milestones = milestones_in(releases)
    assert [(m.key, int(m.release.created_at[8:10])) for m in milestones] == expected
    assert (
        milestones_in([*releases, _served(28, 5)])[: len(milestones)] == milestones or not releases
    ), "later releases change nothing that was published"


def test_any_text_makes_a_valid_feed() -> None:
    at = datetime(2026, 5, 1, tzinfo=UTC)
    day = "2026-05-01T00:00:00Z"
    item = FeedItem("k", "/press", 'A & B <c> "d" \x0b\x00', "ñ \ud7ff", "]]> </entry>", day, "en")
    feed = feed_of(Settings(), "en", "feed", "/press/feed.atom", [item])
    feed.title = "T & <t>"
    parsed = feedparser.parse(as_atom(feed, "x", at))
    assert parsed.bozo == 0
    assert (
        parsed.entries[0].title.startswith('A & B <c> "d"')
        or "&lt;c&gt;" in parsed.entries[0].title
    )
    empty = as_atom(feed_of(Settings(), "en", "feed", "/press/feed.atom", []), "x", at)
    assert feedparser.parse(empty).feed.updated == day
