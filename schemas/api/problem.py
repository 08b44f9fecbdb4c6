"""The one shape of every error: RFC 9457, with the two members that older clients read."""

from typing import Annotated

import msgspec


class FieldFault(msgspec.Struct, forbid_unknown_fields=True):
    """Invalid input and the rule it breaks."""

    field: str
    rule: str


class Problem(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A problem report (RFC 9457). `success` and `error` repeat it for older clients."""

    type: str
    title: str
    status: Annotated[int, msgspec.Meta(ge=400, le=599)]
    detail: str
    instance: str
    error: str
    request_id: str
    success: bool | None = None
    errors: list[FieldFault] | None = None
    suggestions: list[str] | None = None
