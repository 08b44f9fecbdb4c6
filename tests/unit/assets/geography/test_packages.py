"""ZIP codes and cities from the installed packages: named cases and the shape of the whole."""

import pandas as pd
import pytest

from assets.geography.counties import county_fips_by_name
from schemas.tables.core import CITIES, ZIPS
from schemas.values.names import fold_name
from schemas.vocab.states import STATE_CODES
from tests.support.geography import zips_and_cities


@pytest.fixture(scope="module")
def zips() -> pd.DataFrame:
    return zips_and_cities()[0].set_index("zip", drop=False)


@pytest.fixture(scope="module")
def cities() -> pd.DataFrame:
    return zips_and_cities()[1].set_index(["state", "search_name"], drop=False)


@pytest.mark.parametrize(
    ("zip_code", "state", "county_fips", "timezone", "kind"),
    [
        ("99503", "AK", "02020", "America/Anchorage", "standard"),
        ("99801", "AK", "02110", "America/Juneau", "standard"),
        ("99546", "AK", "02016", "America/Adak", "po_box"),
        ("00901", "PR", "72127", "America/Puerto_Rico", "standard"),
        ("00820", "VI", "78010", "America/St_Thomas", "standard"),
        ("96913", "GU", "66010", "Pacific/Guam", "standard"),
        ("96950", "MP", "69110", "Pacific/Saipan", "po_box"),
        ("20001", "DC", "11001", "America/New_York", "standard"),
        ("06001", "CT", "09003", "America/New_York", "standard"),
        ("86515", "AZ", "04001", "America/Denver", "po_box"),
        ("24011", "VA", "51770", "America/New_York", "standard"),
        ("35004", "AL", "01115", "America/Chicago", "standard"),
        ("70112", "LA", "22071", "America/Chicago", "standard"),
        ("00501", "NY", "36103", "America/New_York", "unique"),
    ],
)
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


@pytest.mark.parametrize(
    ("state", "name", "fips"),
    [
        ("AL", "Saint Clair", "01115"),
        ("AL", "ST. CLAIR COUNTY", "01115"),
        ("AK", "Municipality of Anchorage", "02020"),
        ("AK", "City and Borough of Juneau", "02110"),
        ("AK", "Wade Hampton Census Area", "02158"),
        ("AK", "Valdez-Cordova Census Area", None),
        ("IN", "La Porte County", "18091"),
        ("LA", "Orleans", "22071"),
        ("NM", "Dona Ana", "35013"),
        ("PR", "Bayamon", "72021"),
        ("PR", "Añasco Municipio", "72011"),
        ("VA", "Roanoke City", "51770"),
        ("VA", "Roanoke County", "51161"),
        ("VA", "Roanoke", None),
        ("DC", "", "11001"),
        ("TX", "", None),
        ("GA", "Cleburne County", None),
    ],
)
def test_county_by_name(state: str, name: str, fips: str | None) -> None:
    county_fips = county_fips_by_name(pd.Series([state]), pd.Series([name], dtype="str"))[0]
    assert (county_fips if isinstance(county_fips, str) else None) == fips


@pytest.mark.parametrize(
    ("state", "search_name", "place_name", "least_population"),
    [
        ("NY", "new york", "New York", 8_000_000),
        ("NY", "new york city", "New York City", 8_000_000),
        ("NY", "brooklyn", "Brooklyn", 2_000_000),
        ("MN", "st paul", "Saint Paul", 250_000),
        ("ID", "coeur d alene", "Coeur d'Alene", 40_000),
        ("PR", "mayaguez", "Mayagüez", 50_000),
        ("GU", "hagatna", "Hagåtña", 500),
        ("MP", "saipan", "Saipan", 40_000),
        ("AS", "pago pago", "Pago Pago", 5_000),
        ("AK", "adak", "Adak", 0),
    ],
)
def test_city(
    cities: pd.DataFrame, state: str, search_name: str, place_name: str, least_population: int
) -> None:
    row = cities.loc[(state, search_name)]
    assert row["place_name"] == place_name
    assert (0 if pd.isna(row["population"]) else row["population"]) >= least_population
    assert isinstance(row["zip"], str)


def test_cities_as_a_whole(cities: pd.DataFrame) -> None:
    assert list(cities.columns) == CITIES.field_names
    assert not cities.index.has_duplicates
    assert cities[["lat", "lng"]].notna().all().all()
    assert set(cities["state"]) == set(STATE_CODES)


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("Saint Paul", "st paul"),
        ("ST. PAUL", "st paul"),
        ("Sault Ste. Marie", "sault st marie"),
        ("Fort Worth", "ft worth"),
        ("Ft. Worth", "ft worth"),
        ("Mount Vernon", "mt vernon"),
        ("Mountain View", "mountain view"),
        ("Winston-Salem", "winston salem"),
        ("Coeur d'Alene", "coeur d alene"),
        ("Kapaʻa", "kapaa"),
        ("Cañon City", "canon city"),
        ("  ", ""),
    ],
)
def test_fold_name(name: str, folded: str) -> None:
    assert fold_name(name) == folded
    assert fold_name(folded) == folded
