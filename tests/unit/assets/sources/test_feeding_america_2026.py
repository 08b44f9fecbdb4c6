"""Food banks without an address, and the ZIP codes they serve, which are no places."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_value, shared_rows

SOURCE = "feeding_america_2026"
CATALOGUE = "feeding_america_catalogue.json"
COVERAGE = "feeding_america_zip_coverage.csv"


@cases(
    "file, row, field, expected",
    {
        "key": (CATALOGUE, 1, "source_key", "1"),
        "name, _metadata is no row": (CATALOGUE, 1, "name", "Sagebrush Food Bank"),
        "type": (CATALOGUE, 1, "resource_type", "food_bank"),
        "page to find food": (CATALOGUE, 1, "website", "https://sagebrush.example/find"),
        "null": (CATALOGUE, 2, "website", None),
        "state": (CATALOGUE, 2, "state", "AZ"),
        "leading zeros": (COVERAGE, 1, "source_key", "00699:907"),
        "a ZIP is no place": (COVERAGE, 2, "reject_reason", "not_a_place"),
        "detail": (COVERAGE, 2, "reject_detail", "serves ZIP 00699"),
        "food bank": (COVERAGE, 2, "organization", "Sagebrush Food Bank"),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


@pytest.mark.shared
def test_real_catalogue() -> None:
    rows = shared_rows(SOURCE, SOURCE, CATALOGUE)
    assert len(rows) == 198
    assert rows["source_key"].is_unique
    assert rows["reject_reason"].isna().all()
    assert rows[["name", "state", "website"]].notna().all().all()
    assert rows["state"].nunique() == 51


@pytest.mark.shared
def test_real_coverage() -> None:
    rows = shared_rows(SOURCE, SOURCE, COVERAGE)
    assert len(rows) == 34_581
    assert rows["source_key"].is_unique
    assert rows["zip"].nunique() == 33_774
    assert rows["zip"].str.fullmatch(r"[0-9]{5}").all()
    assert (rows["reject_reason"] == "not_a_place").all()
