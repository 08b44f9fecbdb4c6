"""The county map of the access measure as one SVG file: shapes simplified together, projected,
coloured by class.

Colour is never the only signal: every class has its own hatching, every county its name and figure
as title.
"""

from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely
from pyproj import Transformer

from assets.geography.model import Boundaries
from schemas.vocab.food_access import (
    ACCESS_CLASSES,
    NOTHING_LISTED,
    UNKNOWN_CLASS,
    AccessClass,
    class_of,
)
from schemas.vocab.states import STATES

Shapes = npt.NDArray[Any]
WIDTH, HEIGHT = 960, 640
_LEGEND_TOP = 585
# Meters. Shared borders are simplified together, so that no gaps open.
_TOLERANCE_M = 9_000.0


@dataclass(frozen=True)
class _Frame:
    """A part of the map: its states, projection, and box (left, top, width, height)."""

    states: frozenset[str]
    projection: str
    box: tuple[int, int, int, int]


_INSETS = {
    "AK": ("EPSG:3338", (0, 430, 210, 140)),
    "HI": ("ESRI:102007", (225, 480, 120, 90)),
    "PR": ("EPSG:32161", (560, 525, 100, 45)),
}
# Islands without a map at this scale.
_NOT_DRAWN = frozenset({"AS", "GU", "MP", "VI"})
_FRAMES = (
    _Frame(frozenset(STATES) - set(_INSETS) - _NOT_DRAWN, "EPSG:5070", (0, 0, WIDTH, 580)),
    *(_Frame(frozenset({code}), projection, box) for code, (projection, box) in _INSETS.items()),
)


def county_map(boundaries: Boundaries, counties: pd.DataFrame, title: str) -> str:
    """Return the map as SVG text of counties (`schemas.tables.core.COUNTY_TOTALS`)."""
    access = counties.set_index("county_fips")
    codes = pd.Series(boundaries.county_fips.astype(str)).str[:2]
    state = codes.map({s.fips: s.code for s in STATES.values()}).fillna("")
    paths: dict[str, list[str]] = {c.id: [] for c in ACCESS_CLASSES}
    for frame in _FRAMES:
        rows = np.flatnonzero(state.isin(frame.states))
        if not len(rows):
            continue
        shapes = _scale(boundaries.polygons[rows], frame)
        for fips, shape in zip(boundaries.county_fips[rows], shapes, strict=True):
            outline = _outline(shape)
            if outline:
                kind, label = _class_and_label(access, str(fips))
                paths[kind.id].append(f'<path d="{outline}"><title>{escape(label)}</title></path>')
    return _document(paths, title)


def _scale(polygons: Shapes, frame: _Frame) -> Shapes:
    """Return shapes in whole pixels of the frame's box, simplified together."""
    project = Transformer.from_crs("EPSG:4269", frame.projection, always_xy=True).transform

    def to_meters(xy: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        lng, lat = xy[:, 0], xy[:, 1]
        # The western Aleutians lie beyond 180 degrees.
        lng = np.where(lng > 0, lng - 360, lng) if "AK" in frame.states else lng
        return np.column_stack(project(lng, lat))

    meters = shapely.transform(polygons, to_meters)
    low, top, width, height = frame.box
    low_x, low_y, high_x, high_y = shapely.total_bounds(meters)
    meters_per_pixel = max((high_x - low_x) / width, (high_y - low_y) / height)
    tolerance = min(_TOLERANCE_M, 2 * meters_per_pixel)
    simple = shapely.coverage_simplify(meters, tolerance)
    scaled: Shapes = shapely.transform(
        simple,
        lambda xy: np.column_stack(
            [
                low + (xy[:, 0] - low_x) / meters_per_pixel,
                top + (high_y - xy[:, 1]) / meters_per_pixel,
            ]
        ),
    )
    return scaled


def _outline(shape: Any) -> str:
    """Return outer rings as a path of relative whole pixels, without smaller islands."""
    rings = []
    for part in shapely.get_parts(shape):
        ring = np.rint(shapely.get_coordinates(part.exterior)).astype(int)
        is_new = np.any(np.diff(ring, axis=0) != 0, axis=1)
        rings.append(ring[np.concatenate([[True], is_new])])
    paths = []
    for ring in rings:
        if len(ring) > 3:
            steps = " ".join(map(str, np.diff(ring[:-1], axis=0).ravel().tolist()))
            paths.append(f"M{ring[0][0]} {ring[0][1]}l{steps.replace(' -', '-')}z")
    if not paths and rings:
        # The smallest cities of Virginia are drawn as one pixel.
        x, y = rings[0][0]
        return f"M{x} {y}h1v1h-1z"
    return "".join(paths)


def _class_and_label(access: pd.DataFrame, fips: str) -> tuple[AccessClass, str]:
    """Return the class of a county, and its title."""
    if fips not in access.index:
        return UNKNOWN_CLASS, f"{fips}: unknown code"
    row = access.loc[fips]
    # Titles are short, since slow connections load the file and it has 3,200 of them.
    name = f"{str(row['county_name']).removesuffix(' County')}, {row['state']}"
    share = row["people_share_within_5_miles"]
    kind = class_of(None if pd.isna(share) else float(share), int(row["free_food_count"]))
    if kind in (NOTHING_LISTED, UNKNOWN_CLASS):
        return kind, f"{name}: {'none' if kind is NOTHING_LISTED else '?'}"
    return kind, f"{name}: {share:.0%}"


def _document(paths: dict[str, list[str]], title: str) -> str:
    style = "".join(
        f".{c.id}{{fill:{c.color}}}" if c.hatch is None else f".{c.id}{{fill:url(#h-{c.id})}}"
        for c in ACCESS_CLASSES
    )
    patterns = "".join(
        f'<pattern id="h-{c.id}" width="6" height="6" patternUnits="userSpaceOnUse"><rect '
        f'width="6" height="6" fill="{c.color}"/><path d="{c.hatch}" stroke="{c.ink}" '
        'stroke-width="1" fill="none"/></pattern>'
        for c in ACCESS_CLASSES
        if c.hatch
    )
    shapes = "".join(
        f'<g class="{kind}">{"".join(outlines)}</g>' for kind, outlines in paths.items()
    )
    legend = "".join(
        f'<rect class="{c.id}" x="{10 + 158 * n}" y="{_LEGEND_TOP}" width="22" height="16" '
        f'stroke="#333"/><text x="{36 + 158 * n}" y="{_LEGEND_TOP + 13}">{escape(c.label)}</text>'
        for n, c in enumerate(ACCESS_CLASSES)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'aria-labelledby="t">'
        f'<title id="t">{escape(title)}</title>'
        f"<style>svg{{background:#fff}}path{{stroke:#555;stroke-width:.3}}text{{font:13px "
        f"system-ui,sans-serif;fill:#1a1a1a}}{style}</style>"
        f"<defs>{patterns}</defs>{shapes}{legend}"
        f'<text x="10" y="{HEIGHT - 12}">{escape(title)}</text></svg>\n'
    )
