"""Members that several answers share, patterns of texts, and the shape of every error."""

from typing import Annotated

import msgspec

from schemas.descriptions import describe

NonNegative = Annotated[int, msgspec.Meta(ge=0)]
IsSynthetic = Annotated[bool, describe("True when the places are invented (demonstration data).")]
StreetAddress = Annotated[
    str | None, describe("Street address; null where it is not known or not published.")
]
Success = Annotated[bool, describe("Always true.")]
ServedRelease = Annotated[str, describe("Release of the data this answer is made from.")]
Summary = Annotated[str, describe("The answer in a few sentences.")]
PlaceId = Annotated[int, describe("Permanent id of the place.")]
ResourceType = Annotated[str, describe("Type of the place; `/api/resources/types` lists them.")]
City = Annotated[str | None, describe("City or town.")]
Zip = Annotated[str | None, describe("ZIP code.")]
CompilationLicense = Annotated[str, describe("SPDX id of the license of the compilation.")]

# Patterns that every reader of the OpenAPI document interprets alike. A class like `\S` is not one
# of them: Python counts U+001C to U+001F as blanks, ECMA-262 (the dialect that JSON Schema names)
# counts U+FEFF instead, and Rust's regex counts neither. Such characters are written out.
#
# At least one character that is not white space to Python's `str.strip`, which the service uses.
SAYS_SOMETHING = r"[^\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
SIX_DIGITS = r"^[ \t\r\n]*[0-9]{6}[ \t\r\n]*$"


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
