"""Places on the day and at the hour that a question names: which are open then, and how that is said."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from schemas.values.clock_words import DAYS, Language, at_clock, clock, joined, span
from schemas.values.opening import instant_of, next_openings
from serving.language.reply import Then, phrases
from serving.language.times import AskedTime
from serving.services.openings import Window, are_open_within, coming, window_of
from warehouse.reader import OpenRelease

_DAY_MINUTES = 1440
# Places for which somebody is open, cannot be told, is closed: in this order.
_RANKS = {True: 0, None: 1, False: 2}


class Served(NamedTuple):
    """Whether a place is open in one of the windows asked for (None: cannot be told), and in which."""

    is_open: bool | None
    window: Window

    @property
    def rank(self) -> int:
        return _RANKS[self.is_open]


def windows_of(
    release: OpenRelease, time: AskedTime, row: int, now: datetime
) -> tuple[Window, ...]:
    """The windows that a question asks for. `row` is a place near: tomorrow is told by its calendar."""
    weekdays: Sequence[int | None] = time.weekdays or (None,)
    if time.days_ahead is not None:
        day = release.local_day(row, now) + timedelta(days=time.days_ahead)
        weekdays = (day.weekday(),)
    return tuple(window_of(weekday, time.after, time.before) for weekday in weekdays)


def served_of(
    release: OpenRelease, rows: Sequence[int], windows: Sequence[Window], now: datetime
) -> list[Served]:
    """For each row, whether it is open in a window, the first of them in which it is."""
    asked = np.array(rows, dtype=np.int64)
    served = [Served(False, windows[0])] * len(rows)
    for window in reversed(windows):
        is_open, is_known = are_open_within(release, asked, window, now)
        for place, before in enumerate(served):
            if is_open[place]:
                served[place] = Served(True, window)
            elif not is_known[place] and before.is_open is False:
                served[place] = Served(None, window)
    return served


def then_of(
    release: OpenRelease, row: int, served: Served, time: AskedTime, now: datetime, language: Language
) -> Then:  # fmt: skip
    """A place at the time asked for, in words."""
    if not served.is_open:
        return Then(served.is_open, when_words(time, language), "")
    weekday = served.window.weekday
    one = time if len(time.weekdays) < 2 or weekday is None else time._replace(weekdays=(weekday,))
    hours = _hours(release, row, served.window, now, language)
    # Beside its own hours the day alone is clear.
    said = one._replace(after=None, before=None) if hours else one
    return Then(True, when_words(said, language), hours)


def _hours(
    release: OpenRelease, row: int, window: Window, now: datetime, language: Language
) -> str:
    """The hours of the day that fall into a window; empty where they have no end, or begin the day before."""
    known = release.timetable(row)
    if known is None:
        return ""
    schedules, timezone = known
    zone = ZoneInfo(timezone)
    day = coming(window.weekday, now.astimezone(zone).date())
    spans = []
    for start, end in next_openings(schedules, timezone, instant_of(day, 0, zone), 4, 2):
        if start.date() != day:
            continue
        days = (end.date() - day).days
        opens, closes = _minutes(start), _minutes(end) + days * _DAY_MINUTES
        if opens < window.before and closes > window.after:
            spans.append(span(opens, closes, language))
    return joined(spans, language)


def _minutes(at: datetime) -> int:
    return at.hour * 60 + at.minute


def when_words(time: AskedTime, language: Language) -> str:
    """The time asked for: "on Saturday", "tomorrow after 5 p.m."; "el martes entre mediodía y las 8 p. m."."""
    words = phrases(language)
    day = words.today
    if time.days_ahead is not None:
        day = words.days_ahead[time.days_ahead - 1]
    elif time.weekdays:
        named = [words.days[weekday] for weekday in time.weekdays]
        day = words.either_day.format(one=", ".join(named[:-1]), other=named[-1]) if len(named) > 1 else named[0]  # fmt: skip
    after, before = (_spoken(m, language) for m in (time.after, time.before))
    if time.after is None:
        return words.part_before.format(day=day, before=before) if before else day
    if time.before is None or time.before >= _DAY_MINUTES:
        return words.part_after.format(day=day, after=after)
    if time.before == time.after + 1:
        return words.part_at.format(day=day, after=after)
    return words.part_between.format(day=day, after=after, before=before)


def _spoken(minutes: int | None, language: Language) -> str:
    """ "5 p.m."; in Spanish with its article: "las 5 p. m.", "mediodía"."""
    if minutes is None:
        return ""
    return clock(minutes, "en") if language == "en" else at_clock(minutes, "es").removeprefix("a ")


def links_of(time: AskedTime, windows: Sequence[Window]) -> dict[str, str]:
    """The same as parameters of a search; empty for two days, which one search cannot ask for."""
    if len(windows) != 1:
        return {}
    weekday = windows[0].weekday
    day = {} if weekday is None else {"day": DAYS["en"][weekday].lower()}
    hours = {"after": time.after, "before": time.before}
    return day | {k: f"{m // 60 % 24:02d}:{m % 60:02d}" for k, m in hours.items() if m is not None}
