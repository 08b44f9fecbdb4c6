"""The one shape of every error: RFC 9457, with the two members that older clients read."""

from __future__ import annotations

from typing import Annotated

import msgspec


class FieldFault(msgspec.Struct, forbid_unknown_fields=True):
    """Which input is wrong and the rule it breaks."""

    field: Annotated[str, msgspec.Meta(description="Name of the parameter or member.", examples=["limit"])]  # fmt: skip
    rule: Annotated[str, msgspec.Meta(description="The rule it breaks, in words.", examples=["Expected `int` <= 100"])]  # fmt: skip


class Problem(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A problem report (RFC 9457). `success` and `error` repeat it for older clients."""

    type: Annotated[str, msgspec.Meta(description="URL of a page that explains this kind of problem.", examples=["http://127.0.0.1:8000/problems/invalid-parameter"])]  # fmt: skip
    title: Annotated[str, msgspec.Meta(description="Name of the kind of problem.", examples=["Invalid parameter"])]  # fmt: skip
    status: Annotated[int, msgspec.Meta(description="The HTTP status code.", ge=400, le=599, examples=[400])]  # fmt: skip
    detail: Annotated[str, msgspec.Meta(description="What went wrong this time, and what to do.")]
    instance: Annotated[str, msgspec.Meta(description="Path of the request.", examples=["/api/resources/nearby"])]  # fmt: skip
    error: Annotated[str, msgspec.Meta(description="Same as `detail`.")]
    request_id: Annotated[str, msgspec.Meta(description="Give this to the operators so they can find the request in the logs.")]  # fmt: skip
    success: Annotated[bool | None, msgspec.Meta(description="Always false.")] = None
    errors: Annotated[list[FieldFault] | None, msgspec.Meta(description="Each wrong input.")] = None
    suggestions: Annotated[list[str] | None, msgspec.Meta(description="Places that may be meant; the search takes them as they are.", examples=[["Salem, OR"]])] = None  # fmt: skip
