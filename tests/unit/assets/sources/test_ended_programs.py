"""Programs whose last day has passed are no places to go to."""

from datetime import date

from assets.sources.assets import find_ended
from tests.unit.assets.cleaning.places import places


def test_a_program_ends_after_its_last_day() -> None:
    rows = places(
        {"program_ends_date": date(2026, 8, 28)},
        {"program_ends_date": date(2026, 8, 29)},
        {"program_ends_date": None},
    )
    assert find_ended(rows, date(2026, 8, 29)).to_list() == [True, False, False]
    assert not find_ended(rows.iloc[:0], date(2026, 8, 29)).any()
