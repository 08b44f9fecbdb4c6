"""The SNAP estimate, for programs."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import msgspec
from litestar import Request, post
from litestar.openapi.spec import Operation, RequestBody
from litestar.types import Scope

from schemas.api.registry import describe_members
from schemas.api.snap import SnapEstimate, SnapRequest
from serving.benefits.estimate import estimate
from serving.context import current_release
from serving.http.answers import Answer, json_answer
from serving.http.errors import ServiceProblem
from serving.http.openapi import answers
from serving.http.request_limits import read_json

MAX_BODY = 32_768
_EXAMPLE = {
    "state": "NY",
    "household_size": 3,
    "monthly_earned_income": 1200,
    "rent_or_mortgage": 900,
    "utilities": ["heating_cooling"],
}


class HouseholdBody(RequestBody):
    """The request as JSON Schema: the body is parsed by hand, so that one problem names every wrong
    field."""

    def to_schema(self) -> dict[str, Any]:
        document = msgspec.json.schema(SnapRequest)
        parts = document["$defs"]
        describe_members(parts)
        schema = parts["SnapRequest"]
        for option in schema["properties"]["members"]["anyOf"]:
            if "items" in option:
                option["items"] = parts["Member"]
        content = {"application/json": {"schema": schema, "example": _EXAMPLE}}
        return {"required": True, "description": "A household.", "content": content}


@dataclass
class HouseholdOperation(Operation):
    """An operation whose body is a household."""

    def __post_init__(self) -> None:
        self.request_body = HouseholdBody(content={})


async def read_household_body(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Return a household as sent. Raises ServiceProblem (400)."""
    body = await request.body()
    if len(body) > MAX_BODY:
        raise ServiceProblem("bad-request", f"The body is larger than {MAX_BODY:,} bytes.")
    household_data = read_json(body)
    if not isinstance(household_data, dict):
        raise ServiceProblem("bad-request", "The body is not a JSON object.")
    return household_data


@post(
    "/api/snap/calculate",
    summary="Estimate SNAP",
    tags=["benefits"],
    status_code=200,
    operation_class=HouseholdOperation,
    responses=answers(
        SnapEstimate,
        "The estimate with every step; `eligible` is null where there is no SNAP.",
        404,
    ),
)
async def calculate_snap(scope: Scope, request: Request[Any, Any, Any]) -> Answer:
    """Estimate a household's SNAP for a full month, with the figures of the requested month.

    Send `state` or `zip`, and `household_size`; omitted values count as zero. The short names of
    the 18F prototype are accepted too. Amounts are dollars a month from 0 to 1,000,000. Each step
    is explained with its paragraph of the regulation. Expedited SNAP, WIC, school meals, SUN Bucks
    and CSFP are included. Nothing is stored. Puerto Rico, American Samoa and the Northern Mariana
    Islands have no SNAP: `eligible` is null there.
    """
    household_data = await read_household_body(request)
    result = estimate(household_data, datetime.now(UTC).date(), current_release(scope))
    language = (b"content-language", result.language.encode())
    return json_answer(result, 0, headers=(language,))
