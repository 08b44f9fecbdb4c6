"""The demo's files: read by the ordinary sources, located, complete, repeatable, plainly invented."""

import re
from datetime import date
from pathlib import Path

import pandas as pd
import pytest

from assets.demo.write import DEMO_SOURCES, write_demo
from assets.directory.identity import issue_id
from assets.geography.model import Geography
from assets.geography.place_points import locate
from assets.geography.tracts import tract_files, with_tracts
from assets.hours.columns import read_hours
from schemas.sources.registry import sources
from schemas.vocab.resource_types import PANTRY_CLASS
from schemas.vocab.states import STATE_CODES
from tests.support.demo import assemble_demo, geography

__all__ = ["geography"]
ROWS = 2000
AS_OF = date(2026, 11, 1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, geography: Geography) -> Path:
    path = tmp_path_factory.mktemp("demo")
    write_demo(path, ROWS, 7, geography.zips, geography.cities, AS_OF)
    return path


@pytest.fixture(scope="module")
def located(folder: Path, geography: Geography) -> pd.DataFrame:
    frames = []
    for source_id in DEMO_SOURCES:
        source = sources()[source_id]
        if source.yields == "places" and source.license.is_republishable:
            accepted = assemble_demo(folder, source_id).accepted
            rows, rejects = locate(accepted, geography)
            assert len(rejects) <= 0.01 * len(accepted) + 1, source_id
            frames.append(rows)
    return pd.concat(frames, ignore_index=True)


def test_every_state_and_territory(located: pd.DataFrame) -> None:
    assert set(located["state"]) == set(STATE_CODES)


def test_some_states_have_no_list_of_pantries(located: pd.DataFrame) -> None:
    lists = located["source_id"].isin(["nyc_pantries_2023", "haarrrvest_2025"])
    assert set(STATE_CODES) - set(located.loc[lists, "state"]) == {"DE", "MT", "ND", "WY"}


def test_a_small_demo_has_pantries_near_large_cities(located: pd.DataFrame) -> None:
    pantries = located[located["resource_type"].isin(PANTRY_CLASS)]
    assert len(pantries) > 0.3 * ROWS
    for lat, lng in ((40.71, -74.0), (34.05, -118.24), (41.88, -87.63), (29.76, -95.37)):
        near = pantries["lat"].sub(lat).abs().lt(0.75) & pantries["lng"].sub(lng).abs().lt(0.75)
        assert near.any(), (lat, lng)


def test_most_hours_can_be_read(located: pd.DataFrame) -> None:
    texts = located["hours_text"].dropna()
    assert texts.nunique() > 100
    assert read_hours(texts)["schedules_json"].notna().mean() > 0.6


def test_some_places_are_in_two_lists(located: pd.DataFrame) -> None:
    key = located["address"].str.casefold() + "|" + located["zip"]
    lists = located.assign(key=key).groupby("key")["source_id"].nunique()
    assert (lists > 1).sum() >= 5


def test_phones_and_websites_are_nobodys(folder: Path) -> None:
    for path in (p for p in folder.rglob("*") if p.is_file()):
        text = path.read_text(encoding="utf-8-sig", errors="replace")
        phones = re.findall(r"(?<![\d-])\(?\d{3}\)?[ -]?\d{3}-\d{4}(?![\d-])", text)
        assert all(re.search(r"555-01\d\d$", phone) for phone in phones), path.name
        hosts = re.findall(r"https?://([^/\s\",]+)", text, flags=re.IGNORECASE)
        allowed = re.compile(
            r"(?:.*\.)?example\.(?:org|com|net)$|nces\.ed\.gov$|www\.w3\.org$", re.IGNORECASE
        )
        assert all(allowed.match(host.partition("<")[0]) for host in hosts), path.name


def test_most_facilities_for_veterans_are_in_a_tract(folder: Path, geography: Geography) -> None:
    facilities, _ = locate(assemble_demo(folder, "va_facilities").accepted, geography)
    facilities = facilities[~facilities["source_key"].str.startswith("nca_")]
    facilities_in_tracts = with_tracts(facilities, tract_files(folder / "census_tracts"))
    is_exact = facilities_in_tracts["location_precision"].isin(["rooftop", "street"])
    assert facilities_in_tracts.loc[is_exact, "census_tract"].notna().mean() > 0.9
    assert facilities_in_tracts.loc[~is_exact, "census_tract"].isna().all()
    assert facilities_in_tracts["census_tract"].notna().mean() > 0.6


def test_operators_confirm_pantries_of_several_states(folder: Path, located: pd.DataFrame) -> None:
    edits = assemble_demo(folder, "operations_edits").accepted
    study = located[located["source_id"].eq("nyc_pantries_2023")]
    ids = {
        issue_id("nyc_pantries_2023", key): state
        for key, state in zip(study["source_key"], study["state"], strict=True)
    }
    assert edits["is_confirmed"].all()
    assert edits["resource_id"].isin(list(ids)).mean() > 0.9
    assert len({ids[n] for n in edits["resource_id"] if n in ids}) >= 6
    age = (pd.Timestamp(AS_OF) - pd.to_datetime(edits["source_updated_date"])).dt.days
    assert age.min() >= 1
    assert 0 < age.gt(180).sum() < len(age) / 2


def test_disasters(folder: Path) -> None:
    declarations = assemble_demo(folder, "fema_declarations")
    accepted, rejects = declarations.accepted, declarations.rejects
    assert len(accepted) > 200
    assert len(rejects) == 0
    assert accepted["county_fips"].dropna().str.fullmatch("[0-9]{5}").all()


def test_equal_arguments_give_equal_bytes(
    folder: Path, tmp_path: Path, geography: Geography
) -> None:
    again = write_demo(tmp_path, ROWS, 7, geography.zips, geography.cities, AS_OF)
    assert len(again) >= len(DEMO_SOURCES)
    for path in again:
        assert path.read_bytes() == (folder / path.relative_to(tmp_path)).read_bytes()


def test_another_seed_gives_other_places(
    folder: Path, tmp_path: Path, geography: Geography
) -> None:
    other = write_demo(tmp_path, ROWS, 8, geography.zips, geography.cities, AS_OF)
    # Disasters and the ZIP codes of food banks are no places.
    places = [p for p in other if not p.parent.name.startswith(("fema", "feeding_america"))]
    assert all(p.read_bytes() != (folder / p.relative_to(tmp_path)).read_bytes() for p in places)
