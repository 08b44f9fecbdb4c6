"""HAARRRvest's national table: what a language model made up is not read."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_rows, shared_rows

SOURCE = "haarrrvest_locations_2025"
FILE = "locations.json"


@cases(
    "row, field, expected",
    {
        "the name is the organization's": (1, "name", "Acorn Pantry"),
        "the street of a whole address": (1, "address", "12 Elm Street"),
        "a telephone number of the state": (1, "phone", "315-555-0101"),
        "no hours from descriptions": (1, "hours_text", None),
        "no descriptions": (1, "notes", None),
        "neither street nor town": (2, "reject_reason", "no_address_to_locate"),
        "unknown is no street": (3, "address", None),
        "a town that its ZIP code has": (3, "reject_reason", None),
        "no point of a town's row": (3, "lat", None),
        "another spelling of the state": (3, "state", "NY"),
        "a name in two towns: whose telephone?": (4, "phone", None),
        "a name in two towns: whose website?": (4, "website", None),
        "a ZIP code that lost its zero": (5, "zip", "08872"),
        "and in the address": (5, "address", "56 Pine Ter"),
        "a telephone number of another state": (5, "phone", None),
        "a house number as ZIP code": (6, "reject_reason", "no_address_to_locate"),
        "summer meals of 2025": (7, "reject_reason", "season_over"),
        "a phrase is no name": (8, "reject_reason", "no_name"),
        "no ZIP code": (9, "address", "11 Gum St"),
        "UNKNOWN is none": (9, "zip", None),
        "type by the name": (9, "resource_type", "snap_office"),
    },
)
def test_a_field(row: int, field: str, expected: object) -> None:
    rows = fixture_rows(SOURCE, FILE).set_index("source_row")
    value = rows.loc[row, field]
    assert (None if pd.isna(value) else value) == expected


@pytest.mark.shared
def test_real_file() -> None:
    rows = shared_rows(SOURCE, SOURCE, FILE)
    assert len(rows) == 10_201
    used = rows[rows["reject_reason"].isna()]
    assert len(used) > 7_000
    assert not used["name"].str.contains(r"(?i)^food assistance|^unknown").any()
    assert used["city"].notna().all()
    assert used["hours_text"].isna().all()
    assert not used["address"].str.contains(r"(?i)unknown|not (?:available|specified)").any()
    assert (used["lat"].notna() <= used["address"].notna()).all()
