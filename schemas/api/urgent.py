"""The answer to "where is free food now?"."""

from typing import Annotated

import msgspec

from schemas.api.common import NonNegative
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

    hours_known_share: float | None
    total_open_now: NonNegative
    total_opening_soon: NonNegative
    total_usually_open: NonNegative
    total_opening_later: NonNegative
    total_call_first: NonNegative


class UrgentList(UrgentHead, rename={"data_provider": "_data_provider"}):
    """Free food now. Shops, school kitchens and Head Start centers are never in it."""

    resources: list[UrgentRecord]  # type: ignore[valid-type]
    opening_later: list[UrgentRecord]  # type: ignore[valid-type]
    call_first: list[UrgentRecord]  # type: ignore[valid-type]
    for_children: list[UrgentRecord]  # type: ignore[valid-type]
