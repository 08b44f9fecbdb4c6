"""The one shape of every error: RFC 9457, with the two members that older clients read."""

from typing import Annotated

import msgspec

from schemas.descriptions import describe


class FieldFault(msgspec.Struct, forbid_unknown_fields=True):
    """Invalid input and the rule it breaks."""

    field: Annotated[str, describe("Name of the parameter or member.", "limit")]
    rule: Annotated[str, describe("The rule it breaks, in words.", "Expected `int` <= 100")]


class Problem(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A problem report (RFC 9457). `success` and `error` repeat it for older clients."""

    type: Annotated[
        str,
        describe(
            "URL of a page that explains this kind of problem.",
            "http://127.0.0.1:8000/problems/invalid-parameter",
        ),
    ]
    title: Annotated[str, describe("Name of the kind of problem.", "Invalid parameter")]
    status: Annotated[int, describe("The HTTP status code.", 400, ge=400, le=599)]
    detail: Annotated[str, describe("What went wrong this time, and what to do.")]
    instance: Annotated[str, describe("Path of the request.", "/api/resources/nearby")]
    error: Annotated[str, describe("Same as `detail`.")]
    request_id: Annotated[
        str, describe("Give this to the operators so they can find the request in the logs.")
    ]
    success: Annotated[bool | None, describe("Always false.")] = None
    errors: Annotated[list[FieldFault] | None, describe("Each wrong input.")] = None
    suggestions: Annotated[
        list[str] | None,
        describe("Places that may be meant; the search takes them as they are.", ["Salem, OR"]),
    ] = None
