"""The answer to "where can I go this week, and on which day?"."""

from typing import Annotated, Literal

import msgspec

from schemas.api.area_help import AreaContact
from schemas.api.common import IsSynthetic
from schemas.api.lists import Location
from schemas.descriptions import describe
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

    code: Annotated[
        DoubtCode,
        describe(
            "hours_old: open by hours that nobody has confirmed lately. hours_unsure: the hours do not settle that day. papers_unknown: nobody says whether papers are asked for. appointment: works by appointment. only_some: serves only some groups of people. area: serves certain areas, and perhaps not yours. limit: its list says how often a household may come, see `visit_limit_text`; earlier visits are not known here. not_known: nothing is known of a filter that was requested. reported: visitors reported a fault. rough_point: where it stands is known roughly."
        ),
    ]
    text: Annotated[Words, describe("The doubt as a sentence.")]


class PlanHours(msgspec.Struct, forbid_unknown_fields=True):
    """A span of opening, local time with its offset."""

    opens_at: Annotated[str, describe("Begin of the span.", "2026-11-24T10:00:00-05:00")]
    closes_at: Annotated[str, describe("End of the span.", "2026-11-24T12:00:00-05:00")]


class PlanVisit(msgspec.Struct, forbid_unknown_fields=True):
    """A place on a day."""

    resource_id: Annotated[int, describe("Id of the place.")]
    name: Annotated[str, describe("Name of the place.")]
    resource_type: Annotated[str, describe("Type of the place; `/api/resources/types` lists them.")]
    url: Annotated[str, describe("Address of its page.")]
    address: Annotated[str, describe("One line; town only where no more is known.")]
    phone: Annotated[str | None, describe("Phone number; null where none is known.")]
    distance_miles: Annotated[
        float, describe("In a straight line from the start; streets are longer.", ge=0)
    ]
    walk_minutes: Annotated[
        int, describe("For that straight line at the walking speed of the plan.", ge=0)
    ]
    hours: Annotated[
        list[PlanHours], describe("Its openings on the day; empty where none is certain.")
    ]
    hours_text: Annotated[Words, describe("The same in words.")]
    is_certain: Annotated[
        bool, describe("True where there is no doubt about what the plan relies on.")
    ]
    doubts: Annotated[list[PlanDoubt], describe("Everything that is not certain.")]
    required_documents: Annotated[
        list[str] | None,
        describe("Papers to bring; empty for none; null where that is not known."),
    ]
    visit_limit_text: Annotated[
        str | None,
        describe(
            "How often a household may come, as the list says it; null where it says nothing."
        ),
    ]
    age: Annotated[Words, describe("How old what is known is, in words.")]


class PlanStop(msgspec.Struct, forbid_unknown_fields=True):
    """A day of the plan: where to go, and where else."""

    date: Annotated[str, describe("Day on the places' calendar.", "2026-11-24")]
    weekday: Annotated[str, describe("Its weekday.", "tuesday")]
    visit: Annotated[PlanVisit, describe("The visit.")]
    fall_back: Annotated[
        PlanVisit | None,
        describe(
            "Of a visit that is not certain: the best other place on that day; null where there is none, and of a visit without doubt."
        ),
    ]


UnusedReason = Literal[
    "not_listed", "no_hours", "not_open", "does_not_match", "not_needed", "hidden"
]


class PlanUnused(msgspec.Struct, forbid_unknown_fields=True):
    """A place that is on no day of the plan."""

    resource_id: Annotated[int, describe("Permanent id of the place.")]
    name: Annotated[str | None, describe("Null for an id that is not listed.")]
    phone: Annotated[str | None, describe("Phone number; null where none is known.")]
    reason: Annotated[
        UnusedReason,
        describe(
            "no_hours: its hours are not known. not_open: closed at all times that suit. does_not_match: known to miss a filter. not_needed: other chosen places were better. hidden: its address is not published."
        ),
    ]
    text: Annotated[Words, describe("The reason as a sentence.")]


class WeekPlan(msgspec.Struct, forbid_unknown_fields=True):
    """A plan for the coming seven days. Nothing in it is a promise of the places."""

    success: Annotated[bool, describe("Always true.")]
    location: Annotated[Location, describe("The place that was started from.")]
    today: Annotated[str, describe("First day of the week.", "2026-11-24")]
    visits_wanted: Annotated[int, describe("Visits that were asked for.", ge=1, le=7)]
    visits_planned: Annotated[int, describe("Length of `stops`.", ge=0, le=7)]
    visits_certain: Annotated[int, describe("Of these, without doubt.", ge=0, le=7)]
    max_miles: Annotated[float, describe("Distance from the start in a straight line.", ge=0)]
    walk_mph: Annotated[float, describe("Walking speed, miles an hour.", gt=0)]
    message: Annotated[Words, describe("What the plan achieves, and what it relies on.")]
    rule: Annotated[Words, describe("How the plan was chosen.")]
    stops: Annotated[list[PlanStop], describe("By day; at most one visit a day.")]
    days_without: Annotated[
        list[str],
        describe("Where fewer visits were found than wanted: the days that suit and have none."),
    ]
    unused: Annotated[list[PlanUnused], describe("Chosen places that are on no day.")]
    call_first: Annotated[
        list[PlanUnused],
        describe(
            "Where fewer visits were found than wanted: the nearest places whose hours are not known."
        ),
    ]
    contacts: Annotated[list[AreaContact], describe("Whom to ask where the plan is not enough.")]
    is_synthetic: IsSynthetic
    release_id: Annotated[str, describe("Release of the data this answer is made from.")]
