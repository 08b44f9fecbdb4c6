"""The blocking checks of the data set: each fault, caused on purpose, is found and named."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import frictionless
import pandas as pd
import pytest

from assets.probes.assets import no_probes
from assets.veterans.assets import broken_files, broken_rows
from assets.veterans.export import NAME, write_files
from assets.veterans.practices import Making, WebsiteProbes, practices, probes_of
from schemas.tables.core import REJECTS
from schemas.tables.veterans import VETERAN_RESOURCES, column_list
from tests.support.veterans import AS_OF, example, facilities, frame
from warehouse.parquet import read_frame, write_table

NOTHING = frame(REJECTS, [])


def broken(resources: pd.DataFrame, **more: Any) -> list[str]:
    register = more.get("register", facilities({}, {"source_key": "vha_2"}, {"source_key": "vc_5"}))
    details = more.get("details", example().details)
    return broken_rows(resources, details, NOTHING, register, AS_OF)


def test_nothing_is_wrong_with_the_example() -> None:
    assert broken(example().resources) == []


def _with(column: str, value: object) -> Callable[[pd.DataFrame], pd.DataFrame]:
    def change(rows: pd.DataFrame) -> pd.DataFrame:
        rows_after = rows.astype({column: object}).copy()
        rows_after.loc[rows_after.index[0], column] = value
        return rows_after.astype({column: rows[column].dtype})

    return change


FAULTS = {
    "state of another": (_with("fips_state", "41"), "fips_state is not the state's"),
    "half a point": (_with("lng", None), "one coordinate without the other"),
    "score": (_with("completeness_score", 1), "completeness_score is not the sum"),
    "future": (_with("verified_date", "2027-01-01"), "verified in the future"),
    "tract without county": (
        lambda rows: _with("fips_tract", "010400")(_with("fips_county", None)(rows)),
        "county or tract without",
    ),
    "times": (_with("updated_at", "2020-01-01T00:00:00Z"), "updated before it was created"),
    "unknown id": (_with("id", 7), "id without details"),
    "verified nothing": (_with("phone_e164", None), "phone_verified without a number"),
}


@pytest.mark.parametrize(("change", "rule"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_named(change: Callable[[pd.DataFrame], pd.DataFrame], rule: str) -> None:
    rows = example().resources.sort_values("phone_e164").reset_index(drop=True)
    assert any(fault.startswith(rule) for fault in broken(change(rows))), broken(change(rows))


def test_a_lost_record_of_the_register_is_noticed() -> None:
    more = facilities({}, {"source_key": "vha_2"}, {"source_key": "vc_5"}, {"source_key": "vha_77"})
    assert broken(example().resources, register=more) == ["1 records of the register are lost"]


# ---------------------------------------------------------------- files


@pytest.fixture
def files(tmp_path: Path) -> Path:
    write_files(example().resources, tmp_path, Making(), is_synthetic=True)
    return tmp_path


def test_the_files_contain_the_same_records(files: Path) -> None:
    assert broken_files(example().resources, files) == []
    document = json.loads((files / f"{NAME}.json").read_text(encoding="utf-8"))
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
        == "No website was probed for this release: the build had no network, or was not to use it."
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


def test_the_package_is_valid(files: Path) -> None:
    report = frictionless.validate(str(files / "datapackage.json"))
    assert report.valid, report.flatten(["title", "note"])


CUT: dict[str, Callable[[Path], object]] = {
    "CSV": lambda folder: _without_last_line(folder / f"{NAME}.csv"),
    "JSON": lambda folder: _without_last_record(folder / f"{NAME}.json"),
    "Parquet": lambda folder: write_table(
        example().resources[1:], VETERAN_RESOURCES, folder / f"{NAME}.parquet"
    ),
}


@pytest.mark.parametrize("form", CUT)
def test_a_file_that_lost_a_record_is_noticed(files: Path, form: str) -> None:
    CUT[form](files)
    assert any(fault.startswith(form) for fault in broken_files(example().resources, files))


def _without_last_line(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


def _without_last_record(path: Path) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    document["records"].pop()
    path.write_text(json.dumps(document), encoding="utf-8")
