"""Queries of the totals of a release: by state, city, county and list, access to food, figures."""

from datetime import date, datetime
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from schemas.sources.rights import Right
from schemas.tables.core import (
    AREA_ACCESS,
    CITY_TOTALS,
    COUNTY_TOTALS,
    FIGURES,
    RECORD_SOURCES,
    RESOURCES,
    RIGHTS,
    STATE_TOTALS,
    WEBSITE_PROBES,
    ZIP_ACCESS,
)
from schemas.vocab.food_access import TierId
from schemas.vocab.resource_types import TYPES_BY_MODE
from warehouse.duckdb import Connection, quote_name, table_names
from warehouse.release.tables import read_rows

Row = dict[str, Any]


class StateTotals(msgspec.Struct, frozen=True):
    """A row of `out_directory__state_totals`; the fields' meaning stands in `schemas.fields`."""

    state: str
    resource_count: int
    food_pantries: int
    food_banks: int
    soup_kitchens: int
    mobile_pantries: int
    community_fridges: int
    pantry_class_count: int
    free_food_count: int
    wic_clinics: int
    school_meal_sites: int
    summer_meal_sites: int
    fqhc_health_centers: int
    head_start_centers: int
    snap_retailers: int
    partner_verified: int
    verified_count: int
    unverified_count: int
    partner_verified_pantries: int
    leaderboard_rank: int | None
    pantry_hours_known_count: int
    pantry_hours_old_count: int
    exact_point_count: int
    zip_count: int
    city_count: int
    county_count: int
    without_city_count: int
    population: int | None
    population_source: str | None
    population_date: date | None
    resources_per_1000_residents: float | None
    coverage_rank: int | None
    coverage_tier: TierId | None


class CityTotals(msgspec.Struct, frozen=True):
    """A row of `out_directory__city_totals`."""

    state: str
    city: str
    resource_count: int
    pantry_class_count: int
    free_food_count: int
    lat: float
    lng: float


class WebsiteProbes(msgspec.Struct, frozen=True):
    """Stored probes of a release: number of websites, and time of the last probe (UTC)."""

    probed: int = 0
    last_at: datetime | None = None


class Statistics(msgspec.Struct, frozen=True):
    """All totals of a release. `states` ordered by code, `cities` by state and name."""

    states: list[StateTotals]
    cities: list[CityTotals]
    figures: dict[tuple[str, str], int]
    website_probes: WebsiteProbes = WebsiteProbes()

    def group(self, figure_id: str) -> dict[str, int]:
        """Return figures of one id by group, the largest first, ties by name."""
        counts = {group: n for (name, group), n in self.figures.items() if name == figure_id}
        return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))


def read_statistics(db: Connection) -> Statistics:
    """Read the totals of a release."""
    return Statistics(
        msgspec.convert(read_rows(db, STATE_TOTALS), list[StateTotals]),
        msgspec.convert(read_rows(db, CITY_TOTALS), list[CityTotals]),
        {(row["figure_id"], row["figure_group"]): row["figure"] for row in read_rows(db, FIGURES)},
        read_website_probes(db) if WEBSITE_PROBES.name in table_names(db) else WebsiteProbes(),
    )


def read_website_probes(db: Connection) -> WebsiteProbes:
    """Count the probed websites of a release; return the time of the last probe too."""
    row = db.execute(f'SELECT count(*), max(probed_at) FROM "{WEBSITE_PROBES.name}"').fetchone()
    probed, last_at = row or (0, None)
    return WebsiteProbes(probed, last_at)


# ---------------------------------------------------------------- counties and lists


def read_county_ids(db: Connection) -> dict[str, NDArray[np.int64]]:
    """Read the ids of the active places of each county (FIPS code), ascending."""
    query = (
        f"SELECT county_fips, resource_id FROM {quote_name(RESOURCES.name)}"
        " WHERE is_active AND county_fips IS NOT NULL ORDER BY 1, 2"
    )
    columns = db.execute(query).fetchnumpy()
    counties, starts = np.unique(columns["county_fips"].astype(str), return_index=True)
    ids = np.split(columns["resource_id"].astype(np.int64), starts[1:])
    return dict(zip(counties.tolist(), ids, strict=True)) if len(counties) else {}


_LIST_TOTALS = f"""
    SELECT r.state, r.county_fips, s.source_id, count(DISTINCT r.resource_id) AS places,
        count(DISTINCT r.resource_id) FILTER (list_contains($free, r.resource_type)) AS free_food,
        min(s.source_updated_date) AS oldest, max(s.source_updated_date) AS newest
    FROM "{RECORD_SOURCES.name}" s JOIN "{RESOURCES.name}" r USING (resource_id)
    WHERE r.is_active AND r.state IS NOT NULL
    GROUP BY r.state, r.county_fips, s.source_id ORDER BY ALL
"""


class ListTotals(msgspec.Struct, frozen=True):
    """Active places of one list in one county; `county_fips` is None if unknown.

    `oldest` and `newest` are the publisher's dates, None without any. A place of several lists
    counts in each.
    """

    state: str
    county_fips: str | None
    source_id: str
    places: int
    free_food: int
    oldest: date | None
    newest: date | None


def read_list_totals(db: Connection) -> list[ListTotals]:
    """Read the totals ordered by state, county and source."""
    rows = db.execute(_LIST_TOTALS, {"free": list(TYPES_BY_MODE["free"])}).fetchall()
    return [ListTotals(*row) for row in rows]


def read_rights(db: Connection) -> dict[str, Right]:
    """Read the rights by source id; empty for releases made before rights existed."""
    if RIGHTS.name not in table_names(db):
        return {}
    rows = db.execute(
        f'SELECT source_id, rights_use, rights_basis, rights_reason FROM "{RIGHTS.name}"'
    ).fetchall()
    return {source_id: Right(*right) for source_id, *right in rows}


# ---------------------------------------------------------------- access to food


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
