"""Florida legal aid: read, counted, and found to give no food."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_rows, shared_rows

FILES = ["locations.csv", "organizations.csv", "services.csv"]


@pytest.fixture(scope="module", name="rows")
def read_fixture() -> pd.DataFrame:
    return fixture_rows("florida_legal_hsds", *FILES).set_index("source_key")


def _plain(value: object) -> object:
    return value if isinstance(value, list) or pd.notna(value) else None


@cases(
    "key, field, expected",
    {
        "legal aid": ("u-11", "reject_reason", "not_food_assistance"),
        "whose office": ("u-11", "reject_detail", "Heron Legal"),
        "only the state is known": ("u-11", "state", "FL"),
        "and no address": ("u-11", "address", None),
        "a whole address": ("u-12", "city", "Sarasota"),
        "its ZIP": ("u-12", "zip", "34234"),
        "two numbers in one cell": ("u-12", "phone", "(941) 555-0100, (941) 555-0101"),
    },
)
def test_a_field(rows: pd.DataFrame, key: str, field: str, expected: object) -> None:
    assert _plain(rows.loc[key, field]) == expected


@pytest.mark.shared
def test_real_files() -> None:
    rows = shared_rows("florida_legal_hsds", "florida_legal_hsds", *FILES)
    assert list(rows["source_row"]) == list(range(1, 379))
    assert rows["source_key"].is_unique
    assert set(rows["reject_reason"]) == {"not_food_assistance"}
