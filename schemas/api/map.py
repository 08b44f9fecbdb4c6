"""The map: places of a view as GeoJSON (RFC 7946), near ones gathered into clusters."""

from typing import Annotated, Literal

import msgspec

from schemas.api.lists import DataProvider
from schemas.descriptions import describe
from schemas.vocab.resource_types import Mode


class MapModes(msgspec.Struct, forbid_unknown_fields=True):
    """Places of a cluster by mode; together they are its `count`."""

    free: Annotated[int, describe("Free food.", ge=0)]
    snap: Annotated[int, describe("SNAP offices, stores and restaurants that take EBT.", ge=0)]
    school: Annotated[int, describe("School meal sites and Head Start centers.", ge=0)]
    summer: Annotated[int, describe("Summer meal sites.", ge=0)]
    wic: Annotated[int, describe("WIC offices.", ge=0)]
    health: Annotated[int, describe("Health centers and clinics.", ge=0)]
    other: Annotated[int, describe("Types of no mode, such as diaper banks.", ge=0)]


class ClusterProperties(
    msgspec.Struct, forbid_unknown_fields=True, tag_field="kind", tag="cluster"
):
    """Places too near to each other to be shown one by one."""

    count: Annotated[int, describe("Its places within the view.", ge=2)]
    expansion_zoom: Annotated[int, describe("Zoom at which it parts.", ge=0, le=17)]
    bounds: Annotated[
        list[float],
        describe(
            "West, south, east and north end of its places, degrees.", min_length=4, max_length=4
        ),
    ]
    modes: Annotated[MapModes, describe("Its places by mode.")]


class PlaceProperties(msgspec.Struct, forbid_unknown_fields=True, tag_field="kind", tag="place"):
    """One place."""

    id: Annotated[int, describe("Permanent id of the place.", ge=1)]
    name: Annotated[str, describe("Name of the place.")]
    resource_type: Annotated[str, describe("Type id.")]
    mode: Annotated[Mode | None, describe("Search mode of the type; null for those of none.")]
    hours_status: Annotated[
        Literal["open", "closed", "closes_soon", "opens_soon", "unknown"],
        describe("Whether the place is open now."),
    ]
    verification_status: Annotated[
        str, describe("Who verified the place: a partner, an official register, or no one.")
    ]
    location_precision: Annotated[
        str, describe("How exact the point is: only `rooftop` and `street` are a door.")
    ]


class MapPoint(msgspec.Struct, forbid_unknown_fields=True):
    """A GeoJSON point: of a place, or the middle of a cluster's places."""

    type: Annotated[Literal["Point"], describe("Always `Point`.")]
    coordinates: Annotated[
        list[float], describe("Longitude and latitude, degrees, WGS84.", min_length=2, max_length=2)
    ]


class MapFeature(msgspec.Struct, forbid_unknown_fields=True):
    """A cluster or a place."""

    type: Annotated[Literal["Feature"], describe("Always `Feature`.")]
    geometry: Annotated[MapPoint, describe("Where it is.")]
    properties: Annotated[
        ClusterProperties | PlaceProperties, describe("What it is; `kind` distinguishes them.")
    ]


class MapHead(
    msgspec.Struct, forbid_unknown_fields=True, rename={"data_provider": "_data_provider"}
):
    """Members of a map answer other than its features."""

    type: Annotated[Literal["FeatureCollection"], describe("Always `FeatureCollection`.")]
    total: Annotated[int, describe("Places in the view, exactly: the sum over its features.", ge=0)]
    zoom: Annotated[int, describe("Requested zoom, without its fraction.", ge=0)]
    grid_zoom: Annotated[
        int,
        describe(
            "Zoom by whose cells places were gathered; lower than `zoom` where there would have been too many features.",
            ge=0,
        ),
    ]
    is_synthetic: Annotated[bool, describe("True when the places are invented.")]
    release_id: Annotated[str, describe("Release of the data this answer is made from.")]
    data_provider: Annotated[DataProvider, describe("Who gives the data.")]


class MapView(MapHead, rename={"data_provider": "_data_provider"}):
    """The places in a view. A GeoJSON FeatureCollection with some members of its own."""

    features: Annotated[
        list[MapFeature], describe("At most 1,000 clusters and places.", max_length=1000)
    ]
