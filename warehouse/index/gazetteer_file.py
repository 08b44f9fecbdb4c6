"""Gazetteer files of a release: MessagePack, read ten times as fast as database rows, and the
spatial blocks of its ZIP codes."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from schemas.tables.core import CITIES, ZIPS
from schemas.values.coordinates import ecef, miles_to_chord
from schemas.vocab.states import CODE_BY_FIPS
from warehouse.duckdb import Connection
from warehouse.index.blocks import read_blocks, write_blocks
from warehouse.index.gazetteer import (
    City,
    County,
    Entries,
    Gazetteer,
    ZipPlace,
    encode_gazetteer,
    in_order,
    zip_blocks,
)
from warehouse.index.hilbert import hilbert_order
from warehouse.index.points import MODE_TYPES
from warehouse.index.spatial import SpatialIndex

_NAME, _BLOCKS = "gazetteer.msgpack", "zip_blocks.arrow"
_SUPPLY_MILES = 25.0
# Points counted at a time: more would be too far apart, fewer take more NumPy calls.
_NEIGHBOURS = 32


def write_gazetteer(db: Connection, spatial: SpatialIndex, folder: Path) -> None:
    """Write ZIP codes, cities and counties, with the free food around them. Raises OSError."""
    zips = db.execute(
        "SELECT zip, zip_kind, place_name, state, lat, lng, population, is_quality_low,"
        f" county_fips FROM {ZIPS.name}"
    ).fetchall()
    cities = db.execute(
        f"SELECT place_name, state, search_name, lat, lng, zip, population FROM {CITIES.name}"
    ).fetchall()
    counties = db.execute(
        "SELECT min(county_name), county_fips, median(lat), median(lng), sum(population), count(*)"
        f" FROM {ZIPS.name} WHERE county_fips IS NOT NULL AND lat IS NOT NULL AND lng IS NOT NULL"
        " GROUP BY county_fips"
    ).fetchall()
    entries = in_order(
        (ZipPlace(*row) for row in zips),
        (City(*row) for row in cities),
        (
            County(name, CODE_BY_FIPS[fips[:2]], fips, lat, lng, int(people or 0), count)
            for name, fips, lat, lng, people, count in counties
            if name and fips[:2] in CODE_BY_FIPS
        ),
    )
    (folder / _NAME).write_bytes(encode_gazetteer(_supply(entries, spatial)))
    write_blocks(zip_blocks(entries.zips), folder / _BLOCKS)


def read_gazetteer(folder: Path) -> Gazetteer:
    """Read the gazetteer of a release. Raises OSError, or msgspec.DecodeError when damaged."""
    return Gazetteer((folder / _NAME).read_bytes(), read_blocks(folder / _BLOCKS))


def _supply(entries: Entries, spatial: SpatialIndex) -> Entries:
    with_point = [place for place in entries.zips if place.lat is not None]
    counts = iter(_counts(spatial, [*with_point, *entries.cities]))
    return Entries(
        [
            place if place.lat is None else place._replace(free_food_count=next(counts))
            for place in entries.zips
        ],
        [city._replace(free_food_count=next(counts)) for city in entries.cities],
        entries.counties,
    )


def _counts(spatial: SpatialIndex, places: Sequence[City | ZipPlace]) -> list[int]:
    """Count the places with free food near each place; all must have a point."""
    lat = np.array([place.lat for place in places], dtype=np.float64)
    lng = np.array([place.lng for place in places], dtype=np.float64)
    free, chord = spatial.select(MODE_TYPES["free"]), miles_to_chord(_SUPPLY_MILES)
    metres, order = ecef(lat, lng), np.argsort(hilbert_order(lat, lng))
    counts = np.zeros(len(places), dtype=np.int64)
    for first in range(0, len(places), _NEIGHBOURS):
        near = order[first : first + _NEIGHBOURS]
        counts[near] = free.count_around_each(metres[near], chord)
    group_counts: list[int] = counts.tolist()
    return group_counts
