"""The history of the data: releases that were ever served, the changes between them, the log; and
the versions of the software, from CHANGELOG.md.

content/CHANGELOG.md is a link to the file at the top of the repository: one text, which packages
carry along.
"""

import asyncio
import re
from collections import OrderedDict
from collections.abc import AsyncIterator
from datetime import date
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from schemas.api import history as shapes
from schemas.vocab.reviews import CHANGE_KINDS, CHANGES, RETIREMENT_REASONS
from serving.http.caching import per_release
from serving.http.errors import ServiceProblem
from warehouse.index.reader import OpenRelease
from warehouse.release.diff import Feed, FeedPage, is_stored, open_feed
from warehouse.release.log import WITHDRAW, manifest_sha256
from warehouse.release.manifest import Manifest
from warehouse.release.store import ReleaseStore

# Feeds of pairs of releases that stay open; each costs 16 bytes a change.
_OPEN_FEEDS = 4
_NDJSON_LINES = 2_000
NO_CHANGES = FeedPage(b"", 0, None, True)


# ---------------------------------------------------------------- releases


def read_served_ids(store: ReleaseStore, release: OpenRelease) -> list[str]:
    """Return every release that was ever served, in the order in which they first were."""
    entries = store.log.readable_entries()
    ids = dict.fromkeys(entry.release_id for entry in entries if entry.event != WITHDRAW)
    return list(ids | dict.fromkeys([release.release_id]))


def check_known(store: ReleaseStore, release: OpenRelease, **release_ids: str) -> None:
    """Raise ServiceProblem (404) naming the first argument that is no release that was ever
    served."""
    served_ids = read_served_ids(store, release)
    for name, release_id in release_ids.items():
        if release_id not in served_ids:
            raise ServiceProblem(
                "unknown-release",
                f"{name}: this service never served release {release_id}.",
                {name: "the id of a release"},
            )


def resolve_folder(store: ReleaseStore, release_id: str) -> Path:
    """Return the folder of a release that was served. Raises ServiceProblem (410) if its files are
    deleted or it was withdrawn."""
    if (why := store.log.withdrawn().get(release_id)) is not None:
        raise ServiceProblem(
            "release-gone",
            f"Release {release_id} was withdrawn: {why} Download the full export and continue from "
            "there.",
        )
    if release_id not in store.ids():
        raise ServiceProblem(
            "release-gone",
            f"The files of release {release_id} were deleted. Download the full export and "
            "continue from there. The manifest and the report are still available.",
        )
    return store.folder(release_id)


def pair_of_folders(store: ReleaseStore, since: str, until: str) -> tuple[Path, Path]:
    """Return the two folders of a feed. Raises ServiceProblem (410) if a needed one is deleted."""
    newer = resolve_folder(store, until)
    return store.root / since if is_stored(since, newer) else resolve_folder(store, since), newer


def release_list(store: ReleaseStore, release: OpenRelease, base: str) -> shapes.ReleaseList:
    """Return the history, newest first."""
    entries = store.log.readable_entries()
    stored_ids = set(store.ids())
    summaries = [
        _summary(store, release, release_id, entries, release_id in stored_ids, base)
        for release_id in reversed(read_served_ids(store, release))
        if store.history.manifest_bytes(release_id) is not None
    ]
    return shapes.ReleaseList(
        success=True,
        current=release.release_id,
        log_head_sha256=store.log.head_sha256(),
        log_url=f"{base}/api/releases/log",
        releases=summaries,
    )


def _summary(
    store: ReleaseStore,
    release: OpenRelease,
    release_id: str,
    entries: list[shapes.LogEntry],
    is_kept: bool,
    base: str,
) -> shapes.ReleaseSummary:
    manifest, digest = _manifest(store.root, release_id)
    withdrawn = store.log.withdrawn().get(release_id)
    report = _report(store.root, release_id) if withdrawn is None else None
    address = f"{base}/api/releases/{release_id}"
    links = shapes.ReleaseLinks(
        report=f"{base}/releases/{release_id}", manifest=f"{address}/manifest.json"
    )
    if is_kept:
        links.changes = f"{address}/changes"
        links.changes_since = f"{base}/api/changes?since={release_id}"
    return shapes.ReleaseSummary(
        id=release_id,
        created_at=manifest.created_at,
        parent=manifest.parent,
        is_current=release_id == release.release_id,
        is_kept=is_kept,
        is_synthetic=manifest.is_synthetic,
        as_of_date=manifest.as_of_date,
        content_digest=manifest.content_digest,
        manifest_sha256=digest,
        withdrawn=withdrawn,
        listed=report.after if report else None,
        rows={table.name: table.rows for table in manifest.tables},
        changes={kind: getattr(report, kind) for kind in CHANGE_KINDS} if report else None,
        log_sequences=[e.sequence for e in entries if e.release_id == release_id],
        size_bytes=sum(file.size_bytes for file in manifest.stored_files),
        checks=check_results(manifest) if is_kept else [],
        links=links,
    )


def check_results(manifest: Manifest) -> list[shapes.ReleaseCheck]:
    """Return the results of a release's checks as they are published."""
    return [
        shapes.ReleaseCheck(c.asset, c.name, c.passed, c.detail, c.digest, c.checked_at)
        for c in manifest.checks
    ]


# A year of nightly releases; their contents never change.
@lru_cache(maxsize=512)
def _manifest(root: Path, release_id: str) -> tuple[Manifest, str]:
    content = ReleaseStore(root.parent).history.manifest_bytes(release_id)
    if content is None:
        raise FileNotFoundError(f"{release_id} has no manifest")
    return msgspec.json.decode(content, type=Manifest), manifest_sha256(content)


@lru_cache(maxsize=512)
def _report(root: Path, release_id: str) -> shapes.ReleaseReport | None:
    return ReleaseStore(root.parent).history.report(release_id)


def report_of(store: ReleaseStore, release_id: str) -> tuple[Manifest, shapes.ReleaseReport | None]:
    """Return manifest and report of a release that was served; no report of a withdrawn one, whose
    examples may be the reason. Raises FileNotFoundError."""
    is_withdrawn = release_id in store.log.withdrawn()
    report = None if is_withdrawn else _report(store.root, release_id)
    return _manifest(store.root, release_id)[0], report


def release_log(store: ReleaseStore) -> shapes.ReleaseLog:
    """Return the whole log."""
    return shapes.ReleaseLog(
        success=True, head_sha256=store.log.head_sha256(), entries=store.log.readable_entries()
    )


# ---------------------------------------------------------------- changes


class FeedCache:
    """Open feeds of one served release, the last used ones. One is made at a time: each takes a
    core for a while.
    """

    def __init__(self) -> None:
        self._feeds: OrderedDict[tuple[str, str], Feed] = OrderedDict()
        self._turn = asyncio.Lock()

    async def feed(self, older: Path, newer: Path) -> Feed:
        """Return the feed from one release folder to another."""
        key = (older.name, newer.name)
        async with self._turn:
            if key not in self._feeds:
                self._feeds[key] = await asyncio.to_thread(open_feed, older, newer)
            self._feeds.move_to_end(key)
            while len(self._feeds) > _OPEN_FEEDS:
                self._feeds.popitem(last=False)
            return self._feeds[key]


@per_release
def feed_cache_of(_: OpenRelease) -> FeedCache:
    """Return the open feeds of a release. Call it on the event loop."""
    return FeedCache()


def change_page_json(head: shapes.ChangeHead, page: FeedPage) -> bytes:
    """Return a page as JSON; the changes are the lines of the feed as they are."""
    changes = page.lines.rstrip(b"\n").replace(b"\n", b",")
    return msgspec.json.encode(head)[:-1] + b',"changes":[' + changes + b"]}"


async def ndjson_chunks(feed: Feed | None, after: int) -> AsyncIterator[bytes]:
    """Yield the lines of a feed after an id, in pieces."""
    at: int | None = after
    while feed is not None and at is not None:
        page: Any = await asyncio.to_thread(feed.page, at, _NDJSON_LINES)
        if page.lines:
            yield page.lines
        at = None if page.is_last else page.last_id


_MAX_SOURCES = 15


def report_values(
    manifest: Manifest,
    report: shapes.ReleaseReport | None,
    *,
    is_kept: bool,
    withdrawn: str | None,
) -> dict[str, Any]:
    """Return the context of `release.html`, which covers a missing report."""
    return {
        "manifest": manifest,
        "report": report,
        "is_kept": is_kept,
        "withdrawn": withdrawn,
        "checks": check_results(manifest),
        "kinds": list(CHANGES.items()),
        "reasons": RETIREMENT_REASONS,
        "changed_fields": sorted(report.changed_fields.items(), key=lambda f: (-f[1], f[0]))
        if report
        else [],
        "tables": _tables(report) if report else [],
    }


def _tables(report: shapes.ReleaseReport) -> list[tuple[str, str, list[shapes.Movement]]]:
    """Return title, caption and rows of the tables: sources are cut to those that moved most."""
    movements = [
        s
        for s in report.by_source
        if s.before != s.after or s.added or s.changed or s.reactivated or s.merged or s.retired
    ]
    return [
        ("By type", "Listed places and changes by type of place", report.by_type),
        ("By state", "Listed places and changes by state or territory", report.by_state),
        (
            "Biggest movements by source",
            f"The {_MAX_SOURCES} sources with most changes, by the source that leads a place",
            movements[:_MAX_SOURCES],
        ),
    ]


_VERSION = re.compile(
    r"## \[?(?P<version>\d+\.\d+\.\d+)\]?\s+(?:\((?P<in_brackets>[^)]*)\)|[-–]\s*(?P<after>\S+))\s*"
)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


class ChangeGroup(msgspec.Struct, frozen=True):
    """Changes of one kind."""

    title: str
    entries: list[str]


class Version(msgspec.Struct, frozen=True):
    """A version, and the day of its release; None before it."""

    version: str
    date: date | None
    groups: list[ChangeGroup]


def versions_in(text: str) -> list[Version]:
    """Return the versions in the order of the file. A head without a day has the word
    "unreleased"."""
    versions: list[Version] = []
    current: Version | None = None
    for line in text.splitlines():
        if line.startswith("## "):
            current = _version(line)
            versions += [current] if current else []
        elif current is not None:
            _add_line(current, line)
    return versions


def _version(line: str) -> Version | None:
    head = _VERSION.fullmatch(line)
    if head is None:
        return None
    text = (head["in_brackets"] or head["after"] or "").strip()
    if text == "unreleased":
        return Version(head["version"], None, [])
    try:
        return Version(head["version"], date.fromisoformat(text), [])
    except ValueError:
        return None


def _add_line(version: Version, line: str) -> None:
    plain = _LINK.sub(r"\1", line).strip()
    if line.startswith("### "):
        version.groups.append(ChangeGroup(plain.removeprefix("### "), []))
    elif line.startswith("- "):
        if not version.groups:
            version.groups.append(ChangeGroup("Changes", []))
        version.groups[-1].entries.append(plain.removeprefix("- "))
    elif plain and version.groups and version.groups[-1].entries:
        version.groups[-1].entries[-1] += f" {plain}"


@cache
def list_versions() -> list[Version]:
    """Return the versions of the shipped file, newest first."""
    return versions_in((resources.files("content") / "CHANGELOG.md").read_text("utf-8"))
