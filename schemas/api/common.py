"""Members that answers of several capabilities have in common."""

from typing import Annotated

import msgspec

from schemas.descriptions import describe

NonNegative = Annotated[int, msgspec.Meta(ge=0)]
IsSynthetic = Annotated[bool, describe("True when the places are invented (demonstration data).")]
StreetAddress = Annotated[
    str | None, describe("Street address; null where it is not known or not published.")
]
