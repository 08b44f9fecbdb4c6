"""The SNAP estimate: for programs, and as a page that needs no JavaScript."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.openapi.spec import Operation, RequestBody
from litestar.types import Scope

from schemas.api.snap import SnapEstimate, SnapRequest
from serving.benefits.estimate import estimate
from serving.benefits.form import answered_form, empty_form, prefilled_form
from serving.context import current_release
from serving.http.answers import Answer
from serving.http.errors import ServiceProblem
from serving.http.openapi import answers
from serving.http.request_limits import form_of, read_json
from serving.render.words import Language

MAX_BODY = 32_768
_EXAMPLE = {
    "state": "NY",
    "household_size": 3,
    "monthly_earned_income": 1200,
    "rent_or_mortgage": 900,
    "utilities": ["heating_cooling"],
}


class _Body(RequestBody):
    """The request as JSON Schema: the body is read by hand, so that every wrong field is named
    at once."""

    def to_schema(self) -> dict[str, Any]:
        described = msgspec.json.schema(SnapRequest)
        parts = described["$defs"]
        schema = parts["SnapRequest"]
        for option in schema["properties"]["members"]["anyOf"]:
            if "items" in option:
                option["items"] = parts["Member"]
        content = {"application/json": {"schema": schema, "example": _EXAMPLE}}
        return {"required": True, "description": "A household.", "content": content}


@dataclass
class _Described(Operation):
    """The operation with its body."""

    def __post_init__(self) -> None:
        self.request_body = _Body(content={})


@post(
    "/api/snap/calculate",
    operation_id="calculateSnap",
    summary="Estimate SNAP",
    tags=["benefits"],
    status_code=200,
    operation_class=_Described,
    responses=answers(
        SnapEstimate,
        "The estimate with every step; `eligible` is null where there is no SNAP.",
        400,
        404,
    ),
)
async def calculate_snap(scope: Scope, request: Request[Any, Any, Any]) -> Answer:
    """Estimate a household's SNAP for a full month, with the figures of the requested month.

    Send `state` or `zip`, and `household_size`; the rest counts as zero when left out. The short
    names of the 18F prototype are accepted too. Amounts are dollars a month from 0 to 1,000,000.
    Each step is explained with its paragraph of the regulation. WIC, school meals and SUN Bucks are
    included. Nothing is stored. Puerto Rico, American Samoa and the Northern Mariana Islands have
    no SNAP: `eligible` is null there.
    """
    body = await request.body()
    if len(body) > MAX_BODY:
        raise ServiceProblem("bad-request", f"The body is larger than {MAX_BODY:,} bytes.")
    sent = read_json(body)
    if not isinstance(sent, dict):
        raise ServiceProblem("bad-request", "The body is not a JSON object.")
    found = await asyncio.to_thread(
        estimate, sent, datetime.now(UTC).date(), current_release(scope)
    )
    language = (b"content-language", found.language.encode())
    return Answer(msgspec.json.encode(found), max_age=0, headers=(language,))


async def _page(scope: Scope, request: Request[Any, Any, Any], language: Language) -> Answer:
    """Return the form; with answers in the query or the body, the estimate above it."""
    sent = list(request.query_params.multi_items())
    if request.method == "POST":
        sent = list((await form_of(request)).multi_items())
    today = datetime.now(UTC).date()
    if not sent:
        return empty_form(scope, language, today)
    named = {name for name, value in sent if isinstance(value, str) and value.strip()}
    if request.method == "GET" and not ("household_size" in named and named & {"state", "zip"}):
        # A link that fills in what somebody said, and no answer yet.
        return prefilled_form(scope, language, sent, today)
    return await asyncio.to_thread(answered_form, scope, language, sent, today)


@get("/snap-calculator", include_in_schema=False)
async def calculator(scope: Scope, request: Request[Any, Any, Any]) -> Answer:
    """Return the calculator as a page."""
    return await _page(scope, request, "en")


@get("/es/snap-calculator", include_in_schema=False)
async def calculator_es(scope: Scope, request: Request[Any, Any, Any]) -> Answer:
    """Return the calculator in Spanish."""
    return await _page(scope, request, "es")


@post("/snap-calculator", status_code=200, include_in_schema=False)
async def calculated(scope: Scope, request: Request[Any, Any, Any]) -> Answer:
    """Return the form as sent: answers stay out of the address and out of logs."""
    return await _page(scope, request, "en")


@post("/es/snap-calculator", status_code=200, include_in_schema=False)
async def calculated_es(scope: Scope, request: Request[Any, Any, Any]) -> Answer:
    """Return the form as sent, in Spanish."""
    return await _page(scope, request, "es")


HANDLERS = [calculate_snap, calculator, calculator_es, calculated, calculated_es]
