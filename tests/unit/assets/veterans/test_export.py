"""The files of the data set, what they say of their making, and the check of its values."""

import csv
import json
from pathlib import Path

import pandas as pd
import pytest

from assets.probes.assets import no_probes
from assets.veterans.assets import find_lost
from assets.veterans.export import NAME, write_files
from assets.veterans.practices import Making, WebsiteProbes, practices, probes_of
from schemas.checks.registry import query_checks
from schemas.tables.core import REJECTS
from schemas.tables.veterans import VETERAN_DETAILS, VETERAN_RESOURCES, column_list
from tests.support.cases import cases
from tests.support.veterans import example, facilities, frame
from warehouse.checks.declared import run_query_check
from warehouse.parquet import read_frame, write_table


@cases(
    "column, value",
    {
        "half a point": ("lng", None),
        "a tract without its county": ("fips_county", None),
        "a verified number that is missing": ("phone_e164", None),
        "changed before it was made": ("updated_at", "2020-01-01T00:00:00Z"),
        "no evidence": ("id", 7),
    },
)
def test_values_that_disagree_are_found(tmp_path: Path, column: str, value: object) -> None:
    (check,) = (c for c in query_checks() if c.name == "veteran_values_agree")
    paths = {table.name: tmp_path / table.name for table in (VETERAN_RESOURCES, VETERAN_DETAILS)}
    rows = example().resources.sort_values("phone_e164").reset_index(drop=True)
    rows.loc[0, "fips_tract"] = "010400"
    write_table(example().details, VETERAN_DETAILS, paths[VETERAN_DETAILS.name])
    write_table(rows, VETERAN_RESOURCES, paths[VETERAN_RESOURCES.name])
    assert run_query_check(check.query, paths).total == 0
    rows.loc[0, column] = value
    write_table(rows, VETERAN_RESOURCES, paths[VETERAN_RESOURCES.name])
    assert run_query_check(check.query, paths).total == 1


def test_a_lost_record_of_the_register_is_named() -> None:
    register = facilities({}, {"source_key": "vha_2"}, {"source_key": "vc_5"})
    details, left_out = example().details, frame(REJECTS, [])
    assert find_lost(details, left_out, register) == []
    more = facilities({}, {"source_key": "vha_77"})
    assert find_lost(details, left_out, more) == ["vha_77"]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    write_files(example().resources, tmp_path, Making(), is_synthetic=True)
    return tmp_path


def test_the_files_contain_the_same_records(files: Path) -> None:
    ids = example().resources["id"].tolist()
    with (files / f"{NAME}.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [int(row["id"]) for row in rows] == ids
    assert list(rows[0]) == VETERAN_RESOURCES.field_names
    assert read_frame(files / f"{NAME}.parquet")["id"].tolist() == ids
    document = json.loads((files / f"{NAME}.json").read_text(encoding="utf-8"))
    assert [record["id"] for record in document["records"]] == ids
    assert document["record_count"] == len(ids)
    assert document["columns"] == column_list()
    assert {"license": "CC-BY 4.0", "is_synthetic": True}.items() <= document.items()
    assert [list(record) for record in document["records"]] == [VETERAN_RESOURCES.field_names] * 5
    assert read_frame(files / f"{NAME}.parquet")["zip"].dropna().unique().tolist() == ["04101"]


def test_the_document_names_the_boundaries_of_its_tracts(tmp_path: Path) -> None:
    fips = {}
    for name, making in (("without", Making()), ("with", Making(("cb_2021_us_tract_500k.zip",)))):
        (tmp_path / name).mkdir()
        write_files(example().resources, tmp_path / name, making, is_synthetic=True)
        document = json.loads((tmp_path / name / f"{NAME}.json").read_text(encoding="utf-8"))
        fips[name] = document["practices"]["fips"]
        rows = document["records"]
        share = sum(row["phone"] is not None for row in rows) / len(rows)
        assert document["coverage"]["phone"] == round(share, 3)
        assert document["coverage"]["fips_tract"] == 0.0
    assert "had no boundaries of Census tracts" in fips["without"]
    assert "by polygon" in fips["with"]
    assert "cb_2021_us_tract_500k.zip" in fips["with"]


def test_probes_of_the_data_set_and_their_absence_are_reported() -> None:
    rows = pd.DataFrame({"website": ["https://a.example/", "https://b.example/", None]})
    assert (
        practices(Making()).get("website_probes")
        == "No website was probed for this release: the build had no network, or was told not to use it."
    )
    probes = pd.DataFrame(
        {
            "website": ["http://a.example/", "https://elsewhere.example/"],
            "final_url": [None, None],
            "probed_at": pd.to_datetime(["2026-10-30T02:00Z", "2026-10-31T02:00Z"]),
        }
    )
    report = probes_of(rows, probes)
    assert report == WebsiteProbes(2, 1, "2026-10-30")
    assert (
        practices(Making(website_probes=report))["website_probes"]
        == "1 website has been probed, the last on 2026-10-30."
    )
    assert probes_of(rows, no_probes()) == WebsiteProbes(2, 0, None)


def test_equal_rows_give_equal_bytes(files: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    again.mkdir()
    write_files(example().resources, again, Making(), is_synthetic=True)
    for path in again.iterdir():
        assert path.read_bytes() == (files / path.name).read_bytes(), path.name
