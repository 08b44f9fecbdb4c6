"""The answer to "where can I go this week, and on which day?"."""

from typing import Annotated, Literal

import msgspec

from schemas.api.area_help import AreaContact
from schemas.api.common import (
    IsSynthetic,
    NonNegative,
    PlaceId,
    ResourceType,
    ServedRelease,
    Success,
)
from schemas.api.lists import Location
from schemas.words import Words

DoubtCode = Literal[
    "hours_old",
    "hours_unsure",
    "papers_unknown",
    "appointment",
    "only_some",
    "area",
    "limit",
    "not_known",
    "reported",
    "rough_point",
]


class PlanDoubt(msgspec.Struct, forbid_unknown_fields=True):
    """Something that the plan relies on and that is not certain."""

    code: DoubtCode
    text: Words


class PlanHours(msgspec.Struct, forbid_unknown_fields=True):
    """A span of opening, local time with its offset."""

    opens_at: str
    closes_at: str


class PlanVisit(msgspec.Struct, forbid_unknown_fields=True):
    """A place on a day."""

    resource_id: int
    name: str
    resource_type: ResourceType
    url: str
    address: str
    phone: str | None
    distance_miles: Annotated[float, msgspec.Meta(ge=0)]
    walk_minutes: NonNegative
    hours: list[PlanHours]
    hours_text: Words
    is_certain: bool
    doubts: list[PlanDoubt]
    required_documents: list[str] | None
    visit_limit_text: str | None
    age: Words


class PlanStop(msgspec.Struct, forbid_unknown_fields=True):
    """A day of the plan: where to go, and where else."""

    date: str
    weekday: str
    visit: PlanVisit
    fall_back: PlanVisit | None


UnusedReason = Literal[
    "not_listed", "no_hours", "not_open", "does_not_match", "not_needed", "hidden"
]


class PlanUnused(msgspec.Struct, forbid_unknown_fields=True):
    """A place that is on no day of the plan."""

    resource_id: PlaceId
    name: str | None
    phone: str | None
    reason: UnusedReason
    text: Words


class WeekPlan(msgspec.Struct, forbid_unknown_fields=True):
    """A plan for the coming seven days. Nothing in it is a promise of the places."""

    success: Success
    location: Location
    today: str
    visits_wanted: Annotated[int, msgspec.Meta(ge=1, le=7)]
    visits_planned: Annotated[int, msgspec.Meta(ge=0, le=7)]
    visits_certain: Annotated[int, msgspec.Meta(ge=0, le=7)]
    max_miles: Annotated[float, msgspec.Meta(ge=0)]
    walk_mph: Annotated[float, msgspec.Meta(gt=0)]
    message: Words
    rule: Words
    stops: list[PlanStop]
    days_without: list[str]
    unused: list[PlanUnused]
    call_first: list[PlanUnused]
    contacts: list[AreaContact]
    is_synthetic: IsSynthetic
    release_id: ServedRelease
