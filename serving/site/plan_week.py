"""Plans a week around a start: places open on each day, the certainty of that, and the visits.

A place counts for a day when its hours say that it is open at some moment of the time that suits:
current hours, hours too old to be asserted (doubt `hours_old`), or current hours that do not settle
the day (`hours_unsure`). Places without hours, and those whose address is not published, are on no
day. A place that is known to miss a filter is left out; one of which that is not known stays, with
a doubt. Doubts make a visit uncertain; nothing beyond filters and doubts is judged.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from schemas.api.plan import DoubtCode, UnusedReason
from schemas.attributes import EVERYONE
from schemas.hours.recurrence import DAY_MINUTES
from schemas.values.coordinates import chord_to_miles, ecef, miles_to_chord
from schemas.vocab.statuses import EXACT_PRECISIONS
from serving.http.per_release import per_release
from serving.search.filter import NO_FILTERS, Filters, judge
from serving.search.openings import BY_OLD_HOURS, OPEN, UNKNOWN, Window, levels_within
from serving.search.query import Types
from serving.search.start import Start
from serving.site.plan import Visit, best_of_day, best_plan, fall_backs
from warehouse.index.attribute_bits import bits_of
from warehouse.index.hours_clock import day_number
from warehouse.index.reader import OpenRelease
from warehouse.index.visit_limits import read_visit_limits

Bools = NDArray[np.bool_]
Rows = NDArray[np.int64]
# Minutes since midnight; `before` None is the end of the day.
Times = tuple[int, int | None]
DAYS = 7
_EVERYONE = bits_of("audiences", [EVERYONE])
_PAPERS = frozenset({"documents", "no_documents"})
# Age of facts without a date: older than any.
_NO_DATE_DAYS = 100_000
_NEAREST, _MAX_CALLS = 12, 5


class Question(NamedTuple):
    """The question. `windows`: times that suit, by weekday (0 is Monday).

    `picked`: ids of the only places to plan with; without any, all within `miles` of the start.
    """

    start: Start
    types: Types
    miles: float
    windows: Mapping[int, Times]
    max_visits: int
    filters: Filters = NO_FILTERS
    picked: tuple[int, ...] = ()


class Doubt(NamedTuple):
    """A doubt about a visit; `parameter` names the filter of which nothing is known."""

    code: DoubtCode
    parameter: str = ""


@dataclass(frozen=True)
class Candidate:
    """A possible place. `days`: positions of its possible days."""

    row: int
    miles: float
    limit: str | None
    """How often somebody may come, as its list says it."""
    doubts: tuple[Doubt, ...]
    days: dict[int, Doubt | None]

    def doubts_on(self, day: int) -> list[Doubt]:
        """Return the doubts about going there on a day, that about its hours first."""
        of_hours = self.days[day]
        return [*([of_hours] if of_hours else []), *self.doubts]


class Stop(NamedTuple):
    """A day of the plan."""

    visit: Visit
    fall_back: Visit | None


class UnusedPlace(NamedTuple):
    """A picked place that is on no day, with the key of the reason."""

    resource_id: int
    row: int | None
    reason: UnusedReason


@dataclass(frozen=True)
class Week:
    """The plan. `candidates` by id: the stops, their alternatives, and the nearest others."""

    today: date
    stops: list[Stop]
    candidates: dict[int, Candidate]
    nearest: list[int]
    unused: list[UnusedPlace]
    idle: list[date]
    """Days that suit without a visit, where fewer visits were found than wanted."""
    call_first: list[UnusedPlace]
    """The nearest places without hours, where fewer visits were found than wanted."""

    def date_of(self, visit: Visit) -> date:
        return self.today + timedelta(days=visit.day)


def plan_week(release: OpenRelease, question: Question, now: datetime) -> Week:
    """Return the best plan of the coming seven days, today first. Safe for threads."""
    field = _Field(release, question, now)
    near = field.chances(field.is_near)
    pool = field.chances(field.is_picked) if question.picked else near
    plan = best_plan(pool, DAYS, question.max_visits)
    others = fall_backs(plan, DAYS, *field.other_chances())
    stops = [Stop(v, others.get(v.day)) for v in plan]
    nearest = field.nearest()
    place_ids = {v.place for stop in stops for v in stop if v}
    return Week(
        field.today,
        stops,
        {i: field.candidate(i) for i in (*place_ids, *nearest)},
        nearest,
        field.unused({stop.visit.place for stop in stops}),
        field.idle({stop.visit.day for stop in stops}) if len(stops) < question.max_visits else [],
        field.call_first() if len(stops) < question.max_visits else [],
    )


class _Field:
    """Columns of the places that are near or picked, by their distance."""

    def __init__(self, release: OpenRelease, question: Question, now: datetime) -> None:
        self._release, self._question, self._now = release, question, now
        self.rows, self._miles, self.is_near = _rows(release, question)
        self._ids = release.ids[self.rows]
        self.is_picked = np.isin(self._ids, question.picked)
        self._doubts = dict(_doubts(release, self.rows, question, now))
        self._is_sure = ~np.logical_or.reduce(
            [np.zeros(len(self.rows), dtype=bool), *self._doubts.values()]
        )
        is_match, is_known = judge(release, self.rows, question.filters, now)
        self._fails = is_known & ~is_match
        self.today, self._levels = self._weigh_days()
        self.is_open_at_all = np.logical_or.reduce(
            [np.zeros(len(self.rows), dtype=bool), *(lv != _SHUT for lv in self._levels.values())]
        )

    def _weigh_days(self) -> tuple[date, dict[int, NDArray[np.int8]]]:
        """Return the first day, and by position of the days that suit the level of each place."""
        release, rows, now = self._release, self.rows, self._now
        codes = release.hours_codes[rows]
        zones = np.unique(release.timetable_zones[codes[codes >= 0]]).tolist()
        clocks = {zone: now.astimezone(release.time_zones[zone]) for zone in zones}
        if not clocks:
            return now.date(), {}
        first = int(release.timetable_zones[codes[codes >= 0][0]])
        today = clocks[first].date()
        same = {zone: clock for zone, clock in clocks.items() if clock.date() == today}
        # If clocks differ, the latest counts: nothing already over is planned.
        minute = max(clock.hour * 60 + clock.minute for clock in same.values())
        is_here = np.zeros(len(rows), dtype=bool)
        is_here[codes >= 0] = np.isin(release.timetable_zones[codes[codes >= 0]], list(same))
        shows = release.are_hours_shown(rows, now)
        levels = {}
        for day in range(DAYS):
            window = self._window(today, day, minute)
            if window is None:
                continue
            day_levels = levels_within(release, rows, window, now)
            is_possible = is_here & (
                (day_levels == OPEN)
                | (day_levels == BY_OLD_HOURS)
                | ((day_levels == UNKNOWN) & shows)
            )
            levels[day] = np.where(is_possible & ~self._fails, day_levels, _SHUT).astype(np.int8)
        return today, levels

    def _window(self, today: date, day: int, minute: int) -> Window | None:
        weekday = (today.weekday() + day) % DAYS
        if weekday not in self._question.windows:
            return None
        after, before = self._question.windows[weekday]
        end = DAY_MINUTES if before is None else before
        end = end if end > after else end + DAY_MINUTES
        after = max(after, minute) if day == 0 else after
        return Window(weekday, after, end) if after < end else None

    def other_chances(self) -> Iterator[list[Visit]]:
        """Yield the visits that fall-backs may need: those without an appointment first."""
        is_eligible = self.is_near | self.is_picked
        by_appointment, is_known = self._release.facts.truth("requires_appointment", self.rows)
        # A plan and its fall-backs take twice as many places as there are days, at most.
        yield self.chances(is_eligible & ~(by_appointment & is_known), 2 * DAYS)
        yield self.chances(is_eligible, 2 * DAYS)

    def chances(self, is_eligible: Bools, count: int = DAYS) -> list[Visit]:
        """Return the visits that a best plan may need: a limited number per day."""
        today = day_number(self._now)
        dated_days = self._release.dated_days[self.rows].astype(np.int64)
        ages = np.where(dated_days < 0, _NO_DATE_DAYS, np.maximum(0, today - dated_days))
        hundredths = np.rint(self._miles * 100).astype(np.int64)
        visits = []
        for day, levels in self._levels.items():
            at = np.flatnonzero(is_eligible & (levels != _SHUT))
            has_hours = levels[at] == OPEN
            columns = (
                self._is_sure[at] & has_hours,
                has_hours,
                hundredths[at],
                ages[at],
                self._ids[at],
            )
            best = best_of_day(*columns, count=count)
            sure, hours, far, old, ids = (column[best].tolist() for column in columns)
            visits += [Visit(day, *one) for one in zip(ids, sure, hours, far, old, strict=True)]
        return visits

    def candidate(self, resource_id: int) -> Candidate:
        """Return a place with its doubts and its days."""
        at = int(np.flatnonzero(self._ids == resource_id)[0])
        of_hours: dict[int, Doubt | None] = {
            OPEN: None,
            BY_OLD_HOURS: Doubt("hours_old"),
            UNKNOWN: Doubt("hours_unsure"),
        }
        return Candidate(
            int(self.rows[at]),
            float(self._miles[at]),
            _visit_limits(self._release).get(resource_id),
            tuple(doubt for doubt, mask in self._doubts.items() if mask[at]),
            {
                day: of_hours[int(levels[at])]
                for day, levels in self._levels.items()
                if levels[at] != _SHUT
            },
        )

    def nearest(self) -> list[int]:
        """Return the ids of the nearest places that are open at some time that suits."""
        ids: list[int] = self._ids[self.is_near & self.is_open_at_all][:_NEAREST].tolist()
        return ids

    def call_first(self) -> list[UnusedPlace]:
        """Return the nearest places that match and whose hours are not known."""
        has_no_hours = self._release.hours_codes[self.rows] < 0
        at = np.flatnonzero(self.is_near & ~self.is_picked & ~self._fails & has_no_hours)
        places = zip(self._ids[at].tolist(), self.rows[at].tolist(), strict=True)
        return [UnusedPlace(i, row, "no_hours") for i, row in islice(places, _MAX_CALLS)]

    def idle(self, days: set[int]) -> list[date]:
        """Return the days that suit and are not used."""
        return [self.today + timedelta(days=day) for day in self._levels if day not in days]

    def unused(self, place_ids: set[int]) -> list[UnusedPlace]:
        """Return the picked places that are on no day of the plan."""
        unused = []
        for resource_id in self._question.picked:
            row = self._release.row_of(resource_id)
            if resource_id not in place_ids:
                unused.append(UnusedPlace(resource_id, row, self._reason(resource_id, row)))
        return unused

    def _reason(self, resource_id: int, row: int | None) -> UnusedReason:
        if row is None:
            return "not_listed"
        if self._release.is_confidential[row]:
            return "hidden"
        at = int(np.flatnonzero(self._ids == resource_id)[0])
        if self._fails[at]:
            return "does_not_match"
        if self._release.hours_codes[row] < 0:
            return "no_hours"
        return "not_needed" if self.is_open_at_all[at] else "not_open"


# Level of a place that must not be visited on a day.
_SHUT = -1


def _rows(release: OpenRelease, question: Question) -> tuple[Rows, NDArray[np.float64], Bools]:
    """Return the rows near or picked by distance, ties by id; their miles; which are near."""
    near = release.spatial.select(question.types).within(
        question.start.at, miles_to_chord(question.miles)
    )
    rows = [release.row_of(resource_id) for resource_id in question.picked]
    picked_rows = np.array([row for row in rows if row is not None], dtype=np.int64)
    rows_of_both = np.unique(np.concatenate([near.rows.astype(np.int64), picked_rows]))
    visible = rows_of_both[release.is_confidential[rows_of_both] == 0]
    points = ecef(release.lats[visible], release.lngs[visible])
    chords = np.linalg.norm(points - np.array(question.start.at), axis=1)
    miles = np.asarray(chord_to_miles(chords))
    order = np.lexsort((release.ids[visible], miles))
    return visible[order], miles[order], np.isin(visible[order], near.rows)


def _doubts(
    release: OpenRelease, rows: Rows, question: Question, now: datetime
) -> Iterator[tuple[Doubt, Bools]]:
    """Yield the doubts that do not depend on the day, each with the places that it is about."""
    facts, filters = release.facts, question.filters
    yield Doubt("papers_unknown"), ~facts.truth("requires_documents", rows)[1]
    is_by_appointment, is_known = facts.truth("requires_appointment", rows)
    if "appointment" not in filters.truths:
        yield Doubt("appointment"), is_by_appointment & is_known
    if "audience" not in dict(filters.codes):
        yield Doubt("only_some"), _serves_only_some(release, rows, filters)
    yield Doubt("area"), _area_doubts(release, rows, question)
    yield Doubt("limit"), np.isin(release.ids[rows], list(_visit_limits(release)))
    for name, alone in _parts(filters):
        yield Doubt("not_known", name), ~judge(release, rows, alone, now)[1]
    if release.live.doubts:
        yield Doubt("reported"), np.array([release.is_doubted(r) for r in rows.tolist()], bool)
    precisions = [release.precision_of(row) for row in rows.tolist()]
    yield (
        Doubt("rough_point"),
        np.array([p not in EXACT_PRECISIONS for p in precisions], dtype=bool),
    )


@per_release
def _visit_limits(release: OpenRelease) -> dict[int, str]:
    with release.cursor() as db:
        return read_visit_limits(db)


def _serves_only_some(release: OpenRelease, rows: Rows, filters: Filters) -> Bools:
    audiences = release.facts.bits("audiences", rows)
    some: Bools = (audiences != 0) & ((audiences & _EVERYONE) == 0)
    if filters.age is None:
        low, high = release.facts.ages(rows)
        some = some | (low > 0) | (high >= 0)
    return some


def _area_doubts(release: OpenRelease, rows: Rows, question: Question) -> Bools:
    """Return the places that name an area which is not known to be the visitor's."""
    home = question.filters.serves_zip or question.start.location.zip
    answers = release.service_areas.answers(rows, home) if home else ["not_known"] * len(rows)
    return np.array(
        [
            answer != "yes" and release.service_areas.area(row) is not None
            for answer, row in zip(answers, rows.tolist(), strict=True)
        ],
        dtype=bool,
    )


def _parts(filters: Filters) -> Iterator[tuple[str, Filters]]:
    """Yield each filter separately, except document filters, which have their own doubt."""
    for name in sorted(filters.truths - _PAPERS):
        yield name, Filters(truths=frozenset({name}))
    for name, codes in filters.codes:
        if name not in _PAPERS:
            yield name, Filters(codes=((name, codes),))
    if filters.age is not None:
        yield "age", Filters(age=filters.age)
