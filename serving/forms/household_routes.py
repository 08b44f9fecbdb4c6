"""What a household may get, and where to eat today: for programs, and as a page that needs no
JavaScript.
"""

import asyncio
from datetime import UTC, datetime
from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.types import Scope

from schemas.api.household import HouseholdAnswer
from serving.benefits.routes import HouseholdOperation, sent_household
from serving.context import context_of
from serving.forms.household import household_answer
from serving.forms.household_form import answered_form, empty_form, prefilled_form
from serving.http.answers import Answer
from serving.http.errors import release_of
from serving.http.openapi import answers
from serving.http.request_limits import form_of
from serving.render.words import path_language


@post(
    "/api/benefits/screen",
    summary="What a household may get",
    tags=["benefits"],
    status_code=200,
    operation_class=HouseholdOperation,
    responses=answers(
        HouseholdAnswer, "Each program with yes, maybe or no, and food near the ZIP code.", 404
    ),
)
async def screen_benefits(scope: Scope, request: Request[Any, Any, Any]) -> Answer:
    """Screen a household for SNAP, expedited SNAP, WIC, school meals, SUN Bucks, CSFP and, where a
    federal disaster is declared, D-SNAP.

    The body is that of `/api/snap/calculate`. `likely` is true for probably, null for perhaps and
    false for probably not; `text` gives the reason, `next_step` what to do. With `zip` the answer
    has places with free food near it. A first look, never a decision. Nothing is stored.
    """
    sent, release, now = await sent_household(request), release_of(scope), datetime.now(UTC)
    found = await asyncio.to_thread(household_answer, context_of(scope), release, sent, now)
    language = (b"content-language", found.language.encode())
    return Answer(msgspec.json.encode(found), max_age=0, headers=(language,))


_PATHS = ["/snap-calculator", "/es/snap-calculator"]


@get(_PATHS, include_in_schema=False)
async def calculator(scope: Scope, request: Request[Any, Any, Any]) -> Answer:
    """Return the form; with answers in the query, what the household may get above it."""
    language, now = path_language(scope), datetime.now(UTC)
    sent = list(request.query_params.multi_items())
    if not sent:
        return empty_form(scope, language, now)
    named = {name for name, value in sent if isinstance(value, str) and value.strip()}
    if not ("household_size" in named and named & {"state", "zip"}):
        # A link that fills in some answers; no estimate yet.
        return prefilled_form(scope, language, sent, now)
    return await asyncio.to_thread(answered_form, scope, language, sent, now)


@post(_PATHS, status_code=200, include_in_schema=False)
async def calculated(scope: Scope, request: Request[Any, Any, Any]) -> Answer:
    """Return the form as sent: answers stay out of the address and out of logs."""
    language, now = path_language(scope), datetime.now(UTC)
    sent = list((await form_of(request)).multi_items())
    if not sent:
        return empty_form(scope, language, now)
    return await asyncio.to_thread(answered_form, scope, language, sent, now)
