"""The one shape of every error: RFC 9457, with the two members that older clients read."""

from __future__ import annotations

from typing import Annotated

import msgspec


class FieldFault(msgspec.Struct, forbid_unknown_fields=True):
    """Invalid input and the rule it breaks."""

    field: Annotated[
        str, msgspec.Meta(description="Name of the parameter or member.", examples=["limit"])
    ]
    rule: Annotated[
        str,
        msgspec.Meta(
            description="The rule it breaks, in words.", examples=["Expected `int` <= 100"]
        ),
    ]


class Problem(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A problem report (RFC 9457). `success` and `error` repeat it for older clients."""

    type: Annotated[
        str,
        msgspec.Meta(
            description="URL of a page that explains this kind of problem.",
            examples=["http://127.0.0.1:8000/problems/invalid-parameter"],
        ),
    ]
    title: Annotated[
        str,
        msgspec.Meta(description="Name of the kind of problem.", examples=["Invalid parameter"]),
    ]
    status: Annotated[
        int, msgspec.Meta(description="The HTTP status code.", ge=400, le=599, examples=[400])
    ]
    detail: Annotated[str, msgspec.Meta(description="What went wrong this time, and what to do.")]
    instance: Annotated[
        str, msgspec.Meta(description="Path of the request.", examples=["/api/resources/nearby"])
    ]
    error: Annotated[str, msgspec.Meta(description="Same as `detail`.")]
    request_id: Annotated[
        str,
        msgspec.Meta(
            description="Give this to the operators so they can find the request in the logs."
        ),
    ]
    success: Annotated[bool | None, msgspec.Meta(description="Always false.")] = None
    errors: Annotated[list[FieldFault] | None, msgspec.Meta(description="Each wrong input.")] = None
    suggestions: Annotated[
        list[str] | None,
        msgspec.Meta(
            description="Places that may be meant; the search takes them as they are.",
            examples=[["Salem, OR"]],
        ),
    ] = None
