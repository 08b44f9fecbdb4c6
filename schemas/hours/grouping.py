"""Groups schedules for display: days with the same times, dates with the same times."""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from schemas.hours.recurrence import Rule

# Opening and closing in minutes since midnight, if known.
Times = tuple[tuple[int | None, int | None], ...]


class Part(NamedTuple):
    """Schedules that differ only in time of day or, if weekly, in days and time."""

    rule: Rule
    days: tuple[int, ...]
    dates: tuple[date, ...]
    times: Times


def parts_of(rules: list[Rule]) -> list[Part]:
    weekly = [r for r in rules if is_weekly(r)]
    single_days = [r for r in rules if is_single(r)]
    others = [r for r in rules if not is_weekly(r) and not is_single(r)]
    return [*_weekly_parts(weekly), *_other_parts(others), *_split_dated(single_days)]


def is_weekly(rule: Rule) -> bool:
    s = rule.schedule
    return rule.is_readable and s.freq == "WEEKLY" and s.interval == 1 and bool(rule.weekdays)


def is_single(rule: Rule) -> bool:
    is_dated = isinstance(rule.first, date) and rule.first == rule.last
    return rule.is_readable and rule.schedule.freq is None and is_dated


def _weekly_parts(rules: list[Rule]) -> Iterable[Part]:
    """Return days grouped by same times, season and remark, in week order."""
    by_day: dict[tuple[object, int], list[Rule]] = {}
    for rule in rules:
        for day in rule.weekdays:
            by_day.setdefault((_surroundings(rule), day), []).append(rule)
    by_times: dict[tuple[object, Times], tuple[Rule, list[int]]] = {}
    for (around, day), day_rules in sorted(by_day.items(), key=lambda item: item[0][1]):
        key = (around, _times(day_rules))
        by_times.setdefault(key, (day_rules[0], []))[1].append(day)
    return [Part(rule, tuple(days), (), times) for (_, times), (rule, days) in by_times.items()]


def _other_parts(rules: list[Rule]) -> Iterable[Part]:
    groups: dict[object, list[Rule]] = {}
    for rule in rules:
        s = rule.schedule
        key = (_surroundings(rule), s.freq, s.byday, s.bymonthday, s.interval, rule.is_readable)
        groups.setdefault(key, []).append(rule)
    return [Part(group[0], (), (), _times(group)) for group in groups.values()]


def _split_dated(rules: list[Rule]) -> Iterable[Part]:
    """Return single dates grouped by same times and remark, in order."""
    by_day: dict[tuple[str | None, date], list[Rule]] = {}
    for rule in rules:
        assert isinstance(rule.first, date)  # as `is_single` checks
        by_day.setdefault((rule.schedule.description, rule.first), []).append(rule)
    by_times: dict[tuple[str | None, Times], tuple[Rule, list[date]]] = {}
    for (remark, day), day_rules in sorted(by_day.items(), key=lambda item: item[0][1]):
        by_times.setdefault((remark, _times(day_rules)), (day_rules[0], []))[1].append(day)
    return [Part(rule, (), tuple(days), times) for (_, times), (rule, days) in by_times.items()]


def _surroundings(rule: Rule) -> tuple[str | None, ...]:
    s = rule.schedule
    return s.valid_from, s.valid_to, s.dtstart, s.description


def _times(rules: list[Rule]) -> Times:
    times = {(rule.opens, rule.closes) for rule in rules}
    return tuple(sorted(times, key=lambda t: (t[0] is None, t[0] or 0, t[1] or 0)))
