"""The notebooks of docs/notebooks, run as a reader runs them: against a service with two releases."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.releases import resource, write_release
from tests.support.server import running_service
from tests.support.town import resources, zips

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "notebooks"
OLD, NEW = "20261101T060000Z-00000001", "20261102T060000Z-00000002"
IN_PENNSYLVANIA = {"state": "PA", "lat": 40.44, "lng": -80.0, "county_fips": "42003"}

# Two ZIP codes around the listed places, two more than 20 miles east of them.
ALLEGHENY = [
    {
        "zip": code,
        "zip_kind": "standard",
        "state": "PA",
        "county_fips": "42003",
        "is_quality_low": False,
        "population": population,
        "lat": 40.44,
        "lng": lng,
    }
    for code, population, lng in (
        ("15201", 1000, -80.0),
        ("15202", 1000, -79.98),
        ("15146", 2000, -79.6),
        ("15147", 1000, -79.62),
    )
]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Two releases: a place is gone in the newer one, one has another telephone, two are new."""
    folder = tmp_path_factory.mktemp("notebooks")
    first, second, *others = resources()
    new = [
        resource(9001, county_name="Allegheny County", **IN_PENNSYLVANIA),
        resource(9002, location_precision="zip", county_name="Allegheny County", **IN_PENNSYLVANIA),
    ]
    moved = first | {"phone": "(212) 555-0199"}
    for release_id, rows in ((OLD, [first, second, *others]), (NEW, [moved, *others, *new])):
        shared = {"zips": [*zips(), *ALLEGHENY], "bulk": True, "history": True, "access": True}
        write_release(folder, rows, release_id=release_id, **shared)
    with running_service(folder, LARDER_LOG_LEVEL="error") as address:
        yield address


# What each prints of these releases.
SAID = {
    "access.py": ["zip_share_within_5_miles:", "published"],
    "changes.py": [f"4 changes from {OLD} to {NEW}", "added", "phone", f"200 {OLD} 101 ['phone']"],
    "map.py": [f"2 places in release {NEW}", "Allegheny County    2"],
    "near_and_open.py": ["residents within 5 miles", "PA       40.0"],
    "one_more_pantry.py": ["42003: 5,000 residents", "1 more: 15146", "best of all combinations: "],
    "places_by_state.py": [f"Release {NEW}: ", "with_hours"],
}


def test_every_notebook_is_run() -> None:
    assert {path.name for path in FOLDER.glob("*.py")} == set(SAID)


@pytest.mark.parametrize("name", SAID)
def test_a_notebook_runs(name: str, service: str) -> None:
    script = FOLDER / name
    assert script.read_text().startswith("# %% [markdown]\n# # ")
    done = subprocess.run(
        [sys.executable, script],
        env={**os.environ, "LARDER": service, "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for text in SAID[name]:
        assert text in done.stdout
