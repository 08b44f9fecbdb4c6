"""Detects changes and queues events for webhooks: live reports, releases, disasters.

One process of a machine looks; several machines agree by cursors in the store, which move in the
transaction that queues the events.
"""

import asyncio
import contextlib
import hashlib
from collections import defaultdict
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from schemas.api.disasters import ActiveDisasters
from schemas.api.operators import LiveStatus
from schemas.api.webhooks import ChangedPlace, DisastersChanged, PlacesChanged, PlaceStatus
from serving.context import Context
from serving.disasters import disasters
from serving.disasters.declarations_in_use import declarations_in_use
from serving.http.errors import ServiceProblem
from serving.releases.history import pair_of_folders, shelf_of
from serving.webhooks.topics import Area, members, topics_of
from warehouse.files import Lease
from warehouse.index.live_overlay import LiveEntry
from warehouse.index.reader import OpenRelease
from warehouse.operations import webhooks
from warehouse.operations.engine import Store, StoreUnavailableError
from warehouse.operations.live_reports import read_changes
from warehouse.operations.webhooks import Event
from warehouse.release.change_feed import Feed
from warehouse.release.places import Where, where_places_are
from warehouse.release.tables import open_tables

LOOK_SECONDS = 1.0
MAX_CHANGES = 100
_LINES = 2000


class _Cursors(NamedTuple):
    live_version: int
    live: int | None
    release: int | None


class _FieldValue(msgspec.Struct):
    old: Any = None


class _Change(msgspec.Struct):
    """The members that are read of a line of the change feed."""

    resource_id: int
    change: str
    fields: dict[str, _FieldValue] | None = None
    merged_into: int | None = None
    reason: str | None = None


_CHANGE = msgspec.json.Decoder(_Change)


class Announcer:
    """Queues events as long as the service runs."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._store: Store = context.store
        # Services on one data folder may have separate stores.
        name = hashlib.sha256(str(context.store.url).encode()).hexdigest()[:8]
        self._lease = Lease(context.watch.store.root / f".announce-{name}.lock")
        self._last_release = ""
        self._last_disasters: object = None

    async def follow(self) -> None:
        """Poll every second until stopped. An unavailable store is retried."""
        try:
            while True:
                await asyncio.sleep(LOOK_SECONDS)
                release = self._context.watch.release
                if release is not None and self._is_ours():
                    try:
                        await self._look(release)
                    except StoreUnavailableError:
                        continue
        finally:
            self._lease.release()

    def _is_ours(self) -> bool:
        try:
            return self._lease.is_ours()
        except OSError:  # a folder that is not writable: the cursors prevent duplicate events
            return True

    async def _look(self, release: OpenRelease) -> None:
        now = datetime.now(UTC)
        cursors = await self._store.fetch(_cursors)
        if cursors is None:
            return
        await self._live(release, cursors, now)
        await self._release(release, cursors.release, now)
        await self._disasters(release, now)

    # ------------------------------------------------------------ live reports

    async def _live(self, release: OpenRelease, cursors: _Cursors, now: datetime) -> None:
        since, until = cursors.live, cursors.live_version
        if since is None or since > until:  # a store that was put back
            await self._begin("live", until)
        elif since < until:
            changes = await self._store.fetch(lambda db: read_changes(db, since, now))
            # This process knows of closed places as well before they are announced.
            await self._context.live.refresh()
            where = await asyncio.to_thread(_where, release, changes.entries)
            base = self._context.settings.url
            events = [
                event
                for place, entry in changes.entries.items()
                for event in _status_events(release, base, place, entry, where.get(place))
            ]
            await self._publish("live", since, changes.version, events, now)

    # ------------------------------------------------------------ releases

    async def _release(self, release: OpenRelease, since: int | None, now: datetime) -> None:
        """Announce the changes of the served release since the one that was announced last."""
        if self._last_release == release.release_id and since is not None:
            return
        log = await asyncio.to_thread(self._context.watch.store.log.readable_entries)
        if not log or log[-1].release_id != release.release_id:
            return
        ids = {entry.sequence: entry.release_id for entry in log}
        until = log[-1].sequence
        if since is None or since not in ids:
            await self._begin("release", until)
        elif since < until:
            topics = await self._store.fetch(webhooks.topics)
            events = await self._changes(release, ids[since], topics)
            await self._publish("release", since, until, events, now)
        self._last_release = release.release_id

    async def _changes(self, release: OpenRelease, since: str, topics: set[str]) -> list[Event]:
        until = release.release_id
        if since == until or not topics:
            return []
        store = self._context.watch.store
        by_topic: dict[str, list[ChangedPlace]] | None = None
        try:
            older, newer = await asyncio.to_thread(pair_of_folders, store, since, until)
            feed = await shelf_of(release).feed(older, newer)
            by_topic = await asyncio.to_thread(_by_topic, feed, [newer, older], topics)
        except (ServiceProblem, FileNotFoundError):
            # The older files are deleted: receivers reread everything.
            self._context.log.warning("webhooks_without_changes", since=since, until=until)
        base = self._context.settings.url
        facts = {
            "since": since,
            "until": until,
            "changes_url": f"{base}/api/changes?since={since}&until={until}",
            **_foot(release),
        }
        return [
            _event(topic, "places.changed", PlacesChanged(**members(topic), **change_list, **facts))
            for topic in sorted(topics if by_topic is None else by_topic)
            for change_list in [_change_list(by_topic, topic)]
        ]

    # ------------------------------------------------------------ disasters

    async def _disasters(self, release: OpenRelease, now: datetime) -> None:
        """Announce active disasters if they differ from the last announcement.

        Declarations change with a file and with the day; new webhooks begin with the current state.
        """
        try:
            in_use = await asyncio.to_thread(declarations_in_use, release)
        except ServiceProblem:
            return
        edition = in_use.declarations.edition
        state = (release.release_id, edition, disasters.today())
        last_texts = await self._store.fetch(webhooks.disasters_announced)
        if state == self._last_disasters:
            last_texts = [(topic, text) for topic, text in last_texts if text is None]
        stamp = edition.retrieved_at.isoformat() if edition.retrieved_at else ""
        active_by_topic = await asyncio.to_thread(
            self._active, release, {topic for topic, _ in last_texts}
        )
        for topic, before in last_texts:
            if topic in active_by_topic:
                await self._announce_disasters(
                    release, topic, before, stamp, active_by_topic[topic], now
                )
        self._last_disasters = state

    def _active(self, release: OpenRelease, topics: set[str]) -> dict[str, ActiveDisasters]:
        places = {topic: members(topic)["resource_id"] for topic in topics}
        where = _where(release, [i for i in places.values() if i is not None])
        active = {}
        for topic, place in places.items():
            query = {name: members(topic)[name] for name in ("zip", "state")}
            if place is not None and place in where:
                query = {"zip": where[place].zip, "state": where[place].state}
            try:
                active[topic] = disasters.active(release, **query)
            except ServiceProblem:
                continue
        return active

    async def _announce_disasters(
        self,
        release: OpenRelease,
        topic: str,
        before: str | None,
        stamp: str,
        active: ActiveDisasters,
        now: datetime,
    ) -> None:
        names = sorted(entry.declaration_string for entry in active.declarations)
        after = f"{stamp} {','.join(names)} {active.has_dsnap_likely}"
        if before is not None:
            announced_at, _, last_state = before.partition(" ")
            # Another machine may have the newer file.
            if last_state == after.partition(" ")[2] or announced_at > stamp:
                return
        query = f"zip={active.zip}" if active.zip else f"state={active.state}"
        data = DisastersChanged(
            **members(topic),
            active=names,
            has_dsnap_likely=active.has_dsnap_likely,
            url=f"{self._context.settings.url}/api/disasters/active?{query}",
            **_foot(release),
        )
        event = _event(topic, "disasters.changed", data)
        announce = partial(
            webhooks.publish_disasters, event=event, before=before, after=after, now=now
        )
        await self._store.transact(announce)
        self._context.courier.wake()

    # ------------------------------------------------------------ the store

    async def _begin(self, name: str, value: int) -> None:
        store = self._store
        await store.transact(lambda db: webhooks.reset_cursor(db, name, value))

    async def _publish(
        self, name: str, since: int, until: int, events: list[Event], now: datetime
    ) -> None:
        if await self._store.transact(
            lambda db: webhooks.publish(db, name, since, until, events, now)
        ):
            self._context.courier.wake()


def _cursors(db: Any) -> _Cursors | None:
    if not webhooks.has_webhooks(db):
        return None
    names = ("live", "release")
    return _Cursors(webhooks.live_version(db), *(webhooks.cursor(db, name) for name in names))


def _event(topic: str, kind: str, data: msgspec.Struct) -> Event:
    return Event(topic, kind, msgspec.json.encode(data))


def _foot(release: OpenRelease) -> dict[str, Any]:
    return {"is_synthetic": release.is_synthetic, "release_id": release.release_id}


def _status_events(
    release: OpenRelease,
    base: str,
    resource_id: int,
    entry: LiveEntry | None,
    where: Where | None,
) -> Iterable[Event]:
    area = Area(where.zip, where.state) if where else Area(None, None)
    data = PlaceStatus(
        resource_id=resource_id,
        name=where.name if where else None,
        zip=area.zip,
        state=area.state,
        is_listed=release.row_of(resource_id) is not None,
        live_status=msgspec.json.decode(entry.text, type=LiveStatus) if entry else None,
        url=f"{base}/api/resources/{resource_id}",
        **_foot(release),
    )
    body = msgspec.json.encode(data)
    for topic in topics_of(resource_id, area):
        yield Event(topic, "place.status_changed", body)


def _where(release: OpenRelease, resource_ids: Iterable[int]) -> dict[int, Where]:
    with release.cursor() as db:
        return where_places_are([db], resource_ids)


def _by_topic(
    feed: Feed, folders: Iterable[Path], topics: set[str]
) -> dict[str, list[ChangedPlace]]:
    """Return the changes of each topic, in order of id.

    Places are looked up in the release folders in their order: those that were retired are in the
    older one only.
    """
    by_topic: dict[str, list[ChangedPlace]] = defaultdict(list)
    after, is_last = 0, False
    with contextlib.ExitStack() as stack:
        connections = [stack.enter_context(closing(open_tables(f))) for f in folders if f.is_dir()]
        while not is_last:
            page = feed.page(after, _LINES)
            changes = [_CHANGE.decode(line) for line in page.lines.splitlines()]
            where = where_places_are(connections, [change.resource_id for change in changes])
            for change in changes:
                for topic in topics.intersection(_topics_of_change(change, where)):
                    by_topic[topic].append(_describe_change(change))
            after, is_last = page.last_id or 0, page.is_last
    return by_topic


def _topics_of_change(change: _Change, where: dict[int, Where]) -> list[str]:
    """Return the topics of a change: a place that moved is of its area before, too."""
    at = where.get(change.resource_id)
    fields = change.fields or {}
    before = Area(*(fields[n].old if n in fields else None for n in ("zip", "state")))
    return topics_of(change.resource_id, *([Area(at.zip, at.state)] if at else []), before)


def _describe_change(change: _Change) -> ChangedPlace:
    return ChangedPlace(
        change.resource_id,
        change.change,  # type: ignore[arg-type]
        sorted(change.fields or ()),
        change.merged_into,
        change.reason,
    )


def _change_list(by_topic: dict[str, list[ChangedPlace]] | None, topic: str) -> dict[str, Any]:
    if by_topic is None:
        return {"total": None, "changes": []}
    return {"total": len(by_topic[topic]), "changes": by_topic[topic][:MAX_CHANGES]}
