"""Test that the release after a publisher's withdrawal has none of its data."""

import gzip
import json
from pathlib import Path

import duckdb
import pytest

from assets.sources.assets import name_located_asset
from pipelines.build import ProfileError, workspace_for
from schemas.sources.registry import built_sources, sources
from schemas.tables.core import RIGHTS
from serving.statistics.coverage import list_withheld
from tests.support.dated_builds import FIRST, SECOND, copy_data, share_first, tried_on
from warehouse.index.reader import OpenRelease
from warehouse.parquet import read_frame
from warehouse.release.log import CHANGES_FOLDER, FEED_NAME
from warehouse.release.manifest import read_manifest

pytestmark = pytest.mark.slow
SOURCE = "diaper_banks"
REASON = "The publisher asked to be left out."


def _text_of(path: Path) -> str:
    """Return all text of a file, decompressed."""
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
    hits = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        text = _text_of(path)
        hit = next((value for value in values if value in text), None)
        if hit:
            hits[str(path.relative_to(folder))] = hit
    return hits


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data folder of a release, and of the next after a publisher's withdrawal."""
    folder = tmp_path_factory.mktemp("rights")
    policy = folder / "licences.yaml"
    policy.write_text(
        f"withdrawals: [{{source: {SOURCE}, date: 2026-11-01, reason: {REASON}}}]",
        encoding="utf-8",
    )
    data = copy_data(share_first(), folder / "data")
    demo = {"profile": "demo", "demo_rows": 600, "licenses_file": str(policy)}
    outcome = tried_on(data, SECOND, 2, **demo)
    assert outcome.is_success, outcome.failures
    return data


def _own_names(data: Path) -> set[str]:
    """Return names that only the withdrawn publisher has."""
    places = read_frame(data / "tables" / f"{sources()[SOURCE].core_table}.parquet")
    others = [
        read_frame(data / "tables" / f"{source.core_table}.parquet", ["name"])["name"]
        for source in built_sources().values()
        if source.yields == "places" and source.id != SOURCE
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
    lines_withheld = [line for line in map(json.loads, lines) if line.get("reason") == "withheld"]
    assert lines_withheld
    assert {line["detail"] for line in lines_withheld} == {f"Withdrawn on 2026-11-01: {REASON}"}


def test_every_row_is_counted(data: Path) -> None:
    entry = next(s for s in read_manifest(data / "releases" / SECOND).sources if s.id == SOURCE)
    assert entry.rows_published == entry.rows_merged == 0
    assert entry.rows_withheld == entry.rows_read - entry.rows_rejected > 0
    assert read_frame(data / "tables" / f"{name_located_asset(sources()[SOURCE])}.parquet").empty


def test_the_release_states_the_withdrawal(data: Path) -> None:
    rights = read_frame(data / "releases" / SECOND / "exports" / f"{RIGHTS.name}.parquet")
    row = rights.set_index("source_id").loc[SOURCE]
    assert row["rights_use"] == "withhold"
    assert row["rights_basis"] == "withdrawal"


def test_a_wrong_policy_ends_the_build_before_it_begins(tmp_path: Path) -> None:
    policy = tmp_path / "licences.yaml"
    policy.write_text("no_stated_license: maybe", encoding="utf-8")
    with pytest.raises(ProfileError, match=r"licences\.yaml: .*no_stated_license"):
        workspace_for("demo", tmp_path, licenses_file=str(policy))


def test_the_coverage_gives_the_reason_for_a_withheld_list(data: Path) -> None:
    release = OpenRelease(data / "releases" / SECOND)
    try:
        (source,) = [w for w in list_withheld(release) if w.source == SOURCE]
    finally:
        release.close()
    assert (source.use, source.basis) == ("withhold", "withdrawal")
    assert source.reason == f"Withdrawn on 2026-11-01: {REASON}"
