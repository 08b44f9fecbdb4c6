"""Run the notebooks of docs/notebooks against a service with two releases."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.vocab.resource_types import TYPES_BY_MODE
from tests.support.releases import resource, write_release
from tests.support.server import running_service
from tests.support.town import resources, zips

pytestmark = pytest.mark.slow
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
    changed_place = first | {"phone": "(212) 555-0199"}
    for release_id, rows in (
        (OLD, [first, second, *others]),
        (NEW, [changed_place, *others, *new]),
    ):
        options = {"zips": [*zips(), *ALLEGHENY], "bulk": True, "history": True, "access": True}
        write_release(folder, rows, release_id=release_id, **options)
    with running_service(folder, LARDER_LOG_LEVEL="error") as address:
        yield address


# Parts of the output of each for these releases.
OUTPUTS = {
    "access.py": ["zip_share_within_5_miles:", "published"],
    "changes.py": [f"4 changes from {OLD} to {NEW}", "added", "phone", "101 {'phone': "],
    "map.py": [f"2 places in release {NEW}", "Allegheny County    2"],
    "near_and_open.py": ["residents within 5 miles", "PA       40.0"],
    "one_more_pantry.py": ["42003: 5,000 residents", "1 more: 15146", "best of all combinations: "],
    "places_by_state.py": [f"Release {NEW}: ", "with_hours"],
}


def test_every_list_of_free_types_equals_the_vocabulary() -> None:
    """Compare the lists: notebooks run without our packages, so each has its own."""
    scripts = [*FOLDER.glob("*.py"), FOLDER.parent / "examples" / "three_questions.py"]
    lists = [
        tuple(re.findall(r'"(\w+)"', types))
        for script in scripts
        for types in re.findall(r"^FREE\w* = [\[(](.+?)[\])]$", script.read_text(), re.M | re.S)
    ]
    assert lists == [TYPES_BY_MODE["free"]] * 4


def test_every_notebook_has_a_test() -> None:
    assert {path.name for path in FOLDER.glob("*.py")} == set(OUTPUTS)


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_notebook_runs(name: str, service: str) -> None:
    script = FOLDER / name
    assert script.read_text().startswith("# %% [markdown]\n# # ")
    process = subprocess.run(
        [sys.executable, script],
        env={**os.environ, "LARDER": service, "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    for text in OUTPUTS[name]:
        assert text in process.stdout


def test_a_release_without_residents_is_an_error(tmp_path: Path) -> None:
    unknown = [one | {"population": None} for one in zips()]
    write_release(tmp_path, resources(), release_id=NEW, zips=unknown, bulk=True)
    with running_service(tmp_path, LARDER_LOG_LEVEL="error") as address:
        process = subprocess.run(
            [sys.executable, FOLDER / "near_and_open.py"],
            env={**os.environ, "LARDER": address},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr.startswith("This release knows no residents by ZIP code")


def _without_r() -> bool:
    """Check for R and the packages that the documents use."""
    program = shutil.which("Rscript")
    packages = "library(dplyr); library(readr); library(sf)"
    return program is None or bool(
        subprocess.run([program, "-e", packages], check=False, capture_output=True).returncode
    )


def _run_in_r(code: str, service: str, folder: Path) -> str:
    """Return the output of R; a warning is an error, because a reader should see none."""
    process = subprocess.run(
        ["Rscript", "-e", "options(warn = 2)", "-e", code],
        cwd=folder,
        env={**os.environ, "LARDER": service},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


@pytest.mark.skipif(
    _without_r(), reason="no R: apt-get install r-cran-dplyr r-cran-readr r-cran-sf"
)
def test_the_code_for_r_runs(service: str, tmp_path: Path) -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```r\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    output = _run_in_r(code + "cat(nrow(places), nrow(pa), class(places$zip))", service, tmp_path)
    assert output.endswith(f"{len(resources()) + 1} 2 character")
    assert "with_hours" in output


@pytest.mark.skipif(
    _without_r(), reason="no R: apt-get install r-cran-dplyr r-cran-readr r-cran-sf"
)
def test_r_loses_no_rare_value_of_a_csv_file(service: str, tmp_path: Path) -> None:
    """A column keeps its type though its first thousands of rows are empty."""
    page = (FOLDER.parent / "analysis.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^ +R +(readr::.*)$", page, re.MULTILINE)
    rows = ["zip,county_fips,census_tract,phone,phone_e164,minimum_age,languages"]
    rows += ["00501,01001,,,,,"] * 5000 + ['00501,01001,,,,60,"[""en""]"'] + ["00501,01001,,,,,"]
    (tmp_path / "resources.csv").write_text("\n".join(rows) + "\n")
    code = f"x <- {line}\ncat(nrow(x), x$zip[1], sum(x$minimum_age, na.rm = TRUE), na.omit(x$languages))"
    assert _run_in_r(code, service, tmp_path).endswith('5002 00501 60 ["en"]')
