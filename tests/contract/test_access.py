"""Compare every figure of the access documents, in all three forms, with the release's tables.

tests/unit/assets/statistics/test_access.py tests the tables by brute force.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as pq
import pytest

from schemas.api.coverage import NationalAccess, StateAccess
from schemas.table import Table
from schemas.tables.core import AREA_ACCESS, COUNTY_TOTALS, RESOURCES, ZIP_ACCESS
from schemas.vocab.food_access import NATION
from schemas.vocab.states import STATES
from tests.support.clients import Client, open_client, read
from tests.support.country import places
from tests.support.releases import write_release

Row = dict[str, Any]


def zip_codes() -> list[Row]:
    """Return 400 ZIP codes near the places: some without residents, some doubtful, one without a
    point.
    """
    rng = random.Random(7)
    codes = list(STATES)
    rows = [
        {
            "zip": f"{n:05d}",
            "zip_kind": rng.choice(["standard", "standard", "po_box", "unique"]),
            "place_name": "Town",
            "state": codes[n % len(codes)],
            "county_fips": rng.choice(["36061", "36119", "01003", None]),
            "lat": rng.uniform(30, 45),
            "lng": rng.uniform(-120, -75),
            "population": rng.choice([None, 0, rng.randrange(60_000), rng.randrange(9_000)]),
            "is_quality_low": rng.random() < 0.1,
        }
        for n in range(400)
    ]
    rows[3] |= {"lat": None, "lng": None, "state": None, "zip_kind": "military"}
    return rows


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("country")
    write_release(folder, places(), zips=zip_codes(), access=True)
    return folder


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[Client]:
    with open_client(folder) as client:
        yield client


def rows_of(folder: Path, table: Table) -> list[Row]:
    """Return the rows of a table of the release."""
    rows: list[Row] = pq.read_table(folder / "tables" / f"{table.name}.parquet").to_pylist()
    return rows


def merge(struct: Any, row: Row) -> Row:
    """Return a row with the document's values in the columns that both have."""
    document: Row = msgspec.structs.asdict(struct)
    assert len(document.keys() & row.keys()) > 10
    return {name: document.get(name, value) for name, value in row.items()}


def test_the_nation_and_every_state(client: Client, folder: Path) -> None:
    document = read(client, "/api/v1/access.json", NationalAccess)
    areas = {row["area"]: row for row in rows_of(folder, AREA_ACCESS)}
    assert [s.area for s in document.states] == sorted(STATES)
    assert set(areas) == {NATION, *STATES}
    for state in (document.national, *document.states):
        assert merge(state, areas[state.area]) == areas[state.area]
    counties = rows_of(folder, COUNTY_TOTALS)
    everywhere = sum(row["is_active"] for row in rows_of(folder, RESOURCES))
    assert document.resources_without_county == everywhere - sum(
        row["resource_count"] for row in counties
    )


def test_every_zip_code_and_county_of_a_state(client: Client, folder: Path) -> None:
    zips = {row["zip"]: row for row in rows_of(folder, ZIP_ACCESS)}
    fips_codes = {state.fips for state in STATES.values()}
    counties = {
        row["county_fips"]: row
        for row in rows_of(folder, COUNTY_TOTALS)
        if row["county_fips"][:2] in fips_codes
    }
    areas: list[str] = []
    for code in STATES:
        document = read(client, f"/api/v1/access/{code}.json", StateAccess)
        for row in document.zips:
            assert zips[row.zip]["state"] == code
            assert merge(row, zips[row.zip]) == zips[row.zip]
        for row in document.counties:
            assert merge(row, counties[row.county_fips]) == counties[row.county_fips]
        areas += [row.zip for row in document.zips] + [row.county_fips for row in document.counties]
    assert sorted(areas) == sorted([*zips, *counties])
