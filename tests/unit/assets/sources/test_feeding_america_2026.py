"""Food banks without an address, and the ZIP codes they serve, which are no places."""

from __future__ import annotations

import pytest

from tests.support.source_files import fixture_value, shared_rows

SOURCE = "feeding_america_2026"
CATALOGUE = "feeding_america_catalogue.json"
COVERAGE = "feeding_america_zip_coverage.csv"


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(CATALOGUE, 1, "source_key", "1", id="key"),
        pytest.param(CATALOGUE, 1, "name", "Sagebrush Food Bank", id="name, _metadata is no row"),
        pytest.param(CATALOGUE, 1, "resource_type", "food_bank", id="type"),
        pytest.param(
            CATALOGUE, 1, "website", "https://sagebrush.example/find", id="page to find food"
        ),
        pytest.param(CATALOGUE, 2, "website", None, id="null"),
        pytest.param(CATALOGUE, 2, "state", "AZ", id="state"),
        pytest.param(COVERAGE, 1, "source_key", "00699:907", id="leading zeros"),
        pytest.param(COVERAGE, 2, "reject_reason", "not_a_place", id="a ZIP is no place"),
        pytest.param(COVERAGE, 2, "reject_detail", "serves ZIP 00699", id="detail"),
        pytest.param(COVERAGE, 2, "organization", "Sagebrush Food Bank", id="food bank"),
    ],
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
