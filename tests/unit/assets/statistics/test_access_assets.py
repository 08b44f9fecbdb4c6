"""The steps of the access measure, with a map if there are boundaries."""

import gzip
from pathlib import Path

import geopandas
import pytest
import shapely

from assets.statistics.access_assets import ACCESS_ASSETS
from assets.steps.keys import name_of
from assets.steps.workspace import Workspace
from schemas.tables.core import COUNTY_TOTALS
from schemas.vocab.food_access import ACCESS_FOLDER
from tests.support.steps import run_steps
from tests.support.town import write_town


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """The tables of a build up to its resources."""
    write_town(tmp_path, access=False)
    return Workspace(data_dir=str(tmp_path))


def run(workspace: Workspace) -> dict[str, dict[str, object]]:
    """Return the metadata of every step by its name."""
    result = run_steps(ACCESS_ASSETS, workspace)
    assert result.success
    events = result.get_asset_materialization_events()
    return {
        name_of(e.asset_key): {k: v.value for k, v in e.materialization.metadata.items()}
        for e in events
        if e.asset_key
    }


def test_every_county_has_a_row(workspace: Workspace) -> None:
    facts = run(workspace)
    assert facts["out_directory__access"]["boundaries"] == "no boundaries"
    assert facts[COUNTY_TOTALS.name]["dagster/row_count"] > 3200
    folder = workspace.product(ACCESS_FOLDER)
    assert sorted(p.name for p in folder.iterdir()) == ["counties.csv.gz", "zips.csv.gz"]


def test_boundaries_give_a_map_of_counties(workspace: Workspace, tmp_path: Path) -> None:
    official = tmp_path / "official"
    official.mkdir()
    shapes = {
        "36061": shapely.box(-74, 40.7, -73.9, 40.9),
        "41001": shapely.box(-118, 44, -117, 45),
    }
    frame = geopandas.GeoDataFrame(
        {"GEOID": list(shapes)}, geometry=list(shapes.values()), crs="EPSG:4269"
    )
    frame.to_file(official / "cb_2021_us_county_20m.shp.zip", driver="ESRI Shapefile")
    (official / "cb_2021_us_county_20m.shp.zip").rename(official / "cb_2021_us_county_20m.zip")
    drawing = Workspace(data_dir=workspace.data_dir, geography_dir=str(official))
    facts = run(drawing)["out_directory__access"]
    assert facts["boundaries"] == "cb_2021_us_county_20m.zip"
    text = gzip.decompress(
        (drawing.product(ACCESS_FOLDER) / "counties.svg.gz").read_bytes()
    ).decode()
    assert "<title>New York, NY: 100%</title>" in text
    assert "<title>Baker, OR: none</title>" in text
