"""The checks on a build's own data: each fails for the fault it is named after, and for no other."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from assets.statistics.quality import failed_blocking, quality_checks, quality_page
from tests.support.cases import cases

PLACE: dict[str, Any] = {
    "name": "Example Pantry",
    "resource_type": "food_pantry",
    "is_active": True,
    "is_confidential": False,
    "address": "1 Main St",
    "state": "PA",
    "zip": "19000",
    "lat": 40.0,
    "lng": -75.0,
    "location_precision": "street",
    "phone": "(212) 555-0100",
    "phone_e164": "+12125550100",
    "website": None,
    "schedules_json": None,
    "data_source": "nyc_pantries_2023",
}

# 99000 lies 200 miles from its neighbours, the others lie close together; 19009 has a doubtful point.
ZIPS = pd.DataFrame(
    [
        ("19000", 40.0, -75.0, False),
        ("19001", 40.1, -75.0, False),
        ("19002", 40.2, -75.0, False),
        ("19003", 40.3, -75.0, False),
        ("99000", 43.0, -75.0, False),
        ("19009", 40.0, -75.0, True),
    ],
    columns=["zip", "lat", "lng", "is_quality_low"],
)


def _checks(*rows: dict[str, Any], sourceless: tuple[int, ...] = ()) -> pd.DataFrame:
    resources = pd.DataFrame(
        [{**PLACE, **row, "resource_id": i} for i, row in enumerate(rows, start=1)]
    )
    behind = pd.DataFrame(
        {
            "resource_id": [i for i in resources["resource_id"] if i not in sourceless],
            "is_primary": True,
        }
    )
    return quality_checks(resources, behind, ZIPS)


def _failed(checks: pd.DataFrame) -> set[str]:
    """Return the failed checks but for that of states: the sample is of one."""
    return set(checks.loc[~checks["is_passed"], "check_id"]) - {"states_without_free_food"}


def _row(checks: pd.DataFrame, check_id: str) -> pd.Series:
    return checks[checks["check_id"] == check_id].iloc[0]


SOUND = [
    {"address": f"{i} Main St", "lat": 40 + i / 1000, "phone_e164": f"+1212555{i:04d}"}
    for i in range(30)
]


def test_sound_places_pass_everything() -> None:
    checks = _checks(*SOUND)
    assert failed_blocking(checks) == []
    assert _failed(checks) == set()


@pytest.mark.parametrize(
    ("rows", "check_id", "measured"),
    [
        ([*SOUND, {"name": "Dollar General 1234"}], "shops_as_free_food", 1 / 31),
        ([*SOUND, {"is_confidential": True}], "confidential_places_exposed", 1),
        ([{**r, "lat": 40.0} for r in SOUND], "addresses_at_one_exact_point", 30),
        ([{**r, "phone_e164": "+12125550100"} for r in SOUND], "places_at_one_phone", 30),
        ([{**r, "location_precision": "zip"} for r in SOUND], "placed_by_zip_or_city", 1),
    ],
    ids=["a shop among pantries", "a shelter's street", "a pile", "a hot line", "no exact points"],
)
def test_a_fault_fails_its_own_check(
    rows: list[dict[str, Any]], check_id: str, measured: float
) -> None:
    checks = _checks(*rows)
    row = _row(checks, check_id)
    assert row["measured"] == pytest.approx(measured)
    assert not row["is_passed"]
    assert _failed(checks) == {check_id}


def test_a_shop_that_is_listed_as_a_shop_is_none_of_our_business() -> None:
    checks = _checks(*SOUND, {"name": "Dollar General 1234", "resource_type": "snap_retailer"})
    assert _row(checks, "shops_as_free_food")["is_passed"]


def test_a_resource_without_a_source_blocks() -> None:
    assert failed_blocking(_checks(*SOUND, sourceless=(3,))) == [
        "resources_without_a_source (all): 1 resources have no primary source record"
    ]


def test_inactive_places_do_not_count() -> None:
    assert failed_blocking(_checks(*SOUND, {"is_confidential": True, "is_active": False})) == []


def test_the_page_shows_failures_first_and_escapes() -> None:
    page = quality_page(_checks(*SOUND, {"name": "<b>Liquor</b>"}), "20261101T060000Z-00000001")
    assert page.index("shops_as_free_food") < page.index("places_at_one_phone")
    assert "<b>Liquor" not in page
    assert "&lt;b&gt;Liquor" in page


@cases(
    "place, count",
    {
        "48 miles": ({"lat": 40.7}, 0),
        "55 miles": ({"lat": 40.8}, 1),
        "a large ZIP code": ({"lat": 44.0, "zip": "99000"}, 0),
        "beyond a large ZIP code": ({"lat": 49.0, "zip": "99000"}, 1),
        "a ZIP code with a doubtful point": ({"lat": 49.0, "zip": "19009"}, 0),
        "no ZIP code": ({"lat": 49.0, "zip": None}, 0),
        "no point": ({"lat": None}, 0),
    },
)
def test_a_point_far_from_its_zip_code_is_named(place: dict[str, Any], count: int) -> None:
    found = _row(_checks(*SOUND, place), "places_far_from_their_zip_code")
    assert found["measured"] == count
    assert found["is_passed"] == (count == 0)
    assert (f"{len(SOUND) + 1} is " in found["detail"]) == bool(count)


def test_states_without_free_food_are_named() -> None:
    found = _row(
        _checks(*SOUND, {"state": "OR", "resource_type": "snap_retailer"}),
        "states_without_free_food",
    )
    assert found["severity"] == "warning"
    assert "OR" in found["detail"].split(", ")
    assert "PA" not in found["detail"].split(", ")
