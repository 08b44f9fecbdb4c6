"""Telephone numbers against the numbering plan."""

from __future__ import annotations

from datetime import date

import pandas as pd
import pytest

from assets.probes.phone_validation import state_of_area, validate_phones

DAY = date(2026, 11, 1)


@pytest.mark.parametrize(
    ("number", "state", "expected"),
    [
        pytest.param("+12122345678", "NY", (True, True, "NY", True), id="Manhattan"),
        pytest.param(
            "+12122345678", "NJ", (True, True, "NY", False), id="listed in the next state"
        ),
        pytest.param(
            "+18002345678", "NY", (True, True, None, None), id="toll-free belongs to no state"
        ),
        pytest.param("+12025550123", "DC", (True, True, "DC", True), id="set aside for fiction"),
        pytest.param("+17872345678", "PR", (True, True, "PR", True), id="Puerto Rico"),
        pytest.param("+14162345678", "NY", (True, False, None, None), id="Toronto"),
        pytest.param("+121223456", "NY", (False, False, None, None), id="too short"),
    ],
)
def test_numbers(number: str, state: str, expected: tuple[object, ...]) -> None:
    row = validate_phones(pd.DataFrame({"phone_e164": [number], "state": [state]}), None, DAY).iloc[
        0
    ]
    found = (row["is_possible"], row["is_valid"], row["phone_state"], row["is_state_match"])
    assert tuple(None if pd.isna(v) else v for v in found) == expected
    assert row["validated_on"] == DAY


def test_an_unchanged_finding_keeps_its_date() -> None:
    pairs = pd.DataFrame({"phone_e164": ["+12122345678", None, "+12122345678"], "state": "NY"})
    first = validate_phones(pairs, None, DAY)
    more = pd.DataFrame({"phone_e164": ["+12122345678", "+13122345678"], "state": ["NY", "IL"]})
    second = validate_phones(more, first, date(2026, 12, 1))
    assert len(first) == 1
    assert list(second["validated_on"]) == [DAY, date(2026, 12, 1)]


@pytest.mark.parametrize(
    ("area", "state"), [("617", "MA"), ("202", "DC"), ("907", "AK"), ("808", "HI"), ("800", None)]
)
def test_area_codes(area: str, state: str | None) -> None:
    assert state_of_area(area) == state
