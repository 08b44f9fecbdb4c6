"""The parts that a question is read with."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.vocab.resource_types import TYPES_BY_MODE
from schemas.vocab.states import STATES
from serving.reference.organization import facts
from serving.search.language.intent import wants_of
from serving.search.language.place import zip_codes
from serving.search.language.place_names import PlaceNames
from serving.search.language.reading import read_question
from serving.search.language.reply import how_to_apply_for_snap, phrases
from serving.search.language.tables import compile_phrases, tables
from serving.search.language.text import clean, correct_word, printable, tokens_of
from serving.search.start import names_at_end

PARTS = Path(__file__).with_name("parts.txt").read_text("utf-8")
ZIPS = {
    "after a number nobody asks for": ("doesn't ask for a social security number 77036", ["77036"]),
    "after an ID that is not shown": ("without state ID 77036", ["77036"]),
    "after an apartment": ("delivered to my apartment 02125", ["02125"]),
    "of a card": ("my client id 77036", []),
    "with four more and a long dash": ("63118–3302", ["63118"]),
    "full-width digits": ("２８２０５", ["28205"]),
    "after a number sign, called so": ("zip #97201", ["97201"]),
    "a telephone with country code": ("+1 210 555 0133", []),
    "money with a sign": ("$10001", []),
    "money with a word": ("10001 dollars", []),
    "ingreso": ("gano como 22000", []),
    "a house number, then a ZIP code": ("22801 Ventura Blvd, Woodland Hills 91364", ["91364"]),
    "St. is Saint": ("63118 St. Louis", ["63118"]),
    "social security number": ("123-45-6789", []),
    "a date": ("11/21/2026", []),
    "thousands": ("13,000", []),
    "people": ("20000 people", []),
    "six digits": ("282051", []),
    "two": ("10002 or 10003", ["10002", "10003"]),
}


@pytest.mark.parametrize(("text", "expected"), ZIPS.values(), ids=ZIPS)
def test_zip_codes(text: str, expected: list[str]):
    assert [code.zip for code in zip_codes(clean(text))] == expected


LINES = {
    "a town after the street": ("12 Main St Paul", ["Main St Paul", "St Paul", "Paul"]),
    "no town, though Maryland has one": ("food bank on 43rd Street", []),
    "no number": ("Main St Paul", []),
}


@pytest.mark.parametrize(("line", "expected"), LINES.values(), ids=LINES)
def test_names_that_may_end_a_line_of_an_address(line: str, expected: list[str]):
    assert list(names_at_end(line, is_alone=False)) == expected


WORDS = {
    "groceris": "groceries",
    "estanpiyas": "estampillas",
    "pantrys": "pantry",
    "comda": "comida",
    "dispensas": "dispensas",
    "necesitto": "necesito",
    "emergancia": "emergencia",
}


@pytest.mark.parametrize(("wrong", "right"), [(w, r) for w, r in WORDS.items() if w != r])
def test_misspelt_words(wrong: str, right: str):
    meaning = correct_word(wrong)
    assert meaning is not None
    assert meaning[0] in (right, right + "s", right.removesuffix("y") + "ies")


def test_short_words_are_left_alone():
    assert [correct_word(word) for word in ("fod", "xyz", "zqxwv")] == [None] * 3


def test_dots_and_apostrophes():
    assert [t.word for t in tokens_of(clean("Don't E.B.T. in D.C."))] == ["dont", "ebt", "in", "dc"]
    assert [t.key for t in tokens_of(clean("Saint Paul, St. Paul"))] == [
        "st",
        "paul",
        ",",
        "st",
        "paul",
    ]


def test_control_characters_are_removed():
    assert printable("a\x00b\u202ec\nd\x7f") == "abc d"


ASKED = {
    "soup kitchen": ("soup_kitchen",),
    "snap office": ("snap_office",),
    "restaurants that take ebt": ("rmp_restaurant",),
    "stores that take ebt": ("snap_retailer",),
    "tiendas con ebt": ("snap_retailer",),
    "food": ("free",),
    # What is named beside another is asked for as well.
    "snap or wic office": ("wic", "snap_office"),
    "wic y cupones": ("wic", "snap_office"),
    "oficina de wic o de estampillas": ("wic", "snap_office"),
    "wic and stores that take ebt": ("wic", "snap_retailer"),
    "pantry or wic office": ("wic", "free"),
    "despensa o comedor": ("free",),
    "pantry or soup kitchen": ("free",),
    "soup kitchen or mobile pantry": ("soup_kitchen", "mobile_pantry"),
    # What is had is not.
    "i have snap where is a wic office": ("wic",),
    "tengo estampillas busco wic": ("wic",),
    "i have wic and want to apply for snap": ("snap",),
    "food pantry i have ebt and wic": ("free",),
    "summer meals at school": ("summer",),
}


@pytest.mark.parametrize(("text", "expected"), ASKED.items(), ids=ASKED)
def test_kinds_of_places(text: str, expected: tuple[str, ...]):
    assert wants_of(f" {text} ", None).targets == expected


def test_the_same_question_is_always_read_the_same(names: PlaceNames):
    readings = {read_question("comida free near Housten texas hoy", names) for _ in range(3)}
    assert len(readings) == 1


@given(st.text(max_size=500))
def test_any_text_is_read(names: PlaceNames, text: str):
    reading = read_question(text, names)
    assert reading.language in ("en", "es")
    location = reading.where.location
    assert location is None or location[:5].isdigit() or location[-4:-2] == ", "


_PIECES = (
    "food comida in en near cerca de or me ok St. Louis Paris Salem TX or, 28205 63118-3302 $10001 no "
    "sin EBT SNAP WIC school verano hoy tonight , . ! ñ 🍎 NYC la LA Orange County condado St Fort "
    "moved from to New York calle 123 Main Kansas City zzyzx"
)


@given(st.lists(st.sampled_from(_PIECES.split()), max_size=25).map(" ".join))
def test_any_words_in_any_order_are_read(names: PlaceNames, text: str):
    where = read_question(text, names).where
    assert where.zip is None or where.city is None
    if where.zip:
        assert where.zip.zip in text
    assert where.state is None or where.state in STATES


# ---------------------------------------------------------------- tables and facts


def test_both_languages_have_every_month():
    assert len(phrases("en").months) == len(phrases("es").months) == 12


def test_every_kind_of_place_has_its_words():
    kinds = {name.removeprefix("kind.") for name in tables().patterns if name.startswith("kind.")}
    modes = {"free", "snap", "wic", "school", "summer"}
    offices = {"snap_office", "snap_retailer", "rmp_restaurant"}
    assert kinds | modes | offices == {name for name, _ in phrases("en").kinds.items()}
    assert kinds <= set(TYPES_BY_MODE["free"])
    assert offices <= set(TYPES_BY_MODE["snap"])


def test_no_word_belongs_to_two_languages():
    word_tables = tables()
    assert not word_tables.en & word_tables.es


def test_other_names_resolve_to_cities(names: PlaceNames):
    places = tables().places
    for group in (places.cities, places.parts):
        for label in group:
            name, _, state = label.rpartition(", ")
            assert names.gazetteer.cities(name, state), label


def test_every_state_has_an_answer_about_applying():
    programs = facts().programs
    assert set(STATES) <= set(programs)
    for code in STATES:
        for language in ("en", "es"):
            text = " ".join(how_to_apply_for_snap(code, language))  # type: ignore[arg-type]
            assert "{" not in text
            assert "None" not in text


def test_a_pet_to_bring_is_no_wish_for_pet_food(names: PlaceNames):
    assert read_question("puedo llevar a mi perrito a la despensa 85042", names).wishes == ()
    fed = read_question("comida para mi perrito 85042", names).wishes
    assert [wish.value for wish in fed] == ["pet_food"]


def test_a_meal_of_a_holiday_is_looked_for_everywhere(names: PlaceNames):
    assert read_question("free Thanksgiving dinner 19140", names).wants.kinds == ()
    assert read_question("free dinner 19140", names).wants.kinds == ("soup_kitchen",)


def test_names_a_language_that_no_table_has(names: PlaceNames):
    assert read_question("comida 93030 donde hablen mixteco", names).unused == ("mixteco",)


def _shown(value: tuple[str, ...] | str | None) -> str:
    return (" + ".join(value) if isinstance(value, tuple) else value) or "-"


@pytest.mark.parametrize(
    ("question", "labels"),
    [line.split(" | ") for line in PARTS.splitlines() if not line.startswith("#")],
)
def test_parts_of_labelled_questions(names: PlaceNames, question: str, labels: str):
    reading = read_question(question, names)
    parts = {
        "unsupported": reading.unsupported,
        "landmarks": reading.landmarks,
        "strange": reading.strange,
        "location": reading.where.location,
        "name": reading.name and reading.name.text,
        "whole": reading.name and reading.name.whole,
    }
    for label in labels.split("; "):
        part, _, expected = label.partition("=")
        assert _shown(parts[part]) == expected, part


def test_phrases_are_whole_words_lists_and_gaps() -> None:
    phrases = compile_phrases(
        ["no {food}", "(free )?lunch(es)? ... schools?"],
        {"food": ["meat", "{fish}"], "fish": ["cod"]},
    )
    texts = {
        " eat no meat ": "no meat",
        " no cod ": "no cod",
        " no meatballs ": None,
        " casino meat ": None,
        " free lunches at the schools ": "free lunches at the schools",
        " lunch school ": "lunch school",
        " lunch for all the many schools ": None,
    }
    found = {text: phrases.search(text) for text in texts}
    assert {text: match and match[0] for text, match in found.items()} == texts


def test_a_phrase_names_only_lists_that_exist() -> None:
    with pytest.raises(KeyError, match="fruit"):
        compile_phrases(["no {fruit}"], {"food": ["meat"]})
