"""Compare the example of docs/analysis.md with answers computed step by step."""

import importlib.util
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import httpx
import numpy as np
import pytest

from schemas.bulk import BULK_FOLDER
from tests.support.releases import resource, write_release
from tests.support.server import running_service
from tests.support.town import write_town
from warehouse.release.store import ReleaseStore

SCRIPT = Path(__file__).resolve().parents[2] / "docs" / "examples" / "three_questions.py"
HOURS = '[{"freq":"WEEKLY","byday":"MO","opens_at":"09:00","closes_at":"12:00"}]'


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("three_questions", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def bulk_of(folder: Path, release_id: str) -> str:
    return str(ReleaseStore(folder).folder(release_id) / BULK_FOLDER)


@pytest.fixture(scope="module")
def country(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Files of 900 random places and 400 ZIP codes, some at the antimeridian or the pole."""
    folder, rng = tmp_path_factory.mktemp("country"), np.random.default_rng(7)
    kinds = ["food_pantry", "soup_kitchen", "snap_retailer", "snap_retailer"]

    def point(n: int) -> dict[str, float]:
        lat, lng = (
            (rng.uniform(30, 31), rng.uniform(-90, -88))
            if n % 9
            else (rng.uniform(70, 71), rng.uniform(179.0, 179.9))
        )
        return {"lat": round(float(lat), 5), "lng": round(float(lng), 5)}

    places = [
        resource(
            n + 1,
            resource_type=kinds[n % 4],
            county_fips=f"0100{n % 6}",
            county_name=f"County {n % 6}",
            state=["AL", "MS"][n % 2],
            schedules_json=HOURS if n % 3 else None,
            location_precision=["street", "zip", "county"][n % 3],
            **point(n),
        )
        for n in range(900)
    ]
    zips = [
        {
            "zip": f"{n:05d}",
            "zip_kind": "standard",
            "state": ["AL", "MS"][n % 2],
            "is_quality_low": False,
            "population": n * 10,
            "county_fips": f"0100{n % 6}",
            **point(n),
        }
        for n in range(1, 401)
    ]
    return bulk_of(folder, write_release(folder, places, zips=zips, bulk=True))


def _on_sphere(lat: float, lng: float) -> np.ndarray:
    """Return a point as a unit vector."""
    north, east = np.radians(lat), np.radians(lng)
    return np.array([np.cos(north) * np.cos(east), np.cos(north) * np.sin(east), np.sin(north)])


@pytest.mark.parametrize("miles", [0.5, 1, 5, 40])
def test_people_within_reach(example: ModuleType, country: str, miles: float) -> None:
    db = example.open_files(country)
    food = db.execute(
        "SELECT lat, lng FROM resources WHERE resource_type <> 'snap_retailer' AND location_precision <> 'county'"
    ).fetchall()
    homes = db.execute("SELECT state, population, lat, lng FROM zips").fetchall()
    around = np.array([_on_sphere(*at) for at in food])
    people: Counter[str] = Counter()
    for state, population, lat, lng in homes:
        straight = np.linalg.norm(around - _on_sphere(lat, lng), axis=1).min()
        apart = 2 * example.EARTH_MILES * np.arcsin(straight / 2)
        people[state] += population if apart <= miles else 0
    answer = example.within_reach(db, miles)
    assert answer[0][0] == "all"
    people_by_state = {row[0]: row[3] for row in answer}
    total = sum(population for _, population, _, _ in homes)
    assert answer[0][2] == total
    for state in ("AL", "MS"):
        assert people_by_state[state] == people[state]
    assert people_by_state["all"] == people_by_state["AL"] + people_by_state["MS"]


def test_the_script_prints_its_answers(tmp_path: Path) -> None:
    """Run it as a reader does, on files downloaded from a service."""
    write_town(tmp_path, bulk=True)
    with running_service(tmp_path, LARDER_LOG_LEVEL="error") as address:
        folder = tmp_path / "downloaded"
        folder.mkdir()
        for name in ("resources", "zips", "cities"):
            target = f"{address}/exports/latest/{name}.parquet"
            content = httpx.get(target, follow_redirects=True).raise_for_status().content
            (folder / f"{name}.parquet").write_bytes(content)
    run = subprocess.run(
        [sys.executable, str(SCRIPT), str(folder), "3"],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert "132 places, 132 of them INVENTED" in run.stdout
    for title in ("1. Where", "2. In which", "3. How many people live within 3 miles"):
        assert title in run.stdout
