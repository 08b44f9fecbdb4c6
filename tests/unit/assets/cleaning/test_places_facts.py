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
from tests.support.cases import labelled
from tests.unit.assets.cleaning.places import example_source, places, values

SOURCE = example_source()


@labelled("state, expected")
def test_states(state: str, expected: str | None) -> None:
    rows = clean_states(places({"state": state, "zip": None}), SOURCE)
    reason = None if expected else "no_state"
    assert values(rows, "state", "reject_reason") == (expected, reason)


@labelled("row, expected, reason")
def test_states_that_need_a_second_look(
    row: dict[str, Any], expected: str | None, reason: str | None
) -> None:
    rows = clean_states(places(row), SOURCE)
    assert values(rows, "state", "reject_reason") == (expected, reason)


@labelled("row, expected, reason")
def test_zips(row: dict[str, Any], expected: str | None, reason: str | None) -> None:
    rows = clean_zips(places(row), SOURCE)
    assert values(rows, "zip", "reject_reason") == (expected, reason)


@labelled("row, display, e164, notes")
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


@labelled("row, expected")
def test_points(row: dict[str, Any], expected: list[Any]) -> None:
    rows = clean_points(places({"location_precision": "street", **row}), SOURCE)
    assert [*values(rows, "lat", "lng", "location_precision")] == expected


@labelled("address, is_confidential")
def test_withheld_addresses(address: str | None, is_confidential: bool) -> None:
    rows = mark_withheld(places({"address": address}), SOURCE)
    shown_address = None if is_confidential else address
    assert values(rows, "is_confidential", "address") == (is_confidential, shown_address)


@labelled("row, is_confidential, reason")
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


@labelled("notes, expected")
def test_emails_leave(notes: str, expected: str | None) -> None:
    assert values(remove_personal_data(places({"notes": notes}), SOURCE), "notes") == (expected,)


@labelled("name, resource_type, rule")
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
