"""The answer to a question in plain language, with the members fixed by the interface, and its
wishes."""

from typing import Annotated, Literal

import msgspec

from schemas.api.area_help import AreaHelp, HomeDelivery
from schemas.api.common import NonNegative
from schemas.api.record import Doubt
from schemas.attributes import WISHES
from schemas.descriptions import describe
from schemas.hours.opening import OpenStatus
from schemas.values.usual_hours import UsualHours
from schemas.vocab.constraints import Kind
from schemas.vocab.resource_types import TYPE_IDS

_VALUES = (
    "By kind. diet: halal, kosher, vegetarian, vegan, gluten_free, diabetic, low_sodium, baby. "
    f"papers: no_id, no_proof_of_address, no_papers. {', '.join(WISHES)}: true. audience: "
    "seniors, veterans, students, children, pregnant, homeless. language: ISO 639-1 code (639-3 "
    "where there is none). transport: bus, walk. distance: miles. serves_zip: ZIP code of the "
    "home. day: MO to SU, today, tomorrow. time: morning, afternoon, evening, open_now, `before "
    "10:00`, `after 17:00` or `09:00-12:00`. appointment: walk_in. item: diapers, formula, "
    "pet_food, hygiene, hot_meal, fresh_produce, senior_box."
)
KindField = Annotated[Kind, describe("What the wish is about.")]
ValueField = Annotated[str | bool | float, describe(_VALUES, "kosher")]


class Constraint(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A wish: a kind and one of its values."""

    kind: KindField
    value: ValueField


class ConstraintCount(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Places within the radius that meet a wish, do not meet it, or are unknown."""

    kind: KindField
    value: ValueField
    met: NonNegative
    not_met: NonNegative
    not_known: NonNegative


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


class AnsweredNeed(msgspec.Struct, forbid_unknown_fields=True):
    """A need that a place with food does not meet, and the answer to it."""

    id: Annotated[
        str,
        describe(
            "The need: a danger (suicide, overdose, emergency, child_danger, domestic_violence, "
            "infant_food, no_heat), a question on benefits such as benefits_cut_off or lost_card, "
            "other help such as rent or shelter, an offer (donor, volunteer), or the meaning of a "
            "word (what_snap).",
            "benefits_cut_off",
        ),
    ]
    is_danger: Annotated[bool, describe("Whether a person is in danger; then `urgent` is true.")]
    answer: Annotated[str, describe("The answer, also part of `answer`.")]
    source: Annotated[str, describe("The document that the answer rests on.")]
    source_url: Annotated[str | None, describe("Address of the document, if it has one.")]
    as_of: Annotated[str, describe("The day on which the source was read.", "2026-11-28")]
    page: Annotated[str | None, describe("Where to read on.")]


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
    needs: Annotated[
        list[AnsweredNeed],
        describe(
            "Needs in the question that a place with food does not meet, dangers first. Places "
            "with food are listed with them only if the question asks for food or the need is "
            "one of food."
        ),
    ]
    related_links: dict[str, str]
    choices: list[PlaceChoice]
    attribution: str
    explanation: (
        Annotated[
            list[str], describe("With `explain=true`: what in the question led to this reading.")
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET
