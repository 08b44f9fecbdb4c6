"""Evaluates whether places are open at a requested moment; each distinct timetable once a day."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from schemas.hours.opening import OPEN_STATUSES, OpenState, instant_of, spans_between
from schemas.hours.recurrence import DAY_MINUTES
from serving.http.per_release import per_release
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
# Levels of a place in a window, the best first.
OPEN, BY_OLD_HOURS, UNKNOWN, CLOSED = range(4)
# Levels by verdict on the timetable: first for hours too old to be asserted, then for recent ones.
_LEVELS = np.array([[UNKNOWN, UNKNOWN, BY_OLD_HOURS], [CLOSED, UNKNOWN, OPEN]], dtype=np.int8)
# Number of cached days: eight bytes for each timetable.
_MAX_DAYS = 16


class Window(NamedTuple):
    """Part of a day in local time: minutes since midnight; `before` may be past midnight."""

    weekday: int | None
    after: int
    before: int


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
    for place, state in _is_reported_today(release, rows, now):
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
    for place, state in _is_reported_today(release, rows, now):
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
        return day, _seconds(day, window, zone)

    are_shown = release.are_hours_shown(rows, now).view(np.int8)
    levels: Levels = _LEVELS[are_shown, _verdicts(release, release.hours_codes.take(rows), part)]
    for place, state in _is_reported_today(release, rows, now):
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


def _verdicts(release: OpenRelease, codes: Rows, part_in: PartIn) -> Levels:
    """Return the verdicts of timetables on a part of a day, each by the calendar of its places;
    uncertain without a calendar (-1)."""
    verdicts = np.full(len(codes), _UNCERTAIN, dtype=np.int8)
    places = (codes >= 0).nonzero()[0]
    codes = codes.take(places)
    zones = release.timetable_zones.take(codes)
    asked: dict[tuple[date, Seconds], list[int]] = defaultdict(list)
    for number in np.bincount(zones).nonzero()[0].tolist():
        day, (start, end) = part_in(release.time_zones[number])
        asked[day, (start, end + _MOMENT if start == end else end)].append(number)
    for (day, seconds), numbers in asked.items():
        # In nearly all questions every zone has the same day and the same seconds of it.
        is_asked = slice(None) if len(asked) == 1 else np.isin(zones, numbers)
        verdicts[places[is_asked]] = _verdicts_on(release, codes[is_asked], day, seconds)
    return verdicts


def _verdicts_on(release: OpenRelease, codes: Rows, day: date, seconds: Seconds) -> Levels:
    """Return whether timetables are open at some moment of a part of a local day."""
    hours, requested = _hours_by_day(release)(day), np.bincount(codes)
    found = np.empty(len(requested), dtype=np.int8)
    for code in requested.nonzero()[0].tolist():
        spans = hours[code]
        if spans is None:
            spans = hours[code] = _one_of_equals(_spans(release, day, code))
        found[code] = _verdict(spans, *seconds)
    return found.take(codes)


def _verdict(spans: Spans, start: float, end: float) -> int:
    """Return whether spans have a moment that lies in a part of the day."""
    verdict = _CLOSED
    for begin, finish, is_certain in spans:
        if begin < end and finish > start:
            if is_certain:
                return _OPENED
            verdict = _UNCERTAIN
    return verdict


@per_release
def _hours_by_day(release: OpenRelease) -> Callable[[date], list[Spans | None]]:
    """Return a function of a local day: the spans of each timetable on it, None until they are
    read. The days longest not requested are forgotten."""
    count = len(release.timetable_zones)

    @lru_cache(maxsize=_MAX_DAYS)
    def hours(_: date) -> list[Spans | None]:
        return [None] * count

    return hours


@lru_cache(maxsize=4096)
def _one_of_equals(spans: Spans) -> Spans:
    """Return the same object for equal spans: most timetables share theirs."""
    return spans


def _since_midnight(day: date, at: datetime, zone: ZoneInfo) -> float:
    return at.timestamp() - instant_of(day, 0, zone).timestamp()


def _seconds(day: date, window: Window, zone: ZoneInfo) -> Seconds:
    """Return the part of a local day between two clock times."""
    midnight = datetime.combine(day, time(), zone)
    first = midnight.timestamp()
    start, end = (midnight + timedelta(minutes=m) for m in (window.after, window.before))
    return start.timestamp() - first, end.timestamp() - first


def _spans(release: OpenRelease, day: date, code: int) -> Spans:
    """Return the spans of a timetable on a local day and in the night after it."""
    zone = release.time_zones[release.timetable_zones[code]]
    midnight = instant_of(day, 0, zone)
    first = midnight.timestamp()
    found = spans_between(*release.timetable_of(code), midnight, instant_of(day, _TWO_DAYS, zone))
    return tuple(
        (begin.timestamp() - first, finish.timestamp() - first, is_certain)
        for (begin, finish), is_certain in found
    )


def _is_reported_today(
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
