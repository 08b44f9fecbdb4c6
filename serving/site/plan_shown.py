"""A plan in words: each visit as a page shows it, and the answer of the API from the same."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from schemas.api.plan import PlanDoubt, PlanHours, PlanStop, PlanUnused, PlanVisit, WeekPlan
from schemas.attributes import CODE_LISTS, TRUTHS
from schemas.hours.clock_words import capital, full_date, weekdays
from schemas.hours.opening import spans_by_day
from schemas.languages import PUBLISHED
from schemas.values.coordinates import round_miles
from schemas.words import Words, say
from serving.places.view import PlaceView, distance_words, place_view
from serving.places.week import hours_of_day
from serving.render.formats import number
from serving.render.words import Language, words
from serving.search.area_help import help_for
from serving.search.parameters import WEEKDAYS
from serving.site.place_page import papers_of
from serving.site.plan import Visit
from serving.site.plan_week import Candidate, Doubt, Question, UnusedPlace, Week
from warehouse.index.reader import OpenRelease

CONTACTS = 3
_WORDS = "plan"
# Minutes; a longer walk is not shown.
_LONGEST_WALK = 120
# Places excluded for these reasons may still be called.
_CALL_FIRST = frozenset({"hidden", "no_hours"})


@dataclass(frozen=True)
class VisitView:
    """A visit in one language. `papers` is None if unknown, `walk` if it is too long; `also_on`
    names the other possible days."""

    view: PlaceView
    day: str
    hours: str
    miles: float
    distance: str
    walk: str | None
    papers: list[str] | None
    limit: str | None
    doubts: list[str]
    notes: list[str]
    is_certain: bool
    also_on: str


@dataclass(frozen=True)
class StopView:
    """A day of the plan in one language."""

    visit: VisitView
    fall_back: VisitView | None

    @property
    def visits(self) -> list[VisitView]:
        return [self.visit, *([self.fall_back] if self.fall_back else [])]


def say_once(stops: list[StopView]) -> tuple[list[str], list[StopView]]:
    """Return the doubts that every visit has, and the days without them."""
    of_visits = [one.doubts for stop in stops for one in stop.visits]
    shared = [d for d in of_visits[0] if all(d in doubts for doubts in of_visits)] if stops else []
    if len(of_visits) < 2 or not shared:
        return [], stops

    def without_shared(one: VisitView) -> VisitView:
        return replace(one, doubts=[d for d in one.doubts if d not in shared])

    return shared, [
        StopView(without_shared(stop.visit), stop.fall_back and without_shared(stop.fall_back))
        for stop in stops
    ]


@dataclass(frozen=True)
class PlanWords:
    """Writes the visits of a plan."""

    release: OpenRelease
    week: Week
    mph: float
    now: datetime

    def stops(self, language: Language) -> list[StopView]:
        """Return the days of the plan. Reads records: call it in a thread."""
        return [
            StopView(
                self.visit(stop.visit, language),
                self.visit(stop.fall_back, language) if stop.fall_back else None,
            )
            for stop in self.week.stops
        ]

    def view(self, row: int, candidate: Candidate | None, language: Language) -> PlaceView:
        """Return a place for a card, with its distance if it is a candidate."""
        precision = self.release.precision_of(row)
        miles = None if candidate is None else round_miles(candidate.miles, precision)
        return place_view(self.release, row, self.now, language, miles)

    def visit(self, visit: Visit, language: Language) -> VisitView:
        """Return a visit in words."""
        w, candidate = words(_WORDS, language), self.week.candidates[visit.place]
        minutes = self.walk_minutes(candidate)
        view = self.view(candidate.row, candidate, language)
        miles = float(view.record["distance"])
        return VisitView(
            view=view,
            day=capital(full_date(self.week.date_of(visit), language)),
            hours=capital(
                self._hours(candidate, self.week.date_of(visit), language) or w.hours_unsure
            ),
            miles=miles,
            distance=capital(distance_words(miles, language)),
            walk=w.walk(minutes, minutes=number(minutes, language))
            if minutes <= _LONGEST_WALK
            else None,
            papers=papers_of(view.record, language),
            limit=candidate.limit,
            doubts=[self.doubt(one, language) for one in candidate.doubts_on(visit.day)],
            notes=list(_further_notes(view, candidate.doubts_on(visit.day), language)),
            is_certain=visit.is_certain,
            also_on=self.days(candidate, language, without=visit.day),
        )

    def walk_minutes(self, candidate: Candidate) -> int:
        """Return the time on foot in a straight line, in whole minutes, rounded up; to a place that
        is known roughly, for the distance that is shown."""
        is_rough = any(doubt.code == "rough_point" for doubt in candidate.doubts)
        precision = self.release.precision_of(candidate.row)
        miles = round_miles(candidate.miles, precision) if is_rough else candidate.miles
        return math.ceil(miles / self.mph * 60)

    def days(self, candidate: Candidate, language: Language, without: int | None = None) -> str:
        """Return the possible weekdays of a place; empty for none."""
        first = self.week.today.weekday()
        return weekdays([(first + d) % 7 for d in candidate.days if d != without], language)

    def doubt(self, doubt: Doubt, language: Language) -> str:
        """Return a doubt as a sentence."""
        what = _filter_name(doubt.parameter, language) if doubt.parameter else ""
        return str(words(_WORDS, language).doubts[doubt.code]).format(what=what)

    def _hours(self, candidate: Candidate, day: date, language: Language) -> str | None:
        timetable = self.release.timetable(candidate.row)
        return None if timetable is None else hours_of_day(*timetable, day, language)


def _further_notes(view: PlaceView, doubts: list[Doubt], language: Language) -> Iterator[str]:
    """Yield the notes on a place that no doubt of the visit repeats."""
    by_appointment = str(words("place", language).appointment)
    is_said = any(doubt.code == "appointment" for doubt in doubts)
    yield from (note for note in view.notes if not (is_said and note.startswith(by_appointment)))


def _filter_name(parameter: str, language: Language) -> str:
    filters = [*(one.filter for one in TRUTHS), *(one.filter for one in CODE_LISTS)]
    labels = {one.parameter: one.label[language] for one in filters}
    return labels.get(parameter) or str(words(_WORDS, language).age)


def reason_of(release: OpenRelease, one: UnusedPlace, language: Language) -> str:
    """Say why a place is on no day, with a first step if one may help."""
    reason = str(words(_WORDS, language).reasons[one.reason])
    if one.row is None or one.reason not in _CALL_FIRST:
        return reason
    return f"{reason} {release.advice(one.row).sentence[language]}"


def message(question: Question, week: Week, language: Language) -> str:
    """Return the plan's result in words."""
    w, miles = words(_WORDS, language).counts, number(question.miles, language, 1)
    certain = sum(stop.visit.is_certain for stop in week.stops)
    return str(w.some if week.stops else w.none).format(
        distance=words("filters", language).miles(question.miles, value=miles),
        planned=len(week.stops),
        wanted=question.max_visits,
        certain=certain,
    )


# ---------------------------------------------------------------- the API


def answer(
    release: OpenRelease, question: Question, week: Week, mph: float, now: datetime, base_url: str
) -> WeekPlan:
    """Return a plan as the API does. Reads records: call it in a thread."""
    plan_words = PlanWords(release, week, mph, now)
    stops = [
        PlanStop(
            date=week.date_of(stop.visit).isoformat(),
            weekday=WEEKDAYS[week.date_of(stop.visit).weekday()],
            visit=_visit(plan_words, stop.visit, base_url),
            fall_back=_visit(plan_words, stop.fall_back, base_url) if stop.fall_back else None,
        )
        for stop in week.stops
    ]
    return WeekPlan(
        success=True,
        location=question.start.location,
        today=week.today.isoformat(),
        visits_wanted=question.max_visits,
        visits_planned=len(stops),
        visits_certain=sum(stop.visit.is_certain for stop in stops),
        max_miles=round(question.miles, 2),
        walk_mph=mph,
        message=say(
            lambda language: f"{message(question, week, language)} {_word('relies', language)}"
        ),
        rule=say(lambda language: _word("rule", language)),
        stops=stops,
        days_without=[day.isoformat() for day in week.idle],
        unused=[_describe_unused(release, one, now) for one in week.unused],
        call_first=[_describe_unused(release, one, now) for one in week.call_first],
        contacts=help_for(release, question.start).contacts[:CONTACTS],
        is_synthetic=release.is_synthetic,
        release_id=release.release_id,
    )


def _describe_unused(release: OpenRelease, one: UnusedPlace, now: datetime) -> PlanUnused:
    view = None if one.row is None else place_view(release, one.row, now, "en")
    return PlanUnused(
        one.resource_id,
        view.name if view else None,
        view.phone if view else None,
        one.reason,
        say(lambda language: reason_of(release, one, language)),
    )


def _visit(plan_words: PlanWords, visit: Visit, base_url: str) -> PlanVisit:
    english, spanish = (plan_words.visit(visit, language) for language in PUBLISHED)
    view, candidate = english.view, plan_words.week.candidates[visit.place]
    needs = view.record["requires_documents"]
    return PlanVisit(
        resource_id=view.id,
        name=view.name,
        resource_type=view.record["resource_type"],
        url=base_url + view.path,
        address=view.address,
        phone=view.phone,
        distance_miles=english.miles,
        walk_minutes=plan_words.walk_minutes(candidate),
        hours=_spans(plan_words, candidate, visit),
        hours_text=Words(english.hours, spanish.hours),
        is_certain=visit.is_certain,
        doubts=[_doubt(plan_words, one) for one in candidate.doubts_on(visit.day)],
        required_documents=None if needs is None else view.record["required_documents"] or [],
        visit_limit_text=candidate.limit,
        age=Words(english.view.confirmed, spanish.view.confirmed),
    )


def _doubt(plan_words: PlanWords, doubt: Doubt) -> PlanDoubt:
    return PlanDoubt(doubt.code, say(lambda language: plan_words.doubt(doubt, language)))


def _spans(plan_words: PlanWords, candidate: Candidate, visit: Visit) -> list[PlanHours]:
    timetable = plan_words.release.timetable(candidate.row)
    if timetable is None:
        return []
    spans = spans_by_day(*timetable, plan_words.week.date_of(visit), 1)[0] or []
    return [PlanHours(opens.isoformat(), closes.isoformat()) for opens, closes in spans]


def _word(name: str, language: Language) -> Any:
    return words(_WORDS, language)[name]
