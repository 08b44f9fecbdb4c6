# ruff: noqa: C408 - cases read better as calls
"""Locating places: named cases, without polygons (packages only), as every build without files
runs.
"""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from assets.geography.model import Geography
from assets.geography.place_points import locate
from schemas.attributes import ATTRIBUTE_NAMES
from schemas.tables.core import LOCATED, PLACES, REJECTS
from tests.support.cases import cases
from tests.support.geography import packaged_geography

_TYPES = {"string": "str", "integer": "Int64", "number": "float64", "boolean": "boolean"}


@pytest.fixture(scope="module")
def geography() -> Geography:
    return packaged_geography()


def places(*rows: dict[str, Any]) -> pd.DataFrame:
    frame = pd.DataFrame(list(rows)).reindex(columns=PLACES.field_names)
    frame["source_id"] = "test"
    frame["source_row"] = range(1, len(frame) + 1)
    frame["source_key"] = frame["source_row"].astype("str")
    frame["file_name"] = "test.csv"
    frame["name"] = "Invented Place"
    frame["resource_type"] = "food_pantry"
    frame["is_public"] = True
    frame["is_synthetic"] = False
    frame["is_confidential"] = frame["is_confidential"].eq(True)
    frame["address"] = [a if isinstance(a, str) else "1 Invented Way" for a in frame["address"]]
    for field in PLACES.fields:
        if field.type in _TYPES:
            frame[field.name] = frame[field.name].astype(_TYPES[field.type])
    frame["address"] = frame["address"].mask(frame["address"].eq(""))
    return frame


def one(geography: Geography, **row: Any) -> dict[str, Any]:
    (place,) = each(geography, [row])
    return place


def each(geography: Geography, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the located place or the reject of each row."""
    frames = [frame.to_dict("records") for frame in locate(places(*rows), geography)]
    located_rows = sorted(
        (row for frame in frames for row in frame), key=lambda row: row["source_row"]
    )
    assert [row["source_row"] for row in located_rows] == list(range(1, len(rows) + 1))
    return located_rows


LOCATIONS = [
    # name, row, (method, precision, timezone)
    ("anchorage", dict(state="AK", zip="99503", city="Anchorage", lat=61.19, lng=-149.89), ("source", "street", "America/Anchorage")),
    ("fairbanks", dict(state="AK", zip="99701", city="Fairbanks"), ("zip_centroid", "zip", "America/Anchorage")),
    ("adak", dict(state="AK", zip="99546", city="Adak", lat=51.88, lng=-176.65), ("source", "street", "America/Adak")),
    ("guam", dict(state="GU", zip="96913", city="Barrigada", lat=13.47, lng=144.80), ("source", "street", "Pacific/Guam")),
    ("guam_false_minus", dict(state="GU", zip="96913", city="Barrigada", lat=13.47, lng=-144.80), ("source_sign", "street", "Pacific/Guam")),
    ("samoa_lost_minus", dict(state="AS", zip="96799", city="Pago Pago", lat=14.28, lng=-170.70), ("source_sign", "street", "Pacific/Pago_Pago")),
    ("puerto_rico", dict(state="PR", zip="00680", city="MAYAGÜEZ", lat=18.2, lng=-67.14), ("source", "street", "America/Puerto_Rico")),
    ("navajo_nation", dict(state="AZ", zip="86515", city="Window Rock", lat=35.68, lng=-109.05), ("source", "street", "America/Denver")),
    ("phoenix", dict(state="AZ", zip="85003", city="Phoenix", lat=33.45, lng=-112.08), ("source", "street", "America/Phoenix")),
    ("lost_minus", dict(state="GA", zip="31513", city="Baxley", lat=31.764, lng=82.355), ("source_sign", "street", "America/New_York")),
    ("swapped", dict(state="WA", zip="99344", city="Othello", lat=-119.169, lng=46.827), ("source_swapped", "street", "America/Los_Angeles")),
    ("web_mercator", dict(state="MD", zip="20735", city="Clinton", lat=4689967.66, lng=-8559199.79), ("source_web_mercator", "street", "America/New_York")),
    ("caracas_california", dict(state="CA", zip="90012", city="Los Angeles", lat=10.476636, lng=-66.845497), ("zip_centroid", "zip", "America/Los_Angeles")),
    ("zero_point", dict(state="OH", zip="43206", city="Columbus", lat=0.0, lng=0.0), ("zip_centroid", "zip", "America/New_York")),
    ("half_a_point", dict(state="OH", zip="43206", city="Columbus", lat=39.9), ("zip_centroid", "zip", "America/New_York")),
    ("city_only", dict(state="MN", city="Saint Paul"), ("city_centroid", "city", "America/Chicago")),
    ("county_only", dict(state="MN", county_name="Ramsey County"), ("county_centroid", "county", "America/Chicago")),
    ("county_of_an_unknown_city", dict(state="MN", city="No Such Town", county_name="RAMSEY"), ("county_centroid", "county", "America/Chicago")),
    ("city_before_county", dict(state="MN", city="Saint Paul", county_name="Ramsey"), ("city_centroid", "city", "America/Chicago")),
    ("confidential_county", dict(state="MN", county_name="Ramsey", is_confidential=True), ("county_centroid", "county", "America/Chicago")),
    ("own_precision", dict(state="CA", zip="94952", city="Petaluma", lat=38.23, lng=-122.64, location_precision="zip"), ("source", "zip", "America/Los_Angeles")),
    ("stray_in_another_borough", dict(state="NY", zip="10036", city="New York", lat=40.66, lng=-73.95), ("zip_centroid", "zip", "America/New_York")),
    ("stray_across_the_state", dict(state="CA", zip="96041", city="Hayfork", lat=33.75, lng=-117.87), ("zip_centroid", "zip", "America/Los_Angeles")),
    ("far_from_zip_and_city_unknown", dict(state="NC", zip="28694", city="Glendale Springs", lat=34.828, lng=-80.06), ("zip_centroid", "zip", "America/New_York")),
    ("far_point_of_a_zip", dict(state="CA", zip="93271", city="Three Rivers", lat=37.443, lng=-120.79, location_precision="zip"), ("zip_centroid", "zip", "America/Los_Angeles")),
    ("far_in_the_widest_zip", dict(state="AK", zip="99740", city="Fort Yukon", lat=66.571, lng=-145.238), ("source", "street", "America/Anchorage")),
    ("another_part_of_the_city", dict(state="NY", zip="11226", city="Brooklyn", lat=40.71, lng=-73.96), ("zip_centroid", "zip", "America/New_York")),
    ("zip_of_another_city", dict(state="NY", zip="10036", city="Brooklyn", lat=40.66, lng=-73.95), ("source", "street", "America/New_York")),
    ("at_the_edge_of_a_wide_zip", dict(state="WA", zip="98022", city="Enumclaw", lat=47.2, lng=-122.0), ("source", "street", "America/Los_Angeles")),
    ("below_the_mountains_of_its_zip", dict(state="CA", zip="91702", city="Azusa", lat=34.13, lng=-117.9), ("source", "street", "America/Los_Angeles")),
    ("another_end_of_the_city", dict(state="NY", zip="10040", city="New York", lat=40.7165, lng=-73.9855), ("zip_centroid", "zip", "America/New_York")),
    ("invented_beside_the_next_town", dict(state="FL", zip="32571", city="Pace", lat=30.4150, lng=-87.2170), ("zip_centroid", "zip", "America/Chicago")),
    ("county_of_the_zip_is_not_that_of_the_point", dict(state="NJ", zip="08817", county_name="Middlesex", lat=40.6700, lng=-74.3900), ("zip_centroid", "zip", "America/New_York")),
    ("no_zip_and_another_town", dict(state="OH", city="Marietta", lat=41.4993, lng=-81.6944), ("city_centroid", "city", "America/New_York")),
    ("no_zip_and_the_other_town_of_its_name", dict(state="IL", city="Chatham", lat=41.7412, lng=-87.6126), ("source", "street", "America/Chicago")),
    ("post_office_box_across_the_city", dict(state="WA", zip="98206", city="Everett", lat=47.9720, lng=-122.2100), ("source", "street", "America/Los_Angeles")),
    ("confidential_without_city", dict(state="SD", zip="57701", is_confidential=True), ("city_centroid", "city", "America/Denver")),
    ("connecticut", dict(state="CT", zip="06001", city="Avon", lat=41.79, lng=-72.86), ("source", "street", "America/New_York")),
]  # fmt: skip


def test_located(geography: Geography) -> None:
    rows = each(geography, [row for _, row, _ in LOCATIONS])
    facts = [(f["location_method"], f["location_precision"], f["timezone"]) for f in rows]
    assert _by_name(LOCATIONS, facts) == {name: expected for name, _, expected in LOCATIONS}


def _by_name(cases: list[Any], facts: list[Any]) -> dict[str, Any]:
    return {case[0]: fact for case, fact in zip(cases, facts, strict=True)}


REJECTED = [
    ("amsterdam_without_zip", dict(state="CA", city="Nowhere Town", lat=52.382286, lng=4.8152151), "point_outside_state", "lat 52.382286, lng 4.8152151, state CA"),
    ("cape_town", dict(state="Western Cape", zip="07490", city="Cape Town", lat=-33.97, lng=18.58), "state_unknown", "state Western Cape"),
    ("no_state", dict(city="Springfield"), "state_unknown", "state missing"),
    ("zip_of_another_city", dict(state="NY", zip="10001", city="Buffalo Grove Center", lat=41.88, lng=-87.63), "point_outside_state", "lat 41.88, lng -87.63, state NY"),
    ("nothing", dict(state="TX", city="No Such Town"), "no_location", "no point; city no such town, ZIP missing"),
    ("contradiction", dict(state="TX", zip="60601", city="No Such Town"), "state_zip_conflict", "state TX, ZIP 60601 is in IL"),
    ("city_in_both", dict(state="IL", zip="01101", city="Springfield"), "state_zip_conflict", "state IL, ZIP 01101 is in MA"),
    ("county_of_another_state", dict(state="MN", county_name="Los Angeles County"), "no_location", "no point; city , ZIP missing"),
    ("military", dict(state="GA", zip="09001", city="APO"), "no_location", "no point; city apo, ZIP 09001"),
]  # fmt: skip


def test_rejected(geography: Geography) -> None:
    rows = each(geography, [row for _, row, *_ in REJECTED])
    facts = [(f["reject_reason"], f["reject_detail"]) for f in rows]
    assert _by_name(REJECTED, facts) == {name: (r, d) for name, _, r, d in REJECTED}


EVIDENCE = [
    ("school_office_in_chicago", dict(state="FL", zip="60601", city="Chicago", lat=41.885, lng=-87.62), ("IL", "60601")),
    ("state_from_zip", dict(zip="01970", city="Salem"), ("MA", "01970")),
    ("city_confirms_state", dict(state="OR", zip="60601", city="Portland", lat=45.52, lng=-122.67), ("OR", None)),
    ("post_serves_both_sides", dict(state="TN", zip="42223", city="Fort Campbell", lat=36.62, lng=-87.44), ("TN", "42223")),
    ("zip_far_from_the_city_and_its_point", dict(state="CA", zip="93239", city="Redwood City", lat=37.46, lng=-122.238), ("CA", "94061")),
    ("digits_of_the_zip_swapped", dict(state="NJ", zip="08055", city="Bordentown", lat=40.1460, lng=-74.7110), ("NJ", "08505")),
    ("zip_of_the_next_town", dict(state="NJ", zip="07029", city="Jersey City", lat=40.7470, lng=-74.0490), ("NJ", "07307")),
    ("zip_filled_where_clear", dict(state="MA", city="Nantucket", lat=41.2835, lng=-70.0995), ("MA", "02554")),
    ("zip_not_filled_for_another_city", dict(state="MA", city="Boston", lat=41.2835, lng=-70.0995), ("MA", None)),
    ("zip_not_filled_between_two", dict(state="NY", city="New York", lat=40.7485, lng=-73.99), ("NY", None)),
]  # fmt: skip


def test_state_and_zip(geography: Geography) -> None:
    rows = each(geography, [row for _, row, _ in EVIDENCE])
    facts = [(f["state"], f["zip"] if isinstance(f["zip"], str) else None) for f in rows]
    assert _by_name(EVIDENCE, facts) == {name: expected for name, _, expected in EVIDENCE}


def test_confidential_places_show_only_their_city(geography: Geography) -> None:
    row = dict(
        state="SD", city="Rapid City", address="1 Invented Way", zip="57701", lat=44.08, lng=-103.23
    )
    place = one(geography, **row, is_confidential=True)
    assert (place["location_method"], place["location_precision"]) == ("city_centroid", "city")
    assert pd.isna(place["address"])
    assert pd.isna(place["zip"])
    assert (place["lat"], place["lng"]) != (44.08, -103.23)


_STREET = [f"{n} Invented St" for n in range(21)]


@cases(
    "zips, addresses, precision",
    {
        "20 addresses": (["10007"] * 20, _STREET[:20], "street"),
        "21 addresses": (["10007"] * 21, _STREET, "zip"),
        "three ZIP codes": (["10007", "10038", "10013"], _STREET[:3], "zip"),
        "two ZIP codes": (["10007", "10038", "10038"], _STREET[:3], "street"),
        "one address, as in a mall": (["10007"] * 30, ["1 Mall Way"] * 30, "street"),
    },
)
def test_copied_points(
    geography: Geography, zips: list[str], addresses: list[str], precision: str
) -> None:
    point = {"state": "NY", "city": "New York", "lat": 40.7128, "lng": -74.006}
    rows = [
        {"zip": z, "address": address, **point} for z, address in zip(zips, addresses, strict=True)
    ]
    located, _ = locate(places(*rows), geography)
    assert set(located["location_precision"]) == {precision}


# Towns around Mobile, with their ZIP codes; the list gives all of them a point in its middle.
_AROUND = {
    "36525": "Creola", "36571": "Saraland", "36572": "Satsuma", "36541": "Grand Bay",
    "36582": "Theodore", "36532": "Fairhope", "36526": "Daphne", "36535": "Foley",
    "36551": "Loxley", "36567": "Robertsdale", "36521": "Chunchula", "36608": "Mobile",
}  # fmt: skip


def _invented_list(count: int, **values: Any) -> list[dict[str, Any]]:
    """Return places whose points are the middle of Mobile with some noise."""
    noise = np.random.default_rng(7).uniform(-0.005, 0.005, (count, 2))
    towns = [*_AROUND.items()]
    return [
        {
            **{"state": "AL", "zip": towns[n % 12][0], "city": towns[n % 12][1]},
            **{"address": f"{n} Invented Rd", "lat": 30.694 + north, "lng": -88.043 + east},
            **values,
        }
        for n, (north, east) in enumerate(noise)
    ]


@cases(
    "count, here, elsewhere",
    {
        # 36608 is so wide that a point in the middle of Mobile does not contradict it.
        "many addresses": (36, {"zip"}, {"street"}),
        "few addresses": (8, {"zip", "street"}, {"street"}),
    },
)
def test_invented_points_are_withdrawn_with_those_that_fit_by_chance(
    geography: Geography, count: int, here: set[str], elsewhere: set[str]
) -> None:
    near = _invented_list(count)
    near += [{**near[0], "zip": "36602", "city": "Mobile", "address": "1 Royal St"}]
    far = [
        {"state": "NY", "zip": "10002", "city": "New York", "address": f"{n} Invented St"}
        | {"lat": 40.712 + n / 1000, "lng": -73.984}
        for n in range(50)
    ]
    rows = each(geography, near + far)
    assert {row["location_precision"] for row in rows[: len(near)]} == here
    assert {row["location_precision"] for row in rows[len(near) :]} == elsewhere


def test_no_point_of_a_list_of_invented_points_is_used(geography: Geography) -> None:
    fair = {"state": "NY", "zip": "10002", "city": "New York", "address": "1 Invented St"}
    fair |= {"lat": 40.7165, "lng": -73.9855}
    rows = each(geography, [*_invented_list(30), fair])
    assert {row["location_precision"] for row in rows} == {"zip"}


def test_the_county_tells_towns_of_a_name_apart(geography: Geography) -> None:
    own, other = (
        one(geography, state="IL", city="Chatham", county_name=c) for c in ("Sangamon", "Cook")
    )
    assert own["county_name"] == "Sangamon County" or own["lat"] < 40
    assert other["lat"] > 41


CITIES = [
    # name, row, (address, city)
    ("number_of_a_road", dict(state="FL", zip="32565", city="178 Jay", address="4025 County Rd"), ("4025 County Rd 178", "Jay")),
    ("end_of_a_street", dict(state="ME", zip="04043", city="Rd. Kennebunk", address="34 Portland"), ("34 Portland Rd.", "Kennebunk")),
    ("number_and_a_wrong_zip", dict(state="AL", zip="21950", city="36 Summerdale", address="21950 County Road"), ("21950 County Road 36", "Summerdale")),
    ("unit", dict(state="AL", zip="36535", city="Unit B Foley", address="9 Invented St"), ("9 Invented St Unit B", "Foley")),
    ("direction", dict(state="AL", zip="36609", city="South Mobile", address="501 Invented Blvd"), ("501 Invented Blvd South", "Mobile")),
    ("town_cut_off", dict(state="CT", zip="06511", city="Haven", address="255 Goffe Street New"), ("255 Goffe Street", "New Haven")),
    ("saint_cut_off", dict(state="MS", zip="39520", city="Louis", address="12 Oak Street Bay Saint"), ("12 Oak Street", "Bay Saint Louis")),
    ("none", dict(state="NY", zip="10002"), ("1 Invented Way", "New York")),
    ("quarter", dict(state="NJ", zip="07108", city="South Broad Street"), ("1 Invented Way", "Newark")),
    ("crossing", dict(state="NC", zip="28269", city="Slater Road / Hamilton Circle"), ("1 Invented Way", "Charlotte")),
    ("town_across_the_state", dict(state="FL", zip="33101", city="Pensacola"), ("1 Invented Way", "Miami")),
    ("next_town", dict(state="NJ", zip="07302", city="Hoboken"), ("1 Invented Way", "Hoboken")),
    ("town_named_like_a_street", dict(state="PA", zip="17584", city="Willow Street"), ("1 Invented Way", "Willow Street")),
    ("town_with_a_direction", dict(state="NJ", zip="07508", city="North Haledon"), ("1 Invented Way", "North Haledon")),
    ("no_zip_and_a_street_word", dict(state="NC", county_name="Wake", city="Slater Road"), ("1 Invented Way", None)),
    ("no_zip_and_a_point_in_a_city", dict(state="WA", lat=47.5997, lng=-122.3273), ("1 Invented Way", "Seattle")),
    ("no_zip_and_a_point", dict(state="MA", lat=41.2835, lng=-70.0995), ("1 Invented Way", "Nantucket")),
]  # fmt: skip


def test_cities(geography: Geography) -> None:
    rows = each(geography, [row for _, row, _ in CITIES])
    facts = [(f["address"], f["city"] if isinstance(f["city"], str) else None) for f in rows]
    assert _by_name(CITIES, facts) == {name: expected for name, _, expected in CITIES}


def test_a_place_that_states_only_a_town_has_its_precision(geography: Geography) -> None:
    row = {"state": "NY", "city": "New York", "lat": 40.7165, "lng": -73.9855, "address": ""}
    assert one(geography, **row)["location_precision"] == "city"
    assert one(geography, **row, zip="10002")["location_precision"] == "zip"
    assert one(geography, **{**row, "address": "1 Ave A"})["location_precision"] == "street"


def test_a_confidential_place_has_the_town_of_its_zip_code(geography: Geography) -> None:
    place = one(geography, state="SD", zip="57701", is_confidential=True)
    assert (place["city"], place["location_precision"]) == ("Rapid City", "city")
    assert pd.isna(place["zip"])


def test_contract(geography: Geography) -> None:
    frame = places(*[case[1] for case in LOCATIONS], *[case[1] for case in REJECTED])
    located, rejects = locate(frame, geography)
    # Hours and attributes are read after locating.
    attributes = {*ATTRIBUTE_NAMES} - {*PLACES.field_names}
    added_later = {"schedules_json", "hours_json", *attributes}
    assert list(located.columns) == [n for n in LOCATED.field_names if n not in added_later]
    assert list(rejects.columns) == REJECTS.field_names
    assert (len(located), len(rejects)) == (len(LOCATIONS), len(REJECTED))
    for name in (n for n in LOCATED.required_names if n != "retrieved_at"):
        assert located[name].notna().all(), name
    again, _ = locate(frame.copy(), geography)
    pd.testing.assert_frame_equal(located, again)


def test_counties_of_two_vintages_do_not_mix(geography: Geography) -> None:
    assert one(geography, **LOCATIONS[-1][1])["county_fips"] == "09003"


def test_a_county_that_was_named_is_the_county(geography: Geography) -> None:
    place = one(geography, state="MN", county_name="Ramsey")
    assert (place["county_fips"], place["county_name"]) == ("27123", "Ramsey County")
    zips = geography.zips[geography.zips["county_fips"].eq("27123")]
    assert zips["lat"].min() <= place["lat"] <= zips["lat"].max()
    assert zips["lng"].min() <= place["lng"] <= zips["lng"].max()


def test_empty(geography: Geography) -> None:
    located, rejects = locate(places(), geography)
    assert len(located) == len(rejects) == 0
    assert np.isfinite(located["lat"].to_numpy(float)).all()
