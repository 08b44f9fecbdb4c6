"""The answer to a question in plain language, with the members the interface fixes."""

from typing import Annotated, Literal

import msgspec

from schemas.api.area_help import AreaHelp
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

    location: Annotated[
        str | None,
        describe("Five-digit ZIP code, or `City, ST`; null when none is named.", "Spokane, WA"),
    ]
    state: Annotated[str | None, describe("State or territory code.", "WA")]
    mode: Annotated[AskedMode, describe("Search mode; of several the first of `modes`.")]
    urgent: Annotated[bool, describe("True when food is needed now or today.")]
    intent: Annotated[
        Literal["find", "apply"], describe("To find a place, or to apply for a program.")
    ]
    constraints: Annotated[
        list[Constraint], describe("What else is asked of a place: every wish that was recognised.")
    ]
    modes: Annotated[
        list[AskedMode],
        describe("Every programme that is asked for: `SNAP or WIC office` searches for both."),
    ]


class PlaceChoice(msgspec.Struct, forbid_unknown_fields=True):
    """A place that a question may mean, or names as well."""

    label: Annotated[
        str,
        describe(
            "The place: a five-digit ZIP code, `City, ST`, `Name County, ST`, or the name of a listed place or food bank."
        ),
    ]
    question: Annotated[str, describe("The question that asks for this place alone.")]
    url: Annotated[str, describe("Address of its answer.")]
    page: Annotated[str, describe("Address of its page in the finder.")]


class FoundPlace(msgspec.Struct, forbid_unknown_fields=True):
    """A place found for a question."""

    id: Annotated[int, describe("Permanent id.", 101)]
    name: Annotated[str, describe("Name of the place.")]
    type: Annotated[Literal[TYPE_IDS], describe("Type id.")]  # type: ignore[valid-type]
    address: Annotated[str, describe("Address in one line, as far as it is known.")]
    phone: Annotated[str | None, describe("Telephone number.")]
    distance_miles: Annotated[
        float | None, describe("Great-circle miles, rounded by the precision of the place's point.")
    ]
    open_status: Annotated[
        OpenStatus,
        describe("Whether it is open now, in its own time zone; `unknown`: call first."),
    ]
    usual_hours: Annotated[
        UsualHours | None,
        describe(
            "Published hours that are too old to rely on, with their age; null if the hours are current or unknown."
        ),
    ]
    service_detail_url: Annotated[
        str, describe("Page of the place, in the language of the answer.")
    ]
    json_url: Annotated[str, describe("Address of its whole record as JSON.")]
    doubt: Annotated[
        Doubt | None,
        describe("What visitors reported against the listing, if anything waits for review."),
    ] = None


class PlainAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """The answer to a question in plain language."""

    query: Annotated[str, describe("The question as received, without control characters.")]
    intent: Annotated[AskedIntent, describe("What the question was read as.")]
    answer: Annotated[
        str,
        describe(
            "The answer in the language of the question (English or Spanish; the header Content-Language says which). It names nothing that is not in `resources` or `home_delivery`."
        ),
    ]
    action: Annotated[
        Action,
        describe("What the answer is: places found, how to apply, or a question for the place."),
    ]
    result_count: Annotated[int, describe("Places in this answer.", ge=0)]
    total_available: Annotated[int, describe("Places that match within the radius.", ge=0)]
    constraint_counts: Annotated[
        list[ConstraintCount],
        describe(
            "For each constraint, how many places within the radius (`total_available`) meet it, do not meet it, or are unknown. Empty if there was no search."
        ),
    ]
    area_help: Annotated[
        AreaHelp | None,
        describe(
            "Contacts to ask when nothing suitable is within 50 miles. The answer starts with them."
        ),
    ]
    home_delivery: Annotated[
        list[HomeDelivery],
        describe("Services that bring food to homes there; they have no place to go to."),
    ]
    resources: Annotated[
        list[FoundPlace],
        describe(
            "The places, best first: those known to meet all constraints, then those for which it is unknown, then those known not to meet one."
        ),
    ]
    related_links: Annotated[dict[str, str], describe("Addresses to go on from, by what they are.")]
    choices: Annotated[
        list[PlaceChoice],
        describe(
            "Places to choose from where the question leaves it open: all counties or cities of the name, the nearest spellings of an unknown one, or a second place that it names."
        ),
    ]
    attribution: Annotated[
        str, describe("Who gives the data, under which licence, from which release.")
    ]
    explanation: (
        Annotated[
            list[str], describe("With `explain=true`: what in the question led to this reading.")
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET
