"""Members that answers of several capabilities have in common."""

from typing import Annotated

from schemas.descriptions import describe

IsSynthetic = Annotated[bool, describe("True when the places are invented (demonstration data).")]
StreetAddress = Annotated[
    str | None, describe("Street address; null where it is not known or not published.")
]
