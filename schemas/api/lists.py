"""Answers that hold many resources: search, nearby, bulk, counts, suggestions."""

from typing import Annotated, Literal

import msgspec

from schemas.api.area_help import AreaHelp
from schemas.api.common import CompilationLicense, IsSynthetic, NonNegative, Success
from schemas.api.home_delivery import HomeDelivery
from schemas.api.record import FoundRecord, ResourceRecord


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
    """Cities and ZIP codes that begin with the text, the best first: residents and free food count."""

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
