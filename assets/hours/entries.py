"""Single rules of clauses before merging; finds rules that contradict each other."""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

from assets.hours.days import Day
from assets.hours.seasons import Season, overlap
from assets.hours.times import NO_END, CannotTell, Span
from schemas.hours.schedule import UNDATED_SEASONS


@dataclass(frozen=True, slots=True)
class Key:
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


def without_covered(entries: list[Entry]) -> list[Entry]:
    """Drop spans that a longer one covers: "Mon-Fri 8:30-5:15; Wed 8:30-7" means Wednesday 8:30 to
    7 in any case."""
    widths = Counter(entry.clause for entry in entries)
    return [
        entry
        for entry in entries
        if not any(
            other.clause > entry.clause
            and widths[other.clause] < widths[entry.clause]
            and _is_same_but_longer(other, entry)
            for other in entries
        )
    ]


def _is_same_but_longer(longer: Entry, entry: Entry) -> bool:
    one, two = longer.key, entry.key
    if not (one.span and two.span and entry.day) or longer.day != entry.day:
        return False
    if one.span[1] == NO_END:
        return False
    is_same = (one.season, one.description) == (two.season, two.description)
    is_longer = one.span[0] <= two.span[0] and two.span[1] <= one.span[1] and one.span != two.span
    return is_same and longer.name == entry.name and is_longer and not longer.is_bare


def conflicts_of(entries: list[Entry]) -> set[Entry]:
    """Return the entries that contradict others: in "Mon-Fri 8-5; Wed 10-2" the second may replace
    the first or add to it. Raises CannotTell where the contradiction reaches beyond the day."""
    conflicts: set[Entry] = set()
    candidates = [entry for entry in entries if entry.day and entry.key.span]
    for one, two in combinations(candidates, 2):
        is_mixed = (one.key.season is None) != (two.key.season is None)
        if one.day == two.day and is_mixed and not (_is_undated(one) or _is_undated(two)):
            if not (one.name and two.name and one.name != two.name):
                raise CannotTell("a season for some of the hours")
            conflicts |= {one, two}  # "Breakfast M-F 7-8; lunch M-F 11-1 (Aug 12-May 28)"
        if _may_coincide(one, two) and _is_part(one, two):
            # "Daily 9-5; groceries Tue 1-3", "Mon-Wed 8-4, Thu 8-12; food Tue 9-2"
            conflicts |= {entry for entry in entries if not entry.name}
        if one.day == two.day and (_may_follow(one, two) or _may_follow(two, one)):
            raise CannotTell("morning or evening")
        if not (_may_coincide(one, two) and overlap(one.key.season, two.key.season)):
            continue
        is_same = one.key.span == two.key.span or one.name != two.name
        is_list = one.clause == two.clause and (_has_no_end(one) or _has_no_end(two))
        if is_list and not (_begins_within(one, two) or _begins_within(two, one)):
            continue  # "every Tuesday at 10 am and 2 pm"
        if not is_same and _overlap(one.key, two.key) and not _is_extended(one, two):
            conflicts |= {one, two}
    return conflicts


def _is_undated(entry: Entry) -> bool:
    """Return whether the hours belong to a season without dates."""
    return not UNDATED_SEASONS.isdisjoint((entry.key.description or "").split("; "))


def _may_coincide(one: Entry, two: Entry) -> bool:
    """Check for weekdays that share a date: Tuesdays and second Tuesdays, or fourth and last."""
    if not (one.day and two.day) or one.day.weekday != two.day.weekday:
        return False
    first, second = set(one.day.nths), set(two.day.nths)
    is_last = (-1 in first and second & {4, 5}) or (-1 in second and first & {4, 5})
    return not (first and second) or bool(first & second or is_last)


def _has_no_end(entry: Entry) -> bool:
    return entry.key.span is not None and entry.key.span[1] == NO_END


def _begins_within(one: Entry, two: Entry) -> bool:
    """Check for an opening within hours that have an end: "Mon-Fri 8-4, lunch 11:30"."""
    assert one.key.span
    assert two.key.span
    opens = two.key.span[0] < one.key.span[0] < two.key.span[1]
    return _has_no_end(one) and not _has_no_end(two) and opens


def _is_extended(one: Entry, two: Entry) -> bool:
    """Check for longer hours in some of the weeks: "Sat 12-1; 3rd Sat 11-1" contradicts nothing."""
    assert one.day
    assert two.day
    rare, usual = (two, one) if one.day.is_weekly else (one, two)
    assert rare.key.span
    assert usual.key.span
    covers = rare.key.span[0] <= usual.key.span[0] and usual.key.span[1] <= rare.key.span[1]
    return one.day.is_weekly != two.day.is_weekly and covers and usual.key.span[1] != NO_END


def _may_follow(one: Entry, two: Entry) -> bool:
    """Check for an evening reading: "Fri 2-8; teens only: Fri 8-10" continues at 8 p.m."""
    assert one.key.span
    assert two.key.span
    is_later = one.clause < two.clause and one.key.span[1] == two.key.span[0] + 12 * 60
    return two.is_bare and is_later


def _is_part(one: Entry, two: Entry) -> bool:
    """Check for hours within longer ones: "Daily 9-5; groceries Tue 1-3" does not say to which
    service the longer hours belong."""
    part, whole = (one, two) if one.name else (two, one)
    if not part.name or whole.name or part.name.startswith("\0"):
        return False
    assert part.key.span
    assert whole.key.span
    start, end = part.key.span
    end = start if _has_no_end(part) else end  # "Mon-Fri 8-4; lunch at 11:30"
    within = whole.key.span[0] <= start and end <= whole.key.span[1]
    return within and part.key.span != whole.key.span


def _overlap(one: Key, two: Key) -> bool:
    assert one.span
    assert two.span
    return one.span[0] < two.span[1] and two.span[0] < one.span[1]
