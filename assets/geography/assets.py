"""Reference geography as assets: ZIP codes and cities, from packages or official files, and the
base of the interactive map."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dagster as dg
import msgspec
import numpy as np
import pandas as pd
import shapely

from assets.geography.model import Boundaries
from assets.geography.packages import cities_from_packages, zips_from_packages
from assets.steps.tables import outputs, outs_of, product_of, read
from assets.steps.workspace import Workspace
from schemas.tables.core import CITIES, ZIPS
from schemas.vocab.base_map import BASE_MAP_NATION, base_map_file
from schemas.vocab.states import CODE_BY_FIPS
from warehouse.gzip_files import write_gzip

if TYPE_CHECKING:
    from geopandas import GeoSeries

Feature = dict[str, Any]
# Degrees: about 300 meters within a state, 2 km for the nation. Shared borders are simplified
# together, so that no gaps open.
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
    import geopandas  # noqa: PLC0415 - half a second, only needed where there are polygons

    counties = geopandas.GeoDataFrame(
        {"fips": [code[:2] for code in boundaries.county_fips]}, geometry=boundaries.polygons
    )
    counties.geometry = counties.simplify_coverage(_TOLERANCE)
    nation = counties.dissolve("fips").simplify_coverage(_NATION_TOLERANCE)
    return {BASE_MAP_NATION: _lines(nation, _NATION_DIGITS)} | {
        CODE_BY_FIPS[fips]: _lines(own.geometry, _DIGITS) for fips, own in counties.groupby("fips")
    }


def _lines(polygons: "GeoSeries", digits: int) -> Feature:
    """Return the borders of polygons, each once."""
    lines = polygons.boundary.union_all()
    coordinates = [
        np.round(line.coords, digits).tolist()
        for line in shapely.get_parts(shapely.line_merge(lines))
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


@dg.multi_asset(outs=outs_of("geography", ZIPS, CITIES), can_subset=True)
def core_geography(
    context: dg.AssetExecutionContext, workspace: Workspace
) -> Iterator[dg.Output[pd.DataFrame]]:
    """Make ZIP codes and cities with points, population and time zones, from files or packages."""
    folder = Path(workspace.geography_dir) if workspace.geography_dir else None
    if folder and folder.is_dir() and any(folder.iterdir()):
        from assets.geography.official import geography_from_files  # noqa: PLC0415

        zips, cities, notes = geography_from_files(folder)
    else:
        zips, notes = zips_from_packages(), ["from packages"]
        cities = cities_from_packages(zips)
    yield from outputs(context, {ZIPS: zips, CITIES: cities}, {"notes": notes})


def boundaries_vintage(workspace: Workspace) -> str:
    """Return the vintage of the boundaries, for people."""
    boundaries = workspace.geography().boundaries
    return boundaries.vintage if boundaries else "no boundaries"


@dg.asset(
    ins={"towns": read(CITIES, ["place_name", "state", "search_name", "lat", "lng", "population"])},
    **product_of(
        "out_map__base",
        "statistics",
        kinds={"geojson", "geopandas"},
        description=(
            "Base of the interactive map: towns by state and, where there are boundaries, the "
            "borders of states and counties, as GeoJSON."
        ),
        deps=[ZIPS.name],
    ),
)
def out_map__base(workspace: Workspace, towns: pd.DataFrame) -> Iterator[dg.Output[Path]]:
    """Write one file for the nation and one for each state."""
    boundaries = workspace.geography().boundaries
    with workspace.scratch() as folder:
        for code, features in base_map(boundaries, towns).items():
            write_gzip(folder / base_map_file(code), msgspec.json.encode(features))
        files = len(list(folder.iterdir()))
        yield dg.Output(
            folder, metadata={"boundaries": boundaries_vintage(workspace), "files": files}
        )
