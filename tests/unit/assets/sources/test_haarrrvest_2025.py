"""Fourteen scraped locators: shifted columns go back, made-up points go away."""

from __future__ import annotations

from pathlib import Path

import pytest

from assets.sources.contract import UnreadableFileError
from assets.sources.haarrrvest_2025 import LAYOUTS
from schemas.sources.registry import sources
from tests.support.source_files import fixture_rows, fixture_value, rows_of, shared_rows

SOURCE = "haarrrvest_2025"
CAFB = "capital_area_food_bank_dc.jsonl"
CARE = "care_and_share_food_locator.jsonl"
CHESTER = "chester_county_food_bank_pa.jsonl"
NAPA = "community_action_of_napa_valley_food_bank_ca.jsonl"
GULF = "feeding_the_gulf_coast_al.jsonl"
NYC = "food_bank_for_new_york_city_ny.jsonl"
LIFELINE = "food_lifeline_wa.jsonl"
FRESHTRAK = "freshtrak.jsonl"
HUDSON = "hccc_food_pantry.jsonl"
MERCER = "mercer_food_finder.jsonl"
RUTGERS = "rutgers_against_hunger.jsonl"
NWNC = "second_harvest_food_bank_of_northwest_north_carolina_nc.jsonl"
SHSV = "second_harvest_of_silicon_valley_ca.jsonl"
BASKET = "the_food_basket_inc_hi.jsonl"
ALL = (
    CAFB,
    CARE,
    CHESTER,
    NAPA,
    GULF,
    NYC,
    LIFELINE,
    FRESHTRAK,
    HUDSON,
    MERCER,
    RUTGERS,
    NWNC,
    SHSV,
    BASKET,
)


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(CAFB, 1, "address", "8100 Larkspur Rd Suite 5", id="unit joined"),
        pytest.param(CAFB, 1, "hours_text", "Monday: 9:00:00-11:30:00, 13:00:00-15:00:00; Saturday: 9:00:00-12:00:00", id="repeated slots"),
        pytest.param(CAFB, 1, "lat", 4689967.66, id="metres are left to the cleaning"),
        pytest.param(CAFB, 1, "county_name", "Prince George's County", id="county behind the state"),
        pytest.param(CAFB, 2, "address", "2 Juniper St", id="n/a is no unit"),
        pytest.param(CAFB, 2, "county_name", None, id="a remark is no county"),
        pytest.param(CAFB, 2, "hours_text", None, id="no hours"),
        pytest.param(CAFB, 2, "resource_type", "soup_kitchen", id="type by name"),
        pytest.param(CAFB, 3, "county_name", None, id="a ward is no county"),
        pytest.param(CHESTER, 1, "name", "St. Lark Center", id="name from the phone"),
        pytest.param(CHESTER, 1, "address", "90 Gap Larkspur Pike", id="town cut once, at the end"),
        pytest.param(CHESTER, 1, "city", "Larkspur", id="town from the name"),
        pytest.param(CHESTER, 1, "phone", "(610) 555-0101", id="phone from the hours"),
        pytest.param(CHESTER, 1, "hours_text", None, id="no hours are left"),
        pytest.param(CHESTER, 1, "lat", None, id="made-up point"),
        pytest.param(CHESTER, 2, "name", "Juniper Aging – Honey Juniper", id="dash in the name"),
        pytest.param(CHESTER, 2, "address", "1 Osprey Way", id="comma before the town"),
        pytest.param(CHESTER, 2, "zip", "19999", id="ZIP behind the state"),
        pytest.param(CHESTER, 3, "reject_reason", "home_delivery_only", id="meals on wheels"),
        pytest.param(CHESTER, 4, "reject_reason", "unreadable_address", id="not shifted as known"),
        pytest.param(GULF, 1, "address", "21999 Highway 45 North", id="number of the highway"),
        pytest.param(GULF, 1, "city", "Larkspur", id="city behind it"),
        pytest.param(GULF, 1, "zip", None, id="house number as ZIP"),
        pytest.param(GULF, 1, "lat", None, id="made-up point of the state"),
        pytest.param(GULF, 1, "hours_text", "1st Tuesday of the month: 9:00 a.m. - 11:00 a.m.\n\nServes 36599 only.", id="hours from the notes, uncut"),
        pytest.param(GULF, 1, "notes", None, id="hours are no notes"),
        pytest.param(GULF, 2, "name", "Juniper House", id="label off the name"),
        pytest.param(GULF, 2, "resource_type", "soup_kitchen", id="hot meal"),
        pytest.param(GULF, 2, "address", "99 Highway 77", id="town off the street"),
        pytest.param(GULF, 2, "city", "Bay St. Louis", id="town with St."),
        pytest.param(GULF, 2, "requires_appointment", True, id="appointment only"),
        pytest.param(GULF, 2, "hours_text", None, id="an appointment is no hours"),
        pytest.param(GULF, 3, "resource_type", "summer_meal", id="children's meals"),
        pytest.param(GULF, 3, "address", "1 Egret Road North", id="direction off the city"),
        pytest.param(GULF, 3, "city", "Aster", id="invisible blank"),
        pytest.param(GULF, 4, "reject_reason", "not_food_assistance", id="job resource"),
        pytest.param(GULF, 4, "notes", "Write to", id="e-mail in notes"),
        pytest.param(GULF, 5, "zip", None, id="ZIP of no state there"),
        pytest.param(GULF, 6, "city", "Prichard", id="town at the end of the street"),
        pytest.param(GULF, 6, "hours_text", "Fridays: Noon", id="noon is a time"),
        pytest.param(GULF, 7, "city", "Mobile", id="dot before the city"),
        pytest.param(GULF, 7, "resource_type", "food_pantry", id="the city of Mobile does not move"),
        pytest.param(GULF, 8, "address", "6 Clover Rd Unit 9", id="unit off the city"),
        pytest.param(NYC, 1, "phone", "718-555-0101 ext. 12", id="phone from the address"),
        pytest.param(NYC, 1, "address", None, id="no address"),
        pytest.param(NYC, 1, "lat", None, id="City Hall"),
        pytest.param(NYC, 2, "lat", None, id="Chile"),
        pytest.param(NYC, 2, "city", None, id="no city is guessed"),
        pytest.param(SHSV, 1, "source_key", "silicon_valley:001TESTQAR", id="publisher's id"),
        pytest.param(SHSV, 1, "hours_text", "Frequency: Daily", id="frequency"),
        pytest.param(SHSV, 1, "eligibility_text", "Only Seniors (60+, 55+ with a disability)", id="eligibility"),
        pytest.param(SHSV, 1, "notes", "Ask for", id="rest of the notes"),
        pytest.param(SHSV, 1, "requirements_text", "No documents required", id="documents"),
        pytest.param(SHSV, 1, "services_text", "Ready-To-Eat Meals, Walk up", id="services"),
        pytest.param(SHSV, 1, "resource_type", "soup_kitchen", id="only meals"),
        pytest.param(SHSV, 1, "state", "CALIFORNIA", id="state names are left to the cleaning"),
        pytest.param(SHSV, 2, "resource_type", "food_pantry", id="groceries and meals"),
        pytest.param(SHSV, 2, "notes", None, id="NONE is no note"),
        pytest.param(SHSV, 3, "hours_text", None, id="no notes at all"),
        pytest.param(FRESHTRAK, 1, "reject_reason", "duplicate_key", id="earlier record"),
        pytest.param(FRESHTRAK, 2, "reject_reason", None, id="later record"),
        pytest.param(FRESHTRAK, 2, "source_key", "freshtrak:7", id="id"),
        pytest.param(FRESHTRAK, 2, "hours_text", "2025-08-13 1 PM - 4 PM\n2025-08-20 1 PM - 4 PM", id="own slots by date"),
        pytest.param(FRESHTRAK, 2, "lat", 39.93, id="0, 0 is no point, the distribution's is"),
        pytest.param(FRESHTRAK, 2, "accepts_walkins", True, id="walk-in in every own slot"),
        pytest.param(FRESHTRAK, 2, "resource_type", "food_pantry", id="pantry and meal"),
        pytest.param(FRESHTRAK, 2, "notes", "Also called LP\nWrite to\nAlso gives out food at: 1 OTHER RD, JUNIPER, OH, 43298 (1st Monday 9am)", id="remarks"),
        pytest.param(FRESHTRAK, 3, "address", "5 HALL ST", id="food is given out elsewhere"),
        pytest.param(FRESHTRAK, 3, "lat", 40.2, id="point of that address"),
        pytest.param(FRESHTRAK, 3, "hours_text", "3rd Thursday from 5-6pm", id="regular hours"),
        pytest.param(FRESHTRAK, 3, "notes", None, id="not said twice"),
        pytest.param(FRESHTRAK, 3, "requires_appointment", True, id="reservations only"),
        pytest.param(FRESHTRAK, 3, "accepts_walkins", None, id="no walk-in said"),
        pytest.param(FRESHTRAK, 3, "resource_type", "soup_kitchen", id="meals only"),
        pytest.param(FRESHTRAK, 4, "resource_type", "senior_commodity", id="CSFP"),
        pytest.param(FRESHTRAK, 4, "address", None, id="an office is no place to go to"),
        pytest.param(FRESHTRAK, 4, "lat", None, id="nor is its point"),
        pytest.param(FRESHTRAK, 4, "city", "ASTER", id="its town is"),
        pytest.param(FRESHTRAK, 4, "notes", "Gives out food at: 1 A ST, ASTER, OH, 43297; 2 B ST, ASTER, OH, 43297", id="both are named"),
        pytest.param(CARE, 1, "hours_text", "Tuesday 11 a.m. - 1 p.m.; Thursday 4 p.m. - 6 p.m.", id="schedule"),
        pytest.param(CARE, 1, "address", "2 North St Unit B", id="two lines"),
        pytest.param(CARE, 2, "reject_reason", "not_open", id="inactive"),
        pytest.param(HUDSON, 1, "zip", "07999", id="ZIP in the description"),
        pytest.param(HUDSON, 1, "hours_text", None, id="a state is no hours"),
        pytest.param(HUDSON, 1, "county_name", "Larkspur", id="county of the attributes"),
        pytest.param(HUDSON, 1, "location_precision", None, id="an address was geocoded"),
        pytest.param(RUTGERS, 1, "location_precision", "city", id="a city was geocoded"),
        pytest.param(RUTGERS, 1, "resource_type", "food_bank", id="food bank of the attributes"),
        pytest.param(MERCER, 1, "address", "19 North Elm Avenue", id="street before a town"),
        pytest.param(MERCER, 1, "city", "Ewing", id="town of the county"),
        pytest.param(MERCER, 1, "hours_text", "Distribution is every 3rd Saturday.", id="hours"),
        pytest.param(MERCER, 2, "address", "2 Oak St Larkspur", id="unknown town stays"),
        pytest.param(MERCER, 2, "city", None, id="and is not guessed"),
        pytest.param(MERCER, 2, "notes", "Anyone in need.", id="remark"),
        pytest.param(NAPA, 1, "hours_text", "Open Tuesday, Wednesday, & Thursday Hours: 9:00-1:00 PM", id="as written"),
        pytest.param(NWNC, 1, "reject_reason", "type_not_in_catalog", id="shelter"),
        pytest.param(NWNC, 2, "resource_type", "soup_kitchen", id="soup kitchen of the services"),
        pytest.param(LIFELINE, 1, "reject_reason", "type_not_in_catalog", id="food is sold"),
        pytest.param(LIFELINE, 1, "zip", "98199", id="ZIP of the full address"),
        pytest.param(BASKET, 1, "address", "21 Koa St", id="address of the whole"),
        pytest.param(BASKET, 1, "zip", "96799", id="ZIP before a remark"),
        pytest.param(BASKET, 1, "notes", "Downtown Hilo", id="the remark"),
        pytest.param(BASKET, 2, "address", "4 Plover St", id="only a street"),
        pytest.param(BASKET, 2, "resource_type", "emergency", id="emergency food"),
    ],
)  # fmt: skip
def test_fixture(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


def test_a_pantry_and_a_food_distribution_there_are_two_records() -> None:
    keys = fixture_rows(SOURCE, GULF)["source_key"]
    assert keys.is_unique


def test_no_email_is_given_on() -> None:
    rows = fixture_rows(SOURCE, *ALL)
    assert not rows.astype("str").apply(lambda c: c.str.contains("@example.org")).to_numpy().any()


def test_every_layout_of_the_registry_has_a_reader() -> None:
    assert {layout.layout for layout in sources()[SOURCE].files} == set(LAYOUTS)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param('{"name": "A"}\n{"name": ', "line 2", id="cut off"),
        pytest.param('{"name": "A"}\n[1]', "line 2 is no object", id="a list"),
        pytest.param('{"title": "A"}', "no record has a name", id="other members"),
    ],
)
def test_another_shape_is_refused(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / NAPA).write_text(content, "utf-8")
    with pytest.raises(UnreadableFileError, match=message):
        rows_of(SOURCE, tmp_path / NAPA)


def test_an_empty_file_has_no_rows(tmp_path: Path) -> None:
    (tmp_path / NAPA).write_text("\n", "utf-8")
    assert rows_of(SOURCE, tmp_path / NAPA).empty


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "count", "keys", "rejects"),
    [
        (CAFB, 338, 338, {}),
        (CARE, 2, 2, {}),
        (CHESTER, 19, 19, {"home_delivery_only": 1}),
        (NAPA, 2, 2, {}),
        (GULF, 341, 341, {"not_food_assistance": 10}),
        (NYC, 151, 150, {}),
        (LIFELINE, 2, 2, {"type_not_in_catalog": 2}),
        (FRESHTRAK, 1_112, 801, {"duplicate_key": 311}),
        (HUDSON, 2, 2, {}),
        (MERCER, 4, 4, {}),
        (RUTGERS, 5, 5, {}),
        (NWNC, 6, 6, {"type_not_in_catalog": 1}),
        (SHSV, 286, 286, {}),
        (BASKET, 3, 3, {}),
    ],
)
def test_real_files(file: str, count: int, keys: int, rejects: dict[str, int]) -> None:
    rows = shared_rows(SOURCE, SOURCE, file)
    assert list(rows["source_row"]) == list(range(1, count + 1))
    assert rows["source_key"].nunique() == keys
    assert rows["reject_reason"].value_counts().to_dict() == rejects
    assert rows["name"].notna().all()
    text = rows[["notes", "hours_text", "website"]].astype("str")
    assert not text.apply(lambda c: c.str.contains(r"\w@\w")).to_numpy().any()


@pytest.mark.shared
@pytest.mark.parametrize("file", [CHESTER, GULF, NYC])
def test_no_made_up_point_is_given_on(file: str) -> None:
    assert shared_rows(SOURCE, SOURCE, file)[["lat", "lng"]].isna().all().all()


@pytest.mark.shared
def test_real_gulf_coast_cities_and_zips() -> None:
    rows = shared_rows(SOURCE, SOURCE, GULF)
    assert rows["city"].dropna().str.fullmatch(r"[A-Z][A-Za-z'. ]+").all()
    assert (
        not rows["city"]
        .str.match(r"(?:North|South|East|West|[NSEW]{1,2}\.?|Unit) ", na=False)
        .any()
    )
    assert rows["zip"].dropna().str.fullmatch(r"3\d{4}").all()
