"""Checks as queries: how their files are read, and which faults are named."""

from pathlib import Path

import pandas as pd
import pytest

from schemas.checks.registry import query_checks, read_check
from tests.support.cases import cases, labelled
from warehouse.checks.declared import run_query_check

GOOD = """-- table: core_directory__resources
-- severity: warn
-- Names are written
-- with letters.
SELECT resource_id FROM core_directory__resources WHERE name = '';
"""
WRONG = {
    "no head": ("SELECT 1", "needs a name in small letters and the lines"),
    "no description": (
        GOOD.replace("-- Names are written\n-- with letters.\n", ""),
        "needs a name",
    ),
    "unknown table": (GOOD.replace("resources\n-- sev", "pantries\n-- sev"), "there is no table"),
    "unknown severity": (GOOD.replace("warn", "fatal"), "'fatal' is not one of error, warn"),
    "another table": (
        GOOD.replace("FROM core_directory__resources", "FROM out_x"),
        "does not read",
    ),
}


def test_a_file_names_its_table_severity_and_inputs() -> None:
    check = read_check("names_have_letters", GOOD)
    assert (check.table, check.severity) == ("core_directory__resources", "warn")
    assert check.description == "Names are written with letters."
    assert check.reads == ("core_directory__resources",)
    assert not check.query.endswith(";")


@pytest.mark.parametrize(("text", "fault"), WRONG.values(), ids=WRONG)
def test_a_wrong_file_is_refused(text, fault) -> None:
    with pytest.raises(ValueError, match=fault):
        read_check("a_check", text)


def test_names_of_checks_are_unique_words() -> None:
    names = [check.name for check in query_checks()]
    assert names == sorted(set(names))
    with pytest.raises(ValueError, match="small letters"):
        read_check("Names-Have-Letters", GOOD)


@cases(
    "is_active, status, is_closed, rows",
    {
        "a listed place": (True, "active", False, 0),
        "a merged place": (True, "merged", False, 1),
        "a retired place": (True, "retired", False, 1),
        "a place that a reviewer closed": (True, "active", True, 1),
        "a closed place that is not listed": (False, "active", True, 0),
        "a retired place that is not listed": (False, "retired", False, 0),
    },
)
def test_places_are_not_revived(
    tmp_path: Path, is_active: bool, status: str, is_closed: bool, rows: int
) -> None:
    change = ("is_active", "false") if is_closed else ("website", "https://alda.example.org")
    tables = {
        "resources": {"name": "Alda", "is_active": is_active},
        "identities": {"id_status": status},
        "automatic_changes": {
            "rule_id": "closed_by_review",
            "changed_field": change[0],
            "new_value": change[1],
        },
    }
    paths = {}
    for name, columns in tables.items():
        path = paths[f"core_directory__{name}"] = tmp_path / name
        pd.DataFrame([{"resource_id": 1, **columns}]).to_parquet(path)
    (check,) = (c for c in query_checks() if c.name == "place_is_not_revived")
    assert set(paths) == set(check.reads)
    assert run_query_check(check.query, paths).total == rows


def _places(count: int, lat: float) -> list[dict]:
    """Return places of 62001 with as many addresses, some yards apart."""
    return [
        {
            "resource_id": 4_503_599_627_370_496 + n,
            "name": "Alda",
            "data_source": "alda_list",
            "address": f"{n} Invented Rd",
            "zip": "62001",
            "lat": lat + n / 100_000,
            "lng": -90.0,
            "location_precision": "street",
            "is_active": True,
        }
        for n in range(count)
    ]


@cases(
    "places, rows",
    {
        "within its ZIP code": (_places(1, 40.03), 0),
        "at its edge": (_places(1, 40.09), 0),
        "outside": (_places(1, 40.2), 1),
        "its point is that of the ZIP code": (
            [{**_places(1, 40.2)[0], "location_precision": "zip"}],
            0,
        ),
        "outside and invented": (_places(10, 40.2), 11),
    },
)
def test_points_outside_their_zip_codes_are_counted(
    tmp_path: Path, places: list[dict], rows: int
) -> None:
    zips = [("62001", 40.0), ("62002", 40.15), ("62003", 40.17), ("62004", 40.19)]
    table = pd.DataFrame(zips, columns=["zip", "lat"]).assign(lng=-90.0, extent_miles=3.0)
    table = table.assign(zip_kind="standard", is_quality_low=False)
    (check,) = (c for c in query_checks() if c.name == "points_agree_with_their_zips")
    paths = dict.fromkeys(check.reads)
    for name, frame in (
        ("core_directory__resources", pd.DataFrame(places)),
        ("core_geography__zips", table),
    ):
        paths[name] = tmp_path / name
        frame.to_parquet(paths[name])
    assert run_query_check(check.query, paths).total == rows


@cases(
    "is_confidential, address, precision, rows",
    {
        "a place with a door": (False, "12 Alder St", "rooftop", 0),
        "a confidential place in a town": (True, None, "city", 0),
        "a confidential place in its ZIP code": (True, None, "zip", 1),
        "a confidential place with a street": (True, "12 Hidden Lane", "city", 1),
        "a confidential place at its door": (True, None, "rooftop", 1),
        "a confidential place on its street": (True, None, "street", 1),
    },
)
def test_confidential_places_are_hidden(
    tmp_path: Path, is_confidential: bool, address: str | None, precision: str, rows: int
) -> None:
    place = {"resource_id": 1, "name": "Alda", "data_source": "x", "address": address}
    place |= {"is_confidential": is_confidential, "location_precision": precision}
    pd.DataFrame([place]).astype({"address": "string"}).to_parquet(tmp_path / "places")
    (check,) = (c for c in query_checks() if c.name == "confidential_place_is_hidden")
    paths = {"core_directory__resources": tmp_path / "places"}
    assert run_query_check(check.query, paths).total == rows


def _listed(*rows: dict) -> pd.DataFrame:
    """Return listed pantries with other values."""
    place = {"name": "Alda", "resource_type": "food_pantry", "is_active": True, "data_source": "x"}
    place |= {"verification_status": "unverified", "last_verified_date": None}
    return pd.DataFrame([{**place, "resource_id": n, **row} for n, row in enumerate(rows, 1)])


@labelled("check_name, place, rows")
def test_listed_places_do_not_contradict_themselves(
    tmp_path: Path, check_name: str, place: dict, rows: int
) -> None:
    (check,) = (c for c in query_checks() if c.name == check_name)
    tables = {
        "core_directory__resources": _listed(*[{}] * 30, place),
        "core_directory__record_sources": pd.DataFrame(
            {"resource_id": range(1, 31), "is_primary": True}
        ),
    }
    paths = {name: tmp_path / name for name in check.reads}
    for name, path in paths.items():
        tables[name].to_parquet(path)
    assert run_query_check(check.query, paths).total == rows
