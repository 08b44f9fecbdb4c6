"""When a declaration is active, day by day."""

from datetime import date

import pytest

from schemas.values.disasters import active_until, is_within_dsnap_window, why_active

D = date


@pytest.mark.parametrize(
    ("kind", "declared", "begin", "end", "close", "filing", "on", "why"),
    [
        ("DR", D(2024, 9, 28), D(2024, 9, 25), None, None, None, D(2024, 9, 27), None),
        ("DR", D(2024, 9, 28), D(2024, 9, 25), None, None, None, D(2024, 9, 28), "no_end_yet"),
        ("DR", D(2024, 9, 28), D(2024, 9, 25), None, None, None, D(2024, 11, 27), "no_end_yet"),
        # Without a last day it does not go on for ever.
        ("DR", D(2024, 9, 28), D(2024, 9, 25), None, None, None, D(2024, 11, 28), None),
        ("FM", D(2024, 9, 30), D(2024, 9, 28), None, None, None, D(2024, 10, 30), "no_end_yet"),
        ("FM", D(2024, 9, 30), D(2024, 9, 28), None, None, None, D(2024, 10, 31), None),
        # The pandemic: years between the declaration and the last day.
        ("DR", D(2020, 3, 20), D(2020, 1, 20), D(2023, 5, 11), None, None, D(2022, 1, 1), "incident_going_on"),
        ("DR", D(2020, 3, 20), D(2020, 1, 20), D(2023, 5, 11), None, None, D(2023, 7, 10), "recent"),
        ("DR", D(2020, 3, 20), D(2020, 1, 20), D(2023, 5, 11), None, None, D(2023, 7, 11), None),
        # Declared long after the incident.
        ("DR", D(2024, 10, 16), D(2024, 8, 5), D(2024, 8, 6), None, None, D(2024, 11, 9), "recent"),
        # Help can still be asked for.
        ("DR", D(2024, 5, 14), D(2024, 4, 26), D(2024, 4, 27), None, D(2024, 8, 23), D(2024, 8, 23), "filing_open"),
        ("DR", D(2024, 5, 14), D(2024, 4, 26), D(2024, 4, 27), None, D(2024, 8, 23), D(2024, 8, 24), None),
        # Closed is closed.
        ("EM", D(2024, 9, 28), None, None, D(2024, 10, 2), None, D(2024, 10, 1), "no_end_yet"),
        ("EM", D(2024, 9, 28), None, None, D(2024, 10, 2), None, D(2024, 10, 2), None),
        # Declared before the storm.
        ("EM", D(2024, 10, 7), D(2024, 10, 9), None, None, None, D(2024, 12, 8), "no_end_yet"),
    ],
)  # fmt: skip
def test_active_on_a_day(
    kind: str,
    declared: D,
    begin: D | None,
    end: D | None,
    close: D | None,
    filing: D | None,
    on: D,
    why: str | None,
) -> None:
    until = active_until(kind, declared, begin, end, filing)
    assert why_active(on, until, declared, begin, end, close, filing) == why


@pytest.mark.parametrize(
    ("on", "declared", "begin", "is_within"),
    [
        (D(2024, 11, 9), D(2024, 9, 10), D(2024, 7, 1), True),
        (D(2024, 11, 9), D(2024, 9, 9), D(2024, 7, 1), False),
        (D(2024, 11, 9), D(2024, 9, 9), None, False),
        (D(2024, 11, 9), D(2024, 11, 10), D(2024, 11, 9), True),
        (D(2024, 11, 9), D(2024, 11, 10), None, False),
    ],
)
def test_window_of_dsnap(on: D, declared: D, begin: D | None, is_within: bool) -> None:
    assert is_within_dsnap_window(on, declared, begin, 60) is is_within
