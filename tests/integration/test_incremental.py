"""A second build does what has changed and nothing else, and comes to what a build from nothing
comes to.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from assets.matching.matching import LOCATED_COLUMNS, cluster
from schemas.fields import FIELDS
from schemas.tables.core import CLUSTERS, DOUBTFUL_PAIRS, LOCATED
from warehouse.parquet import read_frame
from warehouse.release.store import ReleaseStore

ROOT = Path(__file__).resolve().parents[2]
CHANGED = "diaper_banks"
# Columns that tell when a build was, not what is in it.
TIMES = {name for name, field in FIELDS.items() if field.type == "datetime"}
TIMES |= {"first_release_id", "last_modified", "created_at", "updated_at"}


def _build(data: Path, threads: int) -> dict[str, Any]:
    """The outcome of a build that has so many threads for everything that counts threads."""
    outcome = data.parent / f"{data.name}.json"
    names = (
        "LARDER_DUCKDB_THREADS",
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "ARROW_NUM_THREADS",
    )
    command = [
        sys.executable,
        "-m",
        "pipelines.cli",
        "build",
        "--rows",
        "600",
        "--as-of",
        "2026-11-01",
        "--data",
        str(data),
        "--json",
        str(outcome),
    ]
    done = subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **dict.fromkeys(names, str(threads)), "DAGSTER_DISABLE_TELEMETRY": "1"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(outcome.read_bytes())
    return found


def _done_again(outcome: dict[str, Any]) -> set[str]:
    return {step["name"] for step in outcome["steps"] if not step["is_reused"]}


def _state_parts(data: Path) -> dict[str, int]:
    """Inode of each state's clusters: a file that is written again is another file."""
    folder = data / "tables" / CLUSTERS.name
    return {path.stem: path.stat().st_ino for path in folder.glob("*.parquet")}


class Builds:
    """One data directory built, built again unchanged and built with one name changed; and one from
    nothing.
    """

    def __init__(self, folder: Path) -> None:
        self.data, self.fresh = folder / "data", folder / "fresh"
        self.first = _build(self.data, threads=1)
        self.unchanged = _build(self.data, threads=1)
        self.parts_before = _state_parts(self.data)
        self.state = _rename_a_bank(self.data)
        self.changed = _build(self.data, threads=1)
        shutil.copytree(self.data / "demo", self.fresh / "demo")
        self.clean = _build(self.fresh, threads=2)


def _rename_a_bank(data: Path) -> str:
    """Give one diaper bank another name in the publisher's file; its state."""
    located = read_frame(data / "tables" / f"_core_{CHANGED}__located.parquet")
    name, state = located["name"].iloc[0], str(located["state"].iloc[0])
    (path,) = (p for p in (data / "demo").rglob("*") if CHANGED in p.parts and p.is_file())
    text = path.read_text(encoding="utf-8")
    assert text.count(name) == 1
    path.write_text(text.replace(name, "Renamed Diaper Bank"), encoding="utf-8")
    return state


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> Builds:
    return Builds(tmp_path_factory.mktemp("builds"))


def test_without_a_change_no_release_is_made(builds: Builds) -> None:
    assert builds.unchanged["release_id"] == builds.first["release_id"]
    done = _done_again(builds.unchanged)
    assert not {name for name in done if name.startswith(("core_", "_core_"))} - _ALWAYS
    assert "out_directory__release" not in done


# Quick steps that are done in every build: what they write is the same where nothing has changed.
_ALWAYS = {
    "core_directory__website_probes",
    "core_directory__last_changes",
    "core_directory__organizations",
    "core_veterans__identities",
    "core_veterans__rejects",
}


def test_one_changed_source_is_read_alone(builds: Builds) -> None:
    assert builds.changed["release_id"] > builds.first["release_id"]
    done = _done_again(builds.changed)
    steps = {n for n in done if n.startswith(("core_", "_core_"))} - _ALWAYS
    of_sources = {name for name in steps if "directory" not in name}
    assert of_sources == {
        f"core_{CHANGED}__places",
        f"core_{CHANGED}__rejects",
        f"_core_{CHANGED}__located",
    }
    assert {
        "_core_directory__located",
        "core_directory__resources",
        "out_directory__release",
    } <= done


def test_one_changed_name_is_matched_in_its_state_alone(builds: Builds) -> None:
    now = _state_parts(builds.data)
    assert now.keys() == builds.parts_before.keys()
    assert {s for s in now if now[s] != builds.parts_before[s]} == {builds.state}


def test_states_by_themselves_match_as_the_country_does(builds: Builds) -> None:
    tables = builds.data / "tables"
    reference = cluster(read_frame(tables / f"{LOCATED.name}.parquet", LOCATED_COLUMNS))
    for table, frame in ((CLUSTERS, reference.clusters), (DOUBTFUL_PAIRS, reference.doubtful)):
        found = read_frame(tables / f"{table.name}.parquet")
        expected = frame.sort_values(list(table.order_by), ignore_index=True)
        pd.testing.assert_frame_equal(found, expected[found.columns], check_dtype=False)


def test_a_build_from_nothing_with_more_threads_is_the_same(builds: Builds) -> None:
    """Byte for byte where no column tells a time, row for row elsewhere."""
    assert ReleaseStore(builds.fresh).verify(builds.clean["release_id"])
    faults, identical = [], 0
    names = {p.stem for data in (builds.data, builds.fresh) for p in _tables(data)}
    for name in sorted(names):
        one, other = (data / "tables" / f"{name}.parquet" for data in (builds.data, builds.fresh))
        if one.read_bytes() == other.read_bytes():
            identical += 1
            continue
        left, right = (read_frame(path) for path in (one, other))
        if left.empty and right.empty:
            continue
        times = [column for column in left if column in TIMES]
        if not times:
            faults.append(f"{name}: other bytes")
        elif not left.drop(columns=times).equals(right.drop(columns=times)):
            faults.append(f"{name}: other rows")
    assert not faults
    assert identical > len(names) / 3


def _tables(data: Path) -> list[Path]:
    return sorted((data / "tables").glob("*.parquet"))


def test_releases_of_the_same_inputs_have_the_same_content(builds: Builds) -> None:
    digests = [
        {t.name: t.digest for t in ReleaseStore(data).manifest(outcome["release_id"]).tables}
        for data, outcome in ((builds.data, builds.changed), (builds.fresh, builds.clean))
    ]
    assert digests[0] == digests[1]
