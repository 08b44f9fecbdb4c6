"""The service area in a clause: its names, whether it is exclusive and complete."""

import pandas as pd

from assets.attributes.reading import with_facts
from assets.attributes.service_area import PlaceNames, ServiceArea, place_names, read_service_area
from tests.support.cases import labelled

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


@labelled("state, text, areas, is_limit, is_whole")
def test_area(state: str, text: str, areas: str, is_limit: bool, is_whole: bool) -> None:
    area = read_service_area(
        text.removeprefix("E:"), state, NAMES, is_eligibility=text.startswith("E:")
    )
    assert area == ServiceArea(tuple(areas.split("|")) if areas else (), is_limit, is_whole)


@labelled("text")
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


@labelled("text, areas, is_exclusive")
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
