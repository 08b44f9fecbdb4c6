"""The feed of news: press releases, active federal disasters, and milestones that the releases
show.
"""

from datetime import UTC, datetime
from typing import NamedTuple

from schemas.api.disasters import Disaster
from schemas.api.history import ReleaseReport
from schemas.languages import localize
from schemas.vocab.states import FIFTY_ONE, STATES
from serving.disasters import disasters
from serving.documents.feeds import Entry, Feed, at_midnight, press_entries
from serving.http.errors import ServiceProblem
from serving.reference.organization import organization_of
from serving.releases.history import report_of, served_ids
from serving.render.formats import day, number
from serving.render.words import Language, words
from serving.settings import Settings
from warehouse.index.reader import OpenRelease
from warehouse.release.store import ReleaseStore

# Counts of listed places that are news once, when first passed.
_LISTED = (1_000, 10_000, 50_000, 100_000, 200_000, 300_000, 400_000, 500_000, 1_000_000)


class Milestone(NamedTuple):
    """First occurrence of something in a release. `key` is permanent; `reached` is part of the
    title."""

    key: str
    word: str
    reached: int
    release_id: str
    at: datetime
    listed: int
    is_synthetic: bool


class Served(NamedTuple):
    """A release as milestones see it."""

    release_id: str
    created_at: str
    is_synthetic: bool
    report: ReleaseReport


def news_feed(settings: Settings, release: OpenRelease, language: Language, path: str) -> Feed:
    """Return all of it, newest first. Reads files and the database: call it in a thread."""
    w, name = words("press", language), organization_of(settings).common_name
    entries = [
        *press_entries(language),
        *_disasters(release, language),
        *(_as_entry(m, language) for m in milestones_of(release)),
    ]
    entries.sort(key=lambda e: (-e.at.timestamp(), e.key))
    made = datetime.fromisoformat(release.manifest.created_at.replace("Z", "+00:00"))
    home = localize("/press", language)
    return Feed(
        f"news/{language}",
        language,
        w.news_title.format(name=name),
        w.news_description,
        path,
        home,
        entries,
        made,
    )


# ---------------------------------------------------------------- milestones


def milestones_of(release: OpenRelease) -> list[Milestone]:
    """Return the milestones of every release ever served; releases made before reports existed
    show none."""
    store = ReleaseStore(release.folder.parent.parent)
    served = []
    for release_id in served_ids(store, release):
        try:
            manifest, report = report_of(store, release_id)
        except FileNotFoundError:
            continue
        # What a demonstration reached says nothing about real data, nor the other way round.
        if report is not None and manifest.is_synthetic == release.is_synthetic:
            served.append(Served(release_id, manifest.created_at, manifest.is_synthetic, report))
    return milestones_in(served)


def milestones_in(served: list[Served]) -> list[Milestone]:
    """Return the firsts of each release, in the order in which they were served."""
    found: dict[str, Milestone] = {}
    for one in served:
        at = datetime.fromisoformat(one.created_at.replace("Z", "+00:00")).astimezone(UTC)
        for key, word, count in _totals(one.report):
            found.setdefault(
                key,
                Milestone(key, word, count, one.release_id, at, one.report.after, one.is_synthetic),
            )
    return list(found.values())


def _totals(report: ReleaseReport) -> list[tuple[str, str, int]]:
    shown = [("first-release", "first", report.after)]
    shown += [(f"listed-{count}", "listed", count) for count in _LISTED if report.after > count]
    listed = {m.group for m in report.by_state if m.after}
    if set(FIFTY_ONE) <= listed:
        shown.append(("every-state", "states", len(FIFTY_ONE)))
    return shown


def _as_entry(milestone: Milestone, language: Language) -> Entry:
    phrases, w = words("press", language), words("press", language).milestones
    title = w[milestone.word].format(count=number(milestone.reached, language))
    text = w.text.format(
        release=milestone.release_id,
        date=day(milestone.at.date(), language),
        count=number(milestone.listed, language),
    )
    if milestone.is_synthetic:
        text = f"{text} {phrases.synthetic}"
    return Entry(
        f"milestone/{milestone.key}/{language}",
        milestone.at,
        title,
        text,
        text,
        f"/releases/{milestone.release_id}",
    )


# ---------------------------------------------------------------- disasters


def _disasters(release: OpenRelease, language: Language) -> list[Entry]:
    """Return active declarations; none when the release has no list of them."""
    try:
        found = disasters.current(release)
    except ServiceProblem:
        return []
    note = f" {words('press', language).synthetic}" if release.is_synthetic else ""
    return [_disaster(d, language, note) for d in found.declarations]


def _disaster(found: Disaster, language: Language, note: str) -> Entry:
    w, state = words("press", language).disaster, STATES[found.state]
    place = state.names[language]
    incident = found.incident_label[language] if found.incident_label else found.title
    text = w.text.format(
        kind=found.type_label[language],
        state=place,
        incident=incident,
        date=day(found.declaration_date, language),
    )
    if found.is_dsnap_likely:
        text = f"{text} {w.dsnap}"
    text += note
    title = w.title.format(name=found.declaration_string, title=found.title, state=place)
    path = localize(f"/disasters/{found.state}", language)
    return Entry(
        f"disaster/{found.declaration_string}/{language}",
        at_midnight(found.declaration_date),
        title,
        text,
        text,
        path,
    )
