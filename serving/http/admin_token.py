"""The operator of the instance, by the bearer token of LARDER_ADMIN_TOKEN."""

import secrets
from typing import Annotated

from litestar.params import HeaderParameter
from litestar.types import Scope

from serving.context import context_of

Authorization = Annotated[
    str | None,
    HeaderParameter(name="Authorization", description="`Bearer <token>`, as the operators set it."),
]


def has_admin_token(scope: Scope, authorization: str | None) -> bool:
    """Return whether a request carries the token; never if the instance has none."""
    token = context_of(scope).settings.admin_token
    scheme, _, given = (authorization or "").partition(" ")
    is_right = scheme.lower() == "bearer" and secrets.compare_digest(
        given.strip().encode(), token.encode()
    )
    return bool(token) and is_right
