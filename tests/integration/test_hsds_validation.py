"""A small release's HSDS package against the official schemas and a third-party validator."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from frictionless import Package
from jsonschema import Draft202012Validator

from schemas.hsds.collections import HSDS_3_0
from schemas.hsds.model import Collection
from tests.support.hsds_schemas import official_schema, validator
from tests.support.releases import write_release
from tests.unit.warehouse.hsds.test_package import ODD, resources_of_a_day

EACH = pytest.mark.parametrize("collection", HSDS_3_0.collections, ids=lambda c: c.name)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("data")
    release = write_release(data, [*resources_of_a_day(), ODD], hsds=True)
    return data / "releases" / release / "hsds"


def _faults(check: Draft202012Validator, path: Path) -> list[tuple[Any, str]]:
    rows = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    return [(row.get("id"), error.message) for row in rows for error in check.iter_errors(row)]


@pytest.mark.shared
@EACH
def test_every_row_is_valid_by_the_official_schema(folder: Path, collection: Collection) -> None:
    schema = official_schema(collection.table)
    assert not _faults(validator(schema), folder / f"{collection.name}.ndjson.gz")


@EACH
def test_every_row_is_valid_by_the_published_profile(folder: Path, collection: Collection) -> None:
    schema = json.loads((folder / "profile" / "schema" / f"{collection.table}.json").read_bytes())
    assert not _faults(validator(schema), folder / f"{collection.name}.ndjson.gz")


def test_the_package_is_valid_with_its_foreign_keys(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpack(folder, tmp_path)
    monkeypatch.chdir(tmp_path)
    report = Package("datapackage.json").validate()
    assert report.valid, report.flatten(["name", "rowNumber", "fieldName", "type", "note"])
    assert report.stats["tasks"] == len(HSDS_3_0.collections)


def test_a_broken_foreign_key_is_noticed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpack(folder, tmp_path)
    lines = (tmp_path / "organizations.csv").read_bytes().splitlines(keepends=True)
    (tmp_path / "organizations.csv").write_bytes(b"".join(lines[:-1]))
    monkeypatch.chdir(tmp_path)
    report = Package("datapackage.json").validate()
    assert {row[0] for row in report.flatten(["type"])} == {"foreign-key"}


def unpack(folder: Path, target: Path) -> None:
    with zipfile.ZipFile(folder / "hsds.zip") as package:
        package.extractall(target)
