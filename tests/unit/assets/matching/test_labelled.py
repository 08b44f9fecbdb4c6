"""Labelled pairs of real lists: what is merged, what is missed. Thresholds are what was measured.

The labels are other people's: two of the three lists call pairs one place that this directory keeps
apart by rule (tenants of one house, stores with different numbers), so recall has a ceiling below 1
there.
"""

import gzip
import json
from itertools import combinations
from pathlib import Path

import pandas as pd
import pytest

from assets.matching.match_csv import match_records

SOURCES = Path(__file__).resolve().parents[4] / "../shared/sources"
Pair = tuple[str, str]
Pairs = set[Pair]

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SOURCES.is_dir(), reason="the publishers' files are not here"),
]


def read(path: str, **options: str) -> pd.DataFrame:
    return pd.read_csv(SOURCES / path, dtype=str, keep_default_na=False, **options)


def merged(records: pd.DataFrame, folder: Path) -> Pairs:
    """Pairs of ids in one cluster, smaller id first."""
    records.to_csv(folder / "in.csv", index=False)
    match_records(folder / "in.csv", folder / "out.csv")
    clusters = pd.read_csv(folder / "out.csv", dtype=str)
    return {
        pair
        for _, ids in clusters.groupby("cluster_id")["id"]
        for pair in combinations(sorted(ids), 2)
    }


def precision(found: Pairs, truth: Pairs) -> float:
    return len(found & truth) / len(found)


def recall(found: Pairs, truth: Pairs) -> float:
    return len(found & truth) / len(truth)


def washington_schools() -> pd.DataFrame:
    """NCES and OSPI schools; ids are "n" and "o" with the school code that both publish."""
    nces = read("nces_public_schools/geocoded_washington_schools.2025-01.csv.gz")
    ospi = read("wa_ospi_schools/WashingtonStatePublicSchools.2026-03.csv.gz", encoding="utf-8-sig")
    place = ospi["PhysicalAddress"].str.extract(r"^(.*), ([^,]*), ([A-Z]{2}) (\d{5})")
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "id": "n" + nces["State School ID"].str.split("-").str[-1],
                    "name": nces["School Name"],
                    "address": nces["Street Address"],
                    "city": nces["City"],
                    "state": nces["State"],
                    "zip": nces["ZIP"],
                    "phone": nces["Phone"],
                    "lat": nces["Latitude"],
                    "lng": nces["Longitude"],
                }
            ),
            pd.DataFrame(
                {
                    "id": "o" + ospi["SchoolCode"],
                    "name": ospi["School"],
                    "address": place[0],
                    "city": place[1],
                    "state": place[2],
                    "zip": place[3],
                    "lat": ospi["GeoCoded_Y"],
                    "lng": ospi["GeoCoded_X"],
                }
            ),
        ]
    )


def test_schools_of_two_registers_by_their_common_code(tmp_path: Path) -> None:
    schools = washington_schools()
    ids = set(schools["id"])
    truth = {(one, "o" + one[1:]) for one in ids if one[0] == "n" and "o" + one[1:] in ids}
    assert len(truth) == 2463
    found = merged(schools, tmp_path)
    assert precision(found, truth) >= 0.995
    assert recall(found, truth) >= 0.90


@pytest.mark.parametrize(("state", "wrong"), [("california_public", 2), ("florida", 8)])
def test_schools_of_one_register_stay_apart(state: str, wrong: int, tmp_path: Path) -> None:
    """Every code is a school of its own, 1,500 of the Californian ones at another's address."""
    nces = read(f"nces_public_schools/geocoded_{state}_schools.2025-01.csv.gz")
    names = {
        "NCES School ID": "id",
        "School Name": "name",
        "Street Address": "address",
        "Latitude": "lat",
        "Longitude": "lng",
    }
    records = nces.rename(columns=names).rename(columns=str.lower)
    columns = ["id", "name", "address", "city", "state", "zip", "phone", "lat", "lng"]
    assert len(merged(records[columns], tmp_path)) <= wrong


def test_pairs_that_people_called_distinct_stay_apart(tmp_path: Path) -> None:
    """Washington 211: offices of one organization at two addresses, and tenants of one house."""
    path = SOURCES / "wa211_dedupe_pairs_2022/dedupe_io_addresses_training.json.gz"
    labels = json.loads(gzip.decompress(path.read_bytes()))
    id_of: dict[tuple[str, ...], str] = {}
    pairs: dict[str, Pairs] = {"distinct": set(), "match": set()}
    for label, found in pairs.items():
        for entry in labels[label]:
            keys = [
                tuple(
                    str(one[field] or "")
                    for field in ("name", "address_1", "city", "state_province", "postal_code")
                )
                for one in entry["__value__"]
            ]
            one, other = (id_of.setdefault(key, f"{len(id_of):04d}") for key in keys)
            found.add((min(one, other), max(one, other)))
    records = pd.DataFrame(id_of.keys(), columns=["name", "address", "city", "state", "zip"])
    records.insert(0, "id", list(id_of.values()))
    assert not merged(records, tmp_path) & (pairs["distinct"] - pairs["match"])


# Pairs of rows that the Pittsburgh project does not list, each read: 42 duplicates,
# and three stands and markets at two addresses of a neighbourhood.
_PITTSBURGH = """
    0133-1318 0192-0939 0194-0438 0194-1439 0203-0825 0206-0822 0207-0742 0208-0634 0213-0955
    0213-1152 0221-0803 0222-0300 0223-0816 0224-0626 0226-1188 0228-1146 0229-0994 0231-0903
    0232-0407 0237-0954 0238-0824 0247-0700 0252-0721 0256-0966 0260-0717 0261-0935 0262-0882
    0263-0889 0365-1347 0386-1228 0400-1344 0404-1352 0438-1439 0469-1348 0811-1384 1048-1339
    1095-1346 1110-1338 1122-1340 1351-1405 1365-1400 1368-1413
"""
_DOUBTFUL = "1355-1386 1360-1387 1385-1388"


def test_duplicates_that_a_food_access_project_found(tmp_path: Path) -> None:
    """Pittsburgh: the project's own matcher is the label; a few of its merges break the rules here."""
    folder = "pittsburgh_food_access_2025"
    everything = read(f"{folder}/merged-raw-sources.csv.gz", sep="|")
    listed = read(f"{folder}/duplicate-merged-data.csv.gz", sep="|")
    names = {"zip_code": "zip", "url": "website", "latitude": "lat", "longitude": "lng"}
    columns = ["name", "address", "city", "state", "zip", "phone", "website", "lat", "lng"]
    records = everything.rename(columns=names)[columns]
    records.insert(0, "id", [f"{row:04d}" for row in range(len(records))])
    key = ["file_name", "id", "name", "address"]
    row_of = dict(zip(everything[key].itertuples(index=False), records["id"], strict=True))
    listed = listed[listed["merged_record"] != "True"]
    house = listed["address"].str.extract(r"^(\d+)")[0] + "/" + listed["zip_code"].str[:5]
    truth = {
        pair
        for _, rows in listed.groupby((house != house.shift()).cumsum())
        for pair in combinations(
            sorted(row_of[row] for row in rows[key].itertuples(index=False)), 2
        )
    }
    assert len(truth) == 71
    found = merged(records, tmp_path)
    assert recall(found, truth) >= 0.84
    # The project's list is not complete.
    assert {"-".join(pair) for pair in found - truth} <= {*_PITTSBURGH.split(), *_DOUBTFUL.split()}
