"""All ZIP codes and cities of the packages, and a release of some thousand places with them."""

import random
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from assets.geography.model import Geography
from assets.geography.packages import cities_from_packages, zips_from_packages
from schemas.vocab.resource_types import TYPE_IDS
from tests.support.releases import resource, write_release
from tests.support.sharing import share

PLACES = 4000


@cache
def zips_and_cities() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return both tables, read once in a session; copy them before a change."""
    folder = share("geography", _write_zips_and_cities)
    zips, cities = (pd.read_pickle(folder / name) for name in ("zips", "cities"))
    return zips, cities


def _write_zips_and_cities(folder: Path) -> None:
    folder.mkdir()
    zips = zips_from_packages()
    zips.to_pickle(folder / "zips")
    cities_from_packages(zips).to_pickle(folder / "cities")


@cache
def packaged_geography() -> Geography:
    """Return the geography of a build without geographic files, cached in the process."""
    return Geography(*zips_and_cities())


def _rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return rows


def scatter_places(zips: list[dict[str, Any]], count: int = PLACES) -> list[dict[str, Any]]:
    """Return places of all types near random ZIP codes.

    A quarter is in Alaska, Hawaii and the territories; every tenth shares its point.
    """
    rng = random.Random(20261101)
    rows_with_point = [row for row in zips if row["lat"] is not None and row["state"] is not None]
    far = [
        row for row in rows_with_point if row["state"] in {"AK", "HI", "PR", "GU", "VI", "AS", "MP"}
    ]
    rows = []
    for number in range(count):
        near = rng.choice(far if number % 4 == 0 else rows_with_point)
        apart = 0.0 if number % 10 == 0 else 0.1
        rows.append(
            resource(
                1000 + number,
                name=f"Place {number}",
                resource_type=rng.choice(TYPE_IDS),
                city=near["place_name"],
                state=near["state"],
                zip=near["zip"],
                lat=near["lat"] + rng.uniform(-apart, apart),
                lng=near["lng"] + rng.uniform(-apart, apart),
            )
        )
    return rows


def write_gazetteer(data_dir: Path) -> str:
    """Write and promote the release; return its id. Takes some seconds."""
    zips, cities = (_rows(table) for table in zips_and_cities())
    return write_release(data_dir, scatter_places(zips), zips=zips, cities=cities)
