"""The plan of a week: as a page with all its state in the address, and for programs."""

import asyncio
from datetime import UTC, date, datetime
from typing import Any

import segno
from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.types import Scope

from schemas.api.plan import WeekPlan
from schemas.attributes import CODE_LISTS
from schemas.hours.clock_words import capital, full_date
from schemas.values.us_holidays import holiday_name
from schemas.vocab.resource_types import MODES
from serving.context import context_of
from serving.http.answers import MINUTE, Answer, json_answer
from serving.http.errors import ServiceProblem, release_of
from serving.http.openapi import answers
from serving.places.view import PlaceView
from serving.render.page import page, page_head
from serving.render.words import Language, finder_paths, path_language, words
from serving.search.area_help import help_for
from serving.search.start import start_of_text
from serving.site import plan_request
from serving.site.choices import Choices, has_empty, lead_to
from serving.site.filter_form import code_labels, removable
from serving.site.plan_shown import CONTACTS, PlanWords, answer, message, reason_of, say_once
from serving.site.plan_week import DAYS, Question, UnusedPlace, plan_week
from serving.site.site import PROBLEM_WORDS, SitePlace, place_of, problem_of_place
from warehouse.index.reader import OpenRelease

_WORDS = "plan"
# Choices of the form; other parameters of the address are added to them.
_MILES = ("0.5", "1", "2", "3", "5", "10", "25")
_MINUTES = ("10", "20", "30", "45", "60", "90")
_DOCUMENTS = next(one for one in CODE_LISTS if one.filter.parameter == "documents")


@get(
    "/api/resources/plan",
    operation_id="planWeek",
    summary="A plan for the week",
    tags=["search"],
    dependencies={"parameters": Provide(plan_request.PlanParameters, sync_to_thread=False)},
    responses=answers(WeekPlan, "Where to go on which day.", 404),
)
async def plan_data(
    scope: Scope, parameters: NamedDependency[plan_request.PlanParameters]
) -> Answer:
    """Plan visits to places over the next seven days, today first.

    At most one visit a day, each place once. The best plan has the most certain visits, then the
    most visits, then the fewest by old or unsure hours, then the least distance, then the newest
    information, then the lowest ids. A visit is certain if its hours are current and its required
    papers and every requested filter are known; `doubts` names everything else, and `fall_back`
    another place that day. The distance is never widened.
    """
    release, now = release_of(scope), datetime.now(UTC)
    question = parameters.question(start_of_text(release, parameters.zip))
    url = context_of(scope).settings.url

    def compute() -> WeekPlan:
        week = plan_week(release, question, now)
        return answer(release, question, week, parameters.walk_mph, now, url)

    return json_answer(await asyncio.to_thread(compute))


@get(finder_paths("/plan"), include_in_schema=False)
async def plan(scope: Scope) -> Answer:
    """Return the form of a plan; with a place in the address, the plan. `print=1`: to print."""
    language, release = path_language(scope), release_of(scope)
    query = scope["query_string"].decode("ascii", "replace")
    form, w = plan_request.form_of_address(query), words(_WORDS, language)
    if has_empty(query):
        return lead_to(scope["path"], form.address())
    values: dict[str, Any] = {"problem": None, "suggestions": (), "shown": None}
    title, status = w.title, 200
    if form.text:
        try:
            parameters = form.parameters()
            place = await place_of(release, form.text)
            question = parameters.question(place.start)
        except ServiceProblem as problem:
            status = 404 if problem.kind in ("unknown-place", *PROBLEM_WORDS) else 400
            values |= {
                "problem": _problem(problem, form, language),
                "suggestions": problem.suggestions,
            }
        else:
            title = w.title_near.format(place=place.name)
            values["shown"] = await asyncio.to_thread(
                _show, release, form, question, parameters.walk_mph, place, language
            )
    is_print = bool(values["shown"]) and "print=1" in query.split("&")
    head = page_head(
        scope,
        "/plan",
        title,
        w.description,
        query=form.address() if form.text or form.values else "",
        is_indexed=not query,
        is_bare=is_print,
        has_finder=not is_print,
    )
    address = f"{context_of(scope).settings.url}{head.path}?{form.address()}"
    return page(
        scope,
        "plan_print.html" if is_print else "plan.html",
        head,
        max_age=MINUTE,
        status=status,
        words_of=_WORDS,
        form=form,
        address=address,
        code=segno.make(address, error="l").svg_data_uri(scale=3, border=2) if is_print else "",
        s=words("site", language),
        **_choices(form, language),
        **values,
    )


def _problem(problem: ServiceProblem, form: plan_request.PlanForm, language: Language) -> str:
    """Return the faults of the address, in the reader's language."""
    if problem.kind == "unknown-place" or problem.kind in PROBLEM_WORDS:
        return problem_of_place(problem, form.text, language)
    faults = words(_WORDS, language).faults
    names = (name if name in faults else "other" for name in problem.faults or ("other",))
    return " ".join(str(faults[name]) for name in dict.fromkeys(names))


def _choices(form: plan_request.PlanForm, language: Language) -> dict[str, Any]:
    """Return the fields of the form, filled from the address."""
    values, fw = form.values, words("filters", language)
    try:
        days = form.days
    except ServiceProblem:
        days = {}
    of_filters = removable(Choices(form.filters), form.text, "", language)
    return {
        "days": days,
        "day_names": fw.days,
        "visits": values.get("visits", str(plan_request.DEFAULT_VISITS)),
        "most": DAYS,
        "radius": values.get("radius", f"{plan_request.DEFAULT_MILES:g}"),
        "radii": _with(_MILES, values.get("radius")),
        "fw": fw,
        "wider": _wider(values.get("radius", f"{plan_request.DEFAULT_MILES:g}")),
        "minutes": _with(_MINUTES, values.get("walk_minutes")),
        "speed": values.get("walk_mph", f"{plan_request.DEFAULT_MPH:g}"),
        "papers": list(code_labels(_DOCUMENTS, language)),
        "modes": MODES,
        "filters": [one.label for one in of_filters],
    }


def _wider(miles: str) -> list[str]:
    """Return the next distances that a form offers, two at most; none for a value that is no
    number.
    """
    try:
        least = float(miles)
    except ValueError:
        return []
    return [one for one in _MILES if float(one) > least][:2]


def _with(options: tuple[str, ...], value: str | None) -> list[str]:
    return [*options, *([value] if value and value not in options else [])]


def _show(
    release: OpenRelease,
    form: plan_request.PlanForm,
    question: Question,
    mph: float,
    place: SitePlace,
    language: Language,
) -> dict[str, Any]:
    """Return the plan as the page shows it."""
    now = datetime.now(UTC)
    week = plan_week(release, question, now)
    plan_words, w = PlanWords(release, week, mph, now), words(_WORDS, language)
    shared, stops = say_once(plan_words.stops(language))
    return {
        "stops": stops,
        "shared": shared,
        "message": message(question, week, language),
        "idle": [_idle_day(day, language) for day in week.idle],
        "unused": _name_unused(plan_words, week.unused, language),
        "call_first": _name_unused(plan_words, week.call_first, language),
        "places": _places(release, plan_words, question.picked, language),
        "contacts": help_for(release, place.start).contacts[:CONTACTS],
        "made": w.made.format(day=full_date(week.today, language, year=True)),
        # The API starts from a place; a device and the map give a point.
        "data": None if place.is_device or place.is_map else _data(form, place),
    }


def _name_unused(
    plan_words: PlanWords, unused: list[UnusedPlace], language: Language
) -> list[tuple[PlaceView | None, str]]:
    """Return places that are on no day, with the reason."""
    return [
        (
            None if one.row is None else plan_words.view(one.row, None, language),
            reason_of(plan_words.release, one, language),
        )
        for one in unused
    ]


def _data(form: plan_request.PlanForm, place: SitePlace) -> str:
    # The middle of a city or county is not the point of its ZIP code.
    start = place.name if place.is_middle else place.start.location.zip or place.name
    return f"/api/resources/plan?{form.api_address(start)}"


def _places(
    release: OpenRelease, plan_words: PlanWords, picked: tuple[int, ...], language: Language
) -> list[tuple[PlaceView, str]]:
    """Return the places to choose from with the days on which they are open, in words."""
    w, places = words(_WORDS, language), []
    for resource_id in dict.fromkeys((*picked, *plan_words.week.nearest)):
        row, candidate = release.row_of(resource_id), plan_words.week.candidates.get(resource_id)
        if row is None or release.is_confidential[row]:
            continue
        text = ""
        if candidate and candidate.days:
            is_sure = all(doubt is None for doubt in candidate.days.values())
            text = (w.open_on if is_sure else w.perhaps_on).format(
                days=plan_words.days(candidate, language)
            )
        places.append((plan_words.view(row, candidate, language), text))
    return places


def _idle_day(day: date, language: Language) -> str:
    """Return a day with its holiday, on which most hours are not certain."""
    name, holiday = capital(full_date(day, language)), holiday_name(day)
    label = words(_WORDS, language).holiday
    return f"{name} ({label.format(name=holiday)})" if holiday else name
