import pytest

from assets.cleaning.text import clean_text, repair_text
from tests.unit.assets.cleaning.places import example_source, places, values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  St. Mary's   Pantry ", "St. Mary's Pantry"),
        ("Stop &amp; Shop", "Stop & Shop"),
        ("Stop &amp;amp; Shop", "Stop & Shop"),
        ("Joe&#39;s &quot;Place&quot;", 'Joe\'s "Place"'),
        ("Ni&ntilde;os", "Niños"),
        ("A&COPY Shop", "A&COPY Shop"),
        ("https://example.org/?id=5&section=3", "https://example.org/?id=5&section=3"),
        ("CafÃ© NiÃ±o", "Café Niño"),
        ("Momâ€™s Kitchen", "Mom’s Kitchen"),
        ("Mom\x92s Kitchen", "Mom’s Kitchen"),
        ("Iglesia São João", "Iglesia São João"),
        ("Soup\x00Kitchen\x07", "Soup Kitchen"),
        ("Zero\u200bwidth\ufeff", "Zerowidth"),
        ("Non\u00a0breaking", "Non breaking"),
        ("two\r\nlines", "two lines"),
        ("<b>Food</b><br/>daily", "Food daily"),
        ("nin\u0303os", "niños"),
        ("3 < 5", "3 < 5"),
        ("Nada Pantry", "Nada Pantry"),
        ("0", "0"),
    ],
)
def test_repaired_text(text: str, expected: str) -> None:
    assert repair_text(text) == expected
    rows = clean_text(places({"name": text}), example_source())
    assert values(rows, "name") == (expected,)


@pytest.mark.parametrize(
    "text",
    [
        "N/A",
        "n/a",
        "NA",
        "N.A.",
        "NOT AVAILABLE",
        "Not Applicable",
        "NULL",
        "null",
        "<Null>",
        "none",
        "None.",
        "-",
        "--",
        "- - -",
        "†",
        "–",
        ".",
        "",
        " ",
        "&dagger;",
        "&ndash;",
        "&lt;Null&gt;",
        "[object Object]",
        "nan",
        "\u00a0",
        "Unknown",
    ],
)
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
