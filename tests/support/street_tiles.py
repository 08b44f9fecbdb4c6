"""An invented town as vector tiles of the two schemas, and a server of another origin for them."""

import gzip
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import mapbox_vector_tile
import numpy as np
import shapely
from numpy.typing import NDArray
from pmtiles.reader import MmapSource, Reader
from pmtiles.tile import Compression, TileType, zxy_to_tileid
from pmtiles.writer import Writer
from shapely.geometry import LineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from tests.support.http_servers import QuietHandler, serving
from warehouse.exports.bulk_tiles import mercator

# Degrees around New York, and the zooms of the tiles. `test_street_map.py` looks for the colours.
WEST, SOUTH, EAST, NORTH = -74.3, 40.5, -73.7, 41.0
ZOOMS = range(8, 15)
WATER, ROAD = "#1166ee", "#ee2211"
_EXTENT = 4096
CREDIT = "© Invented Streets"


def _features(schema: str) -> dict[str, list[tuple[BaseGeometry, dict[str, Any]]]]:
    """Return the features of a layer: a river, a park, a grid of streets, a main road, a town."""
    is_open = schema == "openmaptiles"
    kind = "class" if is_open else "kind"
    river = Polygon([(-74.02, SOUTH), (-74.0, SOUTH), (-73.99, NORTH), (-74.01, NORTH)])
    # Uneven distances: a regular grid would hide a tile in the wrong place.
    avenues = [-73.998 + 0.0041 * n + 0.0007 * (n % 3) for n in range(24)]
    streets = [40.70 + 0.0033 * n + 0.0004 * (n % 4) for n in range(30)]
    minor = "minor" if is_open else "minor_road"
    roads = [
        *(
            (LineString([(x, 40.69), (x + 0.004, 40.81)]), {kind: minor, "name": f"{n} Avenue"})
            for n, x in enumerate(avenues, 1)
        ),
        *(
            (LineString([(-73.998, y), (-73.9, y)]), {kind: minor, "name": f"East {n} Street"})
            for n, y in enumerate(streets, 1)
        ),
        (
            LineString([(WEST, 40.712), (-73.98, 40.714), (-73.96, 40.745), (EAST, 40.78)]),
            {kind: "primary" if is_open else "major_road", "name": "Larder Boulevard"},
        ),
    ]
    park = (box(-73.975, 40.722, -73.962, 40.74), {kind: "park", "name": "Fox Park"})
    towns = [
        (Point(-73.983, 40.7205), {kind: "city" if is_open else "locality", "name": "Examplebury"}),
        (
            Point(-73.95, 40.735),
            {kind: "suburb" if is_open else "neighbourhood", "name": "Fox Hill"},
        ),
    ]
    house = (box(-73.9872, 40.7161, -73.9866, 40.7165), {kind: "building"})
    if is_open:
        return {
            "water": [(river, {kind: "river"})],
            "park": [park],
            "transportation": [(shape, {kind: about[kind]}) for shape, about in roads],
            "transportation_name": roads,
            "building": [house],
            "place": towns,
        }
    return {
        "water": [(river, {kind: "river"})],
        "landuse": [park],
        "roads": roads,
        "buildings": [house],
        "places": towns,
    }


def write_archive(path: Path, schema: str) -> Path:
    """Write the town as a PMTiles archive; `schema` is `openmaptiles` or `protomaps`."""
    layers = _features(schema)
    tiles = {}
    for zoom in ZOOMS:
        (x0, y0), (x1, y1) = _tile_of(zoom, NORTH, WEST), _tile_of(zoom, SOUTH, EAST)
        for x in range(x0, x1 + 1):
            for y in range(y0, y1 + 1):
                if body := _encode(layers, zoom, x, y):
                    tiles[zxy_to_tileid(zoom, x, y)] = body
    header = {
        "tile_type": TileType.MVT,
        "tile_compression": Compression.GZIP,
        "min_lon_e7": round(WEST * 1e7),
        "min_lat_e7": round(SOUTH * 1e7),
        "max_lon_e7": round(EAST * 1e7),
        "max_lat_e7": round(NORTH * 1e7),
    }
    metadata = {"attribution": CREDIT, "vector_layers": [{"id": n, "fields": {}} for n in layers]}
    with path.open("wb") as file:
        archive: Any = Writer(file)  # type: ignore[no-untyped-call]
        for number in sorted(tiles):
            archive.write_tile(number, gzip.compress(tiles[number], mtime=0))
        archive.finalize(header, metadata)
    return path


def _tile_of(zoom: int, lat: float, lng: float) -> tuple[int, int]:
    across, down = mercator(np.array([lat]), np.array([lng]))
    return int(across[0] * 2**zoom), int(down[0] * 2**zoom)


def _encode(layers: dict[str, list[tuple[BaseGeometry, dict[str, Any]]]], *tile: int) -> bytes:
    """Return a tile with what is in it; empty if nothing is."""
    zoom, x, y = tile

    def into_tile(points: NDArray[np.float64]) -> NDArray[np.float64]:
        across, down = mercator(points[:, 1], points[:, 0])
        return np.column_stack([across * 2**zoom - x, y + 1 - down * 2**zoom]) * _EXTENT

    edges = box(-64, -64, _EXTENT + 64, _EXTENT + 64)
    found = []
    for name, features in layers.items():
        shapes = [(shapely.transform(shape, into_tile), about) for shape, about in features]
        inside = [
            {"geometry": shape.intersection(edges), "properties": about}
            for shape, about in shapes
            if shape.intersects(edges)
        ]
        if inside:
            found.append({"name": name, "features": inside})
    return mapbox_vector_tile.encode(found) if found else b""


class StreetServer:
    """Addresses of a style and of archives, on an origin of its own, and the paths asked for."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.asked: list[str] = []

    @property
    def style(self) -> str:
        return f"{self.origin}/style.json"

    def archive(self, schema: str) -> str:
        return f"{self.origin}/{schema}.pmtiles"


@contextmanager
def running_street_server(folder: Path, *, has_tiles: bool = True) -> Iterator[StreetServer]:
    """Serve a style with its tiles, and the archives of `write_archive` in a folder, to any origin.

    Without tiles the style still answers, and each tile is an error of the server.
    """
    servers: list[StreetServer] = []
    with (folder / "openmaptiles.pmtiles").open("rb") as file:
        source = MmapSource(file)  # type: ignore[no-untyped-call]
        tiles: Any = Reader(source)  # type: ignore[no-untyped-call]

        def layer(name: str, kind: str, colour: str) -> dict[str, Any]:
            drawn = "fill" if kind == "fill" else "line"
            paint = {f"{drawn}-color": colour} | ({"line-width": 3} if drawn == "line" else {})
            source = {"source": "town", "source-layer": name}
            return {"id": name, "type": drawn, **source, "paint": paint}

        class Handler(QuietHandler):
            def do_GET(self) -> None:
                origin = servers[0].origin
                servers[0].asked.append(self.path)
                match = re.fullmatch(r"/tiles/(\d+)/(\d+)/(\d+)", self.path)
                if self.path == "/style.json":
                    background = {"background-color": "#f4efe6"}
                    self._send_json(
                        {
                            "version": 8,
                            "sources": {"town": {"type": "vector", "url": f"{origin}/town.json"}},
                            "layers": [
                                {"id": "back", "type": "background", "paint": background},
                                layer("water", "fill", WATER),
                                layer("transportation", "line", ROAD),
                            ],
                        }
                    )
                elif self.path == "/town.json":
                    address = [f"{origin}/tiles/{{z}}/{{x}}/{{y}}"]
                    zooms = {"minzoom": ZOOMS[0], "maxzoom": ZOOMS[-1]}
                    self._send_json({"tiles": address, "attribution": CREDIT, **zooms})
                elif match and not has_tiles:
                    self._send(500, b"", {})
                elif match:
                    body = tiles.get(*map(int, match.groups()))
                    headers = {"content-encoding": "gzip"} if body else {}
                    self._send(200 if body else 204, body or b"", headers)
                elif self.path.endswith(".pmtiles"):
                    first, last = re.findall(r"\d+", self.headers["range"])
                    whole = (folder / self.path[1:]).read_bytes()
                    self._send(206, whole[int(first) : int(last) + 1], {})
                else:
                    self._send(404, b"", {})

            def _send_json(self, value: dict[str, Any]) -> None:
                self._send(200, json.dumps(value).encode(), {"content-type": "application/json"})

            def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("access-control-allow-origin", "*")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        with serving(Handler) as port:
            servers.append(StreetServer(f"http://127.0.0.1:{port}"))
            yield servers[0]
