import pytest

from assets.cleaning.text import clean_text, repair_text
from tests.support.cases import labelled
from tests.unit.assets.cleaning.places import example_source, places, values


@labelled("text, expected")
def test_repaired_text(text: str, expected: str) -> None:
    assert repair_text(text) == expected
    rows = clean_text(places({"name": text}), example_source())
    assert values(rows, "name") == (expected,)


@labelled("text")
def test_words_for_missing(text: str) -> None:
    assert repair_text(text) is None
    rows = clean_text(places({"city": text}), example_source())
    assert values(rows, "city") == (None,)


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("address", "Parish Hall, 12 Oak St"),
        ("name", "Parish Hall 12 Oak St"),
        ("hours_text", "Parish Hall\n12 Oak St"),
        ("notes", "Parish Hall\n12 Oak St"),
    ],
)
def test_line_breaks_by_field(field: str, expected: str) -> None:
    rows = clean_text(places({field: "Parish Hall \n\n 12  Oak St"}), example_source())
    assert values(rows, field) == (expected,)


@pytest.mark.parametrize(
    ("city", "expected"),
    [
        ("SAN FRACISCO", "San Francisco"),
        (" San Fracisco ", "San Francisco"),
        ("SAN FRANCISCO", "SAN FRANCISCO"),
        ("x", None),
    ],
)
def test_known_fixes_of_the_source(city: str, expected: str | None) -> None:
    source = example_source({"city": {"SAN FRACISCO": "San Francisco", "X": ""}})
    assert values(clean_text(places({"city": city}), source), "city") == (expected,)


def test_keys_of_the_publisher_stay_as_they_are() -> None:
    rows = clean_text(places({"source_key": " N/A  1 "}), example_source())
    assert values(rows, "source_key") == (" N/A  1 ",)
