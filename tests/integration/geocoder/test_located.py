"""Test the geocoder in a build: one request, answers reused by later builds."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from assets.geocode import geocoder as geocoding
from assets.sources.assets import name_located_asset, source_assets
from assets.steps.workspace import Workspace
from schemas.sources.registry import sources
from schemas.tables.core import PLACES
from tests.support.census_server import WEB_PAGE, Census, Reply
from tests.support.steps import run_steps
from tests.support.workspaces import write_geography
from tests.unit.assets.geocode.test_chain import places
from warehouse.parquet import notes_of, write_table

SOURCE = sources()["pueblo_co_2026"]
ROWS: list[dict[str, Any]] = [
    {"address": "1 Invented Way, Suite 4"},
    {"address": "2 Invented Way"},
    {"address": "3 Invented Way"},
    {"address": "4 Invented Way"},
    {"address": "5 Invented Way", "lat": 42.53, "lng": -70.91},
    {"address": "6 Invented Way", "is_confidential": True},
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    workspace = Workspace(data_dir=str(tmp_path))
    write_geography(workspace)
    frame = places(*ROWS)
    frame["source_id"] = SOURCE.id
    frame["retrieved_at"] = pd.Timestamp("2026-11-01T06:00:00Z")
    write_table(frame, PLACES, workspace.path(SOURCE.core_table))
    return tmp_path


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten waits to milliseconds."""
    usual = geocoding.GeocoderSettings
    fetch = replace(
        usual().fetch, wait_initial_seconds=0.01, wait_max_seconds=0.02, wait_jitter_seconds=0.005
    )
    monkeypatch.setattr(geocoding, "GeocoderSettings", partial(usual, fetch=fetch))


def build_located(data: Path, census: Census, **settings: Any) -> pd.DataFrame:
    """Build the located table and return it."""
    workspace = Workspace(data_dir=str(data), geocode_url=census.url, **settings)
    *_, located = source_assets(SOURCE)
    assert run_steps([located], workspace).success
    return workspace.read(name_located_asset(SOURCE))


def methods(frame: pd.DataFrame) -> list[str]:
    return frame.sort_values("source_row")["location_method"].tolist()


GEOCODED = ["geocoder", "geocoder", "zip_centroid", "zip_centroid", "source", "city_centroid"]
PLAIN = ["zip_centroid"] * 4 + ["source", "city_centroid"]


def test_the_geocoder_is_off_by_default(data: Path, census: Census) -> None:
    frame = build_located(data, census)
    assert methods(frame) == PLAIN
    assert (census.batches, census.list_requests) == ([], [])
    assert not (data / "geocode").exists()


def test_later_builds_reuse_the_answers(data: Path, census: Census) -> None:
    frame = build_located(data, census, geocode="census")
    assert methods(frame) == GEOCODED
    assert frame["census_tract"].dropna().tolist() == ["25009204200", "25009204200"]
    assert sorted(row[1] for row in census.batches[0].rows) == [
        f"{n} INVENTED WAY" for n in range(1, 5)
    ]
    notes = notes_of(data / "tables" / f"{name_located_asset(SOURCE)}.parquet")
    assert [notes[f"addresses_{count}"] for count in ("without_point", "answered", "geocoded")] == [
        4,
        4,
        2,
    ]
    for geocode in ("census", "off"):
        frame = build_located(data, census, geocode=geocode)
        assert methods(frame) == GEOCODED
    assert len(census.batches) == 1


def test_a_build_stops_at_its_budget_and_the_next_continues(data: Path, census: Census) -> None:
    frame = build_located(data, census, geocode="census", geocode_max_addresses=1)
    assert methods(frame) == ["geocoder", *PLAIN[1:]]
    frame = build_located(data, census, geocode="census", geocode_max_addresses=1)
    assert methods(frame) == GEOCODED
    assert [len(batch.rows) for batch in census.batches] == [1, 1]


def test_a_failing_service_does_not_stop_the_build(data: Path, census: Census) -> None:
    census.always = lambda batch, rows: Reply(WEB_PAGE)
    frame = build_located(data, census, geocode="census")
    assert methods(frame) == PLAIN
    census.always = None
    frame = build_located(data, census, geocode="census")
    assert methods(frame) == GEOCODED
