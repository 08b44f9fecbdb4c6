"""Fourteen scraped locators: shifted columns go back, made-up points go away."""

from __future__ import annotations

from pathlib import Path

import pytest

from assets.sources.contract import UnreadableFileError
from assets.sources.haarrrvest_2025 import LAYOUTS
from schemas.sources.registry import sources
from tests.support.cases import cases
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


@cases(
    "file, row, field, expected",
    {
        "unit joined": (CAFB, 1, "address", "8100 Larkspur Rd Suite 5"),
        "repeated slots": (CAFB, 1, "hours_text", "Monday: 9:00:00-11:30:00, 13:00:00-15:00:00; Saturday: 9:00:00-12:00:00"),
        "metres are left to the cleaning": (CAFB, 1, "lat", 4689967.66),
        "county behind the state": (CAFB, 1, "county_name", "Prince George's County"),
        "n/a is no unit": (CAFB, 2, "address", "2 Juniper St"),
        "a remark is no county": (CAFB, 2, "county_name", None),
        "no hours": (CAFB, 2, "hours_text", None),
        "type by name": (CAFB, 2, "resource_type", "soup_kitchen"),
        "a ward is no county": (CAFB, 3, "county_name", None),
        "name from the phone": (CHESTER, 1, "name", "St. Lark Center"),
        "town cut once, at the end": (CHESTER, 1, "address", "90 Gap Larkspur Pike"),
        "town from the name": (CHESTER, 1, "city", "Larkspur"),
        "phone from the hours": (CHESTER, 1, "phone", "(610) 555-0101"),
        "no hours are left": (CHESTER, 1, "hours_text", None),
        "made-up point": (CHESTER, 1, "lat", None),
        "dash in the name": (CHESTER, 2, "name", "Juniper Aging – Honey Juniper"),
        "comma before the town": (CHESTER, 2, "address", "1 Osprey Way"),
        "ZIP behind the state": (CHESTER, 2, "zip", "19999"),
        "meals on wheels": (CHESTER, 3, "reject_reason", "home_delivery_only"),
        "not shifted as known": (CHESTER, 4, "reject_reason", "unreadable_address"),
        "number of the highway": (GULF, 1, "address", "21999 Highway 45 North"),
        "city behind it": (GULF, 1, "city", "Larkspur"),
        "house number as ZIP": (GULF, 1, "zip", None),
        "made-up point of the state": (GULF, 1, "lat", None),
        "hours from the notes, uncut": (GULF, 1, "hours_text", "1st Tuesday of the month: 9:00 a.m. - 11:00 a.m.\n\nServes 36599 only."),
        "hours are no notes": (GULF, 1, "notes", None),
        "label off the name": (GULF, 2, "name", "Juniper House"),
        "hot meal": (GULF, 2, "resource_type", "soup_kitchen"),
        "town off the street": (GULF, 2, "address", "99 Highway 77"),
        "town with St.": (GULF, 2, "city", "Bay St. Louis"),
        "appointment only": (GULF, 2, "requires_appointment", True),
        "an appointment is no hours": (GULF, 2, "hours_text", None),
        "children's meals": (GULF, 3, "resource_type", "summer_meal"),
        "direction off the city": (GULF, 3, "address", "1 Egret Road North"),
        "invisible blank": (GULF, 3, "city", "Aster"),
        "job resource": (GULF, 4, "reject_reason", "not_food_assistance"),
        "e-mail in notes": (GULF, 4, "notes", "Write to"),
        "ZIP of no state there": (GULF, 5, "zip", None),
        "town at the end of the street": (GULF, 6, "city", "Prichard"),
        "noon is a time": (GULF, 6, "hours_text", "Fridays: Noon"),
        "dot before the city": (GULF, 7, "city", "Mobile"),
        "the city of Mobile does not move": (GULF, 7, "resource_type", "food_pantry"),
        "unit off the city": (GULF, 8, "address", "6 Clover Rd Unit 9"),
        "phone from the address": (NYC, 1, "phone", "718-555-0101 ext. 12"),
        "no address": (NYC, 1, "address", None),
        "City Hall": (NYC, 1, "lat", None),
        "Chile": (NYC, 2, "lat", None),
        "no city is guessed": (NYC, 2, "city", None),
        "publisher's id": (SHSV, 1, "source_key", "silicon_valley:001TESTQAR"),
        "frequency": (SHSV, 1, "hours_text", "Frequency: Daily"),
        "eligibility": (SHSV, 1, "eligibility_text", "Only Seniors (60+, 55+ with a disability)"),
        "rest of the notes": (SHSV, 1, "notes", "Ask for"),
        "documents": (SHSV, 1, "requirements_text", "No documents required"),
        "services": (SHSV, 1, "services_text", "Ready-To-Eat Meals, Walk up"),
        "only meals": (SHSV, 1, "resource_type", "soup_kitchen"),
        "state names are left to the cleaning": (SHSV, 1, "state", "CALIFORNIA"),
        "groceries and meals": (SHSV, 2, "resource_type", "food_pantry"),
        "NONE is no note": (SHSV, 2, "notes", None),
        "no notes at all": (SHSV, 3, "hours_text", None),
        "earlier record": (FRESHTRAK, 1, "reject_reason", "duplicate_key"),
        "later record": (FRESHTRAK, 2, "reject_reason", None),
        "id": (FRESHTRAK, 2, "source_key", "freshtrak:7"),
        "own slots by date": (FRESHTRAK, 2, "hours_text", "2025-08-13 1 PM - 4 PM\n2025-08-20 1 PM - 4 PM"),
        "0, 0 is no point, the distribution's is": (FRESHTRAK, 2, "lat", 39.93),
        "walk-in in every own slot": (FRESHTRAK, 2, "accepts_walkins", True),
        "pantry and meal": (FRESHTRAK, 2, "resource_type", "food_pantry"),
        "remarks": (FRESHTRAK, 2, "notes", "Also called LP\nWrite to\nAlso gives out food at: 1 OTHER RD, JUNIPER, OH, 43298 (1st Monday 9am)"),
        "food is given out elsewhere": (FRESHTRAK, 3, "address", "5 HALL ST"),
        "point of that address": (FRESHTRAK, 3, "lat", 40.2),
        "regular hours": (FRESHTRAK, 3, "hours_text", "3rd Thursday from 5-6pm"),
        "not said twice": (FRESHTRAK, 3, "notes", None),
        "reservations only": (FRESHTRAK, 3, "requires_appointment", True),
        "no walk-in said": (FRESHTRAK, 3, "accepts_walkins", None),
        "meals only": (FRESHTRAK, 3, "resource_type", "soup_kitchen"),
        "CSFP": (FRESHTRAK, 4, "resource_type", "senior_commodity"),
        "an office is no place to go to": (FRESHTRAK, 4, "address", None),
        "nor is its point": (FRESHTRAK, 4, "lat", None),
        "its town is": (FRESHTRAK, 4, "city", "ASTER"),
        "both are named": (FRESHTRAK, 4, "notes", "Gives out food at: 1 A ST, ASTER, OH, 43297; 2 B ST, ASTER, OH, 43297"),
        "schedule": (CARE, 1, "hours_text", "Tuesday 11 a.m. - 1 p.m.; Thursday 4 p.m. - 6 p.m."),
        "two lines": (CARE, 1, "address", "2 North St Unit B"),
        "inactive": (CARE, 2, "reject_reason", "not_open"),
        "ZIP in the description": (HUDSON, 1, "zip", "07999"),
        "a state is no hours": (HUDSON, 1, "hours_text", None),
        "county of the attributes": (HUDSON, 1, "county_name", "Larkspur"),
        "an address was geocoded": (HUDSON, 1, "location_precision", None),
        "a city was geocoded": (RUTGERS, 1, "location_precision", "city"),
        "food bank of the attributes": (RUTGERS, 1, "resource_type", "food_bank"),
        "street before a town": (MERCER, 1, "address", "19 North Elm Avenue"),
        "town of the county": (MERCER, 1, "city", "Ewing"),
        "hours": (MERCER, 1, "hours_text", "Distribution is every 3rd Saturday."),
        "unknown town stays": (MERCER, 2, "address", "2 Oak St Larkspur"),
        "and is not guessed": (MERCER, 2, "city", None),
        "remark": (MERCER, 2, "notes", "Anyone in need."),
        "as written": (NAPA, 1, "hours_text", "Open Tuesday, Wednesday, & Thursday Hours: 9:00-1:00 PM"),
        "shelter": (NWNC, 1, "reject_reason", "type_not_in_catalog"),
        "soup kitchen of the services": (NWNC, 2, "resource_type", "soup_kitchen"),
        "food is sold": (LIFELINE, 1, "reject_reason", "type_not_in_catalog"),
        "ZIP of the full address": (LIFELINE, 1, "zip", "98199"),
        "address of the whole": (BASKET, 1, "address", "21 Koa St"),
        "ZIP before a remark": (BASKET, 1, "zip", "96799"),
        "the remark": (BASKET, 1, "notes", "Downtown Hilo"),
        "only a street": (BASKET, 2, "address", "4 Plover St"),
        "emergency food": (BASKET, 2, "resource_type", "emergency"),
    },
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


@cases(
    "content, message",
    {
        "cut off": ('{"name": "A"}\n{"name": ', "line 2"),
        "a list": ('{"name": "A"}\n[1]', "line 2 is no object"),
        "other members": ('{"title": "A"}', "no record has a name"),
    },
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
