"""One answer for a household: SNAP, other programs, and where to eat today."""

from typing import Annotated, Literal

import msgspec

from schemas.api.area_help import AreaContact
from schemas.api.common import IsSynthetic
from schemas.api.snap import OtherProgram, SnapEstimate
from schemas.descriptions import describe

TodayGroup = Literal["open", "usual", "opening_later", "call_first", "for_children"]


class FoodToday(msgspec.Struct, forbid_unknown_fields=True):
    """A place with free food, and when to go."""

    resource_id: Annotated[int, describe("Id of the place.")]
    name: Annotated[str, describe("Name of the place.")]
    group: Annotated[
        TodayGroup,
        describe(
            "open: open now or within the hour. usual: usually open now by old hours. opening_later: opens within three days. call_first: hours not known. for_children: a meal site for children."
        ),
    ]
    when: Annotated[str | None, describe("When to go, as a sentence; null where not known.")]
    address: Annotated[
        str, describe("Street address; null where it is not known or not published.")
    ]
    phone: Annotated[str | None, describe("Phone number; null where none is known.")]
    distance: Annotated[str | None, describe("In words, in a straight line.")]
    age: Annotated[str, describe("How old its hours or its listing are, with advice.")]
    url: Annotated[str, describe("Address of its page.")]


class HouseholdAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """What a household may get, and where there is food today. Nothing in it is a promise."""

    programs: Annotated[
        list[OtherProgram],
        describe("SNAP first, then the others; `dsnap` only where a federal disaster is declared."),
    ]
    estimate: Annotated[SnapEstimate, describe("The SNAP estimate with every step.")]
    today: Annotated[
        list[FoodToday] | None,
        describe("Free food near the ZIP code, the surest first; null without `zip`."),
    ]
    contacts: Annotated[
        list[AreaContact],
        describe("Whom to ask near the ZIP code; empty without `zip`."),
    ]
    are_disasters_known: Annotated[
        bool, describe("False where this release has no disaster declarations.")
    ]
    disclaimer: Annotated[str, describe("What the answer does not promise.")]
    language: Annotated[Literal["en", "es"], describe("Language of the texts.")]
    is_synthetic: IsSynthetic
    release_id: Annotated[str | None, describe("Release of the places named; null without one.")]
