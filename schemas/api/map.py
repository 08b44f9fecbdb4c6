"""The map: places of a view as GeoJSON (RFC 7946), near ones gathered into clusters."""

from typing import Annotated, Literal

import msgspec

from schemas.api.common import IsSynthetic, NonNegative, ServedRelease
from schemas.api.lists import DataProvider, ModeCounts
from schemas.vocab.resource_types import Mode


class MapModes(ModeCounts, forbid_unknown_fields=True):
    """Places of a cluster by mode; together they are its `count`."""

    other: NonNegative


class ClusterProperties(
    msgspec.Struct, forbid_unknown_fields=True, tag_field="kind", tag="cluster"
):
    """Places too near to each other to be shown one by one."""

    count: Annotated[int, msgspec.Meta(ge=2)]
    expansion_zoom: Annotated[int, msgspec.Meta(ge=0, le=17)]
    bounds: Annotated[list[float], msgspec.Meta(min_length=4, max_length=4)]
    modes: MapModes


class PlaceProperties(msgspec.Struct, forbid_unknown_fields=True, tag_field="kind", tag="place"):
    """One place."""

    id: Annotated[int, msgspec.Meta(ge=1)]
    name: str
    resource_type: str
    mode: Mode | None
    hours_status: Literal["open", "closed", "closes_soon", "opens_soon", "unknown"]
    verification_status: str
    location_precision: str


class MapPoint(msgspec.Struct, forbid_unknown_fields=True):
    """A GeoJSON point: of a place, or the middle of a cluster's places."""

    type: Literal["Point"]
    coordinates: Annotated[list[float], msgspec.Meta(min_length=2, max_length=2)]


class MapFeature(msgspec.Struct, forbid_unknown_fields=True):
    """A cluster or a place."""

    type: Literal["Feature"]
    geometry: MapPoint
    properties: ClusterProperties | PlaceProperties


class MapHead(
    msgspec.Struct, forbid_unknown_fields=True, rename={"data_provider": "_data_provider"}
):
    """Members of a map answer other than its features."""

    type: Literal["FeatureCollection"]
    total: NonNegative
    zoom: NonNegative
    grid_zoom: NonNegative
    is_synthetic: IsSynthetic
    release_id: ServedRelease
    data_provider: DataProvider


class MapView(MapHead, rename={"data_provider": "_data_provider"}):
    """The places in a view. A GeoJSON FeatureCollection with some members of its own."""

    features: Annotated[list[MapFeature], msgspec.Meta(max_length=1000)]
