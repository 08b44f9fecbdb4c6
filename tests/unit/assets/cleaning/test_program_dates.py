"""Last days of programs and events; names and dates are invented."""

from datetime import date

from assets.cleaning.program_dates import date_programs, read_event, read_program
from tests.support.cases import cases, labelled
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


@cases(
    "row, expected",
    {
        "hours": ({"hours_text": "Saturday, June 19, 2021 (10 a.m. - 12 p.m.)"}, date(2021, 6, 19)),
        "notes without hours": (
            {"notes": "Season: June 5, 2017 - June 29, 2017"},
            date(2017, 6, 29),
        ),
        "hours outlast the notes": (
            {"hours_text": "Tue 9-12", "notes": "June 5, 2017 - June 29, 2017"},
            None,
        ),
        "the list's own column": (
            {"notes": "June 5, 2017 - June 29, 2017", "program_ends_date": date(2017, 7, 1)},
            date(2017, 7, 1),
        ),
    },
)
def test_dates_of_places(row: dict[str, object], expected: date | None) -> None:
    dated = date_programs(places(row), example_source())
    (day,) = values(dated, "program_ends_date")
    assert day == expected
