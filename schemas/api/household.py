"""One answer for a household: SNAP, other programs, and where to eat today."""

from typing import Literal

import msgspec

from schemas.api.area_help import AreaContact
from schemas.api.common import IsSynthetic
from schemas.api.snap import OtherProgram, SnapEstimate

TodayGroup = Literal["open", "usual", "opening_later", "call_first", "for_children"]


class FoodToday(msgspec.Struct, forbid_unknown_fields=True):
    """A place with free food, and when to go."""

    resource_id: int
    name: str
    group: TodayGroup
    when: str | None
    address: str
    phone: str | None
    distance: str | None
    age: str
    url: str


class HouseholdAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """What a household may get, and where there is food today. Nothing in it is a promise."""

    programs: list[OtherProgram]
    estimate: SnapEstimate
    today: list[FoodToday] | None
    contacts: list[AreaContact]
    are_disasters_known: bool
    disclaimer: str
    language: Literal["en", "es"]
    is_synthetic: IsSynthetic
    release_id: str | None
