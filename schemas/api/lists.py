"""Answers that hold many resources: search, nearby, bulk, counts, suggestions."""

from typing import Annotated, Literal

import msgspec

from schemas.api.area_help import AreaHelp
from schemas.api.common import IsSynthetic
from schemas.api.home_delivery import HomeDelivery
from schemas.api.record import FoundRecord, ResourceRecord
from schemas.descriptions import describe


class Location(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """The place that was searched from."""

    city: Annotated[str | None, describe("City of the point, where known.", "New York")]
    state: Annotated[str | None, describe("State or territory code.", "NY")]
    zip: Annotated[
        str | None, describe("Requested ZIP code, or the one nearest to the point.", "10002")
    ]
    lat: Annotated[float, describe("Latitude in degrees, WGS84.", 40.7157)]
    lng: Annotated[float, describe("Longitude in degrees, WGS84.", -73.9863)]


class DataProvider(msgspec.Struct, forbid_unknown_fields=True):
    """Provider of the data, and its terms."""

    name: Annotated[str, describe("Name of the organization that runs this service.")]
    url: Annotated[str, describe("Address of this service.")]
    license: Annotated[
        str,
        describe(
            "SPDX id of the licence of the compilation; each record names its own.", "CC-BY-4.0"
        ),
    ]


class ListHead(
    msgspec.Struct, forbid_unknown_fields=True, rename={"data_provider": "_data_provider"}
):
    """Members of a list answer other than the list."""

    success: Annotated[bool, describe("Always true.")]
    total_available: Annotated[int, describe("How many match within the radius, exactly.", ge=0)]
    count: Annotated[int, describe("How many are in this answer.", ge=0)]
    page: Annotated[int, describe("Number of this page, from 1.", ge=1)]
    limit: Annotated[int, describe("Most per page.", ge=1)]
    location: Annotated[Location, describe("The place that was searched from.")]
    expanded: Annotated[
        bool, describe("True when nothing lay within 50 miles and the radius was widened.")
    ]
    search_radius_mi: Annotated[float, describe("Radius that was used, in miles.", ge=0)]
    message: Annotated[str | None, describe("What a reader should know about this answer.")]
    is_synthetic: IsSynthetic
    release_id: Annotated[
        str, describe("Release of the data this answer is made from.", "20261101T060000Z-1c2d3e4f")
    ]
    data_provider: Annotated[DataProvider, describe("Who gives the data.")]
    area_help: Annotated[
        AreaHelp | None,
        describe(
            "Contacts to ask first when nothing suitable (for all kinds: no free food) is within 50 miles; null otherwise."
        ),
    ]


class SearchHead(ListHead, rename={"data_provider": "_data_provider"}):
    """The head of an answer to a search, which may have filters."""

    home_delivery: Annotated[
        list[HomeDelivery],
        describe(
            "Services without a door that bring food to homes there: not counted in `total_available`, no distance. Empty for searches that ask for no free food."
        ),
    ]
    filtered_out_unknown: Annotated[
        Annotated[int, msgspec.Meta(ge=0)] | None,
        describe(
            "Places within the radius left out only because we do not know if they match the filters; null without a filter."
        ),
    ]
    serves_area_not_known: Annotated[
        Annotated[int, msgspec.Meta(ge=0)] | msgspec.UnsetType,
        describe(
            "Of `total_available`, places of which it is not known whether they serve `serves_zip`; only where that was asked."
        ),
    ] = msgspec.UNSET


class ResourceList(SearchHead, rename={"data_provider": "_data_provider"}, kw_only=True):
    """Places, nearest first (or the most relevant first); equal ones in order of their id."""

    resources: Annotated[list[FoundRecord], describe("The places.")]


class ModeCounts(msgspec.Struct, forbid_unknown_fields=True):
    """Places within 150 miles by search mode; exactly these six members."""

    free: Annotated[int, describe("Free food.", 412, ge=0)]
    snap: Annotated[int, describe("SNAP offices, stores and restaurants that take EBT.", ge=0)]
    school: Annotated[int, describe("School meal sites and Head Start centers.", ge=0)]
    summer: Annotated[int, describe("Summer meal sites.", ge=0)]
    wic: Annotated[int, describe("WIC offices.", ge=0)]
    health: Annotated[int, describe("Health centers and clinics.", ge=0)]


class Suggestion(msgspec.Struct, forbid_unknown_fields=True):
    """A place to search from."""

    label: Annotated[str, describe("Text for a list. The search accepts it as it is.", "Salem, OR")]
    display_name: Annotated[str, describe("Same as `label`.")]
    kind: Annotated[Literal["city", "zip"], describe("What the suggestion is.")]
    city: Annotated[str | None, describe("Name of the place.")]
    state: Annotated[str | None, describe("State or territory code.")]
    zip: Annotated[str | None, describe("A ZIP code of the place, where known.")]
    lat: Annotated[float, describe("Latitude in degrees, WGS84.")]
    lng: Annotated[float, describe("Longitude in degrees, WGS84.")]
    population: Annotated[int | None, describe("Residents, where known.")]
    count: Annotated[int, describe("Places with free food within 25 miles.", ge=0)]


class Suggestions(msgspec.Struct, forbid_unknown_fields=True):
    """Cities and ZIP codes that begin with the text, the best first: residents and free food count."""

    success: Annotated[bool, describe("Always true.")]
    query: Annotated[str, describe("The text as received.")]
    suggestions: Annotated[list[Suggestion], describe("At most `limit` of them.")]
    is_synthetic: Annotated[bool, describe("True when the places are invented.")]


class BulkHead(msgspec.Struct, forbid_unknown_fields=True):
    """Members of a bulk page other than the records."""

    success: Annotated[bool, describe("Always true.")]
    page: Annotated[
        int,
        describe(
            "Number of this page, from 1; with `cursor`, of the page that has its first record.",
            ge=1,
        ),
    ]
    limit: Annotated[int, describe("Most records per page.", ge=1, le=1000)]
    count: Annotated[int, describe("Records in this page.", ge=0)]
    total: Annotated[int, describe("Records that match, over all pages.", ge=0)]
    total_pages: Annotated[int, describe("Pages there are; 0 when nothing matches.", ge=0)]
    next: Annotated[str | None, describe("Address of the next page; null on the last.")]
    next_cursor: Annotated[str | None, describe("`cursor` of the next page; null on the last.")]
    license: Annotated[str, describe("SPDX id of the licence of the compilation.")]
    is_synthetic: Annotated[bool, describe("True when the places are invented.")]
    release_id: Annotated[str, describe("Release the page is cut from.")]


class BulkPage(BulkHead):
    """One page of the export, in order of id."""

    resources: Annotated[list[ResourceRecord], describe("The records.")]
