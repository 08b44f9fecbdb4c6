"""Further places of a question, and places of an ambiguous name."""

import pytest

from serving.search.language.place_names import PlaceNames
from serving.search.language.reading import read_question

# Question: the place searched from, the other places, and the question for the first of them.
BESIDE = {
    "food in Dallas or Fort Worth": ("Dallas, TX", ["Fort Worth, TX"], "food in Fort Worth, TX"),
    "groceries 02121 or 02124 Monday": ("02121", ["02124"], "groceries 02124 Monday"),
    "despensa en sacramento o stockton mañana": (
        "Sacramento, CA",
        ["Stockton, CA"],
        "despensa en Stockton, CA mañana",
    ),
    "comida en Houston, TX y en Austin, TX": (
        "Houston, TX",
        ["Austin, TX"],
        "comida en Austin, TX",
    ),
    "moved from 10458 to 07102 need pantry": ("07102", [], ""),
    "pantry in Reno or delivery": ("Reno, NV", [], ""),
    "Truth or Consequences NM food bank": ("Truth or Consequences, NM", [], ""),
}
# Question: the places that it may mean, first the one with most people; a location where it has one.
MEANT = {
    "food in Orange County": (None, "Orange County, CA", 8),
    "bancos de comida en condado de orange": (None, "Orange County, CA", 8),
    "food in Orange County CA": ("Orange County, CA", "", 0),
    "food in Orange County 92805": ("92805", "", 0),
    "pantry in Portland": ("Portland, OR", "Portland, ME", 1),
    "pantry in Portland, Maine": ("Portland, ME", "", 0),
    "food in Houston": ("Houston, TX", "", 0),
    "Pitsburg food bank": (None, "Pittsburgh, PA", 5),
    "food in Oragne County": (None, "Orange County, CA", 8),
    "food bank in Allegeny County PA": ("Allegheny County, PA", "", 0),
    "$10001 in debt, food help?": (None, "", 0),
    "reach me (915) 555 0110 need groceries": (None, "", 0),
    "se me perdio la tarjeta": (None, "", 0),
    "pantry in San Vicente PR": (None, "", 0),
    "food bank in Springfeld PR": (None, "Springfield, MO", 4),
}


@pytest.mark.parametrize(("question", "expected"), BESIDE.items(), ids=BESIDE)
def test_a_second_place_is_a_question_of_its_own(names: PlaceNames, question, expected):
    place, others, alone = expected
    reading = read_question(question, names)
    assert reading.where.location == place
    assert list(reading.where.others) == others
    assert [alternative for _, alternative in reading.instead][:1] == ([alone] if alone else [])


@pytest.mark.parametrize(("question", "expected"), MEANT.items(), ids=MEANT)
def test_ambiguous_names_of_places(names: PlaceNames, question, expected):
    place, first, count = expected
    reading = read_question(question, names)
    assert reading.where.location == place
    labels = [label for label, _ in reading.instead]
    assert (labels[:1], len(labels)) == ([first] if first else [], count)
    for label, alternative in reading.instead:
        assert read_question(alternative, names).where.location == label
