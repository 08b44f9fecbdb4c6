"""Answers with many resources: search, nearby, bulk, counts, suggestions."""

from typing import Annotated, Literal

import msgspec

from schemas.api.area_help import AreaHelp, HomeDelivery
from schemas.api.common import CompilationLicense, IsSynthetic, NonNegative, Success
from schemas.api.record import FoundRecord, ResourceRecord, extend_record
from schemas.descriptions import describe, list_members
from schemas.words import Words


class Location(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """The place that was searched from."""

    city: str | None
    state: str | None
    zip: str | None
    lat: float
    lng: float


class DataProvider(msgspec.Struct, forbid_unknown_fields=True):
    """Provider of the data, and its terms."""

    name: str
    url: str
    license: str


class ListHead(
    msgspec.Struct, forbid_unknown_fields=True, rename={"data_provider": "_data_provider"}
):
    """Members of a list answer other than the list."""

    success: Success
    total_available: NonNegative
    count: NonNegative
    page: Annotated[int, msgspec.Meta(ge=1)]
    limit: Annotated[int, msgspec.Meta(ge=1)]
    location: Location
    expanded: bool
    search_radius_mi: Annotated[float, msgspec.Meta(ge=0)]
    message: str | None
    is_synthetic: IsSynthetic
    release_id: str
    data_provider: DataProvider
    area_help: AreaHelp | None


class SearchHead(ListHead, rename={"data_provider": "_data_provider"}):
    """The head of an answer to a search, which may have filters."""

    home_delivery: list[HomeDelivery]
    filtered_out_unknown: NonNegative | None
    serves_area_not_known: NonNegative | msgspec.UnsetType = msgspec.UNSET


class ResourceList(SearchHead, rename={"data_provider": "_data_provider"}, kw_only=True):
    """Places, nearest first (or the most relevant first); equal ones in order of their id."""

    resources: list[FoundRecord]


class ModeCounts(msgspec.Struct, forbid_unknown_fields=True):
    """Places within 150 miles by search mode; exactly these six members."""

    free: NonNegative
    snap: NonNegative
    school: NonNegative
    summer: NonNegative
    wic: NonNegative
    health: NonNegative


class Suggestion(msgspec.Struct, forbid_unknown_fields=True):
    """A place to search from."""

    label: str
    display_name: str
    kind: Literal["city", "zip"]
    city: str | None
    state: str | None
    zip: str | None
    lat: float
    lng: float
    population: int | None
    count: NonNegative


class Suggestions(msgspec.Struct, forbid_unknown_fields=True):
    """Cities and ZIP codes that begin with the text. Those with more residents and free food come
    first."""

    success: Success
    query: str
    suggestions: list[Suggestion]
    is_synthetic: IsSynthetic


class BulkHead(msgspec.Struct, forbid_unknown_fields=True):
    """Members of a bulk page other than the records."""

    success: Success
    page: Annotated[int, msgspec.Meta(ge=1)]
    limit: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    count: NonNegative
    total: NonNegative
    total_pages: NonNegative
    next: str | None
    next_cursor: str | None
    license: CompilationLicense
    is_synthetic: IsSynthetic
    release_id: str


class BulkPage(BulkHead):
    """One page of the export, in order of id."""

    resources: list[ResourceRecord]


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
            "End of the present opening, local time with its offset; null while closed and where "
            "none is in sight."
        ),
    ]
    when: Annotated[Words, describe("When to go, or why to call first, as a sentence.")]
    who_may_eat: Annotated[Words | None, describe("Who is served, where it is not everyone.")]


UrgentRecord = extend_record("UrgentRecord", ResourceRecord, list_members(_When))


class UrgentHead(ListHead, rename={"data_provider": "_data_provider"}):
    """Members of the answer other than its lists. `total_available` counts what is open now."""

    hours_known_share: float | None
    total_open_now: NonNegative
    total_opening_soon: NonNegative
    total_usually_open: NonNegative
    total_opening_later: NonNegative
    total_call_first: NonNegative


class UrgentList(UrgentHead, rename={"data_provider": "_data_provider"}):
    """Free food now. Shops, school kitchens and Head Start centers are never in it."""

    resources: list[UrgentRecord]  # type: ignore[valid-type]
    opening_soon: list[UrgentRecord]  # type: ignore[valid-type]
    usually_open: list[UrgentRecord]  # type: ignore[valid-type]
    opening_later: list[UrgentRecord]  # type: ignore[valid-type]
    call_first: list[UrgentRecord]  # type: ignore[valid-type]
    for_children: list[UrgentRecord]  # type: ignore[valid-type]
