"""Writes the bulk file of map tiles (PMTiles): a map of all places that a browser reads in byte
ranges, without a server that makes tiles.

Places in one square of 64 pixels are a cluster, except at the last zoom, which has every single
place.
"""

import gzip
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pmtiles.tile import Compression, TileType
from pmtiles.writer import Writer

from schemas.vocab.resource_types import MODES, RESOURCE_TYPES
from warehouse.duckdb import Connection
from warehouse.exports.bulk_formats import floats, hilbert_position
from warehouse.index.points import MODE_NUMBERS, TYPE_CODES

# The square of Web Mercator ends at this latitude, in degrees.
MAP_END = 85.0511287798066
_EXTENT = 4096
_MOVE_TO_ONE_POINT = 9
_POINT = 1
_MODE_MEMBERS = (*MODES, "other")
Floats = NDArray[np.float64]
Members = Mapping[str, str | int | float | bool]


class TilePoint(NamedTuple):
    """A point of a layer: its position in the tile, and its members."""

    x: int
    y: int
    members: Members
    id: int | None = None


def encode_tile(layers: Mapping[str, Sequence[TilePoint]]) -> bytes:
    """Return a tile; empty layers are omitted."""
    # Only tiles need protobuf: the service starts without it.
    from mapbox_vector_tile.Mapbox import (  # type: ignore[import-untyped]  # noqa: PLC0415
        vector_tile_pb2,
    )

    tile = vector_tile_pb2.tile()
    for name, points in layers.items():
        if points:
            _fill(tile.layers.add(name=name, version=2, extent=_EXTENT), points)
    body: bytes = tile.SerializeToString()
    return body


def _fill(layer: Any, points: Iterable[TilePoint]) -> None:
    """Add points to a layer, with every key and value stored once."""
    keys: dict[str, int] = {}
    values: dict[tuple[type, Any], int] = {}
    add = layer.features.add
    for x, y, members, number in points:
        tags = []
        for key, value in members.items():
            tags.append(keys.setdefault(key, len(keys)))
            tags.append(values.setdefault((value.__class__, value), len(values)))
        # Coordinates are zigzag numbers.
        geometry = (_MOVE_TO_ONE_POINT, x << 1, y << 1)
        add(id=number, tags=tags, type=_POINT, geometry=geometry)
    layer.keys.extend(keys)
    for kind, value in values:
        layer.values.add(**{_VALUES[kind]: value})


_VALUES: dict[type, str] = {
    str: "string_value",
    bool: "bool_value",
    int: "int_value",
    float: "double_value",
}


def point_in_tile(across: float, down: float, zoom: int, x: int, y: int) -> tuple[int, int]:
    """Return the position in a tile of a point on the map (`mercator`). The last column and row
    belong to the neighbor."""
    size = 1 << zoom
    return (
        min(max(int((across * size - x) * _EXTENT), 0), _EXTENT - 1),
        min(max(int((down * size - y) * _EXTENT), 0), _EXTENT - 1),
    )


def mercator(lat: Floats, lng: Floats) -> tuple[Floats, Floats]:
    """Return points on the map: 0 to 1 from west to east and from north to south."""
    sine = np.sin(np.radians(np.clip(lat, -MAP_END, MAP_END)))
    return (lng + 180) / 360, 0.5 - np.log((1 + sine) / (1 - sine)) / (4 * np.pi)


def mode_members(counts: Sequence[int]) -> dict[str, int]:
    """Return a member for each mode with places in a cluster: tiles have no lists."""
    return {name: count for name, count in zip(_MODE_MEMBERS, counts, strict=True) if count}


# A place is drawn at most 7 m from its point; a crowded tile has half a megabyte.
MAX_TILES_ZOOM = 11
# Squares along a side of a tile: 64 pixels each.
_SQUARES = 4
# Columns of the places besides name and mode; their values have few distinct combinations.
_MEMBERS = ("resource_type", "verification_status", "location_precision")
_NUMBER, _TEXT = "Number", "String"


class _Places:
    """The places ordered by id. No Python object per place."""

    def __init__(self, rows: pa.Table) -> None:
        self.lats, self.lngs = (floats(rows[name].combine_chunks()) for name in ("lat", "lng"))
        self.across, self.down = mercator(self.lats, self.lngs)
        self._ids = floats(rows["id"].combine_chunks()).data
        texts = rows["name"].combine_chunks().cast(pa.large_binary())
        _, offsets, names = texts.buffers()
        self._ends, self._names = memoryview(offsets).cast("q"), memoryview(names or b"")
        values, codes = _distinct(rows)
        self._members, self._codes = list(map(_members, values)), codes.data
        self.modes = MODE_NUMBERS[np.array([TYPE_CODES[v[0]] for v in values], np.int64)][codes]

    def __len__(self) -> int:
        return len(self.lats)

    def point(self, row: int, tile: tuple[int, int, int]) -> TilePoint:
        """Return the point of a place in a tile (zoom, column, row)."""
        name = str(self._names[self._ends[row] : self._ends[row + 1]], "utf-8")
        members = {"name": name, **self._members[self._codes[row]]}
        x, y = point_in_tile(float(self.across[row]), float(self.down[row]), *tile)
        return TilePoint(x, y, members, self._ids[row])


class _Cells(NamedTuple):
    """Squares with places: their tile, their number of places, the first row, the middle of the
    places on the map, and their number by mode."""

    x: NDArray[np.int64]
    y: NDArray[np.int64]
    counts: NDArray[np.int64]
    first: NDArray[np.int64]
    across: NDArray[np.float64]
    down: NDArray[np.float64]
    modes: NDArray[np.int64]


def _cells(places: _Places, zoom: int) -> _Cells:
    """Return the squares of a zoom; at the last, each place has its own."""
    side = _SQUARES << zoom
    columns = np.clip((places.across * side).astype(np.int64), 0, side - 1)
    rows = np.clip((places.down * side).astype(np.int64), 0, side - 1)
    alone = np.arange(len(places))
    keys = alone if zoom == MAX_TILES_ZOOM else rows * side + columns
    _, first, cell, counts = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    kinds = len(MODES) + 1
    by_mode = np.bincount(cell * kinds + places.modes, minlength=len(counts) * kinds)
    return _Cells(
        columns[first] // _SQUARES,
        rows[first] // _SQUARES,
        counts,
        first,
        np.bincount(cell, places.across) / counts,
        np.bincount(cell, places.down) / counts,
        by_mode.reshape(-1, kinds),
    )


def _distinct(rows: pa.Table) -> tuple[list[tuple[Any, ...]], NDArray[np.int64]]:
    """Return the distinct combinations of _MEMBERS, and the combination number of each row."""
    codes = np.zeros(len(rows), np.int64)
    for name in _MEMBERS:
        column = rows[name].combine_chunks().dictionary_encode("encode")
        codes = codes * max(len(column.dictionary), 1) + floats(column.indices)
    _, first, number = np.unique(codes, return_index=True, return_inverse=True)
    members = rows.select(_MEMBERS).take(pa.array(first))
    return list(zip(*(members[name].to_pylist() for name in _MEMBERS), strict=True)), number


def _members(values: tuple[Any, ...]) -> Members:
    """Return the members of a place, without unknown ones."""
    members = {name: value for name, value in zip(_MEMBERS, values, strict=True) if value}
    mode = RESOURCE_TYPES[members["resource_type"]].mode
    return members | {"mode": mode} if mode else members


def write_tiles(db: Connection, path: Path, about: dict[str, str]) -> None:
    """Write the view `resources` as an archive of tiles, with `about` in its metadata. Places
    without a published point are not on the map."""
    columns = ", ".join(("id", "lat", "lng", "name", *_MEMBERS))
    mapped = f"SELECT {columns} FROM resources WHERE lat IS NOT NULL ORDER BY id"
    places = _Places(db.sql(mapped).to_arrow_table())
    header = {"tile_compression": Compression.GZIP, "tile_type": TileType.MVT, **_extent(places)}
    with path.open("wb") as file:
        archive: Any = Writer(file)  # type: ignore[no-untyped-call]
        for number, content in _tiles(places):
            archive.write_tile(number, gzip.compress(content, mtime=0))
        archive.finalize(header, _metadata(about))


def _tiles(places: _Places) -> Iterator[tuple[int, bytes]]:
    """Yield the tiles by number (`tile_numbers`), in order; the world tile even without a place."""
    if not len(places):
        yield 0, encode_tile({})
    for zoom in range(MAX_TILES_ZOOM + 1 if len(places) else 0):
        cells = _cells(places, zoom)
        numbers = tile_numbers(zoom, cells.x, cells.y)
        order = np.argsort(numbers, kind="stable")
        ends = np.flatnonzero(np.diff(numbers[order], append=-1)) + 1
        # Reading from lists costs a third of reading from NumPy.
        rows, counts = cells.first.tolist(), cells.counts.tolist()
        start = 0
        for end in ends.tolist():
            tile_cells = order[start:end].tolist()
            tile = (zoom, int(cells.x[tile_cells[0]]), int(cells.y[tile_cells[0]]))
            alone = [places.point(rows[cell], tile) for cell in tile_cells if counts[cell] == 1]
            # In id order neighbors are more alike: a smaller file.
            alone.sort(key=_id_of)
            clusters = []
            for cell in tile_cells:
                if counts[cell] > 1:
                    middle = float(cells.across[cell]), float(cells.down[cell])
                    members = {"count": counts[cell], **mode_members(cells.modes[cell].tolist())}
                    clusters.append(TilePoint(*point_in_tile(*middle, *tile), members))
            content = encode_tile({"clusters": clusters, "places": alone})
            yield int(numbers[tile_cells[0]]), content
            start = end


_id_of = attrgetter("id")


def tile_numbers(zoom: int, x: NDArray[np.int64], y: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return tile numbers: all of a zoom follow those of lower zooms, along a curve."""
    return ((1 << 2 * zoom) - 1) // 3 + hilbert_position(x, y, zoom)


def _extent(places: _Places) -> dict[str, int]:
    """Return the bounds of all places; without places the whole world."""
    if not len(places):
        return {}
    lats, lngs = np.clip(places.lats, -MAP_END, MAP_END), places.lngs
    sides = {"lon": lngs, "lat": lats}
    return {
        f"{end}_{name}_e7": round(float(getattr(values, end)()) * 10_000_000)
        for name, values in sides.items()
        for end in ("min", "max")
    }


def _metadata(about: dict[str, str]) -> dict[str, Any]:
    """Return the metadata that readers of the format want: layers, and the types of members."""
    kinds = dict.fromkeys(("name", *_MEMBERS, "mode"), _TEXT)
    counts = dict.fromkeys(("count", *MODES, "other"), _NUMBER)
    zooms = {"minzoom": 0, "maxzoom": MAX_TILES_ZOOM}
    layers = [{"id": "places", "fields": kinds}, {"id": "clusters", "fields": counts}]
    return {
        **about,
        "name": about["title"],
        "attribution": about["license"],
        "type": "overlay",
        "vector_layers": [layer | zooms for layer in layers],
    }
