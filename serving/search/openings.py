"""Evaluates whether places are open at a requested moment, each distinct timetable once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from threading import Lock
from typing import NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from schemas.hours.opening import OpenState, instant_of, open_between, open_state
from serving.http.per_release import per_release
from warehouse.index.reader import OpenRelease

Bools = NDArray[np.bool_]
Rows = NDArray[np.int64]
Levels = NDArray[np.int8]
_OPEN = frozenset({"open", "closes_soon"})
_DAY_MINUTES = 1440
# Of a timetable.
_LEVELS = {False: 0, True: 1, None: 2}
_CLOSED, _OPENED, _UNCERTAIN = _LEVELS.values()
_NOT_JUDGED = 3
# Of a place in a window, the best first.
OPEN, BY_OLD_HOURS, UNKNOWN, CLOSED = range(4)
# Number of moments and windows whose verdicts are stored: a byte for each timetable.
_MAX_MOMENTS = 64


class Window(NamedTuple):
    """Part of a day in local time: minutes since midnight; `before` may be past midnight."""

    weekday: int | None
    after: int
    before: int


class Verdicts:
    """Verdicts of timetables on moments and windows, each evaluated once. Safe for threads."""

    def __init__(self, timetables: int) -> None:
        self._timetables = timetables
        self._by_moment: OrderedDict[object, Levels] = OrderedDict()
        self._lock = Lock()

    def of(self, moment: object, codes: Rows, judge: Callable[[int], bool | None]) -> Levels:
        """Return the verdicts of timetables (`hours_codes`) on a moment; the moments longest not
        requested are forgotten."""
        with self._lock:
            known = self._by_moment.get(moment)
            if known is None:
                known = np.full(self._timetables, _NOT_JUDGED, dtype=np.int8)
                self._by_moment[moment] = known
            self._by_moment.move_to_end(moment)
            while len(self._by_moment) > _MAX_MOMENTS:
                self._by_moment.popitem(last=False)
        verdicts: Levels = known[codes]
        is_new = verdicts == _NOT_JUDGED
        if is_new.any():
            for code in np.unique(codes[is_new]).tolist():
                known[code] = _LEVELS[judge(code)]
            verdicts = known[codes]
        return verdicts


def are_open_now(
    release: OpenRelease, rows: Rows, now: datetime, *, trusts_old: bool = False
) -> tuple[Bools, Bools]:
    """Return for each row whether it is open, and whether that is known; `trusts_old` takes
    hours that are too old to be asserted for known, here and below."""

    def states(codes: Rows) -> Levels:
        known, which = np.unique(codes, return_inverse=True)
        truths = [_as_truth(release.timetable_state(code, now).status) for code in known.tolist()]
        return np.array([_LEVELS[truth] for truth in truths], dtype=np.int8)[which]

    answers = _by_timetable(release, rows, now, states, trusts_old)
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

    def judge(code: int) -> bool | None:
        schedules, timezone = release.timetable_of(code)
        return _as_truth(
            open_state(schedules, timezone, local.replace(tzinfo=ZoneInfo(timezone))).status
        )

    answers = _by_timetable(
        release,
        rows,
        now,
        lambda codes: _verdicts(release).of(local, codes, judge),
        trusts_old,
    )
    for place, state in _reported_today(release, rows, now):
        if state.status == "closed" and release.local_day(int(rows[place]), now) == local.date():
            answers[0][place], answers[1][place] = False, True
    return answers


def are_open_within(
    release: OpenRelease,
    rows: Rows,
    window: Window,
    now: datetime,
    *,
    trusts_old: bool = False,
) -> tuple[Bools, Bools]:
    """Return the same for some moment of a window of the coming weekday (today counts), or of
    today."""
    levels = levels_within(release, rows, window, now)
    is_open = levels <= BY_OLD_HOURS if trusts_old else levels == OPEN
    return is_open, is_open | (levels == CLOSED)


def levels_within(release: OpenRelease, rows: Rows, window: Window, now: datetime) -> Levels:
    """Return of each row whether it is open in a window: OPEN, BY_OLD_HOURS, UNKNOWN or CLOSED."""
    codes = release.hours_codes[rows]
    levels = np.full(len(rows), UNKNOWN, dtype=np.int8)
    has_hours = np.flatnonzero(codes >= 0)
    verdicts = _within(release, codes[has_hours], window, now)
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


def _within(release: OpenRelease, codes: Rows, window: Window, now: datetime) -> Levels:
    """Return the verdicts of timetables on a window, each on the calendar of its places."""
    verdicts = np.empty(len(codes), dtype=np.int8)
    zones = release.timetable_zones[codes]
    for number in np.flatnonzero(np.bincount(zones)).tolist():
        zone = release.time_zones[number]
        day = coming(window.weekday, now.astimezone(zone).date())
        span = [instant_of(day, minutes, zone) for minutes in window[1:]]

        def judge(code: int, span: list[datetime] = span) -> bool | None:
            return open_between(*release.timetable_of(code), *span)

        moment, is_here = (day, window.after, window.before), zones == number
        verdicts[is_here] = _verdicts(release).of(moment, codes[is_here], judge)
    return verdicts


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
def _verdicts(release: OpenRelease) -> Verdicts:
    return Verdicts(len(release.timetable_zones))


def _as_truth(status: str) -> bool | None:
    return None if status == "unknown" else status in _OPEN


def _by_timetable(
    release: OpenRelease,
    rows: Rows,
    now: datetime,
    judge: Callable[[Rows], Levels],
    trusts_old: bool,
) -> tuple[Bools, Bools]:
    """Return for each row whether it is open, and whether that is known; `judge` gives the
    verdicts of timetables."""
    are_shown = release.hours_codes[rows] >= 0 if trusts_old else release.are_hours_shown(rows, now)
    verdicts = np.full(len(rows), _UNCERTAIN, dtype=np.int8)
    verdicts[are_shown] = judge(release.hours_codes[rows][are_shown])
    return verdicts == _OPENED, verdicts != _UNCERTAIN
