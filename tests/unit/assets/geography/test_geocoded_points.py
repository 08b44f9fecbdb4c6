# ruff: noqa: C408 - cases read better as calls
"""Points of the geocoder are compared with state and ZIP code and never reject a place."""

from typing import Any

import pandas as pd
import pytest

from assets.geography.model import Geography
from assets.geography.place_points import locate
from tests.support.cases import labelled
from tests.support.geography import packaged_geography
from tests.unit.assets.geography.test_place_points import places


@pytest.fixture(scope="module")
def geography() -> Geography:
    return packaged_geography()


def one(geography: Geography, *, tract: str | None, **row: Any) -> dict[str, Any]:
    frame = places(row).assign(location_precision="street", location_method="geocoder")
    frame["census_tract"] = pd.Series([tract], dtype="str")
    located, rejects = locate(frame, geography)
    assert len(located) + len(rejects) == 1
    return (located if len(located) else rejects).iloc[0].to_dict()


SALEM = dict(state="MA", zip="01970", city="Salem", address="1 Invented Way")


@labelled("row, tract, expected")
def test_located(
    geography: Geography,
    row: dict[str, Any],
    tract: str | None,
    expected: tuple[str, str, str | None, str | None],
) -> None:
    place = one(geography, tract=tract, **row)
    method = [
        v if isinstance(v, str) else None for v in (place["census_tract"], place["county_fips"])
    ]
    assert (place["location_method"], place["location_precision"], *method) == expected


def test_a_geocoded_point_does_not_decide_between_state_and_zip(geography: Geography) -> None:
    row = dict(state="TX", zip="60601", city="No Such Town", lat=31.0, lng=-99.0)
    assert one(geography, tract=None, **row)["reject_reason"] == "state_zip_conflict"


def test_a_point_of_the_publisher_stays_the_publishers(geography: Geography) -> None:
    frame = places(dict(**SALEM, lat=42.52, lng=-70.9), dict(**SALEM, lat=42.53, lng=-70.91))
    frame["location_method"] = pd.Series([None, "geocoder"], dtype="str")
    frame["census_tract"] = pd.Series([None, "25009204200"], dtype="str")
    located, _ = locate(frame, geography)
    assert located["location_method"].tolist() == ["source", "geocoder"]
    assert located["lat"].tolist() == [42.52, 42.53]
