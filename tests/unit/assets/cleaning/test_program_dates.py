"""Last days of programs and events; names and dates are invented."""

from datetime import date

from assets.cleaning.program_dates import date_programs, read_event, read_program
from tests.support.cases import cases
from tests.unit.assets.cleaning.places import example_source, places, values


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


@cases(
    "text, begins, ends",
    {
        "two dates": ("Start date\t7/6/2025\nEnd date\t7/30/2025", "2025-07-06", "2025-07-30"),
        "no word between": (
            "Ann Example 2015550101 06/30/2025 08/01/2025",
            "2025-06-30",
            "2025-08-01",
        ),
        "no blank between": ("Starts: 06/30/2025Ends: 07/31/2025", "2025-06-30", "2025-07-31"),
        "dashes": ("This summer from 06-16-2025 to 07-31-2025.", "2025-06-16", "2025-07-31"),
        "names of months": ("Mon-Fri, June 5, 2017 - June 29, 2017", "2017-06-05", "2017-06-29"),
        "a list of dates": (
            "Food Distribution Dates\nMarch 25, 2025\nJune 24, 2025\nDecember 16, 2025",
            "2025-03-25",
            "2025-12-16",
        ),
        "the next dates of a rule": (
            "Every 1st Saturday. Next: June 5, 2021 - July 3, 2021 - August 7, 2021",
            None,
            None,
        ),
        "slots of a calendar": ("2025-08-11 4 PM - 6 PM\n2025-08-12 1 PM - 4 PM", None, None),
        "a school year": ("complete the 2024-25 school meal application", None, None),
        "a closure": ("(Closed 8/1/14-9/21/14)", None, None),
        "a day that no month has": ("from 06/31/2025 to 07/32/2025", None, None),
        "more than a year": ("from 06/01/2020 to 07/01/2025", None, None),
    },
)
def test_programs(text: str, begins: str | None, ends: str | None) -> None:
    program = read_program(text)
    assert (program and program.begins, program and program.ends) == (_day(begins), _day(ends))


@cases(
    "hours, ends",
    {
        "one event": ("Tuesday, June 8, 2021 from 5 p.m. - 7 p.m.", "2021-06-08"),
        "in a sentence": (
            "We host a drive-up on Friday, Friday, June 18, 2021 from 12",
            "2021-06-18",
        ),
        "a weekly rule beside it": ("Every Tuesday; closed Tuesday, June 8, 2021", None),
        "no year": ("Thursday, June 10 from 1 p.m. to 3 p.m.", None),
    },
)
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
