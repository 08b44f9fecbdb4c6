"""Answers that hold many resources: search, nearby, bulk, counts, suggestions."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from schemas.api.area_help import AreaHelp
from schemas.api.home_delivery import HomeDelivery
from schemas.api.record import FoundRecord, ResourceRecord

_Meta = msgspec.Meta


class Location(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """The place that was searched from."""

    city: Annotated[
        str | None, _Meta(description="City of the point, where known.", examples=["New York"])
    ]
    state: Annotated[str | None, _Meta(description="State or territory code.", examples=["NY"])]
    zip: Annotated[
        str | None,
        _Meta(
            description="Requested ZIP code, or the one nearest to the point.", examples=["10002"]
        ),
    ]
    lat: Annotated[float, _Meta(description="Latitude in degrees, WGS84.", examples=[40.7157])]
    lng: Annotated[float, _Meta(description="Longitude in degrees, WGS84.", examples=[-73.9863])]


class DataProvider(msgspec.Struct, forbid_unknown_fields=True):
    """Provider of the data, and its terms."""

    name: Annotated[str, _Meta(description="Name of the organization that runs this service.")]
    url: Annotated[str, _Meta(description="Address of this service.")]
    license: Annotated[
        str,
        _Meta(
            description="SPDX id of the licence of the compilation; each record names its own.",
            examples=["CC-BY-4.0"],
        ),
    ]


class ListHead(
    msgspec.Struct, forbid_unknown_fields=True, rename={"data_provider": "_data_provider"}
):
    """Members of a list answer other than the list."""

    success: Annotated[bool, _Meta(description="Always true.")]
    total_available: Annotated[
        int, _Meta(description="How many match within the radius, exactly.", ge=0)
    ]
    count: Annotated[int, _Meta(description="How many are in this answer.", ge=0)]
    page: Annotated[int, _Meta(description="Number of this page, from 1.", ge=1)]
    limit: Annotated[int, _Meta(description="Most per page.", ge=1)]
    location: Annotated[Location, _Meta(description="The place that was searched from.")]
    expanded: Annotated[
        bool, _Meta(description="True when nothing lay within 50 miles and the radius was widened.")
    ]
    search_radius_mi: Annotated[float, _Meta(description="Radius that was used, in miles.", ge=0)]
    message: Annotated[
        str | None, _Meta(description="What a reader should know about this answer.")
    ]
    is_synthetic: Annotated[
        bool, _Meta(description="True when the places are invented (demonstration data).")
    ]
    release_id: Annotated[
        str,
        _Meta(
            description="Release of the data this answer is made from.",
            examples=["20261101T060000Z-1c2d3e4f"],
        ),
    ]
    data_provider: Annotated[DataProvider, _Meta(description="Who gives the data.")]
    area_help: Annotated[
        AreaHelp | None,
        _Meta(
            description="Contacts to ask first when nothing suitable (for all kinds: no free food) is within 50 miles; null otherwise."
        ),
    ]


class SearchHead(ListHead, rename={"data_provider": "_data_provider"}):
    """The head of an answer to a search, which may have filters."""

    home_delivery: Annotated[
        list[HomeDelivery],
        _Meta(
            description="Services without a door that bring food to homes there: not counted in `total_available`, no distance. Empty for searches that ask for no free food."
        ),
    ]
    filtered_out_unknown: Annotated[
        Annotated[int, _Meta(ge=0)] | None,
        _Meta(
            description="Places within the radius left out only because we do not know if they match the filters; null without a filter."
        ),
    ]
    serves_area_not_known: Annotated[
        Annotated[int, _Meta(ge=0)] | msgspec.UnsetType,
        _Meta(
            description="Of `total_available`, places of which it is not known whether they serve `serves_zip`; only where that was asked."
        ),
    ] = msgspec.UNSET


class ResourceList(SearchHead, rename={"data_provider": "_data_provider"}, kw_only=True):
    """Places, nearest first (or the most relevant first); equal ones in order of their id."""

    resources: Annotated[list[FoundRecord], _Meta(description="The places.")]  # type: ignore[valid-type]


class ModeCounts(msgspec.Struct, forbid_unknown_fields=True):
    """Places within 150 miles by search mode; exactly these six members."""

    free: Annotated[int, _Meta(description="Free food.", ge=0, examples=[412])]
    snap: Annotated[
        int, _Meta(description="SNAP offices, stores and restaurants that take EBT.", ge=0)
    ]
    school: Annotated[int, _Meta(description="School meal sites and Head Start centers.", ge=0)]
    summer: Annotated[int, _Meta(description="Summer meal sites.", ge=0)]
    wic: Annotated[int, _Meta(description="WIC offices.", ge=0)]
    health: Annotated[int, _Meta(description="Health centers and clinics.", ge=0)]


class Suggestion(msgspec.Struct, forbid_unknown_fields=True):
    """A place to search from."""

    label: Annotated[
        str,
        _Meta(
            description="Text for a list. The search accepts it as it is.", examples=["Salem, OR"]
        ),
    ]
    display_name: Annotated[str, _Meta(description="Same as `label`.")]
    kind: Annotated[Literal["city", "zip"], _Meta(description="What the suggestion is.")]
    city: Annotated[str | None, _Meta(description="Name of the place.")]
    state: Annotated[str | None, _Meta(description="State or territory code.")]
    zip: Annotated[str | None, _Meta(description="A ZIP code of the place, where known.")]
    lat: Annotated[float, _Meta(description="Latitude in degrees, WGS84.")]
    lng: Annotated[float, _Meta(description="Longitude in degrees, WGS84.")]
    population: Annotated[int | None, _Meta(description="Residents, where known.")]
    count: Annotated[int, _Meta(description="Places with free food within 25 miles.", ge=0)]


class Suggestions(msgspec.Struct, forbid_unknown_fields=True):
    """Cities and ZIP codes that begin with the text, the best first: residents and free food count."""

    success: Annotated[bool, _Meta(description="Always true.")]
    query: Annotated[str, _Meta(description="The text as received.")]
    suggestions: Annotated[list[Suggestion], _Meta(description="At most `limit` of them.")]
    is_synthetic: Annotated[bool, _Meta(description="True when the places are invented.")]


class BulkHead(msgspec.Struct, forbid_unknown_fields=True):
    """Members of a bulk page other than the records."""

    success: Annotated[bool, _Meta(description="Always true.")]
    page: Annotated[
        int,
        _Meta(
            description="Number of this page, from 1; with `cursor`, of the page that has its "
            "first record.",
            ge=1,
        ),
    ]
    limit: Annotated[int, _Meta(description="Most records per page.", ge=1, le=1000)]
    count: Annotated[int, _Meta(description="Records in this page.", ge=0)]
    total: Annotated[int, _Meta(description="Records that match, over all pages.", ge=0)]
    total_pages: Annotated[int, _Meta(description="Pages there are; 0 when nothing matches.", ge=0)]
    next: Annotated[str | None, _Meta(description="Address of the next page; null on the last.")]
    next_cursor: Annotated[
        str | None, _Meta(description="`cursor` of the next page; null on the last.")
    ]
    license: Annotated[str, _Meta(description="SPDX id of the licence of the compilation.")]
    is_synthetic: Annotated[bool, _Meta(description="True when the places are invented.")]
    release_id: Annotated[str, _Meta(description="Release the page is cut from.")]


class BulkPage(BulkHead):
    """One page of the export, in order of id."""

    resources: Annotated[list[ResourceRecord], _Meta(description="The records.")]  # type: ignore[valid-type]
