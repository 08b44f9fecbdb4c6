"""The parts that a question is read with."""

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
from tests.support.cases import cases

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


UNREAD = {
    "no cooking": ("something i dont have to cook 98101", ("no_cooking",)),
    "a pet to bring": ("soup kitchen that lets me bring my dog 97233", ("pets",)),
    "a pet to bring, in Spanish": ("comedor donde entrar con mi perro 92101", ("pets",)),
    "food for a pet is a wish": ("food for me and my dog 97233", ()),
    "insurance": ("necesito comida sin seguro 77036", ("insurance",)),
    "social security is no insurance": ("comida sin seguro social 77036", ()),
    "survivors": ("kosher pantry for holocaust survivor 11201", ("group",)),
    "refugees, in Spanish": ("comida para refugiados 77036", ("group",)),
    "a time without an hour": ("halal pantry friday after prayers 48126", ("unclear_time",)),
    "next week": ("pantry next week 10002", ("date",)),
    "stamps that come next week": ("no stamps until next week 10002", ()),
    "minutes away": ("food within 20 minutes of 10002", ("minutes_away",)),
    "formula for an allergy": ("hypoallergenic formula 33125", ("allergy",)),
    "a part of the day": ("pantry 60629 not in the morning", ("excluded_time",)),
    "in Spanish": ("despensa 60629 que no sea por la mañana", ("excluded_time",)),
    "the hours of a day": ("weekdays not Tuesday after 3, 60629", ("excluded_time",)),
    "one day of several": ("not Monday, Thursday, 60629", ("excluded_time",)),
    "today": ("any day this week except today, 60629", ("excluded_time",)),
    "no hurry": ("not urgent, not today, 60629", ()),
    "an hour that is read": ("not before 10 on Tuesday 60629", ()),
    "a week of the month": ("pantry 89101 first Saturday of the month", ("week_of_month",)),
    "every day": ("pantry open 7 days a week 19134", ("always",)),
    "day and night": ("24/7 community fridge 94601", ("always",)),
    "a meal": ("soup kitchen open for breakfast 48201", ("meal",)),
    "no meal of the programme's": ("where is lunch at school 08103", ()),
    "foods": ("eggs and milk 73108", ("foods",)),
    "formula is no such food": ("leche para mi bebe 33136", ()),
    "income": ("pantry that doesnt ask about income 43203", ("income",)),
    "a church": ("pantry in 65806, not a church", ("church",)),
    "parking": ("food pantry with parking 64106", ("parking",)),
    "weight": ("food box 97233, I can't lift heavy boxes", ("lifting",)),
    "being in a shelter": ("we live in a shelter, pantry 97204", ()),
    "for somebody else": ("can I pick up food for my neighbor 15210", ("somebody_else",)),
    "by somebody else": ("can my sister pick up food for me 15210", ("somebody_else",)),
    "after jail": ("just got out of jail, food 63106", ("after_jail",)),
    "after jail, in Spanish": ("salí de la cárcel, comida 63106", ("after_jail",)),
    "for women": ("meals only for women 85003", ("women",)),
    "a line that is": ("somewhere with no line 77036", ("waiting",)),
    "hours away": ("food pantry within an hour drive of Bangor Maine", ("minutes_away",)),
    "hours away, in Spanish": ("despensa a una hora en carro de Bangor Maine", ("minutes_away",)),
    "minutes by bus": ("a 20 minute bus ride from 98118", ("minutes_away",)),
    "midnight": ("pantry open at midnight in Chicago", ("midnight",)),
    "midnight, in Spanish": ("comida a medianoche 33125", ("midnight",)),
    "people in a household": ("food for 6 people, 53206", ("household",)),
    "people in a household, in Spanish": ("somos 8 en la casa, 85033", ("household",)),
    "people whose SNAP is estimated": ("how much snap for a family of 4 in Ohio", ()),
    "papers on income": ("do i need proof of income at pantries in 73108", ("documents",)),
    "no cans": ("fresh vegetables not canned, oakland ca", ("foods",)),
    "no cans, in Spanish": ("comida que no sea enlatada 94601", ("foods",)),
    "a holiday of a school": (
        "my kids dont eat at school during christmas break. 85009",
        ("holiday",),
    ),
    "the wrong ZIP code": ("turned away, i live in the wrong zip. 48205", ("elsewhere",)),
    "a line": ("food pantry with no line 85003", ("waiting",)),
    "a voucher": ("grocery vouchers 85003", ("vouchers",)),
    "a message": ("text me when the pantry opens 85003", ("notify",)),
    "a month": ("food boxes in December 85003", ("date",)),
    "before a day": ("need food before Friday 43211", ("date",)),
    "paid on a day": ("food 43211, I get paid by Friday", ()),
    "more for produce": ("market that doubles my EBT 04101", ("double_up",)),
    "who is welcome": ("LGBTQ friendly pantry 97214", ("welcome",)),
    "choosing": ("pantry where I shop by myself 53215", ("choice",)),
    "mass is no dough": ("comida después de misa 92701", ("unclear_time",)),
    "how often, in Spanish": ("fruta 2 veces al mes 60629", ("visit_limit",)),
    "a sermon": ("food bank that doesnt make you sit through a sermon 73106", ("church",)),
    "another holiday": ("food bank open on columbus day 02121", ("holiday",)),
    "food of a country": ("comida coreana o asiatica gratis 90006", ("foods",)),
    "a meal of a holiday": ("Thanksgiving dinner free 19140", ("holiday_meal",)),
    "in Spanish, a meal of a holiday": ("cena de navidad gratis 78201", ("holiday_meal",)),
    "a turkey": ("who gives turkeys 30310", ("foods",)),
    "from elsewhere": ("pantry if im not from that zip, 46203", ("elsewhere",)),
    "from elsewhere, in Spanish": ("despensa 33136, vivo en otra zona", ("elsewhere",)),
    "under 18": ("im 16 and hungry 60625", ("minors",)),
    "children of that number": ("food for 16 kids 60625", ()),
    "minutes of that number": ("im 15 minutes away from 60625", ()),
    "no refrigerator": ("no fridge at home 92101", ("no_refrigerator",)),
    "a religious group": ("sikh temples with food 95122", ("church",)),
}


@pytest.mark.parametrize(("question", "unread"), UNREAD.values(), ids=UNREAD)
def test_unsupported_wishes_are_named(names: PlaceNames, question, unread):
    assert read_question(question, names).unsupported == unread


def test_a_pet_to_bring_is_no_wish_for_pet_food(names: PlaceNames):
    assert read_question("puedo llevar a mi perrito a la despensa 85042", names).wishes == ()
    fed = read_question("comida para mi perrito 85042", names).wishes
    assert [wish.value for wish in fed] == ["pet_food"]


def test_a_meal_of_a_holiday_is_looked_for_everywhere(names: PlaceNames):
    assert read_question("free Thanksgiving dinner 19140", names).wants.kinds == ()
    assert read_question("free dinner 19140", names).wants.kinds == ("soup_kitchen",)


LANDMARKS = {
    "a side of a town": ("pantry south side Chicago", ("south side",), "Chicago, IL"),
    "a name": ("food near Fenway Park, 02215", ("Fenway Park",), "02215"),
    "a way that is no street": ("pantry within an hour drive of Bangor Maine", (), "Bangor, ME"),
    "school during a time": ("not at school during the break 85009", (), "85009"),
    "an avenue in short": (
        "comida, Av. Lexington y Calle 125, Nueva York",
        ("Av. Lexington", "Calle 125"),
        "New York, NY",
    ),
    "a corner in New York": (
        "esquina de 5th Ave y 14th St Nueva York, dónde hay comida",
        ("5th Ave", "14th St"),
        "New York, NY",
    ),
    "a numbered street in New York": (
        "comida cerca de la calle 14 Nueva York",
        ("calle 14",),
        "New York, NY",
    ),
    "of a station": (
        "soup kitchen by the Greyhound station in Phoenix",
        ("Greyhound station",),
        "Phoenix, AZ",
    ),
    "and its street": (
        "pantry near the Walmart on Preston Hwy Louisville",
        ("Walmart", "Preston Hwy"),
        "Louisville, KY",
    ),
    "a highway": ("food on Route 9 in Poughkeepsie", ("Route 9",), "Poughkeepsie, NY"),
    "a school of three words": (
        "food truck at Lincoln Middle School 98409",
        ("Lincoln Middle School",),
        "98409",
    ),
    "an exit": ("pantry off I-95 exit 24 in Stamford", ("I-95", "exit 24"), "Stamford, CT"),
    "a park of sports is no town": ("pantry near Wrigley Field", ("Wrigley Field",), None),
    "without a wish": ("near Port Authority no ID, 10018", ("Port Authority",), "10018"),
    "a corner": ("pantry on 14th and Mission, 94103", ("14th and Mission",), "94103"),
    "no corner but days": ("pantry 1st and 3rd Saturday 94103", (), "94103"),
    "a distance from it": ("half a mile of Penn Station", ("Penn Station",), None),
    "no town of its name": ("comida cerca del Parque MacArthur", ("Parque MacArthur",), None),
    "with a town in it": ("close to the University of Michigan", ("University of Michigan",), None),
    "in Spanish": ("comida al lado del hospital 90033", ("hospital",), "90033"),
    "a stop is a wish": ("comida cerca de la estación de tren 60608", (), "60608"),
    "a saint's church is no town": (
        "pantry at St Joseph church, 92701",
        ("St Joseph church",),
        "92701",
    ),
    "in Spanish it stands first": (
        "en la iglesia San José de 92701",
        ("iglesia San José",),
        "92701",
    ),
    "a home is none": ("food near my house 60608", (), "60608"),
    "an hour is none": ("open by noon 60608", (), "60608"),
    "a street to sleep on is none": ("duermo en la calle, 60608", (), "60608"),
    "a town is none": ("food near Poughkeepsie", (), "Poughkeepsie, NY"),
}


@cases("question, landmarks, location", LANDMARKS)
def test_names_landmarks(names: PlaceNames, question, landmarks, location):
    reading = read_question(question, names)
    assert (reading.landmarks, reading.where.location) == (landmarks, location)


@pytest.mark.parametrize(
    ("question", "unused"),
    [
        ("kosher food for my quilters 10002", ()),
        ("i need cribs and food 10002", ("cribs",)),
        ("necesito colchones 77081", ("colchones",)),
        ("looking for some toasters, 80204", ("toasters",)),
        ("food 10002 near Fenway Park", ()),
        ("food in Springfeld, IL", ()),
        ("i moved from Chicago, food in Milwaukee", ()),
        ("a quiet place to eat, 80204", ()),
        ("no money till friday, food 90024", ()),
        ("i get paid on the 15th, food 38109", ()),
        ("tengo tres niños, comida 77081", ()),
        ("food for pregnant women 88001", ()),
        ("no hablamos inglés, comida 77081", ()),
        ("need rent 48205", ()),
        ("good morning, i would like some food please 77081", ()),
    ],
)
def test_names_only_words_that_ask_for_something(names: PlaceNames, question, unused):
    assert read_question(question, names).strange == unused


def test_names_a_language_that_no_table_has(names: PlaceNames):
    assert read_question("comida 93030 donde hablen mixteco", names).unused == ("mixteco",)


NAMES = {
    "a name that holds a town": ("St. Mary's Food Bank", ("", "St. Mary's Food Bank"), None),
    "near a place": ("St. Mary's Food Bank near 85009", ("", "St. Mary's Food Bank"), "85009"),
    "an organization": ("salvation army sacramento", ("", "salvation army"), "Sacramento, CA"),
    "after a question": (
        "what are the hours of Second Harvest in Nashville",
        ("", "Second Harvest"),
        "Nashville, TN",
    ),
    "in Spanish": (
        "Dónde queda el comedor St. Anthony's en San Francisco",
        ("", "comedor St. Anthony's"),
        "San Francisco, CA",
    ),
    "a name that begins with a town": (
        "Houston Food Bank hours",
        ("Houston Food Bank", ""),
        "Houston, TX",
    ),
    "words of food": ("Free Food Pantry Bronx", None, "Bronx, NY"),
    "a town with its state": ("food near St. Mary's, Alaska", None, "St. Mary's, AK"),
    "a street": ("450 Flower Street, Los Angeles, CA", None, "Los Angeles, CA"),
    "a short form": ("pantry that's open late 02119", None, "02119"),
    "a programme": ("WIC office Yakima", None, "Yakima, WA"),
}


@pytest.mark.parametrize(("question", "name", "location"), NAMES.values(), ids=NAMES)
def test_finds_the_name_of_a_place(names: PlaceNames, question, name, location):
    reading = read_question(question, names)
    assert (reading.name and (reading.name.whole, reading.name.text)) == name
    assert reading.where.location == location


GIVEN_NAMES = {
    "Visitation of Mary food pantry": None,
    "Sisters of Mary": None,
    "Our Lady of Grace": None,
    "Friends of Paul": None,
    "food pantry Martin": None,
    "food near Mary, KY": "Mary, KY",
    "Hope Arkansas": "Hope, AR",
    "food in Joseph": "Joseph, OR",
    "town of Paul food": "Paul, ID",
    "Brandon food pantry": "Brandon, FL",
}


@pytest.mark.parametrize(("text", "location"), GIVEN_NAMES.items())
def test_a_given_name_is_a_small_town_only_with_evidence(names: PlaceNames, text, location) -> None:
    assert read_question(text, names).where.location == location


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
