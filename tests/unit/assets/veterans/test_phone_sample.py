"""Telephone numbers for manual look-up: a reproducible sample and its results."""

import csv
import io
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from assets.veterans.phone_sample import (
    FILE_NAME,
    LookupFileError,
    draw_sample,
    read_lookups,
    sentence,
    summary,
)
from pipelines.cli import main
from schemas.tables.veterans import VETERAN_RESOURCES
from tests.support.veterans import RELEASE, example
from warehouse.parquet import write_table
from warehouse.release.manifest import MANIFEST_NAME
from warehouse.release.store import ReleaseStore

HEADER = "phone_e164,looked_up_on,result,by\n"


def listed(clinics: int = 90, centers: int = 10) -> pd.DataFrame:
    kinds = ["va_clinic"] * clinics + ["vet_center"] * centers
    return pd.DataFrame(
        {
            "id": range(1, len(kinds) + 1),
            "name": "Heron",
            "resource_type": kinds,
            "city": "Portland",
            "state": "ME",
            "phone": "x",
            "website": None,
            "phone_e164": [f"+1207555{n:04d}" for n in range(len(kinds))],
        }
    )


def test_the_sample_is_stratified_and_can_be_drawn_again() -> None:
    sample = draw_sample(listed(), RELEASE, 20)
    assert sample["resource_type"].value_counts().to_dict() == {"va_clinic": 18, "vet_center": 2}
    pd.testing.assert_frame_equal(
        sample, draw_sample(listed().sample(frac=1, random_state=1), RELEASE, 20)
    )
    other = draw_sample(listed(), "20270101T060000Z-00000002", 20)
    assert set(other["phone_e164"]) != set(sample["phone_e164"])


def test_a_small_type_has_one_number_and_no_number_comes_twice() -> None:
    rows = listed(98, 1)
    rows.loc[0:4, "phone_e164"] = "+12075559999"
    rows.loc[5, "phone_e164"] = None
    sample = draw_sample(rows, RELEASE, 10)
    assert sample["resource_type"].value_counts()["vet_center"] == 1
    assert sample["phone_e164"].is_unique
    assert sample["phone_e164"].notna().all()
    assert draw_sample(rows.iloc[5:6], RELEASE, 10).empty


def test_the_last_result_of_listed_numbers_counts(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    path.write_text(
        HEADER
        + "+12075550000,2026-11-02,wrong,ana\n+12075550000,2026-11-09,Right ,ana\n+12075550001,2026-11-03,wrong,ben\n"
        + "+12075550002,,,\n+19995550000,2026-11-20,right,ben\n",
        encoding="utf-8",
    )
    summary_text = summary(read_lookups(path), listed())
    assert (
        summary_text.numbers,
        summary_text.looked_up,
        summary_text.right,
        summary_text.wrong,
    ) == (100, 2, 1, 1)
    assert (summary_text.first_date, summary_text.last_date) == ("2026-11-03", "2026-11-09")
    assert sentence(summary_text).startswith(
        "2 of 100 numbers were looked up by a person from 2026-11-03 to 2026-11-09: 1 right, 1 wrong"
    )


def test_the_summary_without_look_ups(tmp_path: Path) -> None:
    summary_text = summary(read_lookups(tmp_path / FILE_NAME), listed())
    assert (summary_text.looked_up, summary_text.last_date) == (0, None)
    assert sentence(summary_text) == "No number was looked up by a person for this release."


FAULTS = {
    "no column": ("phone_e164,result\n", "no column by, looked_up_on"),
    "unknown result": (
        HEADER + "+12075550000,2026-11-02,perhaps,ana\n",
        "line 2: result is 'perhaps'",
    ),
    "no date": (HEADER + "+12075550000,yesterday,right,ana\n", "line 2: looked_up_on is no date"),
}


@pytest.mark.parametrize(("text", "message"), FAULTS.values(), ids=FAULTS)
def test_unreadable_lines_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / FILE_NAME
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LookupFileError, match=message):
        read_lookups(path)


def test_the_command_prints_a_file_to_work_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = example().resources
    exports = tmp_path / "releases" / RELEASE / "exports"
    exports.mkdir(parents=True)
    (exports.parent / MANIFEST_NAME).touch()
    write_table(table, VETERAN_RESOURCES, exports / f"{VETERAN_RESOURCES.name}.parquet")
    monkeypatch.setattr(ReleaseStore, "current", lambda _: RELEASE)
    result = CliRunner().invoke(main, ["release", "phone-sample", "--data", str(tmp_path)])
    assert result.exit_code == 0, result.output
    rows = list(csv.DictReader(io.StringIO(result.output)))
    assert {row["phone_e164"] for row in rows} == set(table["phone_e164"].dropna())
    # As it comes out it can be read back: nothing is looked up yet.
    (tmp_path / FILE_NAME).write_text(result.output, encoding="utf-8", newline="")
    assert read_lookups(tmp_path / FILE_NAME).empty


def test_the_command_without_a_release(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["release", "phone-sample", "--data", str(tmp_path)])
    assert result.exit_code == 1
    assert "serves no release" in result.output
