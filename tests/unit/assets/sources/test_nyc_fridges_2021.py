"""Fridges without names: called by their hosts, nobody's own name kept."""

from __future__ import annotations

import pytest

from tests.support.source_files import fixture_value, shared_rows

SOURCE = "nyc_fridges_2021"
FILE = "community-fridges.json"


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(FILE, 1, "name", "Community fridge (Pigeon Mutual Aid)", id="host"),
        pytest.param(
            FILE, 1, "website", "https://www.instagram.com/pigeonfridge/", id="its own page"
        ),
        pytest.param(FILE, 1, "notes", "possibly not active", id="remark in a nameless column"),
        pytest.param(FILE, 1, "zip", "11299", id="ZIP as number"),
        pytest.param(FILE, 1, "hours_text", None, id="no hours given"),
        pytest.param(FILE, 1, "resource_type", "community_fridge", id="type"),
        pytest.param(FILE, 2, "name", "The Sparrow Fridge", id="its own name"),
        pytest.param(FILE, 2, "city", "New York", id="Manhattan, misspelt"),
        pytest.param(FILE, 2, "website", None, id="an article about it"),
        pytest.param(
            FILE, 3, "name", "Community fridge (Dove Cafe)", id="a person's name before the host"
        ),
        pytest.param(FILE, 3, "city", None, id="Queens is no postal city"),
        pytest.param(FILE, 3, "website", None, id="no address"),
        pytest.param(FILE, 4, "name", "Community fridge", id="handles are no host"),
        pytest.param(FILE, 4, "organization", None, id="handles"),
    ],
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


@pytest.mark.shared
def test_real_file() -> None:
    rows = shared_rows(SOURCE, SOURCE, FILE)
    assert len(rows) == 54
    assert rows["source_key"].is_unique
    assert rows["reject_reason"].isna().all()
    assert rows[["name", "address", "zip", "lat", "lng"]].notna().all().all()
    assert rows["lat"].between(40.5, 41.0).all()
    assert not rows["name"].str.contains("//|@").any()
