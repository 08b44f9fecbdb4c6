"""Parameters of requests, as handlers declare them in `Annotated`."""

from typing import Any

from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter


def query(name: str, description: str, *examples: object, **rules: Any) -> QueryParameter:
    """Return a query parameter: its name, what it means, examples, and rules such as `ge=1`."""
    return QueryParameter(name=name, description=description, examples=_examples(examples), **rules)


def path_part(description: str, *examples: object, **rules: Any) -> PathParameter:
    """Return a part of the path: what it means, examples, and rules such as `ge=1`."""
    return PathParameter(description=description, examples=_examples(examples), **rules)


def _examples(examples: tuple[object, ...]) -> list[Example] | None:
    return [Example(value=value) for value in examples] or None
