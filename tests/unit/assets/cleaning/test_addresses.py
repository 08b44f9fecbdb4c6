from assets.cleaning.addresses import clean_addresses
from tests.support.cases import labelled
from tests.unit.assets.cleaning.places import example_source, places, values


@labelled("address, expected")
def test_display_address(address: str | None, expected: str | None) -> None:
    rows = clean_addresses(places({"address": address, "city": "Salem"}), example_source())
    assert values(rows, "address") == (expected,)


@labelled("address, expected")
def test_the_place_of_the_row_is_not_repeated(address: str, expected: str | None) -> None:
    row = {"address": address, "city": "SALEM", "state": "MA", "zip": "01970"}
    rows = clean_addresses(places(row), example_source())
    assert values(rows, "address") == (expected,)


@labelled("city, expected")
def test_city_and_county_case(city: str, expected: str) -> None:
    rows = clean_addresses(places({"city": city, "county_name": city}), example_source())
    assert values(rows, "city", "county_name") == (expected, expected)
