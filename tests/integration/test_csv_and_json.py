"""Every CSV of a release and of the service has the values of its JSON.

Only free text may differ, by the apostrophe that protects spreadsheets. Codes, numbers, dates,
coordinates and closed vocabularies are the same.
"""

import csv
import gzip
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from schemas.bulk import BULK_FIELDS
from schemas.hsds.collections import BY_NAME, COLLECTIONS
from schemas.tables.veterans import VETERAN_RESOURCES
from schemas.values.formulas import without_formula
from schemas.vocab.states import STATE_CODES
from serving.exports.bulk_routes import FREE_TEXT
from tests.support.clients import Client, open_client
from tests.support.dated_builds import share_by_command
from warehouse.release.store import ReleaseStore

Row = dict[str, Any]
SERVED = frozenset(c.name for c in COLLECTIONS)
IsText = Callable[[str], bool]
_BULK = frozenset(f.name for f in BULK_FIELDS if f.is_free_text)
_VETERANS = frozenset(f.name for f in VETERAN_RESOURCES.fields if f.is_free_text)


@pytest.fixture(scope="module")
def built() -> Path:
    return share_by_command()


@pytest.fixture(scope="module")
def client(built: Path) -> Iterator[Client]:
    with open_client(built) as client:
        yield client


@pytest.fixture(scope="module")
def folder(built: Path) -> Path:
    store = ReleaseStore(built)
    return store.folder(store.current() or "")


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def cell(value: object, is_text: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, bool | list | dict):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    assert isinstance(value, str)
    return without_formula(value) if is_text else value


def same(sheet: str, rows: list[Row], is_text: IsText) -> None:
    """Compare the lines of a CSV with JSON rows, cell by cell; a number as the number it is."""
    lines = rows_of(sheet)
    assert len(lines) == len(rows) > 0
    by_id = {line["id"]: line for line in lines}
    for row in rows:
        line = by_id[str(row["id"])]
        assert None not in line
        assert set(row) <= set(line)
        for name, text in line.items():
            value = row.get(name)
            if isinstance(value, int | float) and not isinstance(value, bool):
                assert float(text) == value, name
            elif value == []:  # the files leave an unknown list empty
                assert text in {"", "[]"}, name
            else:
                assert text == cell(value, is_text(name)), name


def packed(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode()


def test_hsds_collections(client: Client, folder: Path) -> None:
    codes = set[str]()
    for path in sorted((folder / "hsds").glob("*.csv.gz")):
        name = path.name.removesuffix(".csv.gz")
        free = {c.name for c in BY_NAME[name].columns if c.is_free_text}
        lines = packed(path.with_name(f"{name}.ndjson.gz")).split("\n")[:-1]
        stored = [json.loads(line) for line in lines]
        if not stored:
            continue
        same(packed(path), stored, free.__contains__)
        if name not in SERVED:
            continue
        same(client.get(f"/hsds/v3/{name}.csv").text, stored, free.__contains__)
        answer = client.get(f"/hsds/v3/{name}?format=json&per_page=1000").json()
        sheet = client.get(f"/hsds/v3/{name}?format=csv&per_page=1000").text
        same(sheet, answer["contents"], free.__contains__)
        codes |= {row["byday"] for row in stored if row.get("byday", "").startswith("-")}
    assert codes, "the demo has places that open on the last of a weekday in the month"


def test_bulk_pages(client: Client) -> None:
    page, rows = 1, 0
    while True:
        where = f"/api/resources/bulk?limit=1000&page={page}"
        document = client.get(where).json()
        sheet = client.get(f"{where}&format=csv").text
        same(sheet, document["resources"], FREE_TEXT.__contains__)
        rows += len(document["resources"])
        if page == document["total_pages"]:
            break
        page += 1
    assert rows > 100


def test_bulk_files(folder: Path) -> None:
    rows = [json.loads(line) for line in packed(folder / "bulk/resources.ndjson.gz").splitlines()]
    assert len(rows) > 100
    same(packed(folder / "bulk/resources.csv.gz"), rows, _BULK.__contains__)


def test_veterans(folder: Path) -> None:
    document = json.loads((folder / "veterans/veteran-resources.json").read_bytes())
    sheet = (folder / "veterans/veteran-resources.csv").read_bytes().decode()
    same(sheet, document["records"], _VETERANS.__contains__)
    assert packed(folder / "veterans/veteran-resources.csv.gz") == sheet


def test_access(client: Client) -> None:
    documents = [client.get(f"/api/v1/access/{state}.json").json() for state in STATE_CODES]
    for name, key in (("counties", "county_fips"), ("zips", "zip")):
        rows = [row for document in documents for row in document[name]]
        lines = {line[key]: line for line in rows_of(client.get(f"/api/v1/access/{name}.csv").text)}
        assert lines.keys() == {row[key] for row in rows}
        for row in rows:
            for member, value in row.items():
                text = lines[row[key]].get(member)
                if isinstance(value, float | int) and not isinstance(value, bool) and text:
                    assert float(text) == value, member
                elif text is not None:
                    assert text == cell(value, is_text=False), member


def test_no_csv_is_left_out(client: Client, folder: Path) -> None:
    """A new CSV of the release or of the service needs a comparison here."""
    files = {str(path.relative_to(folder)) for path in folder.rglob("*.csv*")}
    known = ("hsds/", "bulk/resources.csv", "veterans/", "access/zips.csv", "access/counties.csv")
    assert not [name for name in files if not name.startswith(known)]
    paths: set[str] = set()
    for where, operations in client.get("/api/openapi.json").json()["paths"].items():
        answers = operations.get("get", {}).get("responses", {}).get("200", {})
        if "text/csv" in answers.get("content", {}):
            paths.add(where)
    served = ("/hsds/v3/", "/api/resources/bulk", "/api/v1/access/", "/exports/{release_id}/{name}")
    assert not [path for path in paths if not path.startswith(served)]
