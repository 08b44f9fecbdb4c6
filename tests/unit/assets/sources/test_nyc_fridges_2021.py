"""Fridges without names: called by their hosts, nobody's own name kept."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_value, shared_rows

SOURCE = "nyc_fridges_2021"
FILE = "community-fridges.json"


@cases(
    "file, row, field, expected",
    {
        "host": (FILE, 1, "name", "Community fridge (Pigeon Mutual Aid)"),
        "its own page": (FILE, 1, "website", "https://www.instagram.com/pigeonfridge/"),
        "remark in a nameless column": (FILE, 1, "notes", "possibly not active"),
        "ZIP as number": (FILE, 1, "zip", "11299"),
        "no hours given": (FILE, 1, "hours_text", None),
        "type": (FILE, 1, "resource_type", "community_fridge"),
        "its own name": (FILE, 2, "name", "The Sparrow Fridge"),
        "Manhattan, misspelt": (FILE, 2, "city", "New York"),
        "an article about it": (FILE, 2, "website", None),
        "a person's name before the host": (FILE, 3, "name", "Community fridge (Dove Cafe)"),
        "Queens is no postal city": (FILE, 3, "city", None),
        "no address": (FILE, 3, "website", None),
        "handles are no host": (FILE, 4, "name", "Community fridge"),
        "handles": (FILE, 4, "organization", None),
    },
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
