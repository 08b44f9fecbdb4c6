"""Addresses with a state's code before a suffix, such as `/atlas/OR.json`.

Litestar has no route for `{state}.json`, and two handlers with a parameter in one position would
conflict. So every state's address is registered as an alias of the first
(`serving.http.registration`). The description shows them as one address with a parameter; see
`with_templates`.
"""

import re
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.types import Scope

from schemas.vocab.states import STATE_CODES
from serving.http.answers import Answer, StreamedAnswer

Handler = Callable[[Scope], Awaitable[Answer | StreamedAnswer]]
_FIRST = STATE_CODES[0]
_DESCRIBED = re.compile(rf"(.*/){_FIRST}(\.\w+)?")
_PARAMETER = {
    "name": "state",
    "in": "path",
    "required": True,
    "description": "State or territory code.",
    "schema": {"type": "string", "enum": list(STATE_CODES)},
    "example": "CA",
}


def per_state(*templates: str, **facts: Any) -> Callable[[Handler], HTTPRouteHandler]:
    """Return the handler of paths with `{state}`, like `litestar.get`. The first is described."""
    codes = [*STATE_CODES, *(code.lower() for code in STATE_CODES)]
    first, *others = [path.replace("{state}", code) for path in templates for code in codes]

    def decorate(function: Handler) -> HTTPRouteHandler:
        @wraps(function)
        async def handler(scope: Scope) -> Answer | StreamedAnswer:
            # The metrics count all states under one route.
            scope["path_template"] = templates[0]
            return await function(scope)

        return get(first, spellings=others, **facts)(handler)

    return decorate


def state_of(scope: Scope) -> str:
    """Return the code in the last part of the path, in capitals."""
    return str(scope["path"]).rstrip("/").rpartition("/")[2].partition(".")[0].upper()


def with_templates(paths: dict[str, Any]) -> dict[str, Any]:
    """Return the paths of the description, with `{state}` and its parameter where one state
    represents all."""
    return dict(_as_template(path, item) for path, item in paths.items())


def _as_template(path: str, item: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    described = _DESCRIBED.fullmatch(path)
    if not described:
        return path, item
    for operation in item.values():
        operation["parameters"] = [_PARAMETER, *operation.get("parameters", [])]
    return f"{described[1]}{{state}}{described[2] or ''}", item
