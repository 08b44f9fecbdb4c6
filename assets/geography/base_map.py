"""Base of the interactive map as GeoJSON: borders of states and counties, names of towns."""

from typing import Any

import numpy as np
import pandas as pd
import shapely

from assets.geography.boundaries import Boundaries
from schemas.vocab.base_map import BASE_MAP_NATION
from schemas.vocab.states import CODE_BY_FIPS

Feature = dict[str, Any]
# Degrees: about 300 metres within a state, 2 km for the nation. Borders shared with a neighbour are
# simplified together, so that no gaps open.
_TOLERANCE, _NATION_TOLERANCE = 0.003, 0.02
_DIGITS, _NATION_DIGITS = 4, 3
# The largest towns of a state, and of the nation.
_TOWNS, _NATION_TOWNS = 250, 100


def base_map(boundaries: Boundaries | None, towns: pd.DataFrame) -> dict[str, Feature]:
    """Return a FeatureCollection (RFC 7946) by code: `BASE_MAP_NATION` has the borders of states, a
    state's code those of its counties.

    Borders are one MultiLineString, absent without `boundaries`. Towns are points with `name` and
    `rank`, the largest first; `towns` is in the columns of `schemas.tables.core.CITIES`.
    """
    lines = _borders(boundaries) if boundaries else {}
    ranked = towns.dropna(subset=["population"]).sort_values(
        ["population", "state", "search_name"], ascending=[False, True, True]
    )
    # Alternative names of a town share its point.
    ranked = ranked.drop_duplicates(["lat", "lng"])
    points = {
        str(state): _points(some.head(_TOWNS)) for state, some in ranked.groupby("state", sort=True)
    }
    points[BASE_MAP_NATION] = _points(ranked.head(_NATION_TOWNS))
    return {
        code: {
            "type": "FeatureCollection",
            "features": [*([lines[code]] if code in lines else []), *points.get(code, [])],
        }
        for code in sorted({*lines, *points})
    }


def _borders(boundaries: Boundaries) -> dict[str, Feature]:
    counties = shapely.coverage_simplify(boundaries.polygons, _TOLERANCE)
    fips = np.array([code[:2] for code in boundaries.county_fips])
    by_state = {CODE_BY_FIPS[code]: counties[fips == code] for code in np.unique(fips)}
    states = np.array([shapely.union_all(parts) for parts in by_state.values()])
    nation = shapely.coverage_simplify(states, _NATION_TOLERANCE)
    return {BASE_MAP_NATION: _lines(nation, _NATION_DIGITS)} | {
        state: _lines(parts, _DIGITS) for state, parts in by_state.items()
    }


def _lines(polygons: Any, digits: int) -> Feature:
    """Return the borders of polygons, each once."""
    merged = shapely.line_merge(shapely.union_all(shapely.boundary(polygons)))
    coordinates = [
        np.round(shapely.get_coordinates(line), digits).tolist()
        for line in shapely.get_parts(merged)
    ]
    return _feature({}, "MultiLineString", coordinates)


def _points(towns: pd.DataFrame) -> list[Feature]:
    names_and_points = zip(towns["place_name"], towns["lng"], towns["lat"], strict=True)
    return [
        _feature({"name": name, "rank": rank}, "Point", [round(lng, 3), round(lat, 3)])
        for rank, (name, lng, lat) in enumerate(names_and_points)
    ]


def _feature(properties: dict[str, Any], kind: str, coordinates: list[Any]) -> Feature:
    return {
        "type": "Feature",
        "properties": properties,
        "geometry": {"type": kind, "coordinates": coordinates},
    }
