"""Request parameters for handlers' `Annotated` types; parameters.yaml has their descriptions."""

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from litestar.openapi.spec import Example
from litestar.params import HeaderParameter, PathParameter, QueryParameter
from litestar.types import Scope

from schemas.descriptions import Meaning
from serving.context import context_of

_MEANINGS = msgspec.yaml.decode(
    Path(__file__).with_name("parameters.yaml").read_bytes(), type=dict[str, str | Meaning]
)
UNKNOWN = _MEANINGS["unknown"]


def query(
    name: str, *, of: str = "", fill: Mapping[str, object] | None = None, **rules: Any
) -> QueryParameter:
    """Return a query parameter: its name, rules such as `ge=1`, and its description `of` a use,
    with the values named in its text."""
    meaning = _meaning(f"{name}/{of}" if of else name, {**rules, **(fill or {})})
    return QueryParameter(name=name, **meaning, **rules)


def path_part(meaning: str, **rules: Any) -> PathParameter:
    """Return a path parameter: the name of its description, and rules such as `ge=1`."""
    return PathParameter(**_meaning(meaning, rules), **rules)


def _meaning(name: str, values: Mapping[str, object]) -> dict[str, Any]:
    entry = _MEANINGS[name]
    meaning, examples = (entry, []) if isinstance(entry, str) else (entry.meaning, entry.examples)
    return {
        "description": meaning.format(unknown=UNKNOWN, **values),
        "examples": [Example(value=value) for value in examples] or None,
    }


Authorization = Annotated[
    str | None,
    HeaderParameter(name="Authorization", description="`Bearer <token>`, as the operators set it."),
]


def has_admin_token(scope: Scope, authorization: str | None) -> bool:
    """Return whether a request carries the token of LARDER_ADMIN_TOKEN; never if the instance has
    none."""
    token = context_of(scope).settings.admin_token
    scheme, _, given = (authorization or "").partition(" ")
    is_right = scheme.lower() == "bearer" and secrets.compare_digest(
        given.strip().encode(), token.encode()
    )
    return bool(token) and is_right
