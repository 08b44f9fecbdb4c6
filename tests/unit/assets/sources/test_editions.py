"""A newer edition retires omitted rows of its area and inherits points of older ones."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

import msgspec
import pandas as pd
import pytest

from assets.sources.contract import RawFile
from assets.sources.editions import find_omitted_rows, with_older_points
from schemas.sources.registry import ExpectedRows, FileLayout, Source, sources
from tests.support.source_files import file_of

# Its rows are invented here, so its mappings read nothing.
SNAP = msgspec.structs.replace(sources()["usda_snap"], layouts={})
Place = tuple[str, str, str, str | None]  # file, key, state, county


def _source(**covers: list[str]) -> Source:
    layouts = [
        FileLayout(pattern=n.replace("_", "-") + "*", layout="x", covers=c)
        for n, c in covers.items()
    ]
    return msgspec.structs.replace(SNAP, files=layouts, expected_rows=ExpectedRows(2, 9))


def _file(name: str, vintage: date | None) -> RawFile:
    return file_of(Path(name), source="usda_snap", vintage=vintage)


@dataclass(frozen=True)
class Case:
    """Editions with area and vintage, their rows, and the keys that are omitted."""

    covers: list[str]
    rows: list[Place]
    omitted: list[str]
    older: date | None = date(2014, 1, 1)


GA, FL = ("GA", "Fulton County"), ("FL", None)
CASES = {
    "a state": Case(["GA"], [("old", "1", *GA), ("old", "2", *GA), ("new", "1", *GA)], ["2"]),
    "another state": Case(["GA"], [("old", "1", *FL), ("new", "2", *GA)], []),
    "an extract": Case([], [("old", "1", *GA), ("new", "2", *GA)], []),
    "a county": Case(
        ["GA/Fulton"], [("old", "1", *GA), ("old", "2", "GA", "DE KALB"), ("new", "3", *GA)], ["1"]
    ),
    "a county in capitals": Case(
        ["GA/Fulton"], [("old", "1", "GA", "FULTON"), ("new", "3", *GA)], ["1"]
    ),
    "no county known": Case(["GA/Fulton"], [("old", "1", "GA", None), ("new", "3", *GA)], []),
    "no state known": Case(["GA"], [("old", "1", None, None), ("new", "2", *GA)], []),
    "the nation": Case(["US"], [("old", "1", *FL), ("new", "2", *GA), ("new", "3", *GA)], ["1"]),
    "a national file that is an extract": Case(["US"], [("old", "1", *FL), ("new", "2", *GA)], []),
    "no date": Case(["GA"], [("old", "1", *GA), ("new", "2", *GA)], [], older=None),
    "an edition after it": Case(
        ["GA"], [("old", "1", *GA), ("new", "2", *GA)], [], older=date(2027, 1, 1)
    ),
    "no key": Case(["GA"], [("old", "1", *GA), ("new", None, *GA)], ["1"]),  # type: ignore[list-item]
}


@pytest.mark.parametrize("name", CASES)
def test_omitted(name: str) -> None:
    case = CASES[name]
    rows = pd.DataFrame(case.rows, columns=["file_name", "source_key", "state", "county_name"])
    rows["file_name"] += ".csv"
    files = [_file("old.csv", case.older), _file("new.csv", date(2026, 7, 1))]
    omitted = find_omitted_rows(
        rows, _source(new=case.covers, old=["GA"] if case.older else []), files
    )
    expected = [
        "new.csv" if k in case.omitted and f == "old.csv" else None
        for f, k in zip(rows["file_name"], rows["source_key"], strict=True)
    ]
    if name == "an edition after it":
        expected = [None, "old.csv"]
    assert omitted.astype(object).where(omitted.notna(), None).tolist() == expected


@pytest.mark.parametrize(
    ("file_name", "state"),
    [
        ("GA-EBT.2026-07.csv", "GA"),
        ("CA_SNAP_Locations.csv", "CA"),
        ("geocoded_west_virginia_schools.csv", "WV"),
        ("florida_schools.html", "FL"),
        ("GA-and-FL.csv", None),
        ("snapshot.csv", None),
    ],
)
def test_the_state_in_a_file_name(file_name: str, state: str | None) -> None:
    rows = pd.DataFrame(
        [("old.csv", "1", code, None) for code in ("GA", "CA", "WV", "FL", "VA")],
        columns=["file_name", "source_key", "state", "county_name"],
    )
    rows["source_key"] = rows["state"]
    source = msgspec.structs.replace(
        SNAP, files=[FileLayout(pattern=file_name, layout="x", covers=["state-in-name"])]
    )
    files = [_file("old.csv", date(2014, 1, 1)), _file(file_name, date(2026, 7, 1))]
    omitted = find_omitted_rows(rows, source, files)
    assert rows.loc[omitted.notna(), "state"].tolist() == ([state] if state else [])


def test_an_area_has_to_be_known() -> None:
    with pytest.raises(ValueError, match="covers: 'Georgia'"):
        FileLayout(pattern="x", layout="x", covers=["Georgia"])


POINTS = {
    "same address": ("12 Main St", (40.0, -80.0)),
    "other spelling": ("12 MAIN ST", (40.0, -80.0)),
    "moved": ("99 Oak Ave", (None, None)),
    "no address": (None, (None, None)),
}


@pytest.mark.parametrize("name", POINTS)
def test_a_point_of_an_older_edition(name: str) -> None:
    address, expected = POINTS[name]
    columns = ["source_key", "address", "city", "zip", "lat", "lng", "source_updated_date"]
    rows = pd.DataFrame(
        [
            ("1", "12 Main St", "Troy", "48083", 39.0, -79.0, date(2019, 1, 1)),
            ("1", "12 Main St", "Troy", "48083", 40.0, -80.0, date(2021, 1, 1)),
            ("1", address, "Troy", "48083", None, None, date(2026, 1, 1)),
            ("2", "12 Main St", "Troy", "48083", None, None, date(2026, 1, 1)),
        ],
        columns=columns,
    ).astype({"lat": "float64", "lng": "float64"})
    older_points = with_older_points(rows)[["lat", "lng"]]
    points = [
        tuple(None if pd.isna(v) else v for v in row)
        for row in older_points.itertuples(index=False)
    ]
    assert points == [(39.0, -79.0), (40.0, -80.0), expected, (None, None)]
