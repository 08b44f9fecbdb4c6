"""State, ZIP, phone, website, point, withheld addresses, personal data and types, one step at a
time.
"""

from typing import Any

import pytest

from assets.cleaning.addresses import (
    clean_phones,
    clean_points,
    clean_states,
    clean_websites,
    clean_zips,
)
from assets.cleaning.people import remove_personal_data
from assets.cleaning.types import check_types, contradicts_type
from assets.cleaning.withheld import mark_withheld
from tests.unit.assets.cleaning.places import example_source, places, values

SOURCE = example_source()


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("MA", "MA"),
        ("ma", "MA"),
        ("Massachusetts", "MA"),
        ("CALIFORNIA", "CA"),
        ("Calif.", "CA"),
        ("D.C.", "DC"),
        ("N. Y.", "NY"),
        ("District of Columbia", "DC"),
        ("Washington, DC", None),
        ("US-TX", "TX"),
        ("06", "CA"),
        ("6", "CA"),
        ("72", "PR"),
        ("Puerto Rico", "PR"),
        ("VI", "VI"),
        ("Virgin Islands", "VI"),
        ("GU", "GU"),
        ("AS", "AS"),
        ("MP", "MP"),
        ("Nuevo México", "NM"),
        ("Cali", None),
        ("99", None),
        ("MAS", None),
    ],
)
def test_states(state: str, expected: str | None) -> None:
    rows = clean_states(places({"state": state, "zip": None}), SOURCE)
    reason = None if expected else "no_state"
    assert values(rows, "state", "reject_reason") == (expected, reason)


@pytest.mark.parametrize(
    ("row", "expected", "reason"),
    [
        ({"state": None}, None, "no_state"),
        ({"state": None, "zip": "01970"}, None, None),
        ({"state": None, "zip": "1970"}, None, "no_state"),
        ({"state": None, "lat": 42.5, "lng": -70.9}, None, None),
        ({"state": None, "lat": 42.5}, None, "no_state"),
        ({"state": "55", "zip": "73127"}, None, None),
        ({"state": "55", "zip": "53202"}, "WI", None),
        ({"state": "FM", "zip": "96941"}, None, "outside_area"),
        ({"state": "MH"}, None, "outside_area"),
        ({"state": "PW"}, None, "outside_area"),
        ({"state": "PH", "zip": "01302"}, None, "outside_area"),
        ({"state": "Ontario"}, None, "outside_area"),
        ({"state": "ON"}, None, "outside_area"),
        ({"state": "AE", "zip": "09012"}, None, "military_address"),
        ({"state": "AP"}, None, "military_address"),
    ],
)
def test_states_that_need_a_second_look(
    row: dict[str, Any], expected: str | None, reason: str | None
) -> None:
    rows = clean_states(places(row), SOURCE)
    assert values(rows, "state", "reject_reason") == (expected, reason)


@pytest.mark.parametrize(
    ("row", "expected", "reason"),
    [
        ({"zip": "01970-1234", "state": "MA"}, "01970", None),
        ({"zip": "1970", "state": "MA"}, "01970", None),
        ({"zip": "736", "state": "PR"}, "00736", None),
        ({"zip": "926", "state": "PR"}, "00926", None),
        ({"zip": "1970", "state": "CA"}, None, None),
        ({"zip": "1970", "state": None}, None, None),
        ({"zip": "15213.0", "state": "PA"}, "15213", None),
        ({"zip": "94110", "state": "MA"}, "94110", None),
        ({"zip": "00000", "state": "MA"}, None, None),
        ({"zip": "99999", "state": "AK"}, None, None),
        ({"zip": "see notes", "state": "MA"}, None, None),
        ({"zip": "09012", "state": None}, "09012", "military_address"),
        ({"zip": "01970", "state": None}, "01970", None),
    ],
)
def test_zips(row: dict[str, Any], expected: str | None, reason: str | None) -> None:
    rows = clean_zips(places(row), SOURCE)
    assert values(rows, "zip", "reject_reason") == (expected, reason)


@pytest.mark.parametrize(
    ("row", "display", "e164", "notes"),
    [
        ({"phone": "978-555-0142 x12"}, "(978) 555-0142 ext. 12", "+19785550142", None),
        ({"phone": "000-000-0000"}, None, None, None),
        ({"phone": "555-0142"}, None, None, None),
        ({"phone": None, "phone_e164": "+19785550142"}, "(978) 555-0142", "+19785550142", None),
        ({"phone": "000-000-0000", "phone_e164": "+19785550142"}, None, None, None),
        (
            {"phone": "978-555-0142 / 617-555-0143", "notes": "Ring bell"},
            "(978) 555-0142",
            "+19785550142",
            "Ring bell\nOther phone: (617) 555-0143",
        ),
        (
            {"phone": "978-555-0142, 617-555-0143 x4, 617-555-0144"},
            "(978) 555-0142",
            "+19785550142",
            "Other phone: (617) 555-0143 ext. 4, (617) 555-0144",
        ),
        ({"phone": "Call 2-1-1"}, None, None, "Other phone: 211"),
        ({"phone": "988"}, None, None, "Other phone: 988"),
        ({"phone": None, "notes": "Ring bell"}, None, None, "Ring bell"),
    ],
)
def test_phones(
    row: dict[str, Any], display: str | None, e164: str | None, notes: str | None
) -> None:
    rows = clean_phones(places(row), SOURCE)
    assert values(rows, "phone", "phone_e164", "notes") == (display, e164, notes)


@pytest.mark.parametrize(
    ("website", "expected"),
    [("www.example.org", "http://www.example.org"), ("http://", None), ("a@example.org", None)],
)
def test_websites(website: str, expected: str | None) -> None:
    assert values(clean_websites(places({"website": website}), SOURCE), "website") == (expected,)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"lat": 42.5, "lng": -70.9}, (42.5, -70.9, "street")),
        ({"lat": 6117032.3, "lng": -13603218.7}, (6117032.3, -13603218.7, "street")),
        ({"lat": -70.9, "lng": 42.5}, (-70.9, 42.5, "street")),
        ({"lat": 0.0, "lng": 0.0}, (None, None, None)),
        ({"lat": 0.0, "lng": -70.9}, (None, None, None)),
        ({"lat": 42.5, "lng": None}, (None, None, None)),
        ({"lat": None, "lng": -70.9}, (None, None, None)),
        ({"lat": float("inf"), "lng": -70.9}, (None, None, None)),
        ({"lat": 42.5, "lng": -70.9, "is_confidential": True}, (None, None, None)),
    ],
)
def test_points(row: dict[str, Any], expected: tuple[Any, ...]) -> None:
    rows = clean_points(places({"location_precision": "street", **row}), SOURCE)
    assert values(rows, "lat", "lng", "location_precision") == expected


@pytest.mark.parametrize(
    ("address", "is_confidential"),
    [
        ("- - -", True),
        ("Confidential", True),
        ("CONFIDENTIAL LOCATION", True),
        ("Undisclosed address", True),
        ("Address not disclosed", True),
        ("Call for location", True),
        ("Please call 978-555-0142 for address", True),
        ("Llame para la dirección", True),
        ("12 Oak St (call for location)", True),
        ("Anonymous", True),
        ("Private location", True),
        ("Safe location", True),
        ("Address not published", True),
        ("Location provided after intake", True),
        ("Dirección protegida", True),
        ("12 Private Dr", False),
        ("12 Hidden Valley Rd", False),
        ("401 Public Sq", False),
        ("12 Oak St, call for directions", False),
        ("-", False),
        ("--", False),
        ("12 Oak St", False),
        (None, False),
    ],
)
def test_withheld_addresses(address: str | None, is_confidential: bool) -> None:
    rows = mark_withheld(places({"address": address}), SOURCE)
    shown_address = None if is_confidential else address
    assert values(rows, "is_confidential", "address") == (is_confidential, shown_address)


@pytest.mark.parametrize(
    ("row", "is_confidential", "reason"),
    [
        ({"name": "Alda Domestic Violence Services"}, True, None),
        ({"name": "Alda Sexual Assault Center"}, True, None),
        ({"name": "Coalition Against Rape"}, True, None),
        ({"name": "Casa Alda: apoyo contra la violencia doméstica"}, True, None),
        ({"name": "Alda Battered Women's Program"}, True, None),
        ({"name": "Food Pantry", "organization": "Family Violence Project of Alda"}, True, None),
        ({"name": "Alda Women's Shelter"}, False, "awaits_review"),
        ({"name": "Shelter for Women of Alda"}, False, "awaits_review"),
        ({"name": "Alda Safehouse"}, False, "awaits_review"),
        ({"name": "Franklin Avenue Women's Shelter"}, True, None),
        ({"name": "City of Refuge Church"}, False, None),
        ({"name": "Homeless Shelter"}, False, None),
        ({"name": "Alda Crisis Center"}, False, None),
        ({"name": "Substance Abuse Center"}, False, None),
        ({"name": "Grapevine Elementary"}, False, None),
    ],
)
def test_shelters_from_violence(
    row: dict[str, Any], is_confidential: bool, reason: str | None
) -> None:
    rows = mark_withheld(places({"address": "12 Oak St", **row}), SOURCE)
    address = None if is_confidential else "12 Oak St"
    shown = values(rows, "is_confidential", "address", "reject_reason")
    assert shown == (is_confidential, address, reason)


def test_a_place_the_source_calls_confidential_gets_no_street() -> None:
    row = {"address": "12 Oak St", "is_confidential": True}
    assert values(mark_withheld(places(row), SOURCE), "address") == (None,)


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        ("Write to maria@example.org.", "Write to ."),
        ("E-mail: maria@example.org", None),
        ("Ring bell; email maria.lopez+x@mail.example.org", "Ring bell"),
        ("Side door (maria@example.org)", "Side door"),
        ("mailto:maria@example.org", None),
        ("maria [at] example [dot] org", None),
        ("a@example.org, b@example.org", None),
        ("Correo electrónico: maria@example.org\nToque", "Toque"),
        ("Follow @examplepantry", "Follow @examplepantry"),
        ("Food @ 5 pm", "Food @ 5 pm"),
    ],
)
def test_emails_leave(notes: str, expected: str | None) -> None:
    assert values(remove_personal_data(places({"notes": notes}), SOURCE), "notes") == (expected,)


@pytest.mark.parametrize(
    ("name", "resource_type", "rule"),
    [
        ("2015 Ford Transit", "health_center", "vehicle_as_clinic"),
        ("FORD E-350", "health_center", "vehicle_as_clinic"),
        ("2015 Ford Transit Mobile Clinic", "health_center", None),
        ("Ford Heights Health Center", "health_center", None),
        ("Ram Community Clinic", "health_center", None),
        ("Lincoln Elementary School", "food_pantry", "school_as_pantry"),
        ("Lincoln High Schools", "food_pantry", "school_as_pantry"),
        ("Lincoln Elementary School Food Pantry", "food_pantry", None),
        ("County Services - Lincoln High School", "food_pantry", None),
        ("Lincoln Elementary School", "school_meal", None),
        ("Lincoln Elementary School", "mobile_pantry", None),
        ("Dollar General #1234", "food_pantry", "shop_as_free_food"),
        ("7-Eleven 2353A", "food_pantry", "shop_as_free_food"),
        ("Dollar General #1234", "snap_retailer", None),
        ("Target Hunger Pantry", "food_pantry", None),
        ("Old Mill Brewery - Utica", "soup_kitchen", "eatery_as_free_food"),
        ("Ann's Pizzeria", "food_pantry", "eatery_as_free_food"),
        ("Blue Heron Restaurant", "mobile_pantry", "eatery_as_free_food"),
        ("Blue Heron Restaurant", "rmp_restaurant", None),
        ("Restaurant Workers Aid Distribution", "food_pantry", None),
        ("Grill Street Baptist Church", "food_pantry", None),
        ("Eldercare Locator", "soup_kitchen", "line_as_place"),
        ("Example Crisis Line", "emergency", "line_as_place"),
        ("Utica SNAP Screener", "food_pantry", "application_as_food"),
        ("Utica SNAP Screener", "snap_office", None),
        ("Heron After School Program", "food_pantry", "child_care_as_pantry"),
        ("Heron Daycare", "emergency", "child_care_as_pantry"),
        ("Heron Preschool Food Pantry", "food_pantry", None),
        ("Test", "food_pantry", "test_record"),
        ("Sample Food Pantry 1", "food_pantry", "test_record"),
        ("Ann test pantry", "food_pantry", "test_record"),
        ("Test Site 2", "wic_office", "test_record"),
        ("asdf", "soup_kitchen", "test_record"),
        ("Samples Family Pantry", "food_pantry", None),
        ("Testament Church Pantry", "food_pantry", None),
        ("Latest Harvest Pantry", "food_pantry", None),
    ],
)
def test_types_that_the_name_contradicts(name: str, resource_type: str, rule: str | None) -> None:
    rows = check_types(places({"name": name, "resource_type": resource_type}), SOURCE)
    expected = ("type_contradiction", f"{rule}: {name}") if rule else (None, None)
    assert values(rows, "reject_reason", "reject_detail") == expected


@pytest.mark.parametrize("detail", ["hours_text", "services_text"])
def test_a_school_with_hours_or_services_is_a_pantry(detail: str) -> None:
    name = "Lincoln Elementary School"
    assert contradicts_type(name, "food_pantry", has_detail=True) is None
    assert contradicts_type("7-Eleven 2353A", "food_pantry", has_detail=True) == "shop_as_free_food"
    described = check_types(places({"name": name, detail: "Groceries, 2nd Sat 9-11"}), SOURCE)
    assert values(described, "reject_reason") == (None,)
