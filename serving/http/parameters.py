"""Parameters of requests, as handlers declare them in `Annotated`."""

from __future__ import annotations

from typing import Any

from litestar.openapi.spec import Example
from litestar.params import QueryParameter


def query(name: str, description: str, *examples: object, **rules: Any) -> QueryParameter:
    """Return a query parameter: its name, what it means, examples, and rules such as `ge=1`."""
    shown = [Example(value=value) for value in examples] or None
    return QueryParameter(name=name, description=description, examples=shown, **rules)
