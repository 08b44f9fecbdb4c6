"""Clauses that say a place is closed for now, and until when."""

from datetime import date

from assets.attributes.reading import facts_in
from assets.attributes.statements import last_day, read_closure
from tests.support.cases import cases

SAID_ON = date(2023, 7, 13)


@cases(
    "clause, until",
    {
        "until further notice": ("Temporarily closed until further notice", None),
        "with a reason": (
            "Temporarily closed until further notice due to a water main break",
            None,
        ),
        "all services": ("At this time, all services are suspended", None),
        "one word": ("Inactive as of 2018", None),
        "nothing is given out": ("No food distribution - marked unavailable", None),
        "a call to make": ("Currently temporarily closed - call to see if reopened", None),
        "for good": ("Pantry will be closing permanently after June 30, 2025", None),
        "Spanish": ("Cerrado temporalmente", None),
        "a day without a year": ("Closed until September 9th", date(2023, 9, 9)),
        "a day of the next year": ("Closed until March 1", date(2024, 3, 1)),
        "a month": ("Closed due to renovations until December", date(2023, 12, 31)),
        "a number of weeks": ("not open for 2 weeks due to termites", date(2023, 7, 27)),
        "another year": ("Temporarily closed, reopening in 2025", date(2025, 12, 31)),
    },
)
def test_closures(clause: str, until: date | None) -> None:
    found = {finding.field: finding.value for finding in read_closure(clause)}
    assert found == {"closure": "closed", "closure_text": clause}
    assert last_day(clause, SAID_ON) == until


@cases(
    "clause",
    {
        "a part of the place": "indoor seating has been suspended until further notice",
        "registration": "Registration is closed until further notice",
        "a telephone": "Number currently not in service",
        "a condition": "If the building is closed due to flooding the pantry is closed as well",
        "weather": "Closed due to inclement weather or snow",
        "holidays": "Closed for holidays",
        "an hour": "Closed until 4 pm",
        "lunch": "closed for lunch 12-1",
        "a delivery": "Grocery Delivery program is suspended",
        "drive-through": "Temporarily drive through",
        "one day": "Not open the 5th Wednesday of the month",
        "another line of business": "We are no longer operating as a restaurant",
        "members": "Currently for members only, not open to the public",
    },
)
def test_no_closures(clause: str) -> None:
    assert read_closure(clause) == []


def test_a_name_says_only_that_its_place_is_closed() -> None:
    assert [f.field for f in facts_in("Example Pantry (Closed)", "name")] == [
        "closure",
        "closure_text",
    ]
    assert facts_in("Seniors Only Hot Meals", "name") == []
