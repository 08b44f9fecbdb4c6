"""How near free food is: small countries measured by hand and by brute force."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.statistics.access_assets import (
    ACCESS_COLUMNS,
    ZIP_COLUMNS,
    area_access,
    compute_weighted_medians,
    county_totals,
    zip_access,
)
from schemas.values.coordinates import great_circle_miles
from schemas.vocab.food_access import (
    ACCESS_CLASSES,
    FREE_RADII,
    NATION,
    PEOPLE_RADII,
    SNAP_RADII,
    class_of,
)
from schemas.vocab.resource_types import TYPE_IDS, TYPES_BY_MODE
from schemas.vocab.states import STATE_CODES
from tests.support.cases import labelled

SHARES = [f"people_share_within_{r}_mile{'s' * (r > 1)}" for r in PEOPLE_RADII]


def places(*rows: dict[str, Any]) -> pd.DataFrame:
    base = {
        "resource_type": "food_pantry",
        "state": "OR",
        "county_fips": "41001",
        "lat": 44.0,
        "lng": -120.0,
        "location_precision": "street",
        "is_hours_current": False,
        "is_active": True,
    }
    frame = pd.DataFrame([{**base, **row} for row in rows], columns=ACCESS_COLUMNS)
    return frame.astype(
        {"lat": "float64", "lng": "float64", "is_active": "bool", "is_hours_current": "bool"}
    )


def zips(*rows: dict[str, Any]) -> pd.DataFrame:
    base = {
        "zip_kind": "standard",
        "state": "OR",
        "county_fips": "41001",
        "lat": 44.0,
        "lng": -120.0,
        "population": 100,
        "is_quality_low": False,
    }
    zip_rows = [{**base, "zip": f"97{n:03d}", **row} for n, row in enumerate(rows)]
    frame = pd.DataFrame(zip_rows, columns=ZIP_COLUMNS)
    return frame.astype({"lat": "float64", "lng": "float64", "population": "Int64"})


def area(frame: pd.DataFrame, code: str) -> pd.Series:
    return frame.set_index("area").loc[code]


# ---------------------------------------------------------------- distances


def random_country(seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return 300 places of all types, some at one point, and 200 ZIP codes, also beyond the date
    line.
    """
    rng = np.random.default_rng(seed)
    spots = np.column_stack([rng.uniform(43, 45, 120), rng.uniform(-121, -119, 120)])
    spots[:10] = np.column_stack([rng.uniform(51, 53, 10), rng.uniform(178, 180, 10)])
    places_at = spots[rng.integers(0, 120, 300)]
    place_rows = places(
        *(
            {
                "resource_type": str(kind),
                "lat": lat,
                "lng": lng,
                "location_precision": str(how),
                "is_hours_current": hours,
                "is_active": bool(active),
            }
            for kind, (lat, lng), how, hours, active in zip(
                rng.choice([*TYPE_IDS, "food_pantry", "snap_retailer"], 300),
                places_at,
                rng.choice(["street", "zip", "rooftop"], 300),
                rng.choice([True, False], 300),
                rng.random(300) > 0.1,
                strict=True,
            )
        )
    )
    lat, lng = rng.uniform(42.8, 45.2, 200), rng.uniform(-121.2, -118.8, 200)
    lat[:5], lng[:5] = rng.uniform(51, 53, 5), -rng.uniform(179, 180, 5)
    # A ZIP code on the very point of a place.
    lat[5], lng[5] = places_at[0]
    return place_rows, zips(*({"lat": a, "lng": b} for a, b in zip(lat, lng, strict=True)))


@pytest.mark.parametrize("seed", range(4))
def test_distances_and_counts_agree_with_brute_force(seed: int) -> None:
    found_places, codes = random_country(seed)
    access = zip_access(codes, found_places)
    active = found_places[found_places["is_active"]]
    free = active["resource_type"].isin(TYPES_BY_MODE["free"])
    is_current, exact = active["is_hours_current"], active["location_precision"].ne("zip")
    shops = active["resource_type"].eq("snap_retailer")
    for row, code in zip(access.itertuples(), codes.itertuples(), strict=True):
        assert row.zip == code.zip
        miles = pd.Series(
            great_circle_miles(
                code.lat, code.lng, active["lat"].to_numpy(), active["lng"].to_numpy()
            ),
            active.index,
        ).round(2)
        assert row.nearest_free_miles == miles[free].min()
        assert row.nearest_free_known_hours_miles == miles[free & is_current].min()
        assert row.nearest_snap_miles == miles[shops].min()
        nearest = free & miles.eq(miles[free].min())
        assert row.is_nearest_free_exact in set(exact[nearest])
        for radius in FREE_RADII:
            assert getattr(row, f"free_within_{radius}_count") == (miles[free] <= radius).sum()
        for radius in SNAP_RADII:
            assert getattr(row, f"snap_within_{radius}_count") == (miles[shops] <= radius).sum()
        around = miles <= 25
        count = int((free & around).sum())
        assert row.free_known_hours_within_25_count == (free & is_current & around).sum()
        assert row.free_exact_within_25_count == (free & exact & around).sum()
        expected = round((free & is_current & around).sum() / count, 4) if count else np.nan
        assert row.hours_known_share == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_one_exact_place_makes_a_shared_point_exact() -> None:
    both = [{"location_precision": "zip"}, {"location_precision": "street"}]
    for rows in (both, both[::-1]):
        assert zip_access(zips({}), places(*rows))["is_nearest_free_exact"].tolist() == [True]
    assert zip_access(zips({}), places(both[0]))["is_nearest_free_exact"].tolist() == [False]


def test_without_any_place_nothing_is_near() -> None:
    access = zip_access(zips({}, {}), places())
    for name in (
        "nearest_free_miles",
        "is_nearest_free_exact",
        "nearest_free_known_hours_miles",
        "nearest_snap_miles",
        "hours_known_share",
        "exact_share",
    ):
        assert access[name].isna().all(), name
    nation = area(area_access(access, places()), NATION)
    assert nation[SHARES].tolist() == [0.0] * 4
    assert pd.isna(nation["mean_free_miles"])
    assert pd.isna(nation["median_free_miles"])


def test_zip_codes_without_an_area_are_left_out() -> None:
    codes = zips({}, {"lat": None}, {"state": "AE"}, {"state": None})
    assert zip_access(codes, places({}))["zip"].tolist() == ["97000"]
    assert zip_access(zips(), places({})).empty


# ---------------------------------------------------------------- areas


def north(miles: float) -> float:
    """Return a latitude some miles north of 44."""
    return 44 + miles / 69.05


def test_residents_weigh_the_shares() -> None:
    codes = zips(
        {"population": 600},
        {"population": 300, "lat": north(3)},
        {"population": 100, "lat": north(30)},
        {"population": None, "lat": north(200), "zip_kind": "po_box"},
        {"population": 0, "lat": north(300)},
    )
    oregon = area(area_access(zip_access(codes, places({})), places({})), "OR")
    assert oregon[SHARES].tolist() == [0.6, 0.9, 0.9, 0.9]
    counts = ["zip_area_count", "zip_without_population_count", "zip_population"]
    assert oregon[counts].tolist() == [5, 1, 1000]
    assert oregon["median_free_miles"] == 0.0
    assert oregon["mean_free_miles"] == pytest.approx(0.3 * 3 + 0.1 * 30, abs=0.02)
    # Two of four standard ZIP codes.
    assert oregon["zip_share_within_5_miles"] == 0.5
    assert oregon["people_share_known_hours_within_5_miles"] == 0.0


def test_unknown_residents_stay_unknown() -> None:
    access = zip_access(
        zips({"population": None}, {"population": None, "state": "WA"}, {"state": "CA"}), places({})
    )
    totals = area_access(access, places({}))
    for code in ("OR", "WA", "AS"):
        row = area(totals, code)
        assert (
            row[
                [
                    *SHARES,
                    "zip_population",
                    "rough_population",
                    "inexact_population",
                    "mean_free_miles",
                    "median_free_miles",
                ]
            ]
            .isna()
            .all()
        )
    assert area(totals, "OR")["zip_without_population_count"] == 1
    assert access["population_source"].notna().tolist() == [False, False, True]
    assert set(totals["area"]) == {*STATE_CODES, NATION}


def test_a_doubtful_point_makes_its_residents_rough() -> None:
    access = zip_access(zips({}, {"is_quality_low": True, "population": 7}), places({}))
    assert area(area_access(access, places({})), "OR")["rough_population"] == 7


def test_residents_near_a_place_without_an_exact_point_are_counted_apart() -> None:
    rows = places({}, {"lat": north(40), "location_precision": "zip"})
    access = zip_access(zips({}, {"lat": north(39), "population": 7}, {"population": None}), rows)
    assert area(area_access(access, rows), "OR")["inexact_population"] == 7
    nothing = area_access(zip_access(zips({}), places()), places())
    assert area(nothing, "OR")["inexact_population"] == 0


def test_counties_count_their_places_and_the_empty_ones_have_a_row() -> None:
    rows = places(
        {},
        {"is_hours_current": True, "location_precision": "zip"},
        {"resource_type": "snap_retailer"},
        {"resource_type": "head_start"},
        {"resource_type": "wic_office", "county_fips": "41003"},
        {"county_fips": None},
        {"is_active": False},
    )
    coverage = pd.DataFrame(
        {
            "county_fips": ["41001", "41003", "53001"],
            "county_name": ["Baker County", "Benton County", "Adams County"],
        },
        dtype="str",
    )
    people = pd.Series([20_000], ["41001"], dtype="Int64")
    counties = county_totals(zip_access(zips({}), rows), rows, coverage, people).set_index(
        "county_fips"
    )
    baker = counties.loc["41001"]
    expected = {
        "resource_count": 4,
        "free_food_count": 2,
        "snap_count": 1,
        "school_count": 1,
        "wic_count": 0,
        "free_hours_known_count": 1,
        "free_exact_point_count": 1,
        "hours_known_share": 0.5,
        "free_food_per_10000_residents": 1.0,
        "resources_per_10000_residents": 2.0,
        "state": "OR",
        "zip_population": 100,
    }
    assert {name: baker[name] for name in expected} == expected
    empty = counties.loc["53001"]
    assert (empty["resource_count"], empty["zip_area_count"], empty["state"]) == (0, 0, "WA")
    assert (
        empty[["population", "hours_known_share", "free_food_per_10000_residents", *SHARES]]
        .isna()
        .all()
    )
    assert counties["resource_count"].sum() == 5


@given(
    st.lists(
        st.tuples(st.floats(0, 60), st.one_of(st.none(), st.integers(0, 9999))),
        min_size=1,
        max_size=12,
    )
)
def test_shares_never_fall_as_the_radius_grows(homes: list[tuple[float, int | None]]) -> None:
    codes = zips(*({"lat": north(miles), "population": people} for miles, people in homes))
    row = area(area_access(zip_access(codes, places({})), places({})), "OR")
    residents = sum(people or 0 for _, people in homes)
    if not residents:
        assert row[SHARES].isna().all()
        return
    shares = row[SHARES].tolist()
    assert shares == sorted(shares)
    assert all(0 <= share <= 1 for share in shares)
    assert row["people_share_known_hours_within_5_miles"] <= shares[1]


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 20)), min_size=1, max_size=30))
def test_half_of_the_weight_is_within_the_median(pairs: list[tuple[int, int]]) -> None:
    values, weights = (pd.Series(column, dtype="float64") for column in zip(*pairs, strict=True))
    medians = compute_weighted_medians(values, weights, pd.Series("OR", index=values.index))
    spread = sorted(v for v, w in pairs for _ in range(w))
    assert medians.tolist() == ([spread[(len(spread) - 1) // 2]] if spread else [])


@labelled("share, free, kind")
def test_classes_follow_displayed_values(share: float | None, free: int, kind: str) -> None:
    assert class_of(share, free).id == kind


def test_classes_differ_without_colour() -> None:
    assert len({c.hatch for c in ACCESS_CLASSES}) == len(ACCESS_CLASSES)
