"""Federal disasters: active declarations, and whether Disaster SNAP is likely; as JSON, and as
pages for the nation and each state in English and Spanish.
"""

import asyncio
from datetime import date
from typing import Annotated

from litestar import get
from litestar.types import Scope

from schemas.api.disasters import ActiveDisasters, CurrentDisasters
from schemas.vocab.states import STATES
from serving.disasters import disasters
from serving.http.answers import FIVE_MINUTES, Answer, json_answer
from serving.http.errors import RULES, ServiceProblem, invalid, release_of
from serving.http.openapi import answers
from serving.http.parameters import path_part, query
from serving.reference.organization import facts
from serving.reference.policy import FactNotInForce, FactsOn, FactValue, UnknownFact
from serving.render.formats import day
from serving.render.page import page, page_head
from serving.render.words import Language, path_language, words
from serving.search.language.reply import state_name
from serving.search.start import ZIP_PATTERN

MaybeZip = Annotated[str | None, query("zip", of="disasters", pattern=ZIP_PATTERN)]
MaybeState = Annotated[str | None, query("state", of="disasters", pattern="^[A-Za-z]{2}$")]
MaybeDay = Annotated[
    str | None, query("on", pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", format="date")
]


@get(
    "/api/disasters/active",
    summary="Active disasters of a ZIP code or state",
    tags=["disasters"],
    responses=answers(ActiveDisasters, "Active declarations, and whether D-SNAP is likely.", 404),
)
async def get_active_disasters(
    scope: Scope, zip: MaybeZip = None, us_state: MaybeState = None, on: MaybeDay = None
) -> Answer:
    """Return active federal declarations and whether Disaster SNAP (D-SNAP) is likely.

    For a ZIP code: declarations of its counties and of the whole state, those whose areas our data
    does not name, and those of tribal areas of the state, each with `matched_by`.
    `elsewhere_in_state` counts the state's other declarations. `freshness` gives FEMA's own date of
    the data and when it was fetched.
    """
    release = release_of(scope)
    answer = await asyncio.to_thread(
        disasters.active, release, zip=zip, state=us_state, on=_day(on)
    )
    return json_answer(answer, FIVE_MINUTES)


@get(
    "/api/disasters/current",
    summary="All active disasters",
    tags=["disasters"],
    responses=answers(CurrentDisasters, "Every active declaration of the nation."),
)
async def get_current_disasters(scope: Scope, on: MaybeDay = None) -> Answer:
    """Return every active declaration with its areas, and counts by state."""
    answer = await asyncio.to_thread(disasters.current, release_of(scope), _day(on))
    return json_answer(answer, FIVE_MINUTES)


def _day(text: str | None) -> date | None:
    """Return the day of `on`. Raises ServiceProblem (400) for one that no calendar has."""
    try:
        return date.fromisoformat(text) if text is not None else None
    except ValueError as error:
        raise invalid("on", RULES["on"]) from error


# ---------------------------------------------------------------- pages


WORDS = "disaster_pages"
Code = Annotated[str, path_part("state/path")]


@get(["/disasters", "/es/disasters"], include_in_schema=False)
async def overview(scope: Scope) -> Answer:
    """Return every state with an active declaration."""
    language = path_language(scope)
    current = await asyncio.to_thread(disasters.current, release_of(scope))
    w = words(WORDS, language)
    head = page_head(scope, "/disasters", w.national_title, w.national_description)
    names = {code: state_name(code, language) for code in STATES}
    return page(
        scope,
        "disasters.html",
        head,
        max_age=FIVE_MINUTES,
        answer=current,
        lead=_lead(current, language),
        names=names,
    )


@get(["/disasters/{code:str}", "/es/disasters/{code:str}"], include_in_schema=False)
async def of_state(scope: Scope, code: Code) -> Answer:
    """Return a state: active declarations, D-SNAP, what to do; 404 for an unknown code."""
    language, state = path_language(scope), code.upper()
    if state not in STATES:
        raise ServiceProblem(
            "not-found", f"state: {code[:20]!r} is not the code of a state or territory, such as FL"
        )
    active = await asyncio.to_thread(disasters.active, release_of(scope), state=state)
    name, w = state_name(state, language), words(WORDS, language)
    head = page_head(
        scope, f"/disasters/{state}", w.title.format(state=name), w.description.format(state=name)
    )
    return page(
        scope,
        "disasters_state.html",
        head,
        max_age=FIVE_MINUTES,
        answer=active,
        place=name,
        program=facts().programs.get(state),
        has_snap=disasters.has_snap(state, active.on),
        limits=_limits(state),
    )


def _lead(current: CurrentDisasters, language: Language) -> str:
    w, on = words(WORDS, language), day(current.on, language)
    if current.freshness.is_too_old_for_dsnap:
        return str(w.national_cannot_tell.format(date=on))
    if current.total_active == 1:
        return str(w.national_one.format(date=on))
    if not current.total_active:
        return str(w.national_none.format(date=on))
    return str(
        w.national_lead.format(count=current.total_active, date=on, states=len(current.states))
    )


def _limits(state: str) -> FactValue | None:
    """Return the D-SNAP limits of the state's area today; None without current facts."""
    facts_today = FactsOn(disasters.today())
    area = state if state in ("AK", "HI", "GU", "VI") else "contiguous"
    try:
        return facts_today.find("dsnap.income_limit", area)
    except (FactNotInForce, UnknownFact):
        return None
