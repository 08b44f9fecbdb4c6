"""Reads the access measure of a release for the service."""

from typing import Any

import msgspec

from schemas.tables.core import AREA_ACCESS, COUNTY_TOTALS, ZIP_ACCESS
from warehouse.duckdb import Connection, quote_name
from warehouse.release.tables import read_rows

Row = dict[str, Any]


class AccessFigures(msgspec.Struct, frozen=True):
    """National values, shared by documents. `areas` by code, the nation under US."""

    areas: dict[str, Row]
    counties: int
    counties_without_free_food: int
    resources_in_counties: int
    population_sources: list[str]


def read_access(db: Connection) -> AccessFigures:
    """Read the figures by state."""
    zips, counties = (quote_name(t.name) for t in (ZIP_ACCESS, COUNTY_TOTALS))
    sources = (
        f"SELECT DISTINCT population_source FROM {zips} UNION SELECT DISTINCT population_source "
        f"FROM {counties}"
    )
    totals = (
        "SELECT count(*), count(*) FILTER (free_food_count = 0), coalesce(sum(resource_count), "
        f"0)::BIGINT FROM {counties}"
    )
    count, without, in_counties = db.execute(totals).fetchall()[0]
    return AccessFigures(
        {row["area"]: row for row in read_rows(db, AREA_ACCESS)},
        counties=count,
        counties_without_free_food=without,
        resources_in_counties=in_counties,
        population_sources=sorted(s for (s,) in db.execute(sources).fetchall() if s is not None),
    )


def counties_of(db: Connection, state: str) -> list[Row]:
    """Return a state's rows of `COUNTY_TOTALS`."""
    return read_rows(db, COUNTY_TOTALS, state)


def zips_of(db: Connection, state: str) -> list[Row]:
    """Return a state's rows of `ZIP_ACCESS`."""
    return read_rows(db, ZIP_ACCESS, state)
