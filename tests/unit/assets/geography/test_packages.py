"""ZIP codes and cities from the installed packages: named cases and the shape of the whole."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from assets.geography.counties import county_fips_by_name
from assets.geography.packages import unite_cities
from schemas.checks.registry import query_checks
from schemas.tables.core import CITIES, ZIPS
from schemas.values.names import fold_name
from schemas.vocab.states import STATE_CODES
from tests.support.cases import cases as named_cases
from tests.support.cases import labelled
from tests.support.geography import zips_and_cities
from warehouse.checks.declared import run_query_check


@pytest.fixture(scope="module")
def zips() -> pd.DataFrame:
    return zips_and_cities()[0].set_index("zip", drop=False)


@pytest.fixture(scope="module")
def cities() -> pd.DataFrame:
    return zips_and_cities()[1].set_index(["state", "search_name"], drop=False)


@labelled("zip_code, state, county_fips, timezone, kind")
def test_zip(
    zips: pd.DataFrame, zip_code: str, state: str, county_fips: str, timezone: str, kind: str
) -> None:
    row = zips.loc[zip_code]
    facts = (row["state"], row["county_fips"], row["timezone"], row["zip_kind"])
    assert facts == (state, county_fips, timezone, kind)


def test_military_zips_are_addresses_and_no_places(zips: pd.DataFrame) -> None:
    military = zips[zips["zip_kind"].eq("military")]
    assert len(military) > 500
    assert military[["state", "lat", "lng", "county_fips", "timezone"]].isna().all().all()


def test_zips_as_a_whole(zips: pd.DataFrame) -> None:
    assert list(zips.columns) == ZIPS.field_names
    assert zips["zip"].is_unique
    places = zips[zips["zip_kind"].ne("military")]
    assert set(places["state"]) == set(STATE_CODES)
    assert places["county_fips"].notna().mean() > 0.999
    assert not zips["zip"].str.startswith("9694").any()  # the freely associated states


@labelled("state, name, fips")
def test_county_by_name(state: str, name: str, fips: str | None) -> None:
    county_fips = county_fips_by_name(pd.Series([state]), pd.Series([name], dtype="str"))[0]
    assert (county_fips if isinstance(county_fips, str) else None) == fips


@labelled("state, search_name, place_name, least_population")
def test_city(
    cities: pd.DataFrame, state: str, search_name: str, place_name: str, least_population: int
) -> None:
    row = cities.loc[(state, search_name)]
    assert row["place_name"] == place_name
    assert (0 if pd.isna(row["population"]) else row["population"]) >= least_population
    assert isinstance(row["zip"], str)


# Towns whose name a larger place of the state has too: the post office names the town.
@labelled("state, search_name, lat, lng")
def test_the_town_of_the_post_office(
    cities: pd.DataFrame, state: str, search_name: str, lat: float, lng: float
) -> None:
    row = cities.loc[(state, search_name)]
    assert (row["lat"], row["lng"]) == pytest.approx((lat, lng), abs=0.1)


def test_every_town_agrees_with_its_zip_codes(tmp_path: Path) -> None:
    paths = {}
    for table, frame in zip((ZIPS, CITIES), zips_and_cities(), strict=True):
        paths[table.name] = tmp_path / f"{table.name}.parquet"
        frame.to_parquet(paths[table.name])
    (check,) = (c for c in query_checks() if c.name == "towns_agree_with_their_zips")
    assert run_query_check(check.query, paths).total == 0


def _town(name: str, lat: float, people: int, **values: Any) -> dict[str, Any]:
    values = {"lng": -90.0, "is_official": False, "alternates": (), **values}
    return {"place_name": name, "state": "IL", "lat": lat, "population": people, **values}


@named_cases(
    "towns, points",
    {
        "the larger is elsewhere": ([_town("Alda", 41.0, 9000), _town("Alda", 40.0, 900)], [40.0, 41.0]),
        "both are elsewhere": ([_town("Alda", 41.0, 9000), _town("Alda", 41.5, 90)], [40.02, 41.0]),
        "no other town": ([_town("Alda", 40.01, 900)], [40.01]),
        "two lists, one town": ([_town("Alda", 40.05, 900), _town("Alda", 39.96, 990, is_official=True)], [40.05]),
        "a large area": ([_town("Alda", 40.05, 900), _town("Alda", 39.8, 99, is_official=True, area_sq_miles=400)], [40.05]),
        "as many people": ([_town("Alda", 40.05, 9000), _town("Alda", 39.8, 9100, is_official=True)], [40.05]),
    },
)  # fmt: skip
def test_towns_of_one_name(towns: list[dict[str, Any]], points: list[float]) -> None:
    zip_rows = [("62001", "Alda", 40.02, "Alda County"), ("62002", "Berna", 41.0, "Berna County")]
    zips = pd.DataFrame(zip_rows, columns=["zip", "place_name", "lat", "county_name"])
    zips = zips.assign(state="IL", lng=-90.0, zip_kind="standard", extent_miles=3.0)
    zips["is_quality_low"] = False
    frame = pd.DataFrame(towns)
    frame["population"] = frame["population"].astype("Int64")
    frame["search_name"] = frame["place_name"].str.lower()
    names = zips[["zip", "place_name"]].assign(is_default=True)
    cities = unite_cities(frame, zips, names)
    cities = cities[cities["search_name"].str.startswith("alda")]
    assert cities["lat"].round(2).tolist() == points
    assert cities["place_name"].tolist() == ["Alda", "Alda (Berna County)"][: len(points)]
    assert cities["zip"].iloc[0] == "62001"


def test_cities_as_a_whole(cities: pd.DataFrame) -> None:
    assert list(cities.columns) == CITIES.field_names
    assert not cities.index.has_duplicates
    assert cities[["lat", "lng"]].notna().all().all()
    assert set(cities["state"]) == set(STATE_CODES)


@labelled("name, folded")
def test_fold_name(name: str, folded: str) -> None:
    assert fold_name(name) == folded
    assert fold_name(folded) == folded
