"""Every figure of the access documents, worked out again from `/api/resources/bulk` and the points
of ZIP codes.
"""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow.parquet as pq
import pytest
from litestar import Litestar
from litestar.testing import TestClient

from schemas.api.access import NationalAccess, StateAccess
from schemas.tables.core import ZIPS
from schemas.values.coordinates import great_circle_miles
from schemas.vocab.resource_types import MODES, PANTRY_CLASS, TYPES_BY_MODE
from schemas.vocab.states import STATES
from serving.app import create_app
from serving.settings import Settings
from tests.support.access import COUNTIES, RESIDENTS
from tests.support.country import places
from tests.support.releases import write_release

Row = dict[str, Any]
RADII = {
    "people_share_within_1_mile": 1,
    "people_share_within_5_miles": 5,
    "people_share_within_10_miles": 10,
    "people_share_within_25_miles": 25,
}


def zip_codes() -> list[Row]:
    """400 ZIP codes around the country's places; some without residents, some doubtful, one without
    a point.
    """
    rng = random.Random(7)
    codes = list(STATES)
    rows = [
        {
            "zip": f"{n:05d}",
            "zip_kind": rng.choice(["standard", "standard", "po_box", "unique"]),
            "place_name": "Town",
            "state": codes[n % len(codes)],
            "county_fips": rng.choice(["36061", "36119", "01003", None]),
            "lat": rng.uniform(30, 45),
            "lng": rng.uniform(-120, -75),
            "population": rng.choice([None, 0, rng.randrange(60_000), rng.randrange(9_000)]),
            "is_quality_low": rng.random() < 0.1,
        }
        for n in range(400)
    ]
    rows[3] |= {"lat": None, "lng": None, "state": None, "zip_kind": "military"}
    return rows


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made: Path = tmp_path_factory.mktemp("country")
    write_release(made, places(), zips=zip_codes(), access=True)
    return made


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[TestClient[Litestar]]:
    with TestClient(create_app(Settings(data_dir=folder, log_level="critical"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def resources(folder: Path, client: TestClient[Litestar]) -> list[Row]:
    found: list[Row] = []
    address: str | None = "/api/resources/bulk?limit=1000"
    while address:
        page = client.get(address).json()
        found += page["resources"]
        address = page["next"]
    assert len(found) > 5000
    table = pq.read_table(
        folder / "tables" / "core_directory__resources.parquet",
        columns=["resource_id", "is_hours_current"],
    )
    current = {row["resource_id"] for row in table.to_pylist() if row["is_hours_current"]}
    return [{**row, "is_hours_current": row["id"] in current} for row in found]


def is_free(row: Row) -> bool:
    return row["resource_type"] in TYPES_BY_MODE["free"]


def is_exact(row: Row) -> bool:
    return row["location_precision"] in {"rooftop", "street"}


def share(part: float, whole: float) -> Any:
    return pytest.approx(part / whole, abs=0.00006) if whole else None


@pytest.fixture(scope="module")
def measured(folder: Path, resources: list[Row]) -> dict[str, Row]:
    """Every ZIP code, measured against every single place."""
    zips = pq.read_table(folder / "tables" / f"{ZIPS.name}.parquet").to_pylist()
    free, shops = (
        [r for r in resources if is_free(r)],
        [r for r in resources if r["resource_type"] == "snap_retailer"],
    )
    found = {}
    for code in (z for z in zips if z["lat"] is not None):

        def miles_to(rows: list[Row], at: Row = code) -> list[float]:
            lat, lng = (np.array([r[axis] for r in rows]) for axis in ("lat", "lng"))
            miles = great_circle_miles(at["lat"], at["lng"], lat, lng)
            return [round(m, 2) for m in miles.tolist()]

        away, to_shops = miles_to(free), miles_to(shops)
        known = [m for m, r in zip(away, free, strict=True) if r["is_hours_current"]]
        exact = [m for m, r in zip(away, free, strict=True) if is_exact(r)]
        near = sum(m <= 25 for m in away)
        found[code["zip"]] = {
            **{
                name: code[name]
                for name in (
                    "zip",
                    "zip_kind",
                    "is_quality_low",
                    "state",
                    "county_fips",
                    "population",
                )
            },
            "nearest_free_miles": min(away),
            "nearest_free_known_hours_miles": min(known),
            "nearest_snap_miles": min(to_shops),
            "is_nearest_free_exact": any(
                is_exact(r) for m, r in zip(away, free, strict=True) if m == min(away)
            ),
            **{f"free_within_{r}_count": sum(m <= r for m in away) for r in (5, 10, 25)},
            **{f"snap_within_{r}_count": sum(m <= r for m in to_shops) for r in (1, 5, 10)},
            "free_known_hours_within_25_count": sum(m <= 25 for m in known),
            "free_exact_within_25_count": sum(m <= 25 for m in exact),
            "hours_known_share": share(sum(m <= 25 for m in known), near),
            "exact_share": share(sum(m <= 25 for m in exact), near),
        }
    assert len(found) == 399
    return found


def people_of(zips: list[Row]) -> Row:
    """The shares of residents of some ZIP codes."""
    known = [z for z in zips if z["population"] is not None]
    people = sum(z["population"] for z in known)
    standard = [z for z in zips if z["zip_kind"] == "standard"]
    homes = sorted((z["nearest_free_miles"], z["population"]) for z in known)
    reached, median = 0, None
    for miles, residents in homes:
        reached += residents
        if median is None and residents and 2 * reached >= people:
            median = miles
    return {
        "zip_area_count": len(zips),
        "zip_without_population_count": len(zips) - len(known),
        "zip_population": people if known else None,
        "rough_population": sum(z["population"] for z in known if z["is_quality_low"])
        if known
        else None,
        "inexact_population": sum(z["population"] for z in known if not z["is_nearest_free_exact"])
        if known
        else None,
        "mean_free_miles": pytest.approx(sum(m * n for m, n in homes) / people, abs=0.0051)
        if people
        else None,
        "median_free_miles": median,
        **{name: share(sum(n for m, n in homes if m <= r), people) for name, r in RADII.items()},
        "people_share_known_hours_within_5_miles": share(
            sum(z["population"] for z in known if z["nearest_free_known_hours_miles"] <= 5), people
        ),
        "zip_share_within_5_miles": share(
            sum(z["nearest_free_miles"] <= 5 for z in standard), len(standard)
        ),
    }


def free_of(rows: list[Row]) -> Row:
    free = [r for r in rows if is_free(r)]
    hours, exact = sum(r["is_hours_current"] for r in free), sum(is_exact(r) for r in free)
    return {
        "free_food_count": len(free),
        "free_hours_known_count": hours,
        "free_exact_point_count": exact,
        "hours_known_share": share(hours, len(free)),
        "exact_share": share(exact, len(free)),
    }


def shown(struct: Any, wanted: Row) -> Row:
    found: Row = msgspec.structs.asdict(struct)
    return {name: found[name] for name in wanted}


def read(client: TestClient[Litestar], path: str, shape: Any) -> Any:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=shape, strict=True)


def test_the_nation_and_every_state(
    client: TestClient[Litestar], resources: list[Row], measured: dict[str, Row]
) -> None:
    document = read(client, "/api/v1/access.json", NationalAccess)
    every = list(measured.values())
    wanted = {**people_of(every), **free_of(resources)}
    assert shown(document.national, wanted) == wanted
    assert [s.area for s in document.states] == sorted(STATES)
    for state in document.states:
        own = [r for r in resources if r["state"] == state.area]
        wanted = {**people_of([z for z in every if z["state"] == state.area]), **free_of(own)}
        assert shown(state, wanted) == wanted, state.area
    assert document.resources_without_county == sum(r["county_fips"] is None for r in resources)


def test_every_zip_code_and_county_of_a_state(
    client: TestClient[Litestar], resources: list[Row], measured: dict[str, Row]
) -> None:
    seen, counties = 0, {}
    for code in STATES:
        document = read(client, f"/api/v1/access/{code}.json", StateAccess)
        for row in document.zips:
            wanted = {k: v for k, v in measured[row.zip].items() if k != "state"}
            assert shown(row, wanted) == wanted
            seen += 1
        counties |= {row.county_fips: row for row in document.counties}
    assert seen == len(measured)
    listed = {r["county_fips"] for r in resources if r["county_fips"]}
    coded = {
        fips
        for fips in {*listed, *COUNTIES["county_fips"], "01003"}
        if fips[:2] in {s.fips for s in STATES.values()}
    }
    assert set(counties) == coded
    for fips, row in counties.items():
        wanted = county(fips, resources, list(measured.values()))
        assert shown(row, wanted) == wanted, fips


def county(fips: str, resources: list[Row], zips: list[Row]) -> Row:
    own = [r for r in resources if r["county_fips"] == fips]
    modes = {
        f"{mode}_count": sum(r["resource_type"] in TYPES_BY_MODE[mode] for r in own)
        for mode in MODES
        if mode != "free"
    }
    people = RESIDENTS.get(fips)
    free = free_of(own)
    return {
        "resource_count": len(own),
        **modes,
        **free,
        "pantry_class_count": sum(r["resource_type"] in PANTRY_CLASS for r in own),
        "population": people,
        "free_food_per_10000_residents": None
        if people is None
        else pytest.approx(free["free_food_count"] / people * 10_000, abs=0.00051),
        "resources_per_10000_residents": None
        if people is None
        else pytest.approx(len(own) / people * 10_000, abs=0.00051),
        **people_of([z for z in zips if z["county_fips"] == fips]),
    }


def test_the_files_say_what_the_documents_say(
    client: TestClient[Litestar], measured: dict[str, Row]
) -> None:
    files = {}
    for name, key in (("counties", "county_fips"), ("zips", "zip")):
        text = client.get(f"/api/v1/access/{name}.csv").text
        files[name] = {row[key]: row for row in csv.DictReader(io.StringIO(text))}
    for code in STATES:
        document = client.get(f"/api/v1/access/{code}.json").json()
        for name, key in (("counties", "county_fips"), ("zips", "zip")):
            for row in document[name]:
                cells = files[name][row[key]]
                assert row == {member: _read(cells[member], value) for member, value in row.items()}
    assert files["zips"].keys() == measured.keys()


def _read(cell: str, like: Any) -> Any:
    """A cell as the value it stands for."""
    if cell == "":
        return None
    if isinstance(like, bool):
        return {"true": True, "false": False}[cell]
    return type(like)(cell) if isinstance(like, int | float) else cell
