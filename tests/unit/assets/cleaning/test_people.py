"""Names of people and their telephones leave the texts; those of places stay."""

import pandas as pd
import pytest

from assets.cleaning.people import is_about_person, remove_people, without_people
from tests.support.cases import cases
from tests.unit.assets.cleaning.places import places, values

OWN = "(330) 555-0101"


@cases(
    "text, expected",
    {
        "verb, name and number": ("Residents should call Pat Example at (330)555-0199 for where to receive food.",
            "Residents should call the place for where to receive food."),
        "role, first names, two numbers": ("Contact Coordinator Kim (330)555-0198; or Lee (330)555-0197", "Contact the place"),
        "one person, two numbers": ("Call Maria at 330-555-0198 or 330-555-0197.", "Call the place."),
        "after a clause": ("By appointment only - Call Sam Sample at (330) 555-0196", "By appointment only - Call the place"),
        "a name of no list": ("Text Oleksandra at 330.555.0196 the day before", "Text the place the day before"),
        "calling": ("Pre-register by calling Glenda Invented at (330) 555-0196. No drop-in.", "Pre-register by calling the place. No drop-in."),
        "in capitals": ("CALL JANE SAMPLE AT 330-555-0196", "CALL the place"),
        "name and number alone": ("Open daily\nJane Sample 330-555-0196", "Open daily"),
        "a contact person": ("Contact Person - Oleksandr Koval (cell) 330-555-0196", None),
        "the place's own number": ("Call Jane Sample at 330-555-0101 for hours", "Call 330-555-0101 for hours"),
        "a title": ("If after hours please request to speak with Pastor Lee", "If after hours please request to speak with the staff"),
        "titles": ("Run by Pastor Jim Sample and Rev. Dr. Ann Bell since 1990", "Run by the staff since 1990"),
        "a title before a sentence": ("Please call Mrs. Rodriguez for an appointment. Bring ID.", "Please call the staff for an appointment. Bring ID."),
        "a doubtful title after a verb": ("Ask for Fr. Miguel on Mondays", "Ask for the staff on Mondays"),
        "a role with a label": ("Director: Jane Sample\nOpen to all", "Open to all"),
        "a given name after a verb": ("Must first call and ask to speak with Marie who will help", "Must first call and ask to speak with the staff who will help"),
        "several given names": ("Call and ask to speak with Jorge, Vanessa or Debbie.", "Call and ask to speak with the staff."),
        "bullets stay": ("- Bring ID\n- Ask for Ms. Holland", "- Bring ID\n- Ask for the staff"),
        "Spanish": ("Llame a María González al 330-555-0196 para una cita", "Llame a la oficina para una cita"),
        "a Spanish title": ("Pregunte por la Hermana Rosa", "Pregunte por la oficina"),
    },
)  # fmt: skip
def test_people_are_removed(text: str, expected: str | None) -> None:
    assert without_people(text, OWN)[0] == expected


@pytest.mark.parametrize(
    "text",
    [
        "Call Mary's Pantry at 330-555-0196",
        "Call Community Food Bank at: 330-555-0196",
        "Call Community Assistance (CAN) 330-555-0196 or call pantry directly",
        "Contact Midview Middle School with questions at 330-555-0196.",
        "Clients must pre-register by calling AACSA at (330) 555-0196.",
        "Please call first. Phone Number: (330) 555-0196",
        "Call Today 330-555-0196",
        "Intake: 330-555-0196 x12",
        "Other phone: (330) 555-0196",
        "Call 330-555-0196 to make an appointment",
        "Please call the helpline and leave a message: (330) 555-0196 x3",
        "Call United Way 211",
        "Text FOOD to 330-555-0196",
        "Also called Fr. Hilkret Ozanam Center",
        "Ms. Kitty's Pantry:\nPrepared bag lunch",
        "Father Joe's Villages",
        "Bishop Sullivan Center serves",
        "In front of St. John the Evangelist Lutheran Church",
        "Oak Dr Akron, behind the school",
        "Mon and Fr 9am-12pm",
        "Call Monday through Friday",
        "See Main Office. Contact Human Services.",
        "Martin Luther King Center",
        "Open Sr. Center days",
        "Elder Law; Benefits Assistance; the Department of Elder Affairs",
        "For women with Major Depressive Disorder",
        "Summer Camp; Sister Circle Mentoring",
        "The Support Group (MS Circle) meets daily",
        "Call the Childbirth Coordinator at 786-555-0126, Monday-Friday",
        "Chief Judge of the court",
    ],
)
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


@pytest.mark.parametrize(
    ("heading", "is_about"),
    [
        ("AgencyContactName", True),
        ("contact_person", True),
        ("Pantry Coordinator", True),
        ("First Name", True),
        ("ContactPhone", False),
        ("Agency", False),
        ("Site Name", False),
        ("Program Name", False),
        ("Contractor", False),
    ],
)
def test_headings_about_people(heading: str, is_about: bool) -> None:
    assert is_about_person(heading) == is_about
