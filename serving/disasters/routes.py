"""Federal disasters: what is active, and whether Disaster SNAP is likely."""

import asyncio
from datetime import date
from typing import Annotated

from litestar import get
from litestar.types import Scope

from schemas.api.disasters import ActiveDisasters, CurrentDisasters
from serving.disasters import disasters
from serving.http.answers import FIVE_MINUTES, Answer, json_answer
from serving.http.errors import RULES, invalid, release_of
from serving.http.openapi import answers
from serving.http.parameters import query
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
    does not name, and those of tribal areas of the state, each with `matched_by`. Further ones of
    the state are counted in `elsewhere_in_state`. `freshness` says how old the data is: FEMA's own
    date, and when it came.
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
    """Return every active declaration, with its areas, and how many there are by state."""
    answer = await asyncio.to_thread(disasters.current, release_of(scope), _day(on))
    return json_answer(answer, FIVE_MINUTES)


def _day(text: str | None) -> date | None:
    """Return the day of `on`. Raises ServiceProblem (400) for one that no calendar has."""
    try:
        return date.fromisoformat(text) if text is not None else None
    except ValueError as error:
        raise invalid("on", RULES["on"]) from error
