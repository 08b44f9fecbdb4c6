"""The answer to "where is free food now?"."""

from typing import Annotated

import msgspec

from schemas.api.lists import ListHead
from schemas.api.record import ResourceRecord, extended_record
from schemas.descriptions import declared_members, describe
from schemas.words import Words


class _When(msgspec.Struct):
    """Appended to each record of the answer."""

    opens_at: Annotated[
        str | None,
        describe(
            "Next opening, local time with its offset; null while open and where none is known.",
            "2026-11-24T10:00:00-05:00",
        ),
    ]
    closes_at: Annotated[
        str | None,
        describe(
            "End of the present opening, local time with its offset; null while closed and where none is in sight."
        ),
    ]
    when: Annotated[Words, describe("When to go, or why to call first, as a sentence.")]
    who_may_eat: Annotated[Words | None, describe("Who is served, where it is not everyone.")]


UrgentRecord = extended_record("UrgentRecord", ResourceRecord, declared_members(_When))


class UrgentHead(ListHead, rename={"data_provider": "_data_provider"}):
    """Members of the answer other than its four lists. `total_available` counts `resources`:
    what is open, opens within the hour, or is usually open now."""

    hours_known_share: Annotated[
        float | None,
        describe(
            "Share (0 to 1) of the places with free food within the radius whose open status is known now; null if there are none.",
            0.42,
        ),
    ]
    total_open_now: Annotated[int, describe("Places open now within the radius.", ge=0)]
    total_opening_soon: Annotated[int, describe("Places that open within the hour.", ge=0)]
    total_usually_open: Annotated[
        int,
        describe(
            "Places that are open now by hours too old to be asserted, and places whose operator said that they are open today and not when.",
            ge=0,
        ),
    ]
    total_opening_later: Annotated[int, describe("Other places that open within three days.", ge=0)]
    total_call_first: Annotated[int, describe("Places whose open status is unknown.", ge=0)]


class UrgentList(UrgentHead, rename={"data_provider": "_data_provider"}):
    """Free food now. Shops, school kitchens and Head Start centers are never in it."""

    resources: Annotated[
        list[UrgentRecord],  # type: ignore[valid-type]
        describe(
            "Places open now; then places that open within the hour; then places usually open now, whose `hours_status` is `unknown` (see `usual_hours`): call first. Each nearest first."
        ),
    ]
    opening_later: Annotated[
        list[UrgentRecord],  # type: ignore[valid-type]
        describe(
            "Closed now and open within three days, by the minutes until they open and 6 minutes of travel for each mile."
        ),
    ]
    call_first: Annotated[
        list[UrgentRecord],  # type: ignore[valid-type]
        describe(
            "Places with unknown, old or doubtful hours, and places whose address is not published. Places with a phone number come first, each group nearest first."
        ),
    ]
    for_children: Annotated[
        list[UrgentRecord],  # type: ignore[valid-type]
        describe(
            "Summer meal sites that are open or open within the hour, nearest first. `who_may_eat` says who is served."
        ),
    ]
