"""Names of people and their telephones leave the texts; those of places stay."""

import pandas as pd

from assets.cleaning.people import is_about_person, remove_people, without_people
from tests.support.cases import labelled
from tests.unit.assets.cleaning.places import places, values

OWN = "(330) 555-0101"


@labelled("text, expected")
def test_people_are_removed(text: str, expected: str | None) -> None:
    assert without_people(text, OWN)[0] == expected


@labelled("text")
def test_places_services_and_numbers_stay(text: str) -> None:
    assert without_people(text, OWN) == (text, 0)


def test_the_name_of_the_place_is_no_persons() -> None:
    text = "Call Maria Stella at 330-555-0196"
    assert without_people(text, OWN, "Maria Stella Kitchen") == (text, 0)


def test_removed_names_are_counted_and_other_numbers_of_the_place_stay() -> None:
    notes = "Call Kim at 330-555-0102 or Pat Example at 330-555-0199"
    rows = places({"name": "Acorn Pantry", "notes": notes}, {"notes": None})
    phones = pd.Series(["330-555-0101, 330-555-0102", None], dtype="str")
    cleaned, count = remove_people(rows, phones)
    assert count == 2
    assert values(cleaned, "notes") == ("Call 330-555-0102",)
    assert values(rows, "notes") == (notes,)


def test_a_text_of_names_takes_linear_time() -> None:
    text = "Call Ann " * 5_000
    assert without_people(text, "")[1] > 0
    assert without_people("A " * 20_000, "")[1] == 0
    assert without_people("Call " + "(-" * 20_000, "")[1] == 0


@labelled("heading, is_about")
def test_headings_about_people(heading: str, is_about: bool) -> None:
    assert is_about_person(heading) == is_about
