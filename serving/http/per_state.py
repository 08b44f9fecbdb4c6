"""Addresses with a state's code in their last part, such as `/atlas/OR.json`.

Litestar has no route for `{state}.json`, and one parameter in a position. So one handler answers
all addresses of a folder, such as `/atlas/OR` and `/atlas/OR.json`. The description shows the
address with its suffix; see `serving.http.openapi`.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.response.base import ASGIResponse
from litestar.types import Scope

from schemas.vocab.states import STATE_CODES
from serving.http.errors import KINDS, ServiceProblem
from serving.http.parameters import path_part

Handler = Callable[[Scope], Awaitable[ASGIResponse]]
# Handler option: the address in the description.
DESCRIBED_AS = "described_as"
_STATE = "{state}"
PARAMETER = {
    "name": "state",
    "in": "path",
    "required": True,
    "description": "State or territory code.",
    "schema": {"type": "string", "enum": list(STATE_CODES)},
    "example": "CA",
}


@dataclass(frozen=True)
class StateAddress:
    """What answers a path with `{state}`, for some states' codes; `facts` are those of
    `litestar.get`."""

    template: str
    answer: Handler
    facts: dict[str, Any]
    codes: tuple[str, ...] = STATE_CODES


def per_state(template: str, **facts: Any) -> Callable[[Handler], StateAddress]:
    """Return the address of a path with `{state}`, as a decorator like `litestar.get`."""
    return lambda answer: StateAddress(template, answer, facts)


def handlers_per_state(addresses: Iterable[StateAddress]) -> list[HTTPRouteHandler]:
    """Return a handler for each folder of the addresses."""
    by_folder: dict[str, dict[str, StateAddress]] = defaultdict(dict)
    for address in addresses:
        folder, _, suffix = address.template.partition(_STATE)
        by_folder[folder][suffix] = address
    return [_handler(folder, by_suffix) for folder, by_suffix in by_folder.items()]


def _handler(folder: str, by_suffix: dict[str, StateAddress]) -> HTTPRouteHandler:
    async def handler(
        scope: Scope, state_file: Annotated[str, path_part("state/path")]
    ) -> ASGIResponse:
        code, point, ending = state_file.partition(".")
        address = by_suffix.get(point + ending)
        is_listed = address and (code.isupper() or code.islower()) and code.upper() in address.codes
        if address is None or not is_listed:
            raise ServiceProblem("not-found", KINDS["not-found"].advice)
        # The metrics count all states under one route.
        scope["path_template"] = address.template
        return await address.answer(scope)

    # The address that the description shows, if any, with its name and text.
    shown = next((a for a in by_suffix.values() if a.facts.get("include_in_schema", True)), None)
    if shown is None:
        facts: dict[str, Any] = {"include_in_schema": False}
    else:
        handler.__name__ = getattr(shown.answer, "__name__", "document")
        handler.__doc__ = shown.answer.__doc__
        facts = {**shown.facts, DESCRIBED_AS: shown.template}
    return get(f"{folder}{{state_file:str}}", **facts)(handler)


def state_of(scope: Scope) -> str:
    """Return the code in the last part of the path, in capitals."""
    return str(scope["path"]).rstrip("/").rpartition("/")[2].partition(".")[0].upper()
