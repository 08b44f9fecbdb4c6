"""Clauses as schedules in canonical form: one rule per span, with all its days."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import msgspec

from assets.hours.assemble import Assembler
from assets.hours.clauses import Clause, Closures, NamedSpan
from assets.hours.days import Day
from assets.hours.lexicon import NEVER_FOOD, PARTS_OF_MEALS, STEMS, has_stem
from assets.hours.seasons import Season, overlap
from assets.hours.times import NO_END, CannotTell, RawSpan, Span, as_text, read_span
from schemas.hours.recurrence import DAY_MINUTES, WEEKDAY_CODES, rule_of
from schemas.hours.schedule import (
    LONG_HOURS,
    OFFICE_HOURS,
    OTHER_SERVICE,
    OUTSIDE_SEASON,
    SCHOOL_YEAR,
    SERVICE_UNKNOWN,
    SOME_DAYS,
    SOME_MONTHS,
    SOME_WEEKS,
    TIMES_DIFFER,
    UNDATED_SEASONS,
    Schedule,
    is_beside,
)

_OFFICE = f"\0{OFFICE_HOURS}"
_DATED = UNDATED_SEASONS - {SCHOOL_YEAR, OUTSIDE_SEASON}


class Key(NamedTuple):
    """Common properties of schedules that may be merged."""

    freq: str | None
    interval: int
    span: Span | None
    season: Season | None
    description: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """One rule: a span on a day of a clause."""

    key: Key
    day: Day | None
    clause: int
    month_days: tuple[int, ...] = ()
    name: str | None = None
    is_bare: bool = False  # no am, no pm

    @property
    def span(self) -> Span:
        """The span of a rule with times."""
        assert self.key.span
        return self.key.span

    @property
    def has_no_end(self) -> bool:
        return self.span[1] == NO_END

    def covers(self, other: Entry) -> bool:
        """Return whether the span contains another one."""
        return self.span[0] <= other.span[0] and other.span[1] <= self.span[1]

    def with_doubt(self, doubt: str) -> Entry:
        """Return the rule with a doubt in its description."""
        words = "; ".join(filter(None, (self.key.description, doubt)))
        return replace(self, key=self.key._replace(description=words))


def _drop_covered(entries: list[Entry]) -> list[Entry]:
    """Drop spans that a longer one covers: "Mon-Fri 8:30-5:15; Wed 8:30-7" means Wednesday 8:30 to
    7 in any case."""
    widths = Counter(entry.clause for entry in entries)
    timed = [entry for entry in entries if entry.key.span]
    covered = {
        entry
        for entry, other in combinations(timed, 2)
        if widths[other.clause] < widths[entry.clause]
        and entry.day is not None
        and entry.day == other.day
        and (entry.key.season, entry.key.description, entry.name)
        == (other.key.season, other.key.description, other.name)
        and entry.span != other.span
        and other.covers(entry)
        and not (other.has_no_end or other.is_bare)
    }
    return [entry for entry in entries if entry not in covered]


def _find_conflicts(entries: list[Entry]) -> set[Entry]:
    """Return the entries that contradict others: in "Mon-Fri 8-5; Wed 10-2" the second may replace
    the first or add to it. Raises CannotTell where the contradiction reaches beyond the day."""
    conflicts: set[Entry] = set()
    candidates = [entry for entry in entries if entry.day and entry.key.span]
    for one, two in combinations(candidates, 2):
        if one.day == two.day:
            is_mixed = (one.key.season is None) != (two.key.season is None)
            if is_mixed and not (_is_undated(one) or _is_undated(two)):
                if not (one.name and two.name and one.name != two.name):
                    raise CannotTell("a season for some of the hours")
                conflicts |= {one, two}  # "Breakfast M-F 7-8; lunch M-F 11-1 (Aug 12-May 28)"
            is_later = one.clause < two.clause and one.span[1] == two.span[0] + 12 * 60
            if two.is_bare and is_later:  # "Fri 2-8; teens only: Fri 8-10" may go on at 8 p.m.
                raise CannotTell("morning or evening")
        if not _may_coincide(one, two):
            continue
        if _is_part(one, two) or _is_part(two, one):
            # "Mon-Wed 8-4, Thu 8-12; food Tue 9-2"
            conflicts |= {entry for entry in entries if not entry.name}
        # "every Tuesday at 10 am and 2 pm", but not "Mon-Fri 8-4, lunch 11:30"
        is_list = one.clause == two.clause and (one.has_no_end or two.has_no_end)
        is_list &= not (_begins_within(one, two) or _begins_within(two, one))
        is_same = one.span == two.span or one.name != two.name
        overlaps = one.span[0] < two.span[1] and two.span[0] < one.span[1]
        if is_list or is_same or not overlaps or not overlap(one.key.season, two.key.season):
            continue
        if not _is_extended(one, two):
            conflicts |= {one, two}
    return conflicts


def _is_undated(entry: Entry) -> bool:
    """Return whether the hours belong to a season without dates."""
    return not UNDATED_SEASONS.isdisjoint((entry.key.description or "").split("; "))


def _may_coincide(one: Entry, two: Entry) -> bool:
    """Check for weekdays that share a date: Tuesdays and second Tuesdays, or fourth and last."""
    assert one.day
    assert two.day
    first, second = set(one.day.nths), set(two.day.nths)
    is_last = (-1 in first and second & {4, 5}) or (-1 in second and first & {4, 5})
    is_same_week = not (first and second) or bool(first & second or is_last)
    return one.day.weekday == two.day.weekday and is_same_week


def _begins_within(one: Entry, two: Entry) -> bool:
    """Check for an opening within hours that have an end: "Mon-Fri 8-4, lunch 11:30"."""
    opens = two.span[0] < one.span[0] < two.span[1]
    return one.has_no_end and not two.has_no_end and opens


def _is_extended(one: Entry, two: Entry) -> bool:
    """Check for longer hours in some of the weeks: "Sat 12-1; 3rd Sat 11-1" contradicts nothing."""
    assert one.day
    assert two.day
    rare, usual = (two, one) if one.day.is_weekly else (one, two)
    return one.day.is_weekly != two.day.is_weekly and rare.covers(usual) and not usual.has_no_end


def _is_part(part: Entry, whole: Entry) -> bool:
    """Check for named hours within longer ones: "Daily 9-5; groceries Tue 1-3" does not say to
    which service the longer hours belong."""
    if not part.name or whole.name or part.name.startswith("\0") or part.span == whole.span:
        return False
    start, end = part.span
    end = start if part.has_no_end else end  # "Mon-Fri 8-4; lunch at 11:30"
    return whole.span[0] <= start and end <= whole.span[1]


def build_schedules(assembler: Assembler, *, is_24: bool) -> list[Schedule]:
    """Return schedules of the assembled clauses, sorted by day and time. Raises CannotTell."""
    closures = assembler.closures
    _limit_to_rest_of_year(assembler.clauses)
    if closures.has_undated_season:
        for span in (span for clause in assembler.clauses for span in clause.spans):
            span.service = span.service or OUTSIDE_SEASON  # "Sunday 1-5, closed in summer"
    names = {span.label for clause in assembler.clauses for span in clause.spans}
    _set_aside(assembler.clauses, names_food=bool(names - {None}))
    entries: list[Entry] = []
    for number, clause in enumerate(assembler.clauses):
        if not clause.is_closed:
            entries += _make_rules(clause, number, closures, is_24=is_24, named=len(names) > 1)
    rest = _drop_covered(entries)
    conflicts = _find_conflicts(rest) | _find_unnamed_before_days(assembler, rest)
    if conflicts:  # in contradictions, covered spans may count too
        conflicts = _find_conflicts(entries) | _find_unnamed_before_days(assembler, entries)
    else:
        entries = rest
    entries = [e.with_doubt(TIMES_DIFFER) if e in conflicts else e for e in entries]
    longest = FOOD_MINUTES if assembler.names_food else DIAL_MINUTES
    schedules = doubt_long_hours(_merge(entries), None if is_24 else longest)
    if not schedules:
        raise CannotTell("closed")
    schedules += [Schedule(description=doubt) for doubt in dict.fromkeys(assembler.doubts)]
    return schedules + list(_make_closures(closures, is_24=is_24))


def _find_unnamed_before_days(assembler: Assembler, entries: list[Entry]) -> set[Entry]:
    """Return the unnamed hours where some are on more days than the food alone: "Mon-Thu 7-5;
    pantry days are Tue and Thu"."""
    if assembler.names_visitors:
        return set()  # "Tue, Thu 9-11. New clients Tue only"
    is_longer = any(
        before.spans and after.is_named_only
        for before, after in combinations(assembler.clauses, 2)
        if after.weekdays < before.weekdays
    )
    # "Mon-Sat 10-6, Sun 12-5; food boxes Fri only": Sunday's hours are no longer for food
    return {entry for entry in entries if is_longer and entry.key.span and not entry.name}


def _limit_to_rest_of_year(clauses: Sequence[Clause]) -> None:
    """Mark the first hours of "Mon-Fri 9-5; summer hours: Mon 9-12": they pause in summer, dates
    unknown. Raises CannotTell where they belong to a service."""
    seasonal: set[int] = set()
    labels: set[str | None] = set()
    for clause in clauses:
        if any(span.service in UNDATED_SEASONS for span in clause.spans):
            names = [span.service for span in clause.spans]
            if clause.season and SCHOOL_YEAR in names:  # "3-5 in the school year, 1-3 in June"
                raise CannotTell("a season for some of the hours")
            for span in clause.spans if clause.season else ():
                if span.service in _DATED:  # "summer meals June 5 - July 28"
                    span.service = None
            seasonal |= clause.weekdays
            labels |= {span.label for span in clause.spans}
    for clause in clauses if seasonal else ():
        for span in clause.spans:
            if clause.season and span.service is None:
                continue  # "June-August: Mon 7-5. School year: Mon-Fri 8-4"
            # "Snack M-F 3-4, supper M-F 5-6 in the school year" may apply all year
            is_other = span.label is not None and labels.isdisjoint((None, span.label))
            if span.service is None and clause.weekdays & seasonal and not is_other:
                span.service = OUTSIDE_SEASON
            elif span.service is None:
                clause.may_pause = True
            elif span.service not in UNDATED_SEASONS:
                raise CannotTell("a season for some of the hours")


def _set_aside(clauses: Sequence[Clause], *, names_food: bool) -> None:
    """Mark the hours of services other than food, and those of services that may be other ones.

    Where the text names food ("Pantry: Tue 1-3; Clinic: Mon 9-5"), all other services are other
    ones. Elsewhere the words of the name decide: "Energy assistance: Wed 9-12" opens nothing, and
    "Hope Hall: Wed 9-12" is doubtful.
    """
    spans = (span for clause in clauses for span in clause.spans)
    every: list[Clause | NamedSpan] = [*clauses, *spans]
    for item in every:
        name = item.service
        if name in (None, OFFICE_HOURS, *UNDATED_SEASONS):
            continue
        words = re.split("[ /-]", str(name))
        is_of_food = any(has_stem(word, (*STEMS.food_stems, *STEMS.about_food)) for word in words)
        is_of_food &= not (name in NEVER_FOOD or any(has_stem(w, STEMS.no_food) for w in words))
        is_other = name in NEVER_FOOD or any(has_stem(word, STEMS.other_service) for word in words)
        is_other &= not has_stem(words[-1], STEMS.visitors)  # "shelter guests only"
        if names_food or (is_other and not is_of_food):
            item.service = f"{OTHER_SERVICE}: {name}"
        elif not (is_of_food or all(has_stem(word, STEMS.plain_name) for word in words)):
            item.service = f"{name}; {SERVICE_UNKNOWN}"


def _make_rules(
    clause: Clause, number: int, closures: Closures, *, is_24: bool, named: bool
) -> Iterator[Entry]:
    """Yield the rules of a clause; `named` says that they need the names of their meals."""
    closed = {day.weekday for days in closures.days if days.is_weekly for day in days.days}
    days: list[tuple[Day | None, tuple[int, ...]]] = [] if clause.has_days else [(None, ())]
    if clause.days and clause.days.month_days:
        days.append((None, clause.days.month_days))
    weekly = clause.days.days if clause.days else ()
    days += [(day, ()) for day in weekly if day.weekday not in closed]
    uses = Counter(id(raw) for _, raw in closures.pauses)
    pauses = [(raw, uses[id(raw)] > 1) for owner, raw in closures.pauses if owner is clause]
    raws = (hours.raw for hours in clause.spans)
    is_bare = not is_24 and any(raw.is_bare for raw in raws)
    office: Span | None = None
    for span, name in _read_spans(clause, pauses, is_24=is_24):
        description = _describe(clause, name if named or (name and name.startswith("\0")) else None)
        is_of_office = name == _OFFICE
        office = span if is_of_office else office
        for day, month_days in days:
            is_monthly = bool(month_days or (day and day.nths))
            freq = "MONTHLY" if is_monthly else "WEEKLY" if day else None
            for season in clause.season.each if clause.season else (None,):
                key = Key(freq, day.interval if day else 1, span, season, description)
                entry = Entry(key, day, number, month_days, name, is_bare)
                if season and freq is None:
                    entry = entry.with_doubt(SOME_DAYS)
                if clause.may_pause:
                    entry = entry.with_doubt(SOME_MONTHS)
                # "Mon-Fri 9-5 office; pantry 10-12"
                is_within = span and office and office[0] <= span[0] and span[1] <= office[1]
                if is_within and not is_of_office and len(clause.weekdays) > 2:
                    entry = entry.with_doubt(SOME_DAYS)
                yield entry.with_doubt(SOME_WEEKS) if day and day.is_some else entry
    for day_of_clause in clause.dates:
        for span, name in _read_spans(clause, pauses, is_24=is_24):
            season = Season(day_of_clause.isoformat(), day_of_clause.isoformat())
            yield Entry(Key(None, 1, span, season, _describe(clause, name)), None, number)


def _read_spans(
    clause: Clause, pauses: list[tuple[RawSpan, bool]], *, is_24: bool
) -> list[tuple[Span | None, str | None]]:
    """Return the clause's spans with the name (meal, visitors) of each; a single None for a clause
    without times. Each of `pauses` says whether other clauses share it."""
    if not clause.spans:
        label = "; ".join(filter(None, (clause.who, clause.service)))
        return [(None, label and f"\0{label}")]
    part = clause.days.part if clause.days else None
    is_most_days = len(clause.weekdays) >= 4
    spans: list[tuple[Span | None, str | None]] = []
    for before, current in zip([None, *clause.spans], clause.spans, strict=False):
        try:
            span = read_span(
                current.raw,
                is_24=is_24,
                part=part or PARTS_OF_MEALS.get((current.label or "").rpartition(" ")[2]),
                after=_find_end_before(current, before, spans[-1][0])
                if before and not part
                else None,
                is_most_days=is_most_days,
            )
        except CannotTell:
            if not clause.has_days:
                raise
            span = None  # only the days are certain: "Tue 7-9"
        label = "; ".join(filter(None, (current.who, current.service)))
        name = f"\0{label}" if label else current.label
        spans.append((span, name))
    for raw, is_shared in pauses:
        pause = read_span(raw, is_24=is_24)
        spans = [*_cut_pause(spans, pause, is_shared=is_shared)]
    return [*spans]


def _find_end_before(current: NamedSpan, before: NamedSpan, span: Span | None) -> int | None:
    """Return the end of the span before; None for "9-12 (seniors 9-10)", which goes back. Raises
    CannotTell for "9-12 (seniors 8-9)", which may continue at 8 p.m."""
    raw = current.raw
    if span is None or span[1] == NO_END or raw.end is None:
        return None
    if current.service != before.service and current.service in UNDATED_SEASONS:
        return None  # "Tue 9-11 (summer 8-10)"
    starts_later = raw.start.minutes("am") >= span[1] or not 6 <= raw.start.hour <= 11
    if not raw.is_bare or starts_later:
        return span[1]
    if span[0] <= raw.start.minutes("am") and raw.end.minutes("am") <= span[1]:
        return None
    if current.who == before.who:
        return span[1]
    raise CannotTell("morning or evening")


def _cut_pause(
    spans: list[tuple[Span | None, str | None]], pause: Span, *, is_shared: bool
) -> Iterator[tuple[Span | None, str | None]]:
    """Yield spans without a pause. A pause for all days may follow the hours of some: "Mon-Thu 9-4,
    Fri 9-12, closed daily 12-1". Raises CannotTell."""
    if not any(span and span[0] < pause[0] < pause[1] < span[1] for span, _ in spans):
        ends = {span[1] for span, _ in spans if span}
        starts = {span[0] for span, _ in spans if span}
        if pause[0] in ends and (is_shared or pause[1] in starts):
            yield from spans  # "9-12 & 1-4, closed 12-1"
            return
        raise CannotTell("a pause outside the hours")
    for span, name in spans:
        if span and span[0] < pause[0] < pause[1] < span[1]:
            yield (span[0], pause[0]), name
            yield (pause[1], span[1]), name
        else:
            yield span, name


def _describe(clause: Clause, name: str | None) -> str | None:
    parts = [name.removeprefix("\0")] if name else []
    parts += list(dict.fromkeys(clause.remarks))
    return "; ".join(parts) or None


def _merge(entries: Iterable[Entry]) -> list[Schedule]:
    groups: dict[Key, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.key, []).append(entry)

    def order(key: Key) -> tuple[tuple[int, int], Span, str]:
        days = [(e.day.weekday, (e.day.nths or (0,))[0]) if e.day else (8, 0) for e in groups[key]]
        first = (7, 0) if any(entry.month_days for entry in groups[key]) else min(days)
        return first, key.span or (0, 0), key.season.first if key.season else ""

    return [_make_schedule(key, groups[key]) for key in sorted(groups, key=order)]


def _make_schedule(key: Key, group: list[Entry]) -> Schedule:
    month_days = sorted({day for entry in group for day in entry.month_days})
    days = {entry.day for entry in group if entry.day}
    return Schedule(
        opens_at=as_text(key.span[0]) if key.span else None,
        closes_at=as_text(key.span[1]) if key.span and key.span[1] != NO_END else None,
        freq=key.freq,  # type: ignore[arg-type]
        byday=_write_byday(days),
        bymonthday=",".join(map(str, month_days)) or None,
        interval=key.interval,
        valid_from=key.season.first if key.season else None,
        valid_to=key.season.last if key.season else None,
        description=key.description,
    )


def _write_byday(days: Iterable[Day]) -> str | None:
    """Return RFC 5545 days in week order; weeks of a weekday in order, the last week at the end."""
    codes = {
        (day.weekday, nth % 7, f"{nth or ''}{WEEKDAY_CODES[day.weekday]}")
        for day in days
        for nth in (day.nths or (0,))
    }
    return ",".join(code for _, _, code in sorted(codes)) or None


def _make_closures(closures: Closures, *, is_24: bool) -> Iterator[Schedule]:
    for days, raw in closures.times:  # "closed the first Monday 12-1"
        kinds = {(bool(day.nths), day.interval) for day in days.days}
        if days.month_days or len(kinds) != 1 or (False, 2) in kinds:
            raise CannotTell("closed at some times on some days")
        start, end = read_span(raw, is_24=is_24)
        yield Schedule(
            opens_at=as_text(start),
            closes_at=as_text(min(end, DAY_MINUTES)),
            freq="MONTHLY" if (True, 1) in kinds else "WEEKLY",
            byday=_write_byday(days.days),
            is_closed=True,
        )
    for days in closures.days:
        monthly = [day for day in days.days if day.nths]
        if monthly:
            yield Schedule(freq="MONTHLY", byday=_write_byday(monthly), is_closed=True)
        if days.month_days:
            if set(days.month_days) <= {1, 2, 3, 4, 5}:
                raise CannotTell("the first of the month, or the first such day")
            text = ",".join(map(str, days.month_days))
            yield Schedule(freq="MONTHLY", bymonthday=text, is_closed=True)
    for season in closures.seasons:
        yield Schedule(valid_from=season.first, valid_to=season.last, is_closed=True)
    if closures.holidays:
        yield Schedule(description=", ".join(dict.fromkeys(closures.holidays)), is_closed=True)


# A pantry that is open for more than ten hours is rare, and a wrong am or pm makes one: "9:00 AM -
# 11:00 PM" for "11:00 AM". The parser doubts what it can tell from the text alone; here the type of
# place and other lists decide.
#
# Longest usual spans: of a place that gives food, and of any place on a clock of twelve hours.
FOOD_MINUTES = 10 * 60
DIAL_MINUTES = 12 * 60


def doubt_long_hours(schedules: Iterable[Schedule], longest: int | None) -> list[Schedule]:
    """Return the schedules with a doubt about spans of more than `longest` minutes, but not about
    round the clock, offices and other services. None: no span is doubtful for its length.
    """
    doubted: list[Schedule] = []
    for schedule in schedules:
        start, end, has_times = rule_of(schedule).minutes()
        is_long = longest is not None and has_times and longest < end - start < DAY_MINUTES
        is_long &= not (schedule.is_closed or is_beside(schedule))
        words = [word for word in (schedule.description or "").split("; ") if word != LONG_HOURS]
        words += [LONG_HOURS] if is_long else []
        description = "; ".join(filter(None, words)) or None
        doubted.append(msgspec.structs.replace(schedule, description=description))
    return doubted
