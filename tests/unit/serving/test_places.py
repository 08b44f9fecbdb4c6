"""Where a search starts, on the whole country's ZIP codes and cities."""

import itertools
import string

import msgspec
import numpy as np
import pytest

from schemas.api.lists import ModeCounts
from schemas.values.coordinates import great_circle_miles
from schemas.vocab.resource_types import MODES
from serving.http.errors import ServiceProblem
from serving.search.render import mode_counts
from serving.search.start import start_of_text
from serving.search.suggest import SuggestIndex, suggestions
from tests.support.geography import write_gazetteer
from warehouse.index.points import MODE_TYPES
from warehouse.index.reader import OpenRelease
from warehouse.release.store import ReleaseStore


@pytest.fixture(scope="module")
def country(tmp_path_factory):
    folder = tmp_path_factory.mktemp("country")
    return OpenRelease(ReleaseStore(folder).folder(write_gazetteer(folder)))


@pytest.fixture(scope="module")
def index(country):
    return SuggestIndex(country)


# Text, city and state, words of the note.
CITIES = {
    "city and code": ("Salem, OR", "Salem, OR", None),
    "city and code without a comma": ("Salem OR", "Salem, OR", None),
    "city and state name": ("Salem Oregon", "Salem, OR", None),
    "two words of state": ("Fargo North Dakota", "Fargo, ND", None),
    "a state's name within another": ("Charleston West Virginia", "Charleston, WV", None),
    "old abbreviation": ("Charlotte, N.C.", "Charlotte, NC", None),
    "country": ("Springfield, IL, USA", "Springfield, IL", None),
    "blanks and case": ("  bOSTON ,  ma ", "Boston, MA", None),
    "accents left out": ("bayamon PR", "Bayamón, PR", None),
    "accents": ("Bayamón", "Bayamón, PR", None),
    "San Juan PR": ("San Juan PR", "San Juan, PR", None),
    "Puerto Rico written out": ("Mayagüez, Puerto Rico", "Mayagüez, PR", None),
    "municipio": ("Municipio de Caguas", "Caguas, PR", None),
    "Guam's capital": ("Hagatna", "Hagåtña, GU", None),
    "Samoa": ("Pago Pago", "Pago Pago, AS", None),
    "Northern Marianas": ("Saipan, MP", "Saipan, MP", None),
    "Virgin Islands": ("Christiansted US Virgin Islands", "Christiansted, VI", None),
    "nickname": ("nyc", "New York, NY", None),
    "nickname and code": ("Philly, PA", "Philadelphia, PA", None),
    "nickname that is a code too": ("kc", "Kansas City, MO", None),
    "Saint": ("Saint Paul, Minnesota", "Saint Paul, MN", None),
    "St.": ("St. Paul MN", "Saint Paul, MN", None),
    "Ft": ("ft worth tx", "Fort Worth, TX", None),
    "Fort": ("Fort Worth", "Fort Worth, TX", None),
    "Mt.": ("Mt. Vernon, NY", "Mount Vernon, NY", None),
    "township": ("Cherry Hill Township, NJ", "Cherry Hill, NJ", None),
    "village of": ("Village of Oak Park, IL", "Oak Park, IL", None),
    "city that is called City": ("Texas City", "Texas City, TX", None),
    "written together": ("LaGrange GA", "LaGrange, GA", None),
    "written apart": ("De Kalb IL", "DeKalb, IL", None),
    "apostrophe": ("OFallon MO", "O'Fallon, MO", None),
    "okina": ("Kapaa HI", "Kapa‘a, HI", None),
    "hyphens": ("Winston Salem NC", "Winston-Salem, NC", None),
    "port, shortened": ("Pt Jefferson NY", "Port Jefferson, NY", None),
    "the largest of a name": ("Salem", "Salem, OR", "Others: Salem, MA"),
    "a state's name that is a great city": ("New York", "New York, NY", None),
    "the same in Spanish": ("Nueva York", "New York, NY", None),
    "the capital": ("Washington", "Washington, DC", "Others: Washington,"),
    "the capital's district": ("D.C.", "Washington, DC", None),
    "two towns of the state": ("Chatham, IL", "Chatham, IL", "Chatham (Cook County), IL"),
    "the other town of the state": (
        "Chatham, Cook County, IL",
        "Chatham (Cook County), IL",
        "other places of this name: Chatham, IL",
    ),
    "an address": (
        "123 Main St, Springfield, IL",
        "Springfield, IL",
        "starts from the city of Springfield, IL",
    ),
    "an address without commas": (
        "123 Main St Springfield IL",
        "Springfield, IL",
        "starts from the city",
    ),
    "an address whose street ends as a city begins": (
        "12 Elm Ave St Paul MN",
        "Saint Paul, MN",
        "starts from the city",
    ),
    "an address without a state": (
        "123 Main St, Springfield",
        "Springfield, MO",
        "starts from the city of Springfield, MO",
    ),
    "city and county": ("Springfield, Sangamon County, IL", "Springfield, IL", None),
    "a house number of five digits": (
        "12345 Main St, Springfield, IL",
        "Springfield, IL",
        "starts from the city",
    ),
    "a post office box": ("PO Box 12345, Salem, OR", "Salem, OR", "starts from the city"),
    "an unknown ZIP code after a city": (
        "Springfield, IL 62799",
        "Springfield, IL",
        "62799 is not a ZIP code in our data",
    ),
}


@pytest.mark.parametrize(("text", "city", "note"), CITIES.values(), ids=CITIES)
def test_cities(country, text, city, note):
    start = start_of_text(country, text)
    assert f"{start.location.city}, {start.location.state}" == city
    assert (start.note is None) if note is None else note in (start.note or "")


ZIPS = {
    "ZIP": ("62701", "62701", None),
    "ZIP+4": ("62701-1234", "62701", None),
    "nine digits": ("627011234", "62701", None),
    "address": ("123 Main St, Springfield, IL 62701", "62701", None),
    "city, state, ZIP+4": ("Springfield, IL 62701-1234", "62701", None),
    "ZIP first": ("62701 Springfield IL", "62701", None),
    "ZIP in another state": ("Salem, OR 10002", "10002", "The ZIP code 10002 is in New York, NY"),
    "post office boxes": ("10008", "10008", "post office boxes"),
    "one organization": ("12345", "12345", "belongs to one organization"),
    "Puerto Rico": ("San Juan PR 00901", "00901", None),
}


@pytest.mark.parametrize(("text", "code", "note"), ZIPS.values(), ids=ZIPS)
def test_zips(country, text, code, note):
    start = start_of_text(country, text)
    assert start.location.zip == code
    assert (start.note is None) if note is None else note in (start.note or "")


COUNTIES = {
    "county": ("Cook County, IL", "Cook County, IL"),
    "shortened": ("Cook Co., Illinois", "Cook County, IL"),
    "in Spanish": ("condado de Cook, IL", "Cook County, IL"),
    "parish": ("Orleans Parish LA", "Orleans Parish, LA"),
    "borough": ("Kenai Peninsula Borough, AK", "Kenai Peninsula Borough, AK"),
    "county beside a city of the name": ("St. Louis County, MO", "St. Louis County, MO"),
    "without the word": ("Miami-Dade", "Miami-Dade County, FL"),
    "an island that is one": ("Guam", "Guam, GU"),
}


@pytest.mark.parametrize(("text", "county"), COUNTIES.values(), ids=COUNTIES)
def test_counties(country, text, county):
    start = start_of_text(country, text)
    assert f"from the middle of {county};" in (start.note or "")
    assert (start.location.city, start.location.state) == (None, county[-2:])
    assert start.location.zip


def test_counties_of_one_name_are_named(country):
    assert "largest of 3 places of this name. Others: Cook County, MN, Cook County, GA." in (
        start_of_text(country, "Cook County").note or ""
    )


# Text, kind of problem, a suggestion (or none).
UNKNOWN = {
    "a state's code": ("OR", "place-too-wide", "Portland, OR"),
    "a state's name": ("Illinois", "place-too-wide", "Chicago, IL"),
    "a state that is a small town as well": ("California", "place-too-wide", "Los Angeles, CA"),
    "a territory": ("Puerto Rico", "place-too-wide", "Bayamón, PR"),
    "a misspelt city": ("Springfeild, IL", "unknown-place", "Springfield, IL"),
    "a misspelt city alone": ("chcago", "unknown-place", "Chicago, IL"),
    "a right name in the wrong state": ("Salem, ND", "unknown-place", "Salem, OR"),
    "nothing like it": ("Xyzzyxqq", "unknown-place", None),
    "a military ZIP code": ("09012", "no-point", None),
    "a military address": ("APO, AE 09012", "no-point", None),
    "a military address without its ZIP code": ("APO AE", "no-point", None),
    "an unknown ZIP code": ("00000", "unknown-place", None),
    "a street alone": ("45 Washington Street", "unknown-place", None),
}


@pytest.mark.parametrize(("text", "kind", "suggestion"), UNKNOWN.values(), ids=UNKNOWN)
def test_unknown_places(country, text, kind, suggestion):
    with pytest.raises(ServiceProblem) as problem:
        start_of_text(country, text)
    assert problem.value.kind == kind
    assert (
        (suggestion in problem.value.suggestions) if suggestion else not problem.value.suggestions
    )
    for label in problem.value.suggestions:
        assert start_of_text(country, label).location.city == label[:-4]


def test_a_problem_suggests_places(client):
    answer = client.get("/api/resources/search?zip=Salm")
    assert answer.status_code == 404
    assert answer.json()["suggestions"] == ["Salem, OR", "Salem, MA"]
    assert "did you mean Salem, OR or Salem, MA?" in answer.json()["detail"]
    wide = client.get("/api/resources/search?zip=OR").json()
    assert (wide["title"], wide["suggestions"]) == ("Place too wide", ["Salem, OR"])
    assert "suggestions" not in client.get("/api/resources/search?zip=Xyzzyx").json()


@pytest.mark.slow
def test_every_zip_code_answers(country):
    """A start near its point, or a clear error for military post offices and a handful of others."""
    gazetteer, refusals = country.gazetteer, []
    for place in gazetteer.all_zips():
        try:
            start = start_of_text(country, place.zip)
        except ServiceProblem as problem:
            refusals.append((problem.kind, place.kind))
        else:
            assert start.location.zip == place.zip
            assert place.lat is None or (start.location.lat, start.location.lng) == (
                place.lat,
                place.lng,
            )
    assert len(gazetteer) > 42_000
    assert {kind for kind, _ in refusals} == {"no-point"}
    assert len([kind for _, kind in refusals if kind != "military"]) < 12


@pytest.mark.slow
def test_every_city_answers(country):
    """By name and state, with and without a comma: itself, or (15 are called "... County") its
    county.
    """
    elsewhere = []
    for city in country.gazetteer.all_cities():
        for text in (f"{city.name}, {city.state}", f"{city.name} {city.state}"):
            location = start_of_text(country, text).location
            if (location.city, location.state) != (city.name, city.state):
                elsewhere.append(text)
                assert location.state == city.state
                assert great_circle_miles(location.lat, location.lng, city.lat, city.lng) < 25
    assert len(elsewhere) < 30


@pytest.mark.slow
def test_every_name_answers(country):
    """By name alone: the largest of the name, unless it is a state's name."""
    refusals = {}
    for city in country.gazetteer.all_cities():
        try:
            start_of_text(country, city.name)
        except ServiceProblem as problem:
            refusals.setdefault(problem.kind, set()).add(city.name)
    assert list(refusals) == ["place-too-wide"]
    assert {"California", "Nevada"} <= refusals["place-too-wide"]
    assert len(refusals["place-too-wide"]) < 60


# ---------------------------------------------------------------- suggestions

# What is typed, and the first labels.
TYPED = {
    "two letters": ("sa", ["San Antonio, TX"]),
    "a whole name before longer ones": ("york", ["York, PA"]),
    "accents left out": ("mayag", ["Mayagüez, PR"]),
    "an unfinished Saint": ("sain", ["Saint Paul, MN", "St. Louis, MO"]),
    "Saint, written out": ("saint pau", ["Saint Paul, MN"]),
    "St, of which Stockton may come": ("sto", ["Stockton, CA"]),
    "an unfinished Fort": ("for", ["Fort Worth, TX"]),
    "Ft.": ("ft. w", ["Fort Worth, TX", "Fort Wayne, IN"]),
    "a word that is done": ("new ", ["New York, NY"]),
    "beginning of a state": ("springfield, i", ["Springfield, IL"]),
    "a state without a comma": ("springfield il", ["Springfield, IL"]),
    "beginning of a state's name": ("fargo north d", ["Fargo, ND"]),
    "two letters swapped": ("springfeild", ["Springfield, MA"]),
    "a letter missing": ("portlnd", ["Portland, OR"]),
    "a letter missing at the beginning": ("hicago", ["Chicago, IL"]),
    "an apostrophe missing": ("ofallo", ["O'Fallon, MO"]),
    "a ZIP code": ("10002", ["10002"]),
    "ZIP+4": ("10002-12", ["10002"]),
    "three letters are not corrected": ("xqj", []),
    "nothing alike": ("zzzzzzzz", []),
    "no letter": ("--", []),
    "blanks": ("   ", []),
}


@pytest.mark.parametrize(("text", "labels"), TYPED.values(), ids=TYPED)
def test_suggestions(index, text, labels):
    found_labels = [suggestion.label for suggestion in suggestions(index, text, 10)]
    assert found_labels[: len(labels)] == labels
    assert bool(found_labels) == bool(labels)


def test_suggestions_have_counts(country, index):
    """`count` is the number of results of free food within 25 miles."""
    free = np.flatnonzero(np.isin(country.type_codes, list(MODE_TYPES["free"])))
    for text in ("ancho", "san ju", "9960", "967"):
        for suggestion in suggestions(index, text, 20):
            miles = great_circle_miles(
                suggestion.lat, suggestion.lng, country.lats[free], country.lngs[free]
            )
            assert suggestion.count == int((miles <= 25).sum())


def test_the_limit_preserves_the_order(index):
    for text in ("sa", "springfeild", "99", "salem"):
        full = [s.label for s in suggestions(index, text, 50)]
        assert full[:7] == [s.label for s in suggestions(index, text, 7)]


@pytest.mark.slow
def test_every_suggestion_is_found_by_the_search(country, index):
    """Of every beginning of two and three letters and digits."""
    letters = [
        "".join(p) for n in (2, 3) for p in itertools.product(string.ascii_lowercase, repeat=n)
    ]
    digits = [f"{n:0{width}}" for width in (2, 3) for n in range(10**width)]
    labels = {s.label: s for text in letters + digits for s in suggestions(index, text, 10)}
    assert len(labels) > 15_000
    for label, suggestion in labels.items():
        location = start_of_text(country, label).location
        assert great_circle_miles(location.lat, location.lng, suggestion.lat, suggestion.lng) < 25


# ---------------------------------------------------------------- counts


def test_counts_agree_with_brute_force(country):
    """ZIP codes from every state and territory, all modes."""
    by_state = {}
    for place in country.gazetteer.all_zips():
        if place.lat is not None:
            by_state.setdefault(place.state, []).append(place)
    assert len(by_state) >= 56
    for places in by_state.values():
        for place in (places[0], places[len(places) // 2], places[-1]):
            miles = great_circle_miles(place.lat, place.lng, country.lats, country.lngs)
            near = country.type_codes[miles <= 150]
            expected = {mode: int(np.isin(near, list(MODE_TYPES[mode])).sum()) for mode in MODES}
            counts = msgspec.json.decode(mode_counts(country, place.zip), type=ModeCounts)
            assert msgspec.structs.asdict(counts) == expected
