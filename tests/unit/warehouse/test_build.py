"""The files of a release contain its current tables only."""

from pathlib import Path
from typing import Any

import pytest

from schemas.tables.core import RESOURCES
from tests.support.releases import as_table, resource, write_release
from warehouse.index.service_files import write_service_files
from warehouse.parquet import write_table
from warehouse.release.manifest import read_manifest
from warehouse.release.tables import SERVING_FOLDER, link_tables

ROWS = [resource(n, name=f"Pantry {n}") for n in range(1, 40)]
NAME = "Refuge of the Unmistakable Name"


def _made(tables: dict[str, Path], rows: list[dict[str, Any]], folder: Path) -> Path:
    write_table(as_table(rows, RESOURCES), RESOURCES, tables[RESOURCES.name])
    folder.mkdir()
    link_tables(tables, folder)
    (folder / SERVING_FOLDER).mkdir()
    write_service_files(tables, folder / SERVING_FOLDER)
    return folder


@pytest.mark.parametrize(
    "withdrawn", [[], [{"is_active": False}], [{"is_confidential": True, "name": "Shelter"}]]
)
def test_no_file_contains_a_withdrawn_place(
    tmp_path: Path, withdrawn: list[dict[str, Any]]
) -> None:
    release = tmp_path / "releases" / write_release(tmp_path, ROWS)
    tables = {
        entry.name: tmp_path / "tables" / f"{entry.name}.parquet"
        for entry in read_manifest(release).tables
    }
    first_files = _made(tables, [ROWS[0] | {"name": NAME}, *ROWS[1:]], tmp_path / "shown")
    assert NAME.encode() in (first_files / "serving" / "records.arrow").read_bytes()
    rows = [ROWS[0] | values for values in withdrawn]
    second_files = _made(tables, [*rows, *ROWS[1:]], tmp_path / "withdrawn")
    files = [path for path in second_files.rglob("*") if path.is_file()]
    assert len(files) > 5
    assert [path for path in files if NAME.encode() in path.read_bytes()] == []
