"""Converts schedules to series of calendar events: RFC 5545 recurrence with exceptions, equal to
`opening`.

A series is as regular as a recurrence rule can be. Every difference in the evaluator (a closure, a
holiday, a doubt, a clock change) is an exception of the series and, if the place opens at all, a
separate event. So a calendar never shows an opening that `opening` does not call certain.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from dateutil.rrule import DAILY, MONTHLY, WEEKLY, rrule, weekday  # type: ignore[import-untyped]

from schemas.hours.opening import Span, certain_pieces, instant_of
from schemas.hours.recurrence import WEEKDAY_CODES, Rule, rule_of
from schemas.hours.schedule import Schedule, is_beside, is_doubtful_throughout

_FREQUENCIES = {None: DAILY, "WEEKLY": WEEKLY, "MONTHLY": MONTHLY}


class Series(NamedTuple):
    """Calendar event, recurring or not. Times are local and aware.

    `rule` holds the parts of an RRULE in iCalendar's names, None for a single event; `exceptions`
    are starts that do not take place. `key` distinguishes the series of one place and stays the
    same as long as the schedule does.
    """

    key: str
    schedule: Schedule
    start: datetime
    end: datetime
    rule: dict[str, Any] | None = None
    exceptions: tuple[datetime, ...] = ()


def series_of(schedules: Sequence[Schedule], timezone: str, first: date, days: int) -> list[Series]:
    """Return all certain openings that begin on `days` local days from `first`, as series.

    Raises zoneinfo.ZoneInfoNotFoundError for an unknown zone.
    """
    zone = ZoneInfo(timezone)
    if is_doubtful_throughout(schedules):
        return []
    rules = [rule_of(s) for s in schedules if not s.is_closed and not is_beside(s)]
    closures = [rule_of(s) for s in schedules if s.is_closed and not is_beside(s)]
    span = [first + timedelta(days=n) for n in range(days)]
    all_series: list[Series] = []
    for rule in dict.fromkeys(rules):
        if rule.is_readable and rule.has_times:
            all_series += _of_rule(rule, closures, span, zone)
    return all_series


def _of_rule(
    rule: Rule, closures: list[Rule], span: Sequence[date], zone: ZoneInfo
) -> Iterator[Series]:
    opens, closes, _ = rule.minutes()
    regular: list[date] = []
    for day in span:
        pieces = certain_pieces(rule, closures, day)
        if pieces == [(opens, closes)]:
            regular.append(day)
            continue
        for start, end in pieces:
            yield _single(rule, day, start, end, zone)
    if len(regular) < 2:
        yield from (_single(rule, day, opens, closes, zone) for day in regular)
        return
    for season in _seasons(rule, regular, span):
        yield from _series(rule, season, zone)


def _seasons(rule: Rule, regular: list[date], span: Sequence[date]) -> list[list[date]]:
    """Return the regular days of every run of days within the rule's bounds."""
    regular_days, seasons = set(regular), [[]]  # type: tuple[set[date], list[list[date]]]
    for day in span:
        if not rule.in_season(day):
            seasons.append([])
        elif day in regular_days:
            seasons[-1].append(day)
    return [season for season in seasons if season]


def _series(rule: Rule, days: list[date], zone: ZoneInfo) -> Iterator[Series]:
    """Yield a recurring event for a season's days, single ones for the rest."""
    opens, closes, _ = rule.minutes()
    spans = {day: _local(day, opens, closes, zone) for day in days}
    lasting = Counter(_duration(span) for span in spans.values()).most_common(1)[0][0]
    # The spring gap may move an opening.
    clock = {day: datetime.combine(day, time()) + timedelta(minutes=opens) for day in days}
    fitting = [
        day
        for day in days
        if _duration(spans[day]) == lasting and spans[day][0].replace(tzinfo=None) == clock[day]
    ]
    if len(fitting) < 2:
        yield from (_single(rule, day, opens, closes, zone) for day in days)
        return
    parts = _parts(rule)
    expanded = _expand(rule, parts, fitting[0], fitting[-1])
    skipped = sorted(expanded - set(fitting))
    # Seasons return every year.
    returns = isinstance(rule.first, tuple) or isinstance(rule.last, tuple)
    yield Series(
        f"{_key(rule)}|{fitting[0].year if returns else 'series'}",
        rule.schedule,
        *spans[fitting[0]],
        {**parts, "UNTIL": spans[fitting[-1]][0].astimezone(UTC)},
        tuple(
            (datetime.combine(day, time()) + timedelta(minutes=opens)).replace(tzinfo=zone)
            for day in skipped
        ),
    )
    for day in days:
        if day not in expanded or day not in set(fitting):
            yield _single(rule, day, opens, closes, zone)


def _single(rule: Rule, day: date, opens: int, closes: int, zone: ZoneInfo) -> Series:
    start, end = _local(day, opens, closes, zone)
    return Series(f"{_key(rule)}|{day}|{opens}", rule.schedule, start, end)


def _key(rule: Rule) -> str:
    s = rule.schedule
    parts = (
        s.freq,
        s.byday,
        s.bymonthday,
        s.interval,
        s.dtstart,
        s.valid_from,
        s.valid_to,
        s.opens_at,
        s.closes_at,
        s.description,
    )
    return "|".join("" if part is None else str(part) for part in parts)


def _local(day: date, opens: int, closes: int, zone: ZoneInfo) -> Span:
    return instant_of(day, opens, zone).astimezone(zone), instant_of(day, closes, zone).astimezone(
        zone
    )


def _duration(span: Span) -> timedelta:
    """Return the time that really passes, past changes of the clock."""
    return span[1].astimezone(UTC) - span[0].astimezone(UTC)


# ---------------------------------------------------------------- recurrence rules


def _parts(rule: Rule) -> dict[str, Any]:
    """Return the rule in iCalendar's words, without its end."""
    schedule = rule.schedule
    if schedule.freq is None:
        return {"FREQ": "DAILY"}
    parts: dict[str, Any] = {"FREQ": schedule.freq}
    if schedule.interval > 1:
        parts["INTERVAL"] = schedule.interval
    days = [WEEKDAY_CODES[day] for day in sorted(rule.weekdays)]
    if schedule.freq == "WEEKLY":
        # RFC 5545 defaults to the day of DTSTART; naming it does no harm.
        parts["BYDAY"] = days or [WEEKDAY_CODES[rule.start.weekday()]] if rule.start else days
        parts["WKST"] = "MO"
        return parts
    days += [f"{nth}{WEEKDAY_CODES[day]}" for nth, day in sorted(rule.nth_weekdays)]
    if days:
        parts["BYDAY"] = days
    if rule.month_days:
        parts["BYMONTHDAY"] = sorted(rule.month_days)
    return parts


def _expand(rule: Rule, parts: dict[str, Any], first: date, last: date) -> set[date]:
    """Return the days that a calendar program gets from the parts."""
    days = [_weekday(code) for code in parts.get("BYDAY", ())]
    moments = rrule(
        _FREQUENCIES[rule.schedule.freq],
        dtstart=datetime.combine(first, time()),
        until=datetime.combine(last, time()),
        interval=parts.get("INTERVAL", 1),
        byweekday=days or None,
        bymonthday=parts.get("BYMONTHDAY"),
        wkst=0,
    )
    return {moment.date() for moment in moments}


def _weekday(code: str) -> weekday:
    nth, number = code[:-2], WEEKDAY_CODES.index(code[-2:])
    return weekday(number, int(nth)) if nth else weekday(number)
