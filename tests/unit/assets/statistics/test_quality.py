"""The checks on a build's own data: each fails for the fault it is named after, and for no other."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from assets.statistics.quality import find_blocking_failures, quality_checks, read_statements
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
    "is_hours_current": None,
    "verification_status": "unverified",
    "last_verified_date": None,
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


STATED = ["resource_id", "field_name", "source_id", "source_key", "value", "is_contradicted"]


def _records(*records: tuple[int, str, str]) -> pd.DataFrame:
    """Return statements of records (resource, source, type) of one name at one address."""
    values = {"name": "House of Alda", "address": "1 Main St"}
    return pd.DataFrame(
        [
            (resource_id, field, source, str(n), value, field == "resource_type")
            for n, (resource_id, source, kind) in enumerate(records)
            for field, value in {**values, "resource_type": kind}.items()
        ],
        columns=STATED,
    )


def _checks(
    *rows: dict[str, Any], sourceless: tuple[int, ...] = (), statements: pd.DataFrame | None = None
) -> pd.DataFrame:
    resources = pd.DataFrame(
        [{**PLACE, **row, "resource_id": i} for i, row in enumerate(rows, start=1)]
    )
    behind = pd.DataFrame(
        {
            "resource_id": [i for i in resources["resource_id"] if i not in sourceless],
            "source_id": "nyc_pantries_2023",
            "is_primary": True,
        }
    )
    none = pd.DataFrame(columns=STATED).astype({"is_contradicted": bool})
    return quality_checks(resources, behind, ZIPS, none if statements is None else statements)


def _failed(checks: pd.DataFrame) -> set[str]:
    """Return the failed checks but for that of states: the sample is of one."""
    return set(checks.loc[~checks["is_passed"], "check_id"]) - {"states_without_free_food"}


def _row(checks: pd.DataFrame, check_id: str) -> pd.Series:
    return checks[checks["check_id"] == check_id].iloc[0]


# Names of different letters: no two are alike.
SOUND = [
    {
        "name": f"{chr(65 + i % 26)}{chr(65 + (i + i // 26 + 1) % 26)}" * 5,
        "address": f"{i} Main St",
        "lat": 40 + i / 1000,
        "phone_e164": f"+1212555{i:04d}",
    }
    for i in range(30)
]


def test_sound_places_pass_everything() -> None:
    checks = _checks(*SOUND)
    assert find_blocking_failures(checks) == []
    assert _failed(checks) == set()


@pytest.mark.parametrize(
    ("rows", "check_id", "measured"),
    [
        ([*SOUND, {"name": "Dollar General 1234"}], "shops_as_free_food", 1 / 31),
        ([*SOUND, {"is_confidential": True}], "confidential_places_exposed", 1),
        ([{**r, "lat": 40.0} for r in SOUND], "addresses_at_one_exact_point", 30),
        ([{**r, "phone_e164": "+12125550100"} for r in SOUND], "places_at_one_phone", 30),
        ([{**r, "location_precision": "zip"} for r in SOUND], "placed_by_zip_or_city", 1),
        ([*SOUND, {"verification_status": "verified"}], "verified_without_a_day", 1),
    ],
    ids=[
        "a shop among pantries",
        "a shelter's street",
        "a pile",
        "a hot line",
        "no exact points",
        "verified, no day",
    ],
)
def test_a_fault_fails_its_own_check(
    rows: list[dict[str, Any]], check_id: str, measured: float
) -> None:
    checks = _checks(*rows)
    row = _row(checks, check_id)
    assert row["measured"] == pytest.approx(measured)
    assert not row["is_passed"]
    assert _failed(checks) == {check_id}


def test_shops_are_no_free_food() -> None:
    checks = _checks(*SOUND, {"name": "Dollar General 1234", "resource_type": "snap_retailer"})
    assert _row(checks, "shops_as_free_food")["is_passed"]


def test_a_resource_without_a_source_blocks() -> None:
    assert find_blocking_failures(_checks(*SOUND, sourceless=(3,))) == [
        "resources_without_a_source (all): 1 resources have no primary source record"
    ]


def test_inactive_places_do_not_count() -> None:
    assert (
        find_blocking_failures(_checks(*SOUND, {"is_confidential": True, "is_active": False})) == []
    )


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
    check = _row(_checks(*SOUND, place), "places_far_from_their_zip_code")
    assert check["measured"] == count
    assert check["is_passed"] == (count == 0)
    assert (f"{len(SOUND) + 1} is " in check["detail"]) == bool(count)


def test_states_without_free_food_are_named() -> None:
    check = _row(
        _checks(*SOUND, {"state": "OR", "resource_type": "snap_retailer"}),
        "states_without_free_food",
    )
    assert check["severity"] == "warning"
    assert "OR" in check["detail"].split(", ")
    assert "PA" not in check["detail"].split(", ")


TWIN = {"address": "1 MAIN STREET", "lat": 40.001, "phone_e164": None}


@cases(
    "other, pairs",
    {
        "one address, names alike": ({"name": "The Example Pantrie", "lat": 40.3}, 1),
        "one address, one telephone": ({"name": "St. Alda", "phone_e164": "+12125550001"}, 1),
        "one house by another street": ({"address": "2 Oak Ave"}, 1),
        "one house, another name and telephone": ({"name": "St. Alda"}, 0),
        "another type": ({"resource_type": "soup_kitchen"}, 0),
        "another ZIP code": ({"zip": "19001", "lat": 40.3}, 0),
        "one name elsewhere": ({"address": "900 Oak Ave", "lat": 40.4}, 0),
        "a point of the ZIP code": ({"address": "2 Oak Ave", "location_precision": "zip"}, 0),
    },
)
def test_duplicate_places_are_counted(other: dict[str, Any], pairs: int) -> None:
    checks = _checks(SOUND[1] | {"name": PLACE["name"]}, SOUND[9], {**TWIN, **other})
    check = _row(checks, "free_food_shown_twice")
    assert check["measured"] == pytest.approx(2 * pairs / 3, abs=1e-3)
    assert check["is_passed"] == (not pairs)
    of_list = checks[checks["check_id"] == "pairs_of_one_list_shown_twice"]["measured"]
    assert of_list.sum() == pairs


def test_records_that_repeat_a_place_of_their_list_are_counted() -> None:
    behind = pd.DataFrame(
        [(1, "a", True), (1, "a", False), (1, "b", False), (2, "a", True)],
        columns=["resource_id", "source_id", "is_primary"],
    )
    places = pd.DataFrame(
        [{**PLACE, **row, "resource_id": n} for n, row in enumerate(SOUND[:2], 1)]
    )
    none = pd.DataFrame(columns=STATED).astype({"is_contradicted": bool})
    checks = quality_checks(places, behind, ZIPS, none)
    again = checks[checks["check_id"] == "records_listed_again"].set_index("check_group")[
        "measured"
    ]
    assert again.to_dict() == {"a": pytest.approx(1 / 3, abs=1e-4)}


PANTRY, KITCHEN = "food_pantry", "soup_kitchen"


@cases(
    "records, measured",
    {
        "each with its own kind": (
            [(1, "a", PANTRY), (1, "b", PANTRY), (2, "a", KITCHEN), (2, "b", KITCHEN)],
            0,
        ),
        "a kitchen whose list has no pantry": ([(1, "a", PANTRY), (1, "b", KITCHEN)], 0),
        "crosswise, the partner stands alone": (
            [(1, "a", PANTRY), (1, "b", KITCHEN), (2, "a", KITCHEN)],
            1,
        ),
    },
)
def test_crosswise_places(records: list[tuple[int, str, str]], measured: int) -> None:
    row = _row(_checks(*SOUND[:3], statements=_records(*records)), "crosswise_places")
    assert (row["measured"], row["is_passed"]) == (measured, not measured)


def test_statements_that_are_not_read_change_no_measure(tmp_path: Path) -> None:
    crosswise = (1, "a", "food_pantry"), (1, "b", "soup_kitchen"), (2, "a", "soup_kitchen")
    some = _records(*crosswise, (3, "b", "snap_retailer"))
    phone = {"field_name": "phone", "value": "+12125550100"}
    other = some[some["field_name"] == "name"].assign(**phone)
    other["is_contradicted"] = other["resource_id"] == 3
    every = pd.concat([some, other], ignore_index=True)
    every.to_parquet(tmp_path / "statements.parquet")
    statements = read_statements(tmp_path / "statements.parquet", STATED)
    assert len(statements) < len(every)
    measured = _checks(*SOUND[:3], statements=statements)
    pd.testing.assert_frame_equal(measured, _checks(*SOUND[:3], statements=every))
    assert _row(measured, "crosswise_places")["measured"] == 1
    assert {"phone", "resource_type"} <= set(measured["check_group"])


def test_contradicted_places_are_counted_by_field() -> None:
    checks = _checks(
        *SOUND[:3], statements=_records((1, "a", "food_pantry"), (1, "b", "food_bank"))
    )
    counts = checks[checks["check_id"] == "contradicted_places"].set_index("check_group")[
        "measured"
    ]
    assert counts.to_dict() == {"resource_type": 1}


CERTAIN = '{"freq":"WEEKLY","byday":"TU","opens_at":"09:00","closes_at":"12:00"}'
WITHOUT_TIMES = '{"freq":"WEEKLY","byday":"TU"}'
UNREAD = '{"description":"part of the text could not be read"}'


@cases(
    "schedules, is_current, share",
    {
        "certain and current": (f"[{CERTAIN}]", True, 1),
        "certain, too old": (f"[{CERTAIN}]", False, 0),
        "a day without times": (f"[{WITHOUT_TIMES}]", True, 0),
        "read in part": (f"[{CERTAIN},{UNREAD}]", True, 0),
    },
)
def test_hours_that_are_readable_today(schedules: str, is_current: bool, share: float) -> None:
    checks = _checks({**SOUND[0], "schedules_json": schedules, "is_hours_current": is_current})
    assert _row(checks, "free_food_with_hours_today")["measured"] == share
