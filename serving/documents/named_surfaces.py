"""The addresses that documents about a release may name."""

from serving.reference.surfaces import SURFACES, Surface
from serving.statistics.food_access import has_county_map
from warehouse.index.reader import OpenRelease


def named_surfaces(release: OpenRelease | None) -> list[Surface]:
    """Return all of them, without those that this release cannot answer."""
    has_map = release is not None and has_county_map(release)
    return [s for s in SURFACES.values() if s.id != "county_map" or has_map]
