"""Telephone numbers against the numbering plan."""

from datetime import date

import pandas as pd
import pytest

from assets.probes.assets import state_of_area, validate_phones
from tests.support.cases import cases

DAY = date(2026, 11, 1)


@cases(
    "number, state, expected",
    {
        "Manhattan": ("+12122345678", "NY", (True, True, "NY", True)),
        "listed in the next state": ("+12122345678", "NJ", (True, True, "NY", False)),
        "toll-free belongs to no state": ("+18002345678", "NY", (True, True, None, None)),
        "set aside for fiction": ("+12025550123", "DC", (True, True, "DC", True)),
        "Puerto Rico": ("+17872345678", "PR", (True, True, "PR", True)),
        "Toronto": ("+14162345678", "NY", (True, False, None, None)),
        "too short": ("+121223456", "NY", (False, False, None, None)),
    },
)
def test_numbers(number: str, state: str, expected: tuple[object, ...]) -> None:
    row = validate_phones(pd.DataFrame({"phone_e164": [number], "state": [state]}), None, DAY).iloc[
        0
    ]
    facts = (row["is_possible"], row["is_valid"], row["phone_state"], row["is_state_match"])
    assert tuple(None if pd.isna(v) else v for v in facts) == expected
    assert row["validated_on"] == DAY


def test_an_unchanged_finding_has_its_first_date() -> None:
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
