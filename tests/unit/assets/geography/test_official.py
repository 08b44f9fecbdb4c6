"""Official files: small invented folders for each rule, and the real files where they are at hand."""

import gzip
from pathlib import Path

import openpyxl
import pandas as pd
import pytest

from assets.geography import official_files as files
from assets.geography.model import load_boundaries
from assets.geography.official import geography_from_files
from schemas.checks.registry import query_checks
from schemas.tables.core import CITIES, ZIPS
from tests.support.geography import zips_and_cities
from warehouse.checks.declared import run_query_check

SHARED = Path(__file__).resolve().parents[4] / "../shared/reference/geo"
PIPES = "GEOID|GEOIDFQ|ALAND|INTPTLAT|INTPTLONG\n00601|860Z200US00601|1|18.180555|-66.749961\n"
TABS = (
    "GEOID\tALAND\tINTPTLAT\tINTPTLONG               \n00601\t1\t18.180555\t-66.749961          \n"
)


@pytest.mark.parametrize(("text", "packed"), [(PIPES, False), (TABS, False), (PIPES, True)])
def test_gazetteer_delimiters(tmp_path: Path, text: str, packed: bool) -> None:
    name = "2025_Gaz_zcta_national.txt"
    if packed:
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    else:
        (tmp_path / name).write_text(text)
    rows = files.gazetteer(tmp_path, "zcta")
    assert rows is not None
    assert rows[["GEOID", "lat", "lng"]].to_numpy().tolist() == [["00601", 18.180555, -66.749961]]


def test_hud_takes_the_county_with_most_addresses_from_the_sheet_that_has_them(
    tmp_path: Path,
) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append(["SELECT ROWID FROM NOWHERE"])
    sheet = book.create_sheet("ZIP_COUNTY")
    sheet.append(["ZIP", "COUNTY", "RES_RATIO", "TOT_RATIO"])
    for row in (["06001", "09003", 0.9, 0.8], ["06001", "09005", 0.1, 0.2], ["601", "72001", 1, 1]):
        sheet.append(row)
    book.save(tmp_path / "HUD_ZIP_COUNTY_032023.xlsx")
    rows = files.hud_counties(tmp_path)
    assert rows is not None
    assert rows.to_dict() == {"00601": "72001", "06001": "09003"}


def test_hud_without_its_columns_is_refused(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.save(tmp_path / "HUD_ZIP_COUNTY_032023.xlsx")
    with pytest.raises(ValueError, match="no sheet has the columns"):
        files.hud_counties(tmp_path)


def test_population_codes_for_no_estimate_are_unknown(tmp_path: Path) -> None:
    answer = (
        '[["NAME","B01003_001E","state","place"],'
        '["Invented town, Texas","123","48","00001"],["Other town, Texas","-666666666","48","00002"]]'
    )
    (tmp_path / "acs5_2023_place_B01003_B25001.json").write_text(answer)
    rows = files.population(tmp_path, "place")
    assert rows is not None
    assert rows["4800001"] == 123
    assert pd.isna(rows["4800002"])


def test_military_codes_with_points_overseas_are_left_out(tmp_path: Path) -> None:
    lines = [
        "US\t09001\tAPO AA\t\t\t\t\t\t\t38.1105\t15.6613\t",
        "US\t99501\tAnchorage\tAlaska\tAK\tAnchorage\t020\t\t\t61.2\t-149.9\t4",
    ]
    (tmp_path / "geonames_postal_US.txt").write_text("\n".join(lines) + "\n")
    rows = files.geonames_postal(tmp_path)
    assert rows is not None
    assert rows[["zip", "state", "county_fips"]].to_numpy().tolist() == [["99501", "AK", "02020"]]


def test_an_empty_folder_falls_back_to_the_packages(tmp_path: Path) -> None:
    zips, cities, notes = geography_from_files(tmp_path)
    assert len(zips) == len(zips_and_cities()[0])
    assert len(cities) > 40_000
    assert len(notes) >= 6


@pytest.fixture(scope="module")
def official() -> tuple[pd.DataFrame, pd.DataFrame, list[str]]:
    if not SHARED.is_dir():
        pytest.skip("the official files are not in ../shared")
    return geography_from_files(SHARED)


Official = tuple[pd.DataFrame, pd.DataFrame, list[str]]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("zip_code", "lat", "lng", "county_fips"),
    [
        ("99503", 61.19, -149.89, "02020"),  # the gazetteer's point is 278 miles west
        ("99701", 64.84, -147.72, "02090"),  # the gazetteer's is 184 miles away
        ("99505", 61.28, -149.65, "02020"),  # GeoNames' point is 315 miles off
        ("06001", 41.79, -72.85, "09003"),  # one of Connecticut's eight counties
        ("96913", 13.47, 144.80, "66010"),
        ("00901", 18.47, -66.11, "72127"),
    ],
)
def test_point_in_the_county(
    official: Official, zip_code: str, lat: float, lng: float, county_fips: str
) -> None:
    row = official[0].set_index("zip").loc[zip_code]
    assert (row["lat"], row["lng"]) == pytest.approx((lat, lng), abs=0.06)
    assert row["county_fips"] == county_fips


@pytest.mark.shared
def test_official_tables(official: Official) -> None:
    zips, cities, notes = official
    assert notes == []
    assert list(zips.columns) == ZIPS.field_names
    assert list(cities.columns) == CITIES.field_names
    assert zips["zip"].is_unique
    assert not cities.duplicated(["state", "search_name"]).any()
    assert 330_000_000 < zips["population"].sum() < 345_000_000
    places = zips[zips["zip_kind"].ne("military")]
    assert places["county_fips"].notna().mean() > 0.999
    assert not places["county_fips"].dropna().isin([f"091{n}0" for n in range(1, 10)]).any()


@pytest.mark.shared
def test_official_towns_agree_with_their_zip_codes(official: Official, tmp_path: Path) -> None:
    paths = {}
    for table, frame in zip((ZIPS, CITIES), official, strict=False):
        paths[table.name] = tmp_path / f"{table.name}.parquet"
        frame.to_parquet(paths[table.name])
    (check,) = (c for c in query_checks() if c.name == "towns_agree_with_their_zips")
    assert run_query_check(check.query, paths).total == 0
    people = official[1].set_index(["state", "search_name"])["population"]
    # Official populations belong to the official place, not to a larger namesake.
    assert people[("AZ", "yuma")] > 90_000
    assert people[("VA", "rose hill")] < 1_000
    assert people[("VA", "rose hill fairfax county")] > 20_000


@pytest.mark.shared
@pytest.mark.parametrize(
    ("state", "search_name"),
    [
        ("MA", "wellesley"),
        ("CT", "avon"),
        ("VT", "barre"),
        ("MA", "barnstable"),
        ("TN", "nashville"),
    ],
)
def test_towns(official: Official, state: str, search_name: str) -> None:
    cities = official[1].set_index(["state", "search_name"])
    assert isinstance(cities.loc[(state, search_name), "zip"], str)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("lat", "lng", "state", "county"),
    [
        (41.79, -72.86, "CT", "09003"),
        (61.13, -146.35, "AK", "02063"),  # Valdez: Chugach since 2019
        (13.47, 144.80, "GU", "66010"),
        (18.20, -67.14, "PR", "72097"),
        (51.88, -176.65, "AK", "02016"),
        (10.476636, -66.845497, None, None),
        (float("nan"), float("nan"), None, None),
    ],
)
def test_boundaries(lat: float, lng: float, state: str | None, county: str | None) -> None:
    boundaries = load_boundaries(SHARED) if SHARED.is_dir() else None
    if boundaries is None:
        pytest.skip("the boundary files are not in ../shared")
    points = pd.Series([lat]).to_numpy(), pd.Series([lng]).to_numpy()
    assert boundaries.state_of(*points).tolist() == [state]
    assert boundaries.county_of(*points).tolist() == [county]


def test_no_boundaries_in_an_empty_folder(tmp_path: Path) -> None:
    assert load_boundaries(tmp_path) is None
