"""Last days of programs and events; names and dates are invented."""

from datetime import date

from assets.cleaning.program_dates import date_programs, read_event, read_program
from tests.support.cases import labelled
from tests.unit.assets.cleaning.places import example_source, places, values


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


@labelled("text, begins, ends")
def test_programs(text: str, begins: str | None, ends: str | None) -> None:
    program = read_program(text)
    assert (program and program.begins, program and program.ends) == (_day(begins), _day(ends))


@labelled("hours, ends")
def test_events(hours: str, ends: str | None) -> None:
    event = read_event(hours)
    assert (event and event.ends) == _day(ends)


@labelled("row, expected")
def test_dates_of_places(row: dict[str, object], expected: date | None) -> None:
    dated = date_programs(places(row), example_source())
    (day,) = values(dated, "program_ends_date")
    assert day == expected
