"""Finds the places open on the day and at the hour a question names, and puts that into words."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from schemas.hours.clock_words import day_name, hour_words, join_words, minutes_of, span
from schemas.hours.opening import instant_of, next_openings
from schemas.hours.recurrence import DAY_MINUTES
from schemas.languages import Language
from serving.search.language.reply import Opening, RequestedState, phrases
from serving.search.language.times import AskedTime
from serving.search.language.wishes import clock_text
from serving.search.openings import (
    Window,
    coming,
    levels_within,
    window_of,
)
from warehouse.index.reader import OpenRelease

# Up to this many excluded days are named.
_FEW_DAYS = 2
_WEEKDAYS, _WEEKEND = (0, 1, 2, 3, 4), (5, 6)
# By level.
_OPENINGS: tuple[Opening, ...] = ("open", "old", "unknown", "closed")


class WindowState(NamedTuple):
    """Whether a place is open in one of the requested windows, and in which."""

    opening: Opening
    window: Window


def windows_of(
    release: OpenRelease, time: AskedTime, row: int, now: datetime
) -> tuple[Window, ...]:
    """Return the requested windows, for each time the next one first. `row` is a place nearby: its
    clock decides today and tomorrow."""
    there = now.astimezone(release.zone_of(row))
    if not time.others:
        return _windows_at(time, there)
    return tuple(
        dict.fromkeys(_name(w, there) for one in time.each for w in _windows_at(one, there))
    )


def _name(window: Window, there: datetime) -> Window:
    """Return a window with its weekday, even if that is today."""
    return window._replace(weekday=there.weekday()) if window.weekday is None else window


def _windows_at(time: AskedTime, there: datetime) -> tuple[Window, ...]:
    if time.is_today:
        minutes_now = there.hour * 60 + there.minute
        end = DAY_MINUTES if time.before is None else time.before
        # The rest of today; if the hours are over, the hours as requested.
        after = max(time.after or 0, minutes_now) if minutes_now < end else time.after
        return (window_of(None, after, time.before),)
    weekdays: Sequence[int] = time.weekdays
    if time.days_ahead is not None:
        weekdays = ((there.date() + timedelta(days=time.days_ahead)).weekday(),)
    elif time.is_any_day:
        weekdays = sorted(weekdays, key=lambda weekday: (weekday - there.weekday()) % 7)
    return tuple(window_of(weekday, time.after, time.before) for weekday in weekdays)


def states_in_windows(
    release: OpenRelease, rows: Sequence[int], windows: Sequence[Window], now: datetime
) -> list[WindowState]:
    """Return the best known state of each row, in the first window that has it."""
    row_array = np.array(rows, dtype=np.int64)
    levels = np.stack(levels_within(release, row_array, windows, now))
    best = levels.argmin(axis=0).tolist()
    return [WindowState(_OPENINGS[levels[at, place]], windows[at]) for place, at in enumerate(best)]


def then_of(
    release: OpenRelease,
    row: int,
    state: WindowState,
    time: AskedTime,
    now: datetime,
    language: Language,
) -> RequestedState:
    """Return a place at the time requested, in words."""
    if state.opening not in ("open", "old"):
        return RequestedState(state.opening, when_words(time, language), "")
    there = now.astimezone(release.zone_of(row))
    if time.others:
        same_window = (
            o for o in time.each if state.window in [_name(w, there) for w in _windows_at(o, there)]
        )
        time = next(same_window, time.each[0])
    weekday = state.window.weekday
    one = time if len(time.weekdays) < 2 or weekday is None else time._replace(weekdays=(weekday,))
    hours = _hours(release, row, state.window, now, language)
    # The place's own hours follow, so the day alone suffices.
    day_only = one._replace(after=None, before=None, parts=()) if hours else one
    return RequestedState(state.opening, when_words(day_only, language), hours)


def _hours(
    release: OpenRelease, row: int, window: Window, now: datetime, language: Language
) -> str:
    """Return the hours of the day within a window; empty if they have no end or begin the day
    before."""
    timetable = release.timetable(row)
    if timetable is None:
        return ""
    schedules, timezone = timetable
    zone = ZoneInfo(timezone)
    day = coming(window.weekday, now.astimezone(zone).date())
    spans = []
    for start, end in next_openings(schedules, timezone, instant_of(day, 0, zone), 4, 2):
        if start.date() != day:
            continue
        days = (end.date() - day).days
        opens, closes = minutes_of(start), minutes_of(end) + days * DAY_MINUTES
        if opens < window.before and closes > window.after:
            spans.append(span(opens, closes, language))
    return join_words(spans, language)


def when_words(time: AskedTime, language: Language) -> str:
    """Return the time requested: "on Saturday", "tomorrow after 5 p.m."; "el martes entre
    mediodía y las 8 p. m."."""
    words, day = phrases(language), _day_words(time, language)
    if time.others:
        return str(words["or"].join(when_words(one, language) for one in time.each))
    if time.parts:
        parts = words["or"].join(words.parts[part] for part in time.parts)
        return str(words.part_of_day.format(day=day, part=parts).strip())
    after, before = (
        "" if m is None else hour_words(m, language) for m in (time.after, time.before)
    )
    if time.after is None:
        pattern = words.part_before if time.before else "{day}"
    elif time.before is None or time.before >= DAY_MINUTES:
        pattern = words.part_after
    elif time.is_until:
        pattern = words.part_until
    else:
        pattern = words.part_at if time.before == time.after + 1 else words.part_between
    return str(pattern.format(day=day, after=after, before=before).strip())


def _day_words(time: AskedTime, language: Language) -> str:
    words = phrases(language)
    if time.is_any_day:
        return ""
    if time.days_ahead is not None:
        return str(words.days_ahead[time.days_ahead - 1])
    together = {(): words.today, _WEEKDAYS: words.weekdays, _WEEKEND: words.weekend}
    if time.weekdays in together:
        return str(together[time.weekdays])
    out = [day_name(day, language) for day in range(7) if day not in time.weekdays]
    if len(out) <= _FEW_DAYS:
        return str(words.any_day_but.format(days=join_words(out, language)))
    *others, last = (
        words.on_day.format(day=day_name(weekday, language)) for weekday in time.weekdays
    )
    return str(words.either_day.format(one=", ".join(others), other=last) if others else last)


def links_of(time: AskedTime, windows: Sequence[Window]) -> dict[str, str]:
    """Return the requested times as search parameters: `day` with its hours, or several `days`."""
    if len(windows) != 1:
        entries = []
        for window in windows:
            assert window.weekday is not None, "of several windows each has its weekday"
            since, until = window.after, window.before % DAY_MINUTES
            times = f"{clock_text(since) if since else ''}-{clock_text(until) if until else ''}"
            name = day_name(window.weekday, "en").lower()
            entries.append(name if times == "-" else f"{name} {times}")
        return {"days": ",".join(entries)}
    (window,) = windows
    if window.weekday is None:
        # For today, the remaining hours.
        return {"after": clock_text(window.after)} | (
            {"before": clock_text(window.before)} if window.before < DAY_MINUTES else {}
        )
    day = {"day": day_name(window.weekday, "en").lower()}
    hours = {"after": time.after, "before": time.before}
    return day | {n: clock_text(m) for n, m in hours.items() if m is not None and m < DAY_MINUTES}
