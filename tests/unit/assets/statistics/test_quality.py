"""The measures of a build: each is beyond its limit for the fault it is named after alone."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from assets.statistics.quality import quality_checks, read_statements
from tests.support.cases import labelled

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


def _checks(*rows: dict[str, Any], statements: pd.DataFrame | None = None) -> pd.DataFrame:
    resources = pd.DataFrame(
        [{**PLACE, **row, "resource_id": i} for i, row in enumerate(rows, start=1)]
    )
    behind = resources[["resource_id"]].assign(source_id="nyc_pantries_2023")
    none = pd.DataFrame(columns=STATED).astype({"is_contradicted": bool})
    return quality_checks(resources, behind, none if statements is None else statements)


def _failed(checks: pd.DataFrame) -> set[str]:
    return set(checks.loc[~checks["is_passed"], "check_id"])


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
    assert _failed(_checks(*SOUND)) == set()


@pytest.mark.parametrize(
    ("rows", "check_id", "measured"),
    [
        ([{**r, "lat": 40.0} for r in SOUND], "addresses_at_one_exact_point", 30),
        ([{**r, "phone_e164": "+12125550100"} for r in SOUND], "places_at_one_phone", 30),
        ([{**r, "location_precision": "zip"} for r in SOUND], "placed_by_zip_or_city", 1),
    ],
    ids=["a pile", "a hot line", "no exact points"],
)
def test_a_fault_fails_its_own_check(
    rows: list[dict[str, Any]], check_id: str, measured: float
) -> None:
    checks = _checks(*rows)
    row = _row(checks, check_id)
    assert row["measured"] == pytest.approx(measured)
    assert not row["is_passed"]
    assert _failed(checks) == {check_id}


TWIN = {"address": "1 MAIN STREET", "lat": 40.001, "phone_e164": None}


@labelled("other, pairs")
def test_duplicate_places_are_counted(other: dict[str, Any], pairs: int) -> None:
    checks = _checks(SOUND[1] | {"name": PLACE["name"]}, SOUND[9], {**TWIN, **other})
    check = _row(checks, "free_food_shown_twice")
    assert check["measured"] == pytest.approx(2 * pairs / 3, abs=1e-3)
    assert check["is_passed"] == (not pairs)
    of_list = checks[checks["check_id"] == "pairs_of_one_list_shown_twice"]["measured"]
    assert of_list.sum() == pairs


def test_records_that_repeat_a_place_of_their_list_are_counted() -> None:
    behind = pd.DataFrame(
        [(1, "a"), (1, "a"), (1, "b"), (2, "a")], columns=["resource_id", "source_id"]
    )
    places = pd.DataFrame(
        [{**PLACE, **row, "resource_id": n} for n, row in enumerate(SOUND[:2], 1)]
    )
    none = pd.DataFrame(columns=STATED).astype({"is_contradicted": bool})
    checks = quality_checks(places, behind, none)
    again = checks[checks["check_id"] == "records_listed_again"].set_index("check_group")[
        "measured"
    ]
    assert again.to_dict() == {"a": pytest.approx(1 / 3, abs=1e-4)}


PANTRY, KITCHEN = "food_pantry", "soup_kitchen"


@labelled("records, measured")
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


@labelled("schedules, is_current, share")
def test_hours_that_are_readable_today(schedules: str, is_current: bool, share: float) -> None:
    checks = _checks({**SOUND[0], "schedules_json": schedules, "is_hours_current": is_current})
    assert _row(checks, "free_food_with_hours_today")["measured"] == share
