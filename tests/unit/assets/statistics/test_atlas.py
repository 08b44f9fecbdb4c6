"""Totals by state and city, coverage, leaderboard, figures: small frames counted by hand."""

from datetime import date
from typing import Any

import pandas as pd
import pytest

from assets.statistics.atlas import city_totals, leaderboard_ranks, state_totals, tiers
from assets.statistics.totals_assets import figures, match_families
from schemas.tables.core import RESOURCES
from schemas.vocab.states import POPULATIONS, STATE_CODES, STATES, Population
from tests.support.releases import as_table, resource
from warehouse.parquet import read_frame, write_table

HOURS = '[{"freq":"WEEKLY","byday":"TU","opens_at":"10:00","closes_at":"12:00"}]'


@pytest.fixture
def frame(tmp_path):
    """Rows as the build reads them back from its own file."""

    def made(*rows: dict[str, Any]) -> pd.DataFrame:
        numbered = [resource(n, **row) for n, row in enumerate(rows, start=1)]
        write_table(as_table(numbered, RESOURCES), RESOURCES, tmp_path / "resources.parquet")
        return read_frame(tmp_path / "resources.parquet")

    return made


def of(totals: pd.DataFrame, state: str) -> pd.Series:
    return totals.set_index("state").loc[state]


def test_every_state_has_a_row_also_without_places(frame) -> None:
    totals = state_totals(frame())
    assert sorted(totals["state"]) == sorted(STATE_CODES)
    assert totals["resource_count"].sum() == totals["zip_count"].sum() == 0
    assert totals["leaderboard_rank"].isna().all()


def test_counts_of_a_state(frame) -> None:
    rows = [
        {
            "state": "OR",
            "resource_type": "food_pantry",
            "schedules_json": HOURS,
            "verification_status": "partner_verified",
        },
        {"state": "OR", "resource_type": "food_bank", "city": None, "zip": None},
        {
            "state": "OR",
            "resource_type": "tribal_food",
            "city": "new york",
            "location_precision": "zip",
        },
        {
            "state": "OR",
            "resource_type": "wic_office",
            "verification_status": "partner_verified",
            "county_fips": "41001",
        },
        {"state": "OR", "resource_type": "food_pantry", "is_active": False},
        {"state": "WA", "resource_type": "snap_retailer", "verification_status": "verified"},
    ]
    oregon = of(state_totals(frame(*rows)), "OR")
    expected = {
        "resource_count": 4,
        "food_pantries": 1,
        "food_banks": 1,
        "pantry_class_count": 2,
        "free_food_count": 3,
        "wic_clinics": 1,
        "snap_retailers": 0,
        "partner_verified": 2,
        "partner_verified_pantries": 1,
        "unverified_count": 2,
        "pantry_hours_known_count": 1,
        "exact_point_count": 3,
        "zip_count": 1,
        "city_count": 1,
        "county_count": 1,
        "without_city_count": 1,
        "leaderboard_rank": 1,
    }
    assert {name: oregon[name] for name in expected} == expected


def test_a_state_without_known_residents_has_no_ratio_tier_or_rank(frame) -> None:
    populations = {
        "OR": Population(20_000, "a count", date(2025, 7, 1)),
        "GU": Population(10_000, "a count", date(2020, 4, 1)),
    }
    totals = state_totals(frame({"state": "OR"}, {"state": "WA"}, {"state": "GU"}), populations)
    measured = ["population", "resources_per_1000_residents", "coverage_tier", "coverage_rank"]
    assert of(totals, "OR")[measured].tolist() == [20000, 0.05, "fair", 1]
    assert of(totals, "WA")[measured].isna().all()
    territory = of(totals, "GU")
    assert (territory["resources_per_1000_residents"], territory["coverage_tier"]) == (0.1, "good")
    assert pd.isna(territory["coverage_rank"])


def test_stores_and_schools_count_for_the_rank_but_not_for_the_tier(frame) -> None:
    """A state with only stores and schools has no food to give."""
    populations = {code: Population(1000, "a count", date(2025, 7, 1)) for code in ("GA", "OR")}
    sold = [
        {"state": "GA", "resource_type": kind}
        for kind in ("snap_retailer", "school_meal")
        for _ in range(9)
    ]
    totals = state_totals(frame(*sold, {"state": "OR"}), populations)
    measured = ["resource_count", "resources_per_1000_residents", "coverage_tier", "coverage_rank"]
    assert of(totals, "GA")[measured].tolist() == [18, 18.0, "sparse", 1]
    assert of(totals, "OR")[measured].tolist() == [1, 1.0, "good", 2]


def test_equal_ratios_share_a_rank(frame) -> None:
    populations = {
        code: Population(1000, "a count", date(2025, 7, 1)) for code in ("OR", "WA", "CA")
    }
    totals = state_totals(frame({"state": "OR"}, {"state": "WA"}), populations)
    assert [of(totals, code)["coverage_rank"] for code in ("OR", "WA", "CA")] == [1, 1, 3]


@pytest.mark.parametrize(
    ("ratio", "tier"),
    [
        (0.0, "sparse"),
        (0.0499, "sparse"),
        (0.05, "fair"),
        (0.0999, "fair"),
        (0.1, "good"),
        (7.0, "good"),
    ],
)
def test_tiers_begin_at_their_thresholds(ratio: float, tier: str) -> None:
    assert tiers(pd.Series([ratio])).tolist() == [tier]


def test_states_without_a_ratio_have_no_rank() -> None:
    assert leaderboard_ranks(pd.Series([3, 7, 3, 0])).tolist() == [2, 1, 2, pd.NA]


def test_every_state_has_residents_with_source_and_day() -> None:
    assert set(POPULATIONS) == set(STATES)
    assert all(p.people > 10_000 and p.source and p.on.year >= 2020 for p in POPULATIONS.values())
    fifty_one = sum(POPULATIONS[c].people for c, s in STATES.items() if s.kind != "territory")
    assert 335_000_000 < fifty_one < 350_000_000


def test_spellings_of_a_city_are_one_city_under_the_commonest(frame) -> None:
    cities = city_totals(
        frame(
            {"state": "CA", "city": "MC FARLAND", "lat": 35.0, "lng": -119.0},
            {"state": "CA", "city": "Mc Farland", "lat": 36.0, "lng": -119.2},
            {
                "state": "CA",
                "city": "Mc Farland",
                "lat": 40.0,
                "lng": -110.0,
                "resource_type": "wic_office",
            },
            {"state": "OR", "city": "Mc Farland"},
            {"state": "OR", "city": None},
        )
    )
    assert cities[
        ["state", "city", "resource_count", "pantry_class_count"]
    ].to_numpy().tolist() == [["CA", "Mc Farland", 3, 2], ["OR", "Mc Farland", 1, 1]]
    assert cities.loc[0, ["lat", "lng"]].tolist() == [36.0, -119.0]


REASONS = {
    "only record": "only record",
    "same street address, same name, 0.07 miles apart": "same street address, same name",
    "same street address, name 0.42 alike": "same street address, name alike",
    "same name, same town, no other street address to compare": "same name, same town, no other street address to compare",
}


@pytest.mark.parametrize(("reason", "family"), REASONS.items())
def test_match_reasons_without_their_numbers(reason: str, family: str) -> None:
    assert match_families(pd.Series([reason])).tolist() == [family]


def test_figures(frame) -> None:
    resources = frame(
        {"phone": "(202) 555-0100", "languages": ["es"], "last_verified_date": date(2026, 7, 1)},
        {
            "hours_text": "call",
            "resource_type": "snap_retailer",
            "data_source": "usda_snap",
            "languages": [],
        },
        {"is_active": False, "phone": "(202) 555-0101"},
    )
    records = pd.DataFrame(
        {
            "resource_id": [1, 1, 2, 3],
            "source_id": ["nyc_pantries_2023", "wic_clinics", "usda_snap", "usda_snap"],
            "match_reason": [
                "same name",
                "same name, 0.1 miles apart",
                "only record",
                "only record",
            ],
        }
    )
    identities = pd.DataFrame(
        {
            "resource_id": [1, 2, 8, 8, 9],
            "id_status": ["active", "active", "merged", "merged", "retired"],
        }
    )
    figure_rows = figures(resources, records, identities, 4).set_index(
        ["figure_id", "figure_group"]
    )["figure"]
    expected = {
        ("places", "all"): 2,
        ("places", "pantry_class"): 1,
        ("known_phone", "all"): 1,
        ("known_hours", "all"): 1,
        ("known_hours_current", "all"): 0,
        ("known_hours_old", "all"): 0,
        ("known_languages_offered", "all"): 1,
        ("places_led_by_source", "usda_snap"): 1,
        ("snap_retailers_led_by_source", "usda_snap"): 1,
        ("places_by_last_verified_date", "2026-07-01"): 1,
        ("records_by_match_reason", "same name"): 2,
        ("merging", "source_records"): 3,
        ("merging", "merged_records"): 1,
        ("merging", "resources_of_two_or_more_sources"): 1,
        ("merging", "most_records_in_one_resource"): 2,
        ("merging", "pairs_left_to_a_reviewer"): 4,
        ("merging", "ids_merged"): 1,
        ("merging", "ids_retired"): 1,
    }
    assert {key: figure_rows[key] for key in expected} == expected
