"""Got Food: opening and closing per weekday, limited by comments."""

import pytest

from assets.hours.parse import parse_hours
from schemas.hours.schedule import is_doubtful_throughout
from tests.support.source_files import shared_rows

SOURCE = "nova_got_food_2026"
FILE = "pantries.csv"


@pytest.mark.shared
def test_real_hours_that_vary_are_not_taken_for_every_week() -> None:
    rows = shared_rows(SOURCE, SOURCE, FILE).dropna(subset="hours_text")
    varying = rows[rows["hours_text"].str.contains("with exceptions")]
    assert len(varying) > 30
    readings = [parse_hours(text).schedules or [] for text in varying["hours_text"]]
    assert all(not schedules or is_doubtful_throughout(schedules) for schedules in readings)
