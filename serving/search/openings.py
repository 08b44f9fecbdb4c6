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

Bools = NDArray[np.bool_]
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


def are_open_now(
    release: OpenRelease, rows: Rows, now: datetime, *, trusts_old: bool = False
) -> tuple[Bools, Bools]:
    """Return for each row whether it is open, and whether that is known; `trusts_old` here and
    below treats hours too old to be asserted as known."""

    def moment(zone: ZoneInfo) -> tuple[date, Seconds]:
        day = now.astimezone(zone).date()
        since = _since_midnight(day, now, zone)
        return day, (since, since)

    answers = _by_timetable(release, rows, now, moment, trusts_old)
    for place, state in _find_reports_of_today(release, rows, now):
        answers[0][place], answers[1][place] = (
            state.status in OPEN_STATUSES,
            state.status != "unknown",
        )
    return answers


def is_open_by_old_hours(release: OpenRelease, row: int, now: datetime) -> bool:
    """Return whether a row's hours say that it is open now, regardless of their age."""
    code = int(release.hours_codes[row])
    return code >= 0 and release.timetable_state(code, now).status in OPEN_STATUSES


def are_open_at(
    release: OpenRelease,
    rows: Rows,
    local: datetime,
    now: datetime,
    *,
    trusts_old: bool = False,
) -> tuple[Bools, Bools]:
    """Return for each row whether it is open at its local wall time, and whether that is known."""

    def moment(zone: ZoneInfo) -> tuple[date, Seconds]:
        since = _since_midnight(local.date(), local.replace(tzinfo=zone), zone)
        return local.date(), (since, since)

    answers = _by_timetable(release, rows, now, moment, trusts_old)
    for place, state in _find_reports_of_today(release, rows, now):
        if state.status == "closed" and release.local_day(int(rows[place]), now) == local.date():
            answers[0][place], answers[1][place] = False, True
    return answers


def are_open_within(
    release: OpenRelease,
    rows: Rows,
    windows: Sequence[Window],
    now: datetime,
    *,
    trusts_old: bool = False,
) -> tuple[Bools, Bools]:
    """Return for each row whether it is open at some moment of one of the windows, each on its
    coming weekday (today counts) or today, and whether that is known."""
    levels = levels_within_any(release, rows, windows, now)
    is_open = levels <= BY_OLD_HOURS if trusts_old else levels == OPEN
    return is_open, is_open | (levels == CLOSED)


def levels_within(release: OpenRelease, rows: Rows, window: Window, now: datetime) -> Levels:
    """Return the level of each row in a window: OPEN, BY_OLD_HOURS, UNKNOWN or CLOSED."""

    def part(zone: ZoneInfo) -> tuple[date, Seconds]:
        day = coming(window.weekday, now.astimezone(zone).date())
        return day, _seconds_of(window.after, window.before, day, zone)

    return _levels(release, rows, part, window.weekday, now)


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

    return _levels(release, rows, part, None, now)


def _levels(
    release: OpenRelease, rows: Rows, part: PartIn, weekday: int | None, now: datetime
) -> Levels:
    are_shown = release.are_hours_shown(rows, now).view(np.int8)
    levels: Levels = _LEVELS[are_shown, _verdicts(release, release.hours_codes.take(rows), part)]
    for place, state in _find_reports_of_today(release, rows, now):
        day = release.local_day(int(rows[place]), now)
        if state.status == "closed" and weekday in {None, day.weekday()}:
            levels[place] = CLOSED
    return levels


def levels_within_any(
    release: OpenRelease, rows: Rows, windows: Sequence[Window], now: datetime
) -> Levels:
    """Return the best level of each row in one of the windows."""
    levels = np.full(len(rows), CLOSED, dtype=np.int8)
    for window in windows:
        levels = np.minimum(levels, levels_within(release, rows, window, now))
    return levels


def _verdicts(release: OpenRelease, codes: Rows, part_in: PartIn) -> Levels:
    """Return the verdicts of timetables on a part of a day, each by the calendar of its places;
    uncertain without a calendar (-1)."""
    verdicts = np.full(len(codes), _UNCERTAIN, dtype=np.int8)
    places = (codes >= 0).nonzero()[0]
    codes = codes.take(places)
    zones = release.timetable_zones.take(codes)
    parts: dict[tuple[date, Seconds], list[int]] = defaultdict(list)
    for number in np.bincount(zones).nonzero()[0].tolist():
        day, (start, end) = part_in(release.time_zones[number])
        parts[day, (start, end + _MOMENT if start == end else end)].append(number)
    for (day, seconds), numbers in parts.items():
        # In nearly all questions every zone has the same day and the same seconds of it.
        is_asked = slice(None) if len(parts) == 1 else np.isin(zones, numbers)
        of_day, spans_of = _days(release).of(day), partial(_spans, release, day)
        verdicts[places[is_asked]] = of_day.verdicts(codes[is_asked], seconds, spans_of)
    return verdicts


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


def _by_timetable(
    release: OpenRelease,
    rows: Rows,
    now: datetime,
    part_in: PartIn,
    trusts_old: bool,
) -> tuple[Bools, Bools]:
    """Return for each row whether it is open, and whether that is known."""
    codes = release.hours_codes.take(rows)
    if not trusts_old:
        codes[~release.are_hours_shown(rows, now)] = -1
    verdicts = _verdicts(release, codes, part_in)
    return verdicts == _OPENED, verdicts != _UNCERTAIN
