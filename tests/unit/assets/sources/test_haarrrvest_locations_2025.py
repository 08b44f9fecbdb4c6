"""HAARRRvest's national table: what a language model made up is not read."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.support.source_files import fixture_rows, shared_rows

SOURCE = "haarrrvest_locations_2025"
FILE = "locations.json"


@pytest.mark.parametrize(
    ("row", "field", "expected"),
    [
        pytest.param(1, "name", "Acorn Pantry", id="the name is the organization's"),
        pytest.param(1, "address", "12 Elm Street", id="the street of a whole address"),
        pytest.param(1, "phone", "315-555-0101", id="a telephone number of the state"),
        pytest.param(1, "hours_text", None, id="no hours from descriptions"),
        pytest.param(1, "notes", None, id="no descriptions"),
        pytest.param(2, "reject_reason", "no_address_to_locate", id="neither street nor town"),
        pytest.param(3, "address", None, id="unknown is no street"),
        pytest.param(3, "reject_reason", None, id="a town that its ZIP code has"),
        pytest.param(3, "lat", None, id="no point of a town's row"),
        pytest.param(3, "state", "NY", id="another spelling of the state"),
        pytest.param(4, "phone", None, id="a name in two towns: whose telephone?"),
        pytest.param(4, "website", None, id="a name in two towns: whose website?"),
        pytest.param(5, "zip", "08872", id="a ZIP code that lost its zero"),
        pytest.param(5, "address", "56 Pine Ter", id="and in the address"),
        pytest.param(5, "phone", None, id="a telephone number of another state"),
        pytest.param(6, "reject_reason", "no_address_to_locate", id="a house number as ZIP code"),
        pytest.param(7, "reject_reason", "season_over", id="summer meals of 2025"),
        pytest.param(8, "reject_reason", "no_name", id="a phrase is no name"),
        pytest.param(9, "address", "11 Gum St", id="no ZIP code"),
        pytest.param(9, "zip", None, id="UNKNOWN is none"),
        pytest.param(9, "resource_type", "snap_office", id="type by the name"),
    ],
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
