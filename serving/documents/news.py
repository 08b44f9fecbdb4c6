"""The feed of news: press releases, active federal disasters, and milestones that the releases
show.
"""

from datetime import UTC, datetime
from typing import NamedTuple

from schemas.api.disasters import Disaster
from schemas.api.discovery import FeedItem, JsonFeed
from schemas.api.history import ReleaseReport
from schemas.languages import localize
from schemas.values.instants import instant_text
from schemas.vocab.states import FIFTY_ONE, STATES
from serving.disasters import disasters
from serving.documents.feeds import at_midnight, feed_of, press_entries, tag_of
from serving.documents.render_context import TAGS
from serving.http.errors import ServiceProblem
from serving.releases.history import read_served_ids, report_of
from serving.render.formats import day, number
from serving.render.words import Language, words
from serving.settings import Settings
from warehouse.index.reader import OpenRelease
from warehouse.release.store import ReleaseStore

# Counts of listed places that are news once, when first passed.
_LISTED = (1_000, 10_000, 50_000, 100_000, 200_000, 300_000, 400_000, 500_000, 1_000_000)


class ReleaseSummary(NamedTuple):
    """A release as milestones see it."""

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
    """Return all of it, newest first. Reads files and the database: call it in a thread."""
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
        for key, word, count in _totals(one.report):
            milestones.setdefault(key, Milestone(key, word, count, one))
    return list(milestones.values())


def _totals(report: ReleaseReport) -> list[tuple[str, str, int]]:
    totals = [("first-release", "first", report.after)]
    totals += [(f"listed-{count}", "listed", count) for count in _LISTED if report.after > count]
    states = {m.group for m in report.by_state if m.after}
    if set(FIFTY_ONE) <= states:
        totals.append(("every-state", "states", len(FIFTY_ONE)))
    return totals


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
        answer = disasters.current(release)
    except ServiceProblem:
        return []
    note = f" {words('press', language).synthetic}" if release.is_synthetic else ""
    return [_disaster(settings, d, language, note) for d in answer.declarations]


def _disaster(settings: Settings, declaration: Disaster, language: Language, note: str) -> FeedItem:
    w, place = words("press", language).disaster, STATES[declaration.state].names[language]
    text = w.text.format(
        kind=declaration.type_label[language],
        state=place,
        incident=declaration.incident_label[language]
        if declaration.incident_label
        else declaration.title,
        date=day(declaration.declaration_date, language),
    )
    if declaration.is_dsnap_likely:
        text = f"{text} {w.dsnap}"
    text += note
    return FeedItem(
        tag_of(settings, f"disaster/{declaration.declaration_string}/{language}"),
        settings.url + localize(f"/disasters/{declaration.state}", language),
        w.title.format(name=declaration.declaration_string, title=declaration.title, state=place),
        text,
        text,
        instant_text(at_midnight(declaration.declaration_date)),
        TAGS[language],
    )
