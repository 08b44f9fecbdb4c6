"""The service area in a clause: its names, whether it is exclusive and complete."""

import pandas as pd
import pytest

from assets.attributes.reading import with_facts
from assets.attributes.service_area import PlaceNames, ServiceArea, place_names, read_service_area

NAMES = PlaceNames(
    counties={
        ("OH", "lorain"): "39093", ("OH", "erie"): "39043", ("OH", "medina"): "39103", ("OH", "summit"): "39153",
        ("NY", "nassau"): "36059", ("FL", "collier"): "12021", ("NJ", "mercer"): "34021",
        ("CA", "san mateo"): "06081", ("VA", "arlington"): "51013",
    },
    towns=dict.fromkeys(
        [("OH", "elyria"), ("OH", "amherst"), ("OH", "alliance"), ("OH", "limaville"), ("OH", "barberton"),
         ("NY", "elmont"), ("IL", "blue island"), ("FL", "naples"), ("OH", "union city"), ("OH", "union")], (41.0, -82.0)
    ),
)  # fmt: skip
LIMIT, OPEN = True, False
# state, clause, areas, is it a limit, is it the whole area; eligibility clauses begin with "E:"
CASES = [
    ("NY", "Only serves residents of zip code 11203", "zip:11203", LIMIT, True),
    ("NY", "Serves residents of zip codes 10029, 10035 and 10128", "zip:10029|zip:10035|zip:10128", OPEN, True),
    ("NY", "Service is limited to the following zip codes: 10027, 10030", "zip:10027|zip:10030", LIMIT, True),
    ("OH", "Services the following zip codes: 44203", "zip:44203", OPEN, True),
    ("VA", "E:Residents of ZIP codes 20598, 22301", "zip:20598|zip:22301", LIMIT, True),
    ("OH", "Serving zip codes 44089 and 4816", "zip:44089", OPEN, False),
    ("NY", "Pantry is only accessible to community members living in the zip code 11217", "zip:11217", LIMIT, False),
    ("NJ", "E:Residents of Mercer County", "county:34021", LIMIT, True),
    ("OH", "Serving residents of Erie County", "county:39043", OPEN, True),
    ("OH", "Must live in Lorain or Erie County", "county:39043", LIMIT, False),
    ("OH", "Serves Summit and Medina Counties", "county:39153|county:39103", OPEN, True),
    ("FL", "Must be a Collier County address, no exceptions", "county:12021", LIMIT, True),
    ("CA", "Site serves San Mateo County Only", "county:06081", LIMIT, True),
    ("NY", "Serves Brooklyn residents only", "county:36047", LIMIT, True),
    ("NY", "Open to Bronx residents", "county:36005", OPEN, True),
    ("OH", "Serving Elyria Residents", "place:OH/elyria", OPEN, True),
    ("OH", "Open to residents of Amherst only", "place:OH/amherst", LIMIT, True),
    ("OH", "Intended for Alliance, Maximo, and Limaville residents", "place:OH/alliance|place:OH/limaville", OPEN, False),
    ("IL", "Distributes food weekly to Blue Island residents and nearby communities", "place:IL/blue island", OPEN, False),
    ("DC", "DC residents only", "state:DC", LIMIT, True),
    ("DC", "E:Low-income residents of the District of Columbia", "state:DC", OPEN, True),
    ("DC", "Residents of ward 7 only", "", LIMIT, False),
    ("OH", "Open only to residents", "", LIMIT, False),
    ("NY", "Usually serves only those who live in the 11234 zip code", "zip:11234", OPEN, False),
    ("AL", "Serves residents of 36617 only", "zip:36617", LIMIT, True),
    ("OH", "Serving Amherst & Elyria Twps", "", OPEN, False),
    ("OH", "Must live in the Bellevue School District", "", LIMIT, False),
    ("AL", "Serve only 36572 residents", "zip:36572", LIMIT, True),
    ("NY", "Only available to people in the following zip codes: 10001, 10009-10011", "zip:10001|zip:10009|zip:10010|zip:10011", LIMIT, True),
    ("OH", "Services the following zip codes: 44203 - 44224 - 44301", "zip:44203|zip:44224|zip:44301", OPEN, True),
    ("OH", "Serving zip codes 44203-44999", "zip:44203", OPEN, False),
    ("OH", "Serves Elyria, Amherst and Union City", "place:OH/elyria|place:OH/amherst|place:OH/union city", OPEN, True),
    ("OH", "Offers food to Union residents", "place:OH/union", OPEN, False),
    # What is left of a longer statement is not all of it.
    ("FL", "E:and Collier County residents", "county:12021", LIMIT, False),
    ("NY", "Only serves neighborhood residents", "", LIMIT, False),
    ("VA", "Must live in Arlington County with proof of address", "", OPEN, False),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[1][:50])
def test_area(case: tuple[str, str, str, bool, bool]) -> None:
    state, text, areas, is_limit, is_whole = case
    area = read_service_area(
        text.removeprefix("E:"), state, NAMES, is_eligibility=text.startswith("E:")
    )
    assert area == ServiceArea(tuple(areas.split("|")) if areas else (), is_limit, is_whole)


@pytest.mark.parametrize(
    "text",
    [
        "Proof of residency may be requested",
        "Must provide proof of Loudoun County residency",
        "Delivery is available to residents of Queens",
        "Residents may stay at the shelter for up to six weeks",
        "ID must show name and zip code",
        "Also called County Line COB",
        "Operates a food pantry for residents in need",
        "Citizenship and/or residency status is NOT a requirement for WIC eligibility",
        "Call 330-555-0100 for residents of Medina County",
        "Referrals are required for persons outside zip code 44203",
        "Serves fresh produce only",
        "With the help of the Elyria Gas Company, helps area residents pay for heat",
        "Elyria parish pantry serving low-income residents",
        "Assistance limited to once every 30 days",
        "Serving grab-and-go lunch at the entrance between Main Street and Elyria",
        "This site serves the mobile home park and the apartments in Elyria",
    ],
)
def test_no_statement_of_an_area(text: str) -> None:
    assert read_service_area(text, "OH", NAMES) is None


def read(text: str, **place: object) -> tuple[object, object, object]:
    where = {"state": "OH", "zip": "44035", "lat": 41.37, "lng": -82.1, "is_confidential": False}
    row = pd.DataFrame([{"notes": text, **where, **place}])
    place_row = with_facts(row, NAMES).iloc[0]
    return (
        place_row["service_area_text"],
        place_row["service_areas"],
        place_row["is_service_area_exclusive"],
    )


FIELDS = [
    ("limit", "Serves residents of Elyria only", ["place:OH/elyria"], True),
    ("no limit", "Serving Elyria residents", ["place:OH/elyria"], False),
    ("two clauses", "Serves 44035 zip code only. Serving Elyria Residents", ["zip:44035", "place:OH/elyria"], True),
    ("unknown part", "Serves Elyria residents only. Serving Keystone School District", ["place:OH/elyria"], False),
    ("everyone", "Elyria residents only. Open to everyone", ["place:OH/elyria"], False),
    ("own ZIP", "Serves residents of this ZIP code", ["zip:44035"], False),
    ("no area", "Photo ID required", None, None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "areas", "is_exclusive"), [c[1:] for c in FIELDS], ids=[c[0] for c in FIELDS]
)
def test_fields(text: str, areas: list[str] | None, is_exclusive: bool | None) -> None:
    text_of_area, areas_read, exclusive = read(text)
    assert (None if areas_read is None else list(areas_read)) == areas
    assert (None if pd.isna(exclusive) else exclusive) == is_exclusive
    assert (text_of_area is not None) == (is_exclusive is not None)


def test_a_town_far_from_the_place_only_shares_its_name() -> None:
    text_of_area, areas, is_exclusive = read("Serves Elyria residents only", lat=39.1, lng=-84.5)
    assert (text_of_area, areas, is_exclusive) == ("Serves Elyria residents only", None, False)


def test_a_confidential_place_hides_its_zip_code() -> None:
    assert read("Serves residents of this ZIP code only", is_confidential=True)[1:] == (None, False)


def test_names_of_counties_and_towns() -> None:
    zips = pd.DataFrame(
        [
            ("MO", "St. Louis County", "29189"),
            ("MO", "St. Louis city", "29510"),
            ("LA", "Orleans Parish", "22071"),
            ("NY", None, None),
        ],
        columns=["state", "county_name", "county_fips"],
    )
    cities = pd.DataFrame(
        [("OH", "elyria", 41.4, -82.1)], columns=["state", "search_name", "lat", "lng"]
    )
    names = place_names(zips, cities)
    assert names.counties == {("MO", "st louis"): "29189", ("LA", "orleans"): "22071"}
    assert names.towns == {("OH", "elyria"): (41.4, -82.1)}
