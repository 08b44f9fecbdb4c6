"""The answer to a question in plain language, with the members the interface fixes."""

from typing import Annotated, Literal

import msgspec

from schemas.api.area_help import AreaHelp
from schemas.api.common import NonNegative
from schemas.api.home_delivery import HomeDelivery
from schemas.api.record import Doubt
from schemas.api.wishes import Constraint, ConstraintCount
from schemas.descriptions import describe
from schemas.hours.opening import OpenStatus
from schemas.values.usual_hours import UsualHours
from schemas.vocab.resource_types import TYPE_IDS

AskedMode = Literal["free", "snap", "wic", "school", "summer"]
Action = Literal["search_results", "apply_snap", "apply_wic", "need_location"]


class AskedIntent(msgspec.Struct, forbid_unknown_fields=True):
    """Intent of the question."""

    location: str | None
    state: str | None
    mode: AskedMode
    urgent: bool
    intent: Literal["find", "apply"]
    constraints: list[Constraint]
    modes: list[AskedMode]


class PlaceChoice(msgspec.Struct, forbid_unknown_fields=True):
    """A place that a question may mean, or names as well."""

    label: str
    question: str
    url: str
    page: str


class FoundPlace(msgspec.Struct, forbid_unknown_fields=True):
    """A place found for a question."""

    id: int
    name: str
    type: Literal[TYPE_IDS]  # type: ignore[valid-type]
    address: str
    phone: str | None
    distance_miles: float | None
    open_status: OpenStatus
    usual_hours: UsualHours | None
    service_detail_url: str
    json_url: str
    doubt: Doubt | None = None


class PlainAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """The answer to a question in plain language."""

    query: str
    intent: AskedIntent
    answer: str
    action: Action
    result_count: NonNegative
    total_available: NonNegative
    constraint_counts: list[ConstraintCount]
    area_help: AreaHelp | None
    home_delivery: list[HomeDelivery]
    resources: list[FoundPlace]
    related_links: dict[str, str]
    choices: list[PlaceChoice]
    attribution: str
    explanation: (
        Annotated[
            list[str], describe("With `explain=true`: what in the question led to this reading.")
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET
