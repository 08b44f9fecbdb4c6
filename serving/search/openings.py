"""Evaluates whether places are open at a requested moment, each distinct timetable once a day."""

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from threading import Lock
from typing import NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from schemas.hours.opening import OpenState, instant_of, spans_between
from serving.http.per_release import per_release
from warehouse.index.reader import OpenRelease

Bools = NDArray[np.bool_]
Rows = NDArray[np.int64]
Levels = NDArray[np.int8]
_OPEN = frozenset({"open", "closes_soon"})
_DAY_MINUTES = 1440
# Begin, end (seconds since the midnight at which a local day begins), and whether they are certain.
Spans = tuple[tuple[float, float, bool], ...]
# A part of a day, without its end.
Seconds = tuple[float, float]
# The local day of a question in a time zone, and its first and last instant.
InstantsIn = Callable[[ZoneInfo], tuple[date, datetime, datetime]]
# A day and the night after it, in minutes; a moment, as a window, in seconds.
_TWO_DAYS = 2 * 1440
_MOMENT = 1e-3
# Of a timetable.
_CLOSED, _OPENED, _UNCERTAIN = range(3)
_NOT_READ = -1
# Of a place in a window, the best first.
OPEN, BY_OLD_HOURS, UNKNOWN, CLOSED = range(4)
# Number of days whose hours are stored: four bytes for each timetable.
_MAX_DAYS = 16


class Window(NamedTuple):
    """Part of a day in local time: minutes since midnight; `before` may be past midnight."""

    weekday: int | None
    after: int
    before: int


class DayHours:
    """Opening hours of the timetables of a release on one local day, and in the night after it.

    Each timetable is evaluated once, each distinct list of spans is stored once. Safe for threads.
    """

    def __init__(self, timetables: int) -> None:
        self._which = np.full(timetables, _NOT_READ, dtype=np.int32)
        self._numbers: dict[Spans, int] = {}
        # Of each list of spans: begin and end (seconds since midnight), and whether it is certain.
        self._table = np.empty((0, 0)), np.empty((0, 0)), np.empty((0, 0), dtype=bool)
        self._lock = Lock()

    def verdicts(self, codes: Rows, window: Seconds, spans_of: Callable[[int], Spans]) -> Levels:
        """Return whether timetables (`hours_codes`) are open at some moment of a window."""
        if (self._which[codes] == _NOT_READ).any():
            self._read(codes, spans_of)
        which = self._which[codes]
        begins, ends, are_certain = self._table
        start, end = window
        overlaps = (begins[which] < end) & (start < ends[which])
        is_open = (overlaps & are_certain[which]).any(axis=1)
        is_unsure = overlaps.any(axis=1)
        return np.where(is_open, _OPENED, np.where(is_unsure, _UNCERTAIN, _CLOSED)).astype(np.int8)

    def _read(self, codes: Rows, spans_of: Callable[[int], Spans]) -> None:
        with self._lock:
            new = np.unique(codes[self._which[codes] == _NOT_READ]).tolist()
            known = len(self._numbers)
            numbers = [self._numbers.setdefault(spans_of(c), len(self._numbers)) for c in new]
            if len(self._numbers) > known:
                self._tabulate()
            # Last: from here on other threads read them.
            self._which[new] = numbers

    def _tabulate(self) -> None:
        longest = max(map(len, self._numbers))
        # What is not there overlaps with nothing.
        padded = [
            (*spans, *[(np.inf, -np.inf, False)] * (longest - len(spans)))
            for spans in self._numbers
        ]
        table = np.array(padded, dtype=np.float64).reshape(len(padded), longest, 3)
        self._table = table[:, :, 0].copy(), table[:, :, 1].copy(), table[:, :, 2] == 1


class Days:
    """Hours of a release by local day; the days longest not requested are forgotten."""

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
    """Return for each row whether it is open, and whether that is known; `trusts_old` takes
    hours that are too old to be asserted for known, here and below."""

    def moment(zone: ZoneInfo) -> tuple[date, datetime, datetime]:
        return now.astimezone(zone).date(), now, now

    answers = _by_timetable(release, rows, now, moment, trusts_old)
    for place, state in _reported_today(release, rows, now):
        answers[0][place], answers[1][place] = state.status in _OPEN, state.status != "unknown"
    return answers


def is_open_by_old_hours(release: OpenRelease, row: int, now: datetime) -> bool:
    """Return whether a row's hours say that it is open now, however long ago they were
    confirmed."""
    code = int(release.hours_codes[row])
    return code >= 0 and release.timetable_state(code, now).status in _OPEN


def are_open_at(
    release: OpenRelease,
    rows: Rows,
    local: datetime,
    now: datetime,
    *,
    trusts_old: bool = False,
) -> tuple[Bools, Bools]:
    """Return the same at a wall time of each place."""

    def moment(zone: ZoneInfo) -> tuple[date, datetime, datetime]:
        at = local.replace(tzinfo=zone)
        return local.date(), at, at

    answers = _by_timetable(release, rows, now, moment, trusts_old)
    for place, state in _reported_today(release, rows, now):
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
    """Return the same for some moment of one of the windows, each of the coming weekday (today
    counts) or of today."""
    levels = levels_within_any(release, rows, windows, now)
    is_open = levels <= BY_OLD_HOURS if trusts_old else levels == OPEN
    return is_open, is_open | (levels == CLOSED)


def levels_within(release: OpenRelease, rows: Rows, window: Window, now: datetime) -> Levels:
    """Return of each row whether it is open in a window: OPEN, BY_OLD_HOURS, UNKNOWN or CLOSED."""
    codes = release.hours_codes[rows]
    levels = np.full(len(rows), UNKNOWN, dtype=np.int8)
    has_hours = np.flatnonzero(codes >= 0)

    def instants(zone: ZoneInfo) -> tuple[date, datetime, datetime]:
        day = coming(window.weekday, now.astimezone(zone).date())
        return day, instant_of(day, window.after, zone), instant_of(day, window.before, zone)

    verdicts = _verdicts(release, codes[has_hours], instants)
    are_shown = release.are_hours_shown(rows[has_hours], now)
    is_open = verdicts == _OPENED
    levels[has_hours[is_open]] = BY_OLD_HOURS
    levels[has_hours[is_open & are_shown]] = OPEN
    levels[has_hours[(verdicts == _CLOSED) & are_shown]] = CLOSED
    for place, state in _reported_today(release, rows, now):
        day = release.local_day(int(rows[place]), now)
        if state.status == "closed" and window.weekday in {None, day.weekday()}:
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


def _verdicts(release: OpenRelease, codes: Rows, instants_in: InstantsIn) -> Levels:
    """Return the verdicts of timetables on a part of a day, each on the calendar of its places."""
    verdicts = np.empty(len(codes), dtype=np.int8)
    zones = release.timetable_zones[codes]
    here = np.flatnonzero(np.bincount(zones)).tolist()
    asked: dict[tuple[date, Seconds], list[int]] = defaultdict(list)
    for number in here:
        day, start, end = instants_in(release.time_zones[number])
        first = _midnight(day, release.time_zones[number]).timestamp()
        window = start.timestamp() - first, end.timestamp() - first
        if start == end:
            window = window[0], window[1] + _MOMENT
        asked[day, window].append(number)
    # In nearly all questions all zones have the same day and the same seconds of it.
    for (day, window), numbers in asked.items():
        is_asked = slice(None) if len(numbers) == len(here) else np.isin(zones, numbers)
        of_day = _days(release).of(day)
        verdicts[is_asked] = of_day.verdicts(codes[is_asked], window, partial(_spans, release, day))
    return verdicts


def _spans(release: OpenRelease, day: date, code: int) -> Spans:
    """Return the spans of a timetable on a local day and in the night after it."""
    zone = release.time_zones[release.timetable_zones[code]]
    midnight = _midnight(day, zone)
    first = midnight.timestamp()
    found = spans_between(*release.timetable_of(code), midnight, instant_of(day, _TWO_DAYS, zone))
    return tuple(
        (begin.timestamp() - first, finish.timestamp() - first, is_certain)
        for (begin, finish), is_certain in found
    )


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return instant_of(day, 0, zone)


def _reported_today(
    release: OpenRelease, rows: Rows, now: datetime
) -> Iterator[tuple[int, OpenState]]:
    """Yield places in `rows` of which a confirmed operator reported today that they are open or
    closed."""
    if not release.live.entries:
        return
    for place, row in enumerate(rows.tolist()):
        state = release.reported_state(row, now)
        if state is not None and release.is_confidential[row] == 0:
            yield place, state


def coming(weekday: int | None, today: date) -> date:
    """Return the next such weekday (0 is Monday), today included; today without one."""
    if weekday is None:
        return today
    return today + timedelta(days=(weekday - today.weekday()) % 7)


def window_of(weekday: int | None, after: int | None, before: int | None) -> Window:
    """Return a window; an end that is not after its beginning is on the day after."""
    start, end = after or 0, _DAY_MINUTES if before is None else before
    return Window(weekday, start, end if end > start else end + _DAY_MINUTES)


@per_release
def _days(release: OpenRelease) -> Days:
    return Days(release)


def _by_timetable(
    release: OpenRelease,
    rows: Rows,
    now: datetime,
    instants_in: InstantsIn,
    trusts_old: bool,
) -> tuple[Bools, Bools]:
    """Return for each row whether it is open, and whether that is known."""
    are_shown = release.hours_codes[rows] >= 0 if trusts_old else release.are_hours_shown(rows, now)
    verdicts = np.full(len(rows), _UNCERTAIN, dtype=np.int8)
    verdicts[are_shown] = _verdicts(release, release.hours_codes[rows][are_shown], instants_in)
    return verdicts == _OPENED, verdicts != _UNCERTAIN
