"""The map of a page of results, drawn as SVG: it works without JavaScript. And the data of the
interactive map, of results and of one place.

North is up; a square of the picture is a square on the ground. Numbers are those of the list.
Places at almost the same spot share a marker. Towns of the gazetteer give the bearings.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from schemas.languages import localize
from schemas.vocab.base_map import BASE_MAP_FOLDER, BASE_MAP_NATION, base_map_file
from schemas.vocab.statuses import EXACT_PRECISIONS
from serving.http.caching import per_release
from serving.http.files import find_file
from serving.places.detail import read_record
from serving.places.view import PlaceView
from serving.render.assets import asset
from serving.render.street_map import StreetMap
from serving.render.words import Language
from serving.render.words import words as words_of
from serving.search.start import Start
from warehouse.index.reader import OpenRelease

WIDTH, HEIGHT = 380, 320
_EDGE = 40
# Pixels: markers nearer than that are one; names stay so far from markers and from each other.
_TOGETHER, _NAME_WIDTH, _NAME_HEIGHT = 24, 100, 24
_MAX_TOWNS = 6
# The picture is never of less than that.
_LEAST_MILES = 1.5
_MILES_PER_DEGREE = 69.055
_SCALES = (0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200)
# Of a search with more results the interactive map shows the first.
MAX_DOTS = 1000
STATES = ("open", "closed", "unknown")
_STATE_OF = {"closes_soon": "open", "opens_soon": "closed"}


@dataclass(frozen=True)
class Marker:
    """Results at one spot: their numbers, and whether the spot is only about right."""

    x: float
    y: float
    numbers: list[int]
    is_rough: bool

    @property
    def label(self) -> str:
        return in_runs(self.numbers)

    @property
    def width(self) -> int:
        """Width of the marker in pixels: as wide as its label."""
        return max(26, 10 + 9 * len(self.label))


@dataclass(frozen=True)
class Label:
    """A town's name at its point."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class ResultMap:
    """A drawn map. `scale_px` is the length of `scale_miles` in the picture; `start` is the start
    of the search; `left_out` are numbers of results without a point."""

    markers: list[Marker]
    towns: list[Label]
    start: tuple[float, float]
    scale_miles: float
    scale_px: float
    left_out: list[int]
    state: str | None
    pins: list[dict[str, Any]] = field(repr=False)
    """Pins of the interactive map."""

    @property
    def label(self) -> str:
        return in_runs(sorted(n for marker in self.markers for n in marker.numbers))

    @property
    def has_rough(self) -> bool:
        return any(marker.is_rough for marker in self.markers)


def in_runs(numbers: Sequence[int]) -> str:
    """Return ascending numbers with runs shortened: "1-3, 7"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{r[0]}-{r[-1]}" if len(r) > 1 else str(r[0]) for r in runs)


def draw(
    release: OpenRelease, start: Start, views: Sequence[PlaceView], first: int
) -> ResultMap | None:
    """Draw the map of results numbered from `first`; None if no result has a point."""
    begin = start.location
    entries = list(enumerate(views, first))
    pins = [(n, view) for n, view in entries if view.record["lat"] is not None]
    if not pins:
        return None
    points = [
        (begin.lat, begin.lng),
        *((float(v.record["lat"]), float(v.record["lng"])) for _, v in pins),
    ]
    frame = _Frame.around(points)
    markers: list[Marker] = []
    for (number, view), point in zip(pins, points[1:], strict=True):
        x, y = frame.place(*point)
        is_rough = view.record["location_precision"] not in EXACT_PRECISIONS
        near = next((m for m in markers if math.hypot(m.x - x, m.y - y) < _TOGETHER), None)
        if near:
            markers[markers.index(near)] = Marker(
                near.x, near.y, [*near.numbers, number], near.is_rough and is_rough
            )
        else:
            markers.append(Marker(x, y, [number], is_rough))
    at = frame.place(*points[0])
    scale = next((m for m in reversed(_SCALES) if m * frame.px_per_mile <= WIDTH / 3), _SCALES[0])
    return ResultMap(
        markers,
        _towns(release, frame, [at, *((m.x, m.y) for m in markers)]),
        at,
        scale,
        scale * frame.px_per_mile,
        [n for n, view in entries if view.record["lat"] is None],
        begin.state,
        [pin_of(view, number) for number, view in pins],
    )


def pin_of(view: PlaceView, number: int | None) -> dict[str, Any]:
    """Return a pin of the interactive map, with the place's number in the list; None for a place
    without a list."""
    return {
        "n": number,
        "id": view.id,
        "lat": view.record["lat"],
        "lng": view.record["lng"],
        "name": view.name,
        "rough": view.record["location_precision"] not in EXACT_PRECISIONS,
    }


@dataclass(frozen=True)
class _Frame:
    """The ground that a picture shows, around its middle."""

    lat: float
    lng: float
    px_per_mile: float

    @classmethod
    def around(cls, points: Sequence[tuple[float, float]]) -> _Frame:
        """Fit all points; longitudes take the short way around from the first."""
        origin = points[0][1]
        lngs = [origin + (lng - origin + 180) % 360 - 180 for _, lng in points]
        lats = [lat for lat, _ in points]
        lat, lng = (min(lats) + max(lats)) / 2, (min(lngs) + max(lngs)) / 2
        high = max((max(lats) - min(lats)) * _MILES_PER_DEGREE, _LEAST_MILES)
        wide = max((max(lngs) - min(lngs)) * _MILES_PER_DEGREE * _narrowing(lat), _LEAST_MILES)
        scale = min((WIDTH - 2 * _EDGE) / wide, (HEIGHT - 2 * _EDGE) / high)
        return cls(lat, lng, scale)

    def place(self, lat: float, lng: float) -> tuple[float, float]:
        """Return a point's position in the picture."""
        east = ((lng - self.lng + 180) % 360 - 180) * _MILES_PER_DEGREE * _narrowing(self.lat)
        north = (lat - self.lat) * _MILES_PER_DEGREE
        return (
            round(WIDTH / 2 + east * self.px_per_mile, 1),
            round(HEIGHT / 2 - north * self.px_per_mile, 1),
        )


def _narrowing(lat: float) -> float:
    return max(math.cos(math.radians(lat)), 0.05)


def map_data(
    release: OpenRelease,
    street_map: StreetMap | None,
    pins: Sequence[dict[str, Any]],
    language: Language,
    *,
    state: str | None,
    start: Start | None = None,
    start_name: str | None = None,
    query: str = "",
) -> str:
    """Return the data of the interactive map as JSON: its places, addresses and words.

    `start` and its name are where the search begins; a page of one place may have none. `query` is
    the query of the search's address. `nation` and `state` are the files of borders and towns, null
    if the release has none.
    """
    texts = ["close", "failed", "loading", "all_places", "some_places", "here", "marker", "outside"]
    layout, w = words_of("layout", language), words_of("map", language)
    service = street_map.service if street_map else ""
    hint = w.hint_service if service else w.hint_own if street_map else w.open_hint
    scripts = ["streets.js", *(["pmtiles.js"] if street_map and street_map.is_archive else [])]
    data = {
        "lat": start.location.lat if start else pins[0]["lat"],
        "lng": start.location.lng if start else pins[0]["lng"],
        "start": start_name,
        "places": pins,
        "streets": street_map.data | {"scripts": [asset(name) for name in scripts]}
        if street_map
        else None,
        "nation": _base(release, BASE_MAP_NATION),
        "state": _base(release, state),
        "query": query,
        # Pages with a search box may ask the device where it is.
        "locates": bool(query),
        "page": localize("/search", language),
        "place": localize("/place/", language),
        "style": asset("maplibre-gl.css"),
        "script": asset("maplibre-gl.js"),
        "words": {
            **{name: w[name] for name in texts},
            "open": w.open,
            "open_hint": hint.format(service=service) if service else hint,
            "no_streets": w.no_streets.format(service=service) if service else w.no_streets_own,
            **{name: w.controls[name] for name, _ in w.controls.items()},
            "sources": w["attribution"],
            "statuses": {name: layout.statuses[name] for name in STATES},
        },
    }
    return msgspec.json.encode(data).decode()


class Point(msgspec.Struct, tag_field="type", tag="Point"):
    """GeoJSON: longitude, latitude."""

    coordinates: tuple[float, float]


class Dot(msgspec.Struct, tag_field="type", tag="Feature"):
    """GeoJSON feature of a result: id, name, and `status`: open, closed, unknown."""

    geometry: Point
    properties: dict[str, Any]


class Dots(msgspec.Struct, tag_field="type", tag="FeatureCollection"):
    """GeoJSON of the results of a search; `total` counts all of them."""

    total: int
    features: list[Dot]


def dots_of(release: OpenRelease, rows: Sequence[int], total: int, now: datetime) -> bytes:
    """Return results as GeoJSON for the interactive map; results without a point are left out, and
    confidential places, whose point is only their town's."""
    dots = []
    for row in rows:
        record = read_record(release, row)
        if record["lat"] is not None and not release.is_confidential[row]:
            status = release.hours_status(row, now)
            properties = {
                "id": record["id"],
                "name": record["name"],
                "status": _STATE_OF.get(status, status),
            }
            dots.append(Dot(Point((record["lng"], record["lat"])), properties))
    return msgspec.json.encode(Dots(total, dots))


def _base(release: OpenRelease, code: str | None) -> str | None:
    name = base_map_file(code or "")
    return f"/map/{name}" if find_file(release, f"{BASE_MAP_FOLDER}/{name}") else None


def _towns(
    release: OpenRelease, frame: _Frame, markers: Sequence[tuple[float, float]]
) -> list[Label]:
    """Choose the largest towns in the picture whose names cover neither a marker nor a name."""
    towns = _towns_by_size(release)
    high, wide = HEIGHT / 2 / frame.px_per_mile, WIDTH / 2 / frame.px_per_mile
    east = (towns.lng - frame.lng + 180) % 360 - 180
    is_near = (np.abs(towns.lat - frame.lat) * _MILES_PER_DEGREE < high) & (
        np.abs(east) * _MILES_PER_DEGREE * _narrowing(frame.lat) < wide
    )
    labels: list[Label] = []
    for row in np.flatnonzero(is_near).tolist():
        x, y = frame.place(float(towns.lat[row]), float(towns.lng[row]))
        half = _NAME_WIDTH / 2
        if not (half < x < WIDTH - half and _NAME_HEIGHT < y < HEIGHT - 2 * _NAME_HEIGHT):
            continue
        points = [*markers, *((label.x, label.y) for label in labels)]
        if all(abs(x - a) > half + 14 or abs(y - b) > _NAME_HEIGHT for a, b in points):
            labels.append(Label(x, y, towns.names[row]))
            if len(labels) == _MAX_TOWNS:
                break
    return labels


class _Towns(NamedTuple):
    """Towns with known residents, the largest first; degrees."""

    lat: NDArray[np.float64]
    lng: NDArray[np.float64]
    names: list[str]


@per_release
def _towns_by_size(release: OpenRelease) -> _Towns:
    cities = [city for city in release.gazetteer.all_cities() if city.population]
    # Other names of one town share its point.
    by_point = {(c.lat, c.lng): c for c in sorted(cities, key=lambda c: c.population or 0)}
    towns = sorted(by_point.values(), key=lambda c: (-(c.population or 0), c.state, c.folded))
    return _Towns(
        np.array([c.lat for c in towns]), np.array([c.lng for c in towns]), [c.name for c in towns]
    )
