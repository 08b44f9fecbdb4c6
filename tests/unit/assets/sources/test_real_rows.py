"""Rows of publishers' real files for which `expected/*.yaml` has no words."""

import pytest

from assets.hours.parse import parse_hours
from schemas.hours.schedule import is_doubtful_throughout
from tests.support.source_files import fixture_rows, shared_rows


@pytest.mark.shared
def test_maine() -> None:
    rows, map_rows = (
        shared_rows("maine_pantries_2014", "maine_pantries_2014", f"pantries.{form}")
        for form in ("csv", "geojson")
    )
    assert (len(map_rows), map_rows["source_key"].nunique()) == (260, 259)
    assert (len(rows), rows["source_key"].nunique(), rows["lat"].notna().sum()) == (272, 271, 260)
    assert rows["name"].notna().all()
    assert (rows["state"] == "ME").all()
    assert rows["city"].notna().sum() >= 245


@pytest.mark.shared
def test_minnesota() -> None:
    rows = shared_rows("mn_covid_2020", "mn_covid_2020", "mn-covid-food-resources.csv")
    assert len(rows) == rows["source_key"].nunique() == 6


@pytest.mark.shared
def test_varying_hours_are_not_weekly() -> None:
    rows = shared_rows("nova_got_food_2026", "nova_got_food_2026", "pantries.csv")
    texts = rows["hours_text"].dropna()
    varying = texts[texts.str.contains("with exceptions")]
    assert len(varying) > 30
    readings = [parse_hours(text).schedules or [] for text in varying]
    assert all(not schedules or is_doubtful_throughout(schedules) for schedules in readings)


@pytest.mark.shared
def test_health_centers_that_are_confidential_stay_hidden() -> None:
    file = "derived_health_clinics_national.2020-04.csv"
    rows = shared_rows("hrsa_health_centers", "hrsa_health_centers", file)
    assert list(rows["source_row"]) == list(range(1, 14_211))
    assert rows["source_key"].nunique() == 14_190
    rejects = rows["reject_reason"].value_counts().to_dict()
    assert rejects == {"administrative_site": 268, "outside_area": 30}
    accepted = rows[rows["reject_reason"].isna()]
    assert accepted[["name", "city", "state"]].notna().all().all()
    hidden = accepted[accepted["is_confidential"]]
    assert len(hidden) == 22
    assert hidden[["address", "zip", "lat", "lng"]].isna().all().all()
    visible = accepted[~accepted["is_confidential"]]
    assert visible[["lat", "lng"]].notna().all().all()
    vague = visible.loc[visible["address"].isna(), ["zip", "location_precision"]]
    assert vague.to_numpy().tolist() == [["16621", "city"]]
    assert visible["zip"].isna().sum() == 1
    assert not rows["website"].str.contains("@", na=False).any()


@pytest.mark.shared
def test_cities_and_zips_of_the_gulf_coast() -> None:
    rows = shared_rows("haarrrvest_2025", "haarrrvest_2025", "feeding_the_gulf_coast_al.jsonl")
    assert rows["city"].dropna().str.fullmatch(r"[A-Z][A-Za-z'. ]+").all()
    quarter = r"(?:North|South|East|West|[NSEW]{1,2}\.?|Unit) "
    assert not rows["city"].str.match(quarter, na=False).any()
    assert rows["zip"].dropna().str.fullmatch(r"3\d{4}").all()


@pytest.mark.shared
def test_points_abroad_reach_the_location_step() -> None:
    rows = shared_rows("usda_snap", "snap_retailers", "CA_SNAP_Locations.2015-08.csv")
    assert len(rows[(rows["lng"] > -100) | (rows["lat"] < 30)]) == 2


def test_web_addresses_of_facilities_are_joined_and_give_no_rows() -> None:
    names = [f"{name}.test.csv" for name in ("vast", "vba", "nca", "websites")]
    rows = fixture_rows("va_facilities", *names).set_index("source_key")
    assert len(rows) == 9
    assert rows["website"].dropna().to_dict() == {
        "vha_990": "https://www.example.gov/heron-center",
        "vc_0990V": "https://www.example.gov/heron-vet",
        "vba_952": "https://www.example.gov/heron",
        "nca_998": "https://www.example.gov/heron-cemetery",
    }


@pytest.mark.shared
def test_facilities_of_three_registers() -> None:
    names = ["nca.2020-09.csv", "vast.2020-05.csv", "vba.2020-08.csv", "websites.2020-10.csv"]
    rows = shared_rows("va_facilities", "va_facilities", *names)
    assert len(rows) == 1_695 + 459 + 184
    assert rows["source_key"].is_unique
    of_health = rows["source_key"].str.startswith("vha_")
    assert rows[of_health]["website"].notna().sum() == 1_130
    is_mobile = rows["notes"].str.startswith("Mobile unit").fillna(False)
    assert is_mobile.sum() == 140
    assert rows[is_mobile]["address"].isna().all()
