"""A publisher that withdraws is gone from the next release, its downloads and the change feed."""

import gzip
import json
from pathlib import Path

import duckdb
import pytest

from assets.sources.assets import name_located_asset
from pipelines.profiles.profile import ProfileError, workspace_for
from schemas.sources.registry import sources
from schemas.tables.core import RIGHTS
from serving.statistics.coverage import list_withheld
from tests.support.dated_builds import FIRST, SECOND, copy_data, share_first, tried_on
from warehouse.index.reader import OpenRelease
from warehouse.parquet import read_frame
from warehouse.release.history import CHANGES_FOLDER, FEED_NAME
from warehouse.release.manifest import read_manifest

WITHDRAWN = "diaper_banks"
REASON = "The publisher asked to be left out."


def _text_of(path: Path) -> str:
    """Return all text that a file holds, whatever packs it."""
    if path.suffix in {".parquet", ".duckdb"}:
        with duckdb.connect(
            ":memory:" if path.suffix == ".parquet" else str(path),
            read_only=path.suffix != ".parquet",
        ) as db:
            names = (
                [f"read_parquet('{path}')"]
                if path.suffix == ".parquet"
                else [f'"{row[0]}"' for row in db.execute("SHOW TABLES").fetchall()]
            )
            rows = [
                str(row) for name in names for row in db.execute(f"SELECT * FROM {name}").fetchall()
            ]
        return "\n".join(rows)
    data = path.read_bytes()
    return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8", "replace")


def _files_with(folder: Path, values: set[str]) -> dict[str, str]:
    """Return the first of the values in every file of a release that has one."""
    found = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        text = _text_of(path)
        hit = next((value for value in values if value in text), None)
        if hit:
            found[str(path.relative_to(folder))] = hit
    return found


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release, and the next after a publisher's withdrawal."""
    folder = tmp_path_factory.mktemp("rights")
    policy = folder / "licences.yaml"
    policy.write_text(
        f"withdrawals: [{{source: {WITHDRAWN}, date: 2026-11-01, reason: {REASON}}}]",
        encoding="utf-8",
    )
    data = copy_data(share_first(), folder / "data")
    demo = {"profile": "demo", "demo_rows": 600, "licenses_file": str(policy)}
    outcome = tried_on(data, SECOND, 2, **demo)
    assert outcome.is_success, outcome.failures
    return data


def _own_names(data: Path) -> set[str]:
    """Return names that only the withdrawn publisher has."""
    places = read_frame(data / "tables" / f"{sources()[WITHDRAWN].core_table}.parquet")
    others = [
        read_frame(data / "tables" / f"{source.core_table}.parquet", ["name"])["name"]
        for source in sources().values()
        if source.yields == "places" and source.id != WITHDRAWN
    ]
    return set(places["name"].dropna()) - {name for column in others for name in column.dropna()}


def test_no_byte_of_the_next_release_has_its_names(data: Path) -> None:
    names = _own_names(data)
    assert len(names) > 3
    assert "exports/core_directory__resources.parquet" in _files_with(
        data / "releases" / FIRST, names
    )
    assert _files_with(data / "releases" / SECOND, names) == {}


def test_the_change_feed_gives_the_reason(data: Path) -> None:
    lines = (data / "releases" / SECOND / CHANGES_FOLDER / FEED_NAME).read_text().splitlines()
    withheld = [line for line in map(json.loads, lines) if line.get("reason") == "withheld"]
    assert withheld
    assert {line["detail"] for line in withheld} == {f"Withdrawn on 2026-11-01: {REASON}"}


def test_every_row_is_accounted_for(data: Path) -> None:
    entry = next(s for s in read_manifest(data / "releases" / SECOND).sources if s.id == WITHDRAWN)
    assert entry.rows_published == entry.rows_merged == 0
    assert entry.rows_withheld == entry.rows_read - entry.rows_rejected > 0
    assert read_frame(data / "tables" / f"{name_located_asset(sources()[WITHDRAWN])}.parquet").empty


def test_the_release_states_the_right(data: Path) -> None:
    rights = read_frame(data / "releases" / SECOND / "exports" / f"{RIGHTS.name}.parquet")
    row = rights.set_index("source_id").loc[WITHDRAWN]
    assert row["rights_use"] == "withhold"
    assert row["rights_basis"] == "withdrawal"


def test_a_wrong_policy_ends_the_build_before_it_begins(tmp_path: Path) -> None:
    policy = tmp_path / "licences.yaml"
    policy.write_text("no_stated_license: maybe", encoding="utf-8")
    with pytest.raises(ProfileError, match=r"licences\.yaml: .*no_stated_license"):
        workspace_for("demo", tmp_path, licenses_file=str(policy))


def test_the_coverage_of_the_release_says_why_a_list_is_withheld(data: Path) -> None:
    release = OpenRelease(data / "releases" / SECOND)
    try:
        (found,) = [w for w in list_withheld(release) if w.source == WITHDRAWN]
    finally:
        release.close()
    assert (found.use, found.basis) == ("withhold", "withdrawal")
    assert found.reason == f"Withdrawn on 2026-11-01: {REASON}"
