"""Members that answers of several capabilities have in common."""

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
CompilationLicense = Annotated[str, describe("SPDX id of the licence of the compilation.")]
