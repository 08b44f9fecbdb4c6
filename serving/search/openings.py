"""Evaluates whether places are open at a requested moment; each distinct timetable once a day."""

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from functools import lru_cache, partial
from threading import Lock
from typing import NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from schemas.hours.opening import OPEN_STATUSES, OpenState, instant_of, spans_between
from schemas.hours.recurrence import DAY_MINUTES
from serving.http.caching import per_release
from warehouse.index.reader import OpenRelease

Rows = NDArray[np.int64]
Levels = NDArray[np.int8]
# Begin, end (seconds since the midnight that starts a local day), and whether they are certain.
Spans = tuple[tuple[float, float, bool], ...]
# A part of a day, without its end.
Seconds = tuple[float, float]
# The local day of a question in a time zone, and its part of that day.
PartIn = Callable[[ZoneInfo], tuple[date, Seconds]]
# A day and the night after it, in minutes; a moment, as a window, in seconds.
_TWO_DAYS = 2 * 1440
_MOMENT = 1e-3
# Of a timetable.
_CLOSED, _UNCERTAIN, _OPENED = range(3)
_NOT_READ = -1
# Levels of a place in a window, the best first.
OPEN, BY_OLD_HOURS, UNKNOWN, CLOSED = range(4)
# Levels by verdict on the timetable: first for hours too old to be asserted, then for recent ones.
_LEVELS = np.array([[UNKNOWN, UNKNOWN, BY_OLD_HOURS], [CLOSED, UNKNOWN, OPEN]], dtype=np.int8)
# Number of cached days: four bytes for each timetable.
_MAX_DAYS = 16


class Window(NamedTuple):
    """Part of a day in local time: minutes since midnight; `before` may be past midnight."""

    weekday: int | None
    after: int
    before: int


class DayHours:
    """Opening hours of a release's timetables on one local day and the night after it.

    Each timetable is evaluated once; each distinct list of spans is stored once. Safe for threads.
    """

    def __init__(self, timetables: int) -> None:
        self._which = np.full(timetables, _NOT_READ, dtype=np.int32)
        self._numbers: dict[Spans, int] = {}
        # Starts, ends (seconds since midnight), and ends of certain openings, each of shape
        # (span, list of spans).
        self._table = np.empty((3, 0, 0))
        self._lock = Lock()

    def verdicts(self, codes: Rows, window: Seconds, spans_of: Callable[[int], Spans]) -> Levels:
        """Return whether timetables (`hours_codes`) are open at some moment of a window."""
        which = self._which.take(codes)
        if (which == _NOT_READ).any():
            self._read(codes, spans_of)
            which = self._which.take(codes)
        spans, (start, end) = self._table.take(which, 2), window
        overlaps = spans[1:] > start
        overlaps &= spans[0] < end
        # For possible and for certain openings: a place with any of these spans is open.
        verdicts: Levels = overlaps.any(axis=1).sum(axis=0, dtype=np.int8)
        return verdicts

    def _read(self, codes: Rows, spans_of: Callable[[int], Spans]) -> None:
        with self._lock:
            new = np.unique(codes[self._which[codes] == _NOT_READ]).tolist()
            count = len(self._numbers)
            numbers = [self._numbers.setdefault(spans_of(c), len(self._numbers)) for c in new]
            if len(self._numbers) > count:
                self._tabulate()
            # Last: from here on other threads read them.
            self._which[new] = numbers

    def _tabulate(self) -> None:
        longest = max(map(len, self._numbers))
        # A missing span overlaps with nothing.
        padded = [
            (*spans, *[(np.inf, -np.inf, False)] * (longest - len(spans)))
            for spans in self._numbers
        ]
        begins, ends, are_certain = (
            np.array(padded, dtype=np.float64).reshape(len(padded), longest, 3).T
        )
        self._table = np.stack([begins, ends, np.where(are_certain == 1, ends, -np.inf)])


class Days:
    """Hours of a release by local day; drops the least recently requested days."""

    def __init__(self, release: OpenRelease) -> None:
        self._timetables = len(release.timetable_zones)
        self._by_day: OrderedDict[date, DayHours] = OrderedDict()
        self._lock = Lock()

    def of(self, day: date) -> DayHours:
        with self._lock:
            if day not in self._by_day:
                self._by_day[day] = DayHours(self._timetables)
            self._by_day.move_to_end(day)
            while len(self._by_day) > _MAX_DAYS:
                self._by_day.popitem(last=False)
            return self._by_day[day]


def levels_now(release: OpenRelease, rows: Rows, now: datetime) -> Levels:
    """Return the level of each row at an instant: OPEN, BY_OLD_HOURS, UNKNOWN or CLOSED."""

    def moment(zone: ZoneInfo) -> tuple[date, Seconds]:
        day = now.astimezone(zone).date()
        since = _since_midnight(day, now, zone)
        return day, (since, since)

    (levels,) = _levels_by_hours(release, rows, [moment], now)
    for place, state in _find_reports_of_today(release, rows, now):
        is_unknown = state.status == "unknown"
        levels[place] = OPEN if state.status in OPEN_STATUSES else UNKNOWN if is_unknown else CLOSED
    return levels


def is_open_by_old_hours(release: OpenRelease, row: int, now: datetime) -> bool:
    """Return whether a row's hours say that it is open now, regardless of their age."""
    code = int(release.hours_codes[row])
    return code >= 0 and release.timetable_state(code, now).status in OPEN_STATUSES


def levels_at(release: OpenRelease, rows: Rows, local: datetime, now: datetime) -> Levels:
    """Return the level of each row at its local wall time."""

    def moment(zone: ZoneInfo) -> tuple[date, Seconds]:
        since = _since_midnight(local.date(), local.replace(tzinfo=zone), zone)
        return local.date(), (since, since)

    (levels,) = _levels_by_hours(release, rows, [moment], now)
    for place, state in _find_reports_of_today(release, rows, now):
        if state.status == "closed" and release.local_day(int(rows[place]), now) == local.date():
            levels[place] = CLOSED
    return levels


def levels_within(
    release: OpenRelease, rows: Rows, windows: Sequence[Window], now: datetime
) -> list[Levels]:
    """Return the levels of the rows in each window: at some moment of it, on its coming weekday
    (today counts) or today."""

    def part_of(window: Window) -> PartIn:
        def part(zone: ZoneInfo) -> tuple[date, Seconds]:
            day = coming(window.weekday, now.astimezone(zone).date())
            return day, _seconds_of(window.after, window.before, day, zone)

        return part

    each = _levels_by_hours(release, rows, [part_of(window) for window in windows], now)
    for place, state in _find_reports_of_today(release, rows, now):
        weekday = release.local_day(int(rows[place]), now).weekday()
        for window, levels in zip(windows, each, strict=True):
            if state.status == "closed" and window.weekday in {None, weekday}:
                levels[place] = CLOSED
    return each


def levels_within_any(
    release: OpenRelease, rows: Rows, windows: Sequence[Window], now: datetime
) -> Levels:
    """Return the best level of each row in one of the windows."""
    best = np.full(len(rows), CLOSED, dtype=np.int8)
    for levels in levels_within(release, rows, windows, now):
        np.minimum(best, levels, out=best)
    return best


@lru_cache(maxsize=1024)
def _seconds_of(after: int, before: int, day: date, zone: ZoneInfo) -> Seconds:
    """Return two wall times (minutes) of a local day in seconds since its midnight: when clocks
    change, not 60 for each minute."""
    midnight = datetime.combine(day, time(), zone)
    start, end = (midnight + timedelta(minutes=minutes) for minutes in (after, before))
    first = midnight.timestamp()
    return start.timestamp() - first, end.timestamp() - first


def levels_in_rest_of_day(release: OpenRelease, rows: Rows, now: datetime) -> Levels:
    """Return the level of each row from now to its midnight."""

    def part(zone: ZoneInfo) -> tuple[date, Seconds]:
        day = now.astimezone(zone).date()
        end = instant_of(day, DAY_MINUTES, zone)
        return day, (_since_midnight(day, now, zone), _since_midnight(day, end, zone))

    (levels,) = _levels_by_hours(release, rows, [part], now)
    for place, state in _find_reports_of_today(release, rows, now):
        if state.status == "closed":
            levels[place] = CLOSED
    return levels


def _levels_by_hours(
    release: OpenRelease, rows: Rows, parts_in: Sequence[PartIn], now: datetime
) -> list[Levels]:
    """Return the levels of the rows in each part of a day, by their timetables and calendars."""
    codes = release.hours_codes.take(rows)
    places = (codes >= 0).nonzero()[0]
    codes, are_shown = codes.take(places), release.are_hours_shown(rows.take(places), now)
    zones, recent = release.timetable_zones.take(codes), are_shown.view(np.int8)
    used_zones, by_day = np.bincount(zones).nonzero()[0].tolist(), _days(release)
    each = []
    for part_in in parts_in:
        parts: dict[tuple[date, Seconds], list[int]] = defaultdict(list)
        for number in used_zones:
            day, (start, end) = part_in(release.time_zones[number])
            parts[day, (start, end + _MOMENT if start == end else end)].append(number)
        levels = np.full(len(rows), UNKNOWN, dtype=np.int8)
        for (day, seconds), numbers in parts.items():
            # In nearly all questions every zone has the same day and the same seconds of it.
            asked = slice(None) if len(parts) == 1 else np.isin(zones, numbers)
            spans_of = partial(_spans, release, day)
            verdicts = by_day.of(day).verdicts(codes[asked], seconds, spans_of)
            levels[places[asked]] = _LEVELS[recent[asked], verdicts]
        each.append(levels)
    return each


def _since_midnight(day: date, at: datetime, zone: ZoneInfo) -> float:
    return at.timestamp() - instant_of(day, 0, zone).timestamp()


def _spans(release: OpenRelease, day: date, code: int) -> Spans:
    """Return the spans of a timetable on a local day and in the night after it."""
    zone = release.time_zones[release.timetable_zones[code]]
    midnight = instant_of(day, 0, zone)
    first = midnight.timestamp()
    spans = spans_between(*release.timetable_of(code), midnight, instant_of(day, _TWO_DAYS, zone))
    return tuple(
        (begin.timestamp() - first, finish.timestamp() - first, is_certain)
        for (begin, finish), is_certain in spans
    )


def _find_reports_of_today(
    release: OpenRelease, rows: Rows, now: datetime
) -> Iterator[tuple[int, OpenState]]:
    """Yield places in `rows` that a confirmed operator reported open or closed today."""
    if not release.live.entries:
        return
    for place, row in enumerate(rows.tolist()):
        state = release.reported_state(row, now)
        if state is not None and release.is_confidential[row] == 0:
            yield place, state


def coming(weekday: int | None, today: date) -> date:
    """Return the next date with this weekday (0 is Monday), today included; today without one."""
    if weekday is None:
        return today
    return today + timedelta(days=(weekday - today.weekday()) % 7)


def window_of(weekday: int | None, after: int | None, before: int | None) -> Window:
    """Return a window; an end that is not after its beginning is on the day after."""
    start, end = after or 0, DAY_MINUTES if before is None else before
    return Window(weekday, start, end if end > start else end + DAY_MINUTES)


@per_release
def _days(release: OpenRelease) -> Days:
    return Days(release)
