"""Decides whether a place is open: the single evaluator for lists, cards, pages, SMS and MCP.

Policy, following the rule "wrong is worse than unknown":

- Open if some schedule certainly covers the instant; unknown if one might; otherwise closed.
  Without schedules, or when all have ended (dated slots of last year): unknown. A schedule that
  cannot be decided (days without times, a description alone, every other week without a first date)
  makes exactly the instants it might cover unknown.
- Hours of an office ("office") or of another service ("other service: clinic") are not food hours:
  such rules are ignored, and if nothing else is known, the answer is unknown.
- Partial information counts, but a doubt (`schedule.doubt_of`) is never certain: hours that apply
  "in summer" without dates, in some weeks, from an opening without a closing time, on days without
  times. A place that may be open on some days is closed on the others.
- If hours vary, or part of the text could not be read, nothing is certain at any hour.
- A span belongs to the day on which it begins. A closed day drops the spans that begin on it.
- Holidays. A closure that names them ("federal holidays", "major holidays", "Thanksgiving Day")
  closes those days; the Friday or Monday when offices observe a weekend holiday is then unknown,
  and so are the lesser holidays under "major holidays". If no closure names holidays, the hours of
  New Year's Day, July 4, Thanksgiving and Christmas Day are unknown; other federal holidays have
  their usual hours. Rules for a single date and rules that say "open on holidays" also apply on
  holidays. State holidays are not considered.
- Clocks. A wall time skipped by the spring gap is taken one hour later; a wall time repeated in
  autumn means the first. Both follow RFC 5545.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

import msgspec

from schemas.hours.recurrence import (
    WEEKDAY_CODES,
    Rule,
    holiday_closure,
    is_exempt_from_holidays,
    rule_of,
)
from schemas.hours.schedule import Schedule, doubt_of, is_beside, is_doubtful_throughout
from schemas.values.us_holidays import MAJOR_HOLIDAYS, holiday_name

OpenStatus = Literal["open", "closed", "closes_soon", "opens_soon", "unknown"]
# Statuses of a place that is open now.
OPEN_STATUSES: frozenset[str] = frozenset({"open", "closes_soon"})

CLOSES_SOON_WITHIN = timedelta(minutes=60)
OPENS_SOON_WITHIN = timedelta(minutes=60)
# Longest time to cache an answer.
LONGEST_ANSWER = timedelta(hours=24)
SEARCH_DAYS = 62
_NEAR_DAYS = 8

Span = tuple[datetime, datetime]
_DAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


class OpenState(msgspec.Struct, frozen=True):
    """Opening state of a place at an instant.

    `changes_at` (UTC) is the next instant when any part of the answer can change, at most 24 hours
    ahead. `opens_at` is the next certain opening, `closes_at` the end of the current span; both
    local, None if unknown.
    """

    status: OpenStatus
    changes_at: datetime
    opens_at: datetime | None = None
    closes_at: datetime | None = None


def open_state(schedules: Sequence[Schedule], timezone: str, at: datetime) -> OpenState:
    """Return the state of a place at an aware instant.

    Raises zoneinfo.ZoneInfoNotFoundError for an unknown zone, ValueError for a naive instant.
    """
    if at.tzinfo is None:
        raise ValueError("the instant needs a time zone")
    zone = ZoneInfo(timezone)
    today = at.astimezone(zone).date()
    schedules = [s for s in schedules if not is_beside(s)]
    if all(schedule.is_closed or has_ended(schedule, today) for schedule in schedules):
        return OpenState("unknown", at.astimezone(UTC) + LONGEST_ANSWER)
    opens, maybes = _timeline(schedules, zone, today - timedelta(days=1), _NEAR_DAYS)
    now = next((span for span in opens if span[0] <= at < span[1]), None)
    opening = next((span[0] for span in opens if span[0] > at), None)
    closing = now[1] if now else None
    if closing and closing >= instant_of(today, _NEAR_DAYS * 1440, zone):
        closing = None  # open round the clock as far as computed
    elif opening is None:
        opening = _first_opening(schedules, zone, today, at)
    if closing and any(start <= closing < end for start, end in maybes):
        closing = None
    is_unsure = any(start <= at < end for start, end in maybes)
    edges = [edge for span in (*opens, *maybes) for edge in span]
    edges += [start - OPENS_SOON_WITHIN for start, _ in opens]
    edges += [end - CLOSES_SOON_WITHIN for _, end in opens]
    edges.append(at + LONGEST_ANSWER)
    if opening is None or closing is None:
        edges.append(instant_of(today, 1440, zone))  # tomorrow's answer looks a day further ahead
    return OpenState(
        _status(at, is_open=now is not None, is_unsure=is_unsure, opening=opening, closing=closing),
        min(edge for edge in edges if edge > at).astimezone(UTC),
        opening.astimezone(zone) if opening else None,
        closing.astimezone(zone) if closing else None,
    )


def has_ended(schedule: Schedule, today: date) -> bool:
    """Return whether a rule's last day precedes yesterday, whose last span may continue today."""
    last = rule_of(schedule).last
    return isinstance(last, date) and last < today - timedelta(days=1)


def next_openings(
    schedules: Sequence[Schedule],
    timezone: str,
    at: datetime,
    count: int = 3,
    horizon_days: int = 60,
) -> list[Span]:
    """Return the next `count` certain spans after an instant, local. Raises like `open_state`."""
    if at.tzinfo is None:
        raise ValueError("the instant needs a time zone")
    zone = ZoneInfo(timezone)
    today = at.astimezone(zone).date()
    schedules = [s for s in schedules if not is_beside(s)]
    seen_days = horizon_days + _NEAR_DAYS
    spans, _ = _timeline(schedules, zone, today - timedelta(days=1), seen_days)
    limit, seen_until = at + timedelta(days=horizon_days), instant_of(today, seen_days * 1440, zone)
    visible = [(start, end) for start, end in spans if at <= start < limit and end < seen_until]
    return [(start.astimezone(zone), end.astimezone(zone)) for start, end in visible[:count]]


def open_between(
    schedules: Sequence[Schedule], timezone: str, start: datetime, end: datetime
) -> bool | None:
    """Return whether a place opens within a span; None if unknown. Raises like `open_state`."""
    if start.tzinfo is None or end.tzinfo is None:
        raise ValueError("the instants need a time zone")
    zone = ZoneInfo(timezone)
    first = start.astimezone(zone).date()
    schedules = [s for s in schedules if not is_beside(s)]
    if all(schedule.is_closed or has_ended(schedule, first) for schedule in schedules):
        return None
    days = (end.astimezone(zone).date() - first).days + 1
    opens, maybes = _timeline(schedules, zone, first - timedelta(days=1), days)
    if any(begin < end and start < finish for begin, finish in opens):
        return True
    return None if any(begin < end and start < finish for begin, finish in maybes) else False


def spans_between(
    schedules: Sequence[Schedule], timezone: str, start: datetime, end: datetime
) -> list[tuple[Span, bool]]:
    """Return the spans (UTC) when a place is or may be open between two instants, and whether that
    is certain, certain spans first. At all other instants between the two, the place is closed.

    For devices that show the state later without evaluating rules. Raises like `open_state`.
    """
    zone = ZoneInfo(timezone)
    first, last = start.astimezone(zone).date(), end.astimezone(zone).date()
    days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    schedules = [s for s in schedules if not is_beside(s)]
    opens, maybes = _timeline(schedules, zone, first - timedelta(days=1), len(days))
    # From the day when no rule remains, all is unknown.
    over = (day for day in days if all(s.is_closed or has_ended(s, day) for s in schedules))
    if (day := next(over, None)) is not None:
        maybes = [*maybes, (instant_of(day, 0, zone), end)]
    return [
        ((max(begin, start), min(finish, end)), is_certain)
        for spans, is_certain in ((opens, True), (maybes, False))
        for begin, finish in spans
        if begin < end and start < finish
    ]


def spans_by_day(
    schedules: Sequence[Schedule], timezone: str, first: date, days: int
) -> list[list[Span] | None]:
    """Return the certain spans of local days from `first`, as local times; None if a day may be
    open without a certain span.

    A span belongs to the day on which it begins and ends by the end of the next day. A span from
    the day before also belongs to a day that it covers completely, or on which no span begins.
    Raises like `open_state`.
    """
    zone = ZoneInfo(timezone)
    schedules = [s for s in schedules if not is_beside(s)]
    if all(schedule.is_closed or has_ended(schedule, first) for schedule in schedules):
        return [None] * days
    opens, maybes = _timeline(schedules, zone, first - timedelta(days=1), days + 1)
    midnights = [instant_of(first, n * 1440, zone) for n in range(days + 2)]
    by_day: list[list[Span] | None] = []
    for start, end, limit in zip(midnights, midnights[1:], midnights[2:], strict=False):
        overlaps = [(b, f) for b, f in opens if b < end and start < f]
        spans = [(b, f) for b, f in overlaps if b >= start or f >= end] or overlaps
        spans = [(max(b, start), f if f < limit else end) for b, f in spans]
        is_unsure = not spans and any(b < end and start < f for b, f in maybes)
        local = [(b.astimezone(zone), f.astimezone(zone)) for b, f in spans]
        by_day.append(None if is_unsure else local)
    return by_day


def weekly_hours_json(schedules: Sequence[Schedule]) -> dict[str, str] | None:
    """Return `{"tuesday": "10:00-12:00,13:00-15:00"}` in week order; None unless the hours are only
    weekly.

    Ignores holiday closures and hours of other services; seasons, every other week, nth weekdays,
    days without times and rules without days are not weekly.
    """
    days: dict[str, list[str]] = {}
    for schedule in (s for s in schedules if not is_beside(s)):
        if schedule.is_closed and schedule.freq is None and not schedule.valid_from:
            continue
        if not _is_plain_weekly(schedule):
            return None
        for code in (schedule.byday or "").split(","):
            days.setdefault(code, []).append(f"{schedule.opens_at}-{schedule.closes_at}")
    hours = {
        name: ",".join(sorted(set(days[code])))
        for name, code in zip(_DAY_NAMES, WEEKDAY_CODES, strict=True)
        if code in days
    }
    return hours or None


def _is_plain_weekly(schedule: Schedule) -> bool:
    rule = rule_of(schedule)
    is_bounded = schedule.valid_from or schedule.valid_to or schedule.dtstart
    is_weekly = schedule.freq == "WEEKLY" and schedule.interval == 1 and bool(rule.weekdays)
    is_certain = is_weekly and rule.has_times and doubt_of(schedule) is None
    return is_certain and not is_bounded and not schedule.is_closed


def _status(
    at: datetime,
    *,
    is_open: bool,
    is_unsure: bool,
    opening: datetime | None,
    closing: datetime | None,
) -> OpenStatus:
    if is_open:
        return "closes_soon" if closing and closing - at <= CLOSES_SOON_WITHIN else "open"
    if is_unsure:
        return "unknown"
    return "opens_soon" if opening and opening - at <= OPENS_SOON_WITHIN else "closed"


def _first_opening(
    schedules: Sequence[Schedule], zone: ZoneInfo, today: date, at: datetime
) -> datetime | None:
    """Return the first opening after the near days, searching week by week up to SEARCH_DAYS."""
    for offset in range(_NEAR_DAYS - 1, SEARCH_DAYS, 7):
        spans, _ = _timeline(schedules, zone, today + timedelta(days=offset), 8)
        opening = next((start for start, _ in spans if start > at), None)
        if opening:
            return opening
    return None


def _timeline(
    schedules: Sequence[Schedule], zone: ZoneInfo, first: date, days: int
) -> tuple[list[Span], list[Span]]:
    """Return certain and possible spans (UTC) of `days` + 1 local days, merged."""
    if is_doubtful_throughout(schedules):
        ends = (instant_of(first, minutes, zone) for minutes in (0, (days + 1) * 1440))
        return [], [(next(ends), next(ends))]
    rules = [rule_of(schedule) for schedule in schedules if not schedule.is_closed]
    closures = [rule_of(schedule) for schedule in schedules if schedule.is_closed]
    certain: list[Span] = []
    possible: list[Span] = []
    for offset in range(days + 1):
        day = first + timedelta(days=offset)
        for start, end, is_certain in _spans_of_day(rules, closures, day):
            span = (instant_of(day, start, zone), instant_of(day, end, zone))
            if span[0] < span[1]:
                (certain if is_certain else possible).append(span)
    return _merge(certain), _merge(possible)


def certain_pieces(rule: Rule, closures: list[Rule], day: date) -> list[tuple[int, int]]:
    """Return the certain spans of one rule that begin on a day, in minutes since its midnight."""
    pieces = _spans_of_day([rule], closures, day)
    return [(start, end) for start, end, is_certain in pieces if is_certain and start < end]


def _spans_of_day(
    rules: list[Rule], closures: list[Rule], day: date
) -> Iterator[tuple[int, int, bool]]:
    verdicts = [(closure, _closure_covers(closure, day)) for closure in closures]
    whole_days = [verdict for closure, verdict in verdicts if not closure.has_times]
    if True in whole_days:
        return
    is_doubtful = None in whole_days
    is_silent = holiday_name(day) in MAJOR_HOLIDAYS and not any(
        closure.schedule.freq is None and not closure.schedule.valid_from for closure in closures
    )
    for rule in rules:
        covers = rule.covers(day)
        if covers is False:
            continue
        start, end, has_times = rule.minutes()
        doubt = (
            is_doubtful
            or doubt_of(rule.schedule) is not None
            or (is_silent and not is_exempt_from_holidays(rule.schedule))
        )
        pieces = [(start, end, bool(covers) and has_times and not doubt)]
        for closure, verdict in verdicts:
            if closure.has_times and verdict is not False:
                pieces = list(_subtract(pieces, closure, is_certain=verdict is True))
        yield from pieces


def _subtract(
    pieces: list[tuple[int, int, bool]], closure: Rule, *, is_certain: bool
) -> Iterator[tuple[int, int, bool]]:
    """Yield pieces without a closure's minutes, which remain possible if the closure is
    uncertain."""
    begin, until, _ = closure.minutes()
    for start, end, certainty in pieces:
        if until <= start or end <= begin:
            yield start, end, certainty
            continue
        if start < begin:
            yield start, begin, certainty
        if not is_certain:
            yield max(start, begin), min(end, until), False
        if until < end:
            yield until, end, certainty


def _closure_covers(closure: Rule, day: date) -> bool | None:
    schedule = closure.schedule
    if schedule.freq is None and not schedule.valid_from and not schedule.valid_to:
        return holiday_closure(schedule, day)
    return closure.covers(day)


def instant_of(day: date, minutes: int, zone: ZoneInfo) -> datetime:
    """Return the UTC instant of minutes since a day's midnight, as wall time."""
    wall = datetime.combine(day, time()) + timedelta(minutes=minutes)
    return wall.replace(tzinfo=zone).astimezone(UTC)


def _merge(spans: list[Span]) -> list[Span]:
    """Sort spans and join those that overlap or touch."""
    blocks: list[Span] = []
    for start, end in sorted(spans):
        if blocks and start <= blocks[-1][1]:
            blocks[-1] = (blocks[-1][0], max(end, blocks[-1][1]))
        else:
            blocks.append((start, end))
    return blocks
