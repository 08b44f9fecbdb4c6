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
from tests.support.cases import cases, table_of
from tests.support.geography import packaged_geography
from tests.unit.assets.cleaning.places import places as accepted


@pytest.fixture(scope="module")
def geography() -> Geography:
    return packaged_geography()


def places(*rows: dict[str, Any]) -> pd.DataFrame:
    usual = {"state": None, "address": "1 Invented Way", "is_synthetic": False}
    frame = accepted(*({**usual, **row} for row in rows))[PLACES.field_names]
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


def check(geography: Geography, test: str, *columns: str) -> None:
    """Locate the rows of a table in one run, and compare some columns with those expected."""
    table = table_of(__file__, test)
    rows = each(geography, [row for row, _ in table.values()])
    facts = [[row[name] if pd.notna(row[name]) else None for name in columns] for row in rows]
    assert dict(zip(table, facts, strict=True)) == {name: e for name, (_, e) in table.items()}


def test_located(geography: Geography) -> None:
    check(geography, "test_located", "location_method", "location_precision", "timezone")


def test_rejected(geography: Geography) -> None:
    check(geography, "test_rejected", "reject_reason", "reject_detail")


def test_state_and_zip(geography: Geography) -> None:
    check(geography, "test_state_and_zip", "state", "zip")


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


def test_cities(geography: Geography) -> None:
    check(geography, "test_cities", "address", "city")


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
    good, bad = (
        [row for row, _ in table_of(__file__, name).values()]
        for name in ("test_located", "test_rejected")
    )
    frame = places(*good, *bad)
    located, rejects = locate(frame, geography)
    # Hours and attributes are read after locating.
    attributes = {*ATTRIBUTE_NAMES} - {*PLACES.field_names}
    added_later = {"schedules_json", "hours_json", *attributes}
    assert list(located.columns) == [n for n in LOCATED.field_names if n not in added_later]
    assert list(rejects.columns) == REJECTS.field_names
    assert (len(located), len(rejects)) == (len(good), len(bad))
    for name in (n for n in LOCATED.required_names if n != "retrieved_at"):
        assert located[name].notna().all(), name
    again, _ = locate(frame.copy(), geography)
    pd.testing.assert_frame_equal(located, again)


def test_counties_of_two_vintages_do_not_mix(geography: Geography) -> None:
    avon = {"state": "CT", "zip": "06001", "city": "Avon", "lat": 41.79, "lng": -72.86}
    assert one(geography, **avon)["county_fips"] == "09003"


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
