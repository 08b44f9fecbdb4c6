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
_OPEN = frozenset({"open", "closes_soon"})
_DAY_MINUTES = 1440
# Number of moments and windows whose verdicts are cached.
_KEPT_MOMENTS = 64


class Window(NamedTuple):
    """Part of a day in local time: minutes since midnight; `before` may be past midnight."""

    weekday: int | None
    after: int
    before: int


class Verdicts:
    """Cached verdicts of timetables on moments; valid for the lifetime of the release."""

    def __init__(self) -> None:
        self._by_moment: OrderedDict[object, dict[int, bool | None]] = OrderedDict()
        self._lock = Lock()

    def of(self, moment: object) -> dict[int, bool | None]:
        """Return verdicts by timetable on a moment; the moments longest not requested are
        forgotten."""
        with self._lock:
            known = self._by_moment.setdefault(moment, {})
            self._by_moment.move_to_end(moment)
            while len(self._by_moment) > _KEPT_MOMENTS:
                self._by_moment.popitem(last=False)
            return known


def are_open_now(release: OpenRelease, rows: Rows, now: datetime) -> tuple[Bools, Bools]:
    """Return for each row whether it is open, and whether that is known."""
    answers = _by_timetable(
        release, rows, now, lambda code: _as_truth(release.timetable_state(code, now).status)
    )
    for place, state in _reported(release, rows, now):
        answers[0][place], answers[1][place] = state.status in _OPEN, state.status != "unknown"
    return answers


def is_open_by_old_hours(release: OpenRelease, row: int, now: datetime) -> bool:
    """Return whether a row's hours say that it is open now, however long ago they were
    confirmed."""
    code = int(release.hours_codes[row])
    return code >= 0 and release.timetable_state(code, now).status in _OPEN


def are_open_at(
    release: OpenRelease, rows: Rows, local: datetime, now: datetime
) -> tuple[Bools, Bools]:
    """Return the same at a wall time of each place."""
    known = _verdicts(release).of(local)

    def verdict(code: int) -> bool | None:
        if code not in known:
            schedules, timezone = release.timetable_of(code)
            at = local.replace(tzinfo=ZoneInfo(timezone))
            known[code] = _as_truth(open_state(schedules, timezone, at).status)
        return known[code]

    answers = _by_timetable(release, rows, now, verdict)
    for place, state in _reported(release, rows, now):
        if state.status == "closed" and release.local_day(int(rows[place]), now) == local.date():
            answers[0][place], answers[1][place] = False, True
    return answers


def are_open_within(
    release: OpenRelease, rows: Rows, window: Window, now: datetime
) -> tuple[Bools, Bools]:
    """Return the same for some moment of a window of the coming weekday (today counts), or of
    today."""
    answers = _by_timetable(release, rows, now, _within(release, window, now))
    for place, state in _reported(release, rows, now):
        row = int(rows[place])
        if state.status == "closed" and window.weekday in {
            None,
            release.local_day(row, now).weekday(),
        }:
            answers[0][place], answers[1][place] = False, True
    return answers


def were_open_within(release: OpenRelease, rows: Rows, window: Window, now: datetime) -> list[bool]:
    """Return for each row whether its hours cover the window, however long ago they were
    confirmed."""
    verdict = _within(release, window, now)
    codes = release.hours_codes[rows].tolist()
    return [code >= 0 and verdict(code) is True for code in codes]


def _within(release: OpenRelease, window: Window, now: datetime) -> Callable[[int], bool | None]:
    """Return what a timetable says of a window."""

    def verdict(code: int) -> bool | None:
        schedules, timezone = release.timetable_of(code)
        zone = ZoneInfo(timezone)
        day = coming(window.weekday, now.astimezone(zone).date())
        known = _verdicts(release).of((day, window.after, window.before))
        if code not in known:
            start, end = (instant_of(day, minutes, zone) for minutes in window[1:])
            known[code] = open_between(schedules, timezone, start, end)
        return known[code]

    return verdict


def _reported(release: OpenRelease, rows: Rows, now: datetime) -> Iterator[tuple[int, OpenState]]:
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
def _verdicts(_: OpenRelease) -> Verdicts:
    return Verdicts()


def _as_truth(status: str) -> bool | None:
    return None if status == "unknown" else status in _OPEN


def _by_timetable(
    release: OpenRelease, rows: Rows, now: datetime, verdict: Callable[[int], bool | None]
) -> tuple[Bools, Bools]:
    told = release.are_hours_shown(rows, now)
    is_open, is_known = np.zeros(len(rows), dtype=bool), np.zeros(len(rows), dtype=bool)
    codes, which = np.unique(release.hours_codes[rows][told], return_inverse=True)
    verdicts = [verdict(int(code)) for code in codes]
    is_open[told] = np.array([v is True for v in verdicts], dtype=bool)[which]
    is_known[told] = np.array([v is not None for v in verdicts], dtype=bool)[which]
    return is_open, is_known
