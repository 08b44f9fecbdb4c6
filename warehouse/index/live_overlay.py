"""Overlays live reports on a release: a table in memory, one per process.

It has operators' reports of the last 24 hours, visitors' reports against listings (doubts), and
listings retired since the release. It is filled from the operations store
(`warehouse.operations.reports`), which reads never query: a place without a report costs a
dictionary look-up. Written by one thread, read by any.
"""

import time
from datetime import UTC, date, datetime, timedelta
from datetime import time as wall_time
from typing import Literal, NamedTuple, TypeVar
from zoneinfo import ZoneInfo

from schemas.api.record import Doubt
from schemas.hours.opening import OpenState, open_between
from schemas.hours.schedule import Schedule
from schemas.values.usual_hours import doubt_words
from schemas.vocab.reviews import DoubtKind

_CERTAIN = frozenset({"open", "closed", "closes_soon", "opens_soon"})
Effect = Literal["open", "closed"]
T = TypeVar("T")


class LiveEntry(NamedTuple):
    """The shown report of a place. `text` is the object `live_status` as JSON.

    `notes` are from any reporter; `text` has only a confirmed operator's.
    """

    status: str
    is_confirmed: bool
    reported_at: datetime
    expires_at: datetime
    text: str
    notes: str | None = None

    def effect(self, zone: ZoneInfo, now: datetime) -> Effect | None:
        """Return the reported opening state: only a confirmed operator's, and only "today".

        Today is the day of the report by the place's clock.
        """
        if not self.is_confirmed or now >= self.expires_at:
            return None
        if self.reported_at.astimezone(zone).date() != now.astimezone(zone).date():
            return None
        if self.status == "closed_today":
            return "closed"
        return "open" if self.status == "open_today" else None

    def ends_at(self, zone: ZoneInfo, now: datetime) -> datetime:
        """Return the next change of its shown state (UTC): the end of its day, then its expiry."""
        if self.effect(zone, now) is None:
            return self.expires_at
        return min(self.expires_at, _midnight(zone, now))


class ReportedDoubt(NamedTuple):
    """Several visitors' report against a listing, not yet reviewed."""

    kind: DoubtKind
    reporters: int
    reported_at: datetime
    expires_at: datetime

    def say(self, zone: ZoneInfo, *, has_phone: bool) -> Doubt:
        """Describe it with the day by the place's calendar."""
        day = self.reported_at.astimezone(zone).date()
        words = doubt_words(self.kind, self.reporters, day, has_phone=has_phone)
        doubt = Doubt(self.kind, self.reporters, day.isoformat(), words.en, words.es)
        return doubt.render_with(words.__getitem__)


class Closure(NamedTuple):
    """Date and reason, in words, of a listing's retirement."""

    closed_at: datetime
    reason: str


class Reading(NamedTuple):
    """Reported opening state from `begins_at` until `until` (UTC): `state`, None for nothing.

    `ends_at`: the next change of the report's shown state.
    """

    entry: LiveEntry
    begins_at: datetime
    until: datetime
    state: OpenState | None
    ends_at: datetime


class LiveTable:
    """Reports by resource id. `version` grows with every change in this process."""

    def __init__(self) -> None:
        self.entries: dict[int, LiveEntry] = {}
        self.doubts: dict[int, ReportedDoubt] = {}
        # Retired listings: hidden in releases made before.
        self.closed: dict[int, Closure] = {}
        self.version = 0
        self._has_span: dict[tuple[str, date, str], bool] = {}

    def put(self, resource_id: int, entry: LiveEntry | None) -> None:
        """Show a report of a place; None removes it."""
        self._put(self.entries, resource_id, entry)

    def put_doubt(self, resource_id: int, doubt: ReportedDoubt | None) -> None:
        """Show a doubt about a place; None removes it."""
        self._put(self.doubts, resource_id, doubt)

    def _put(self, table: dict[int, T], resource_id: int, value: T | None) -> None:
        if table.get(resource_id) == value:
            return
        if value is None:
            del table[resource_id]
        else:
            table[resource_id] = value
        self.version += 1

    def set_closed(self, closed: dict[int, Closure]) -> None:
        """Hide exactly these places."""
        if closed == self.closed:
            return
        self.version += 1
        # A new object each time, by which a release detects a change.
        self.closed = dict(closed)

    def text_of(self, resource_id: int) -> str | None:
        """Return the present report as JSON."""
        entry = self.entry_of(resource_id)
        return entry.text if entry else None

    def entry_of(self, resource_id: int) -> LiveEntry | None:
        """Return the present report."""
        entry = self.entries.get(resource_id)
        return entry if entry and entry.expires_at.timestamp() > time.time() else None

    def drop_expired(self, now: datetime) -> None:
        """Remove expired reports and doubts."""
        for resource_id in [i for i, entry in self.entries.items() if entry.expires_at <= now]:
            self.put(resource_id, None)
        for resource_id in [i for i, doubt in self.doubts.items() if doubt.expires_at <= now]:
            self.put_doubt(resource_id, None)

    def has_certain_hours(self, schedules: list[Schedule], timezone: str, now: datetime) -> bool:
        """Return whether a timetable has certain hours on the day of an instant."""
        zone = ZoneInfo(timezone)
        day = now.astimezone(zone).date()
        key = (timezone, day, repr(schedules))
        has_span = self._has_span.get(key)
        if has_span is None:
            if len(self._has_span) > 5000:
                self._has_span.clear()
            begin = datetime.combine(day, wall_time(), zone).astimezone(UTC)
            is_open = open_between(schedules, timezone, begin, _midnight(zone, now))
            has_span = self._has_span[key] = is_open is True
        return has_span


def overlaid(
    effect: Effect, zone: ZoneInfo, now: datetime, until: datetime, by_hours: OpenState | None
) -> OpenState:
    """Return the opening state of a place whose operator reported open or closed today.

    `by_hours`: the state by its timetable, if that has certain hours today; None otherwise. Closed
    overrides the timetable. Open applies within today's known hours; without any the time is
    unknown, so the state is too, and the report is shown. `until` (UTC) is the end of the report.
    """
    if effect == "closed":
        opens = by_hours.opens_at if by_hours else None
        is_today = (
            opens is not None and opens.astimezone(zone).date() == now.astimezone(zone).date()
        )
        return OpenState("closed", until, None if is_today else opens)
    if by_hours is not None and by_hours.status in _CERTAIN:
        return OpenState(
            by_hours.status, min(until, by_hours.changes_at), by_hours.opens_at, by_hours.closes_at
        )
    return OpenState("unknown", until)


def _midnight(zone: ZoneInfo, now: datetime) -> datetime:
    day = now.astimezone(zone).date() + timedelta(days=1)
    return datetime.combine(day, wall_time(), zone).astimezone(UTC)
