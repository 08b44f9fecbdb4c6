"""Reads the totals of a release for the service: by state, by city, single figures."""

from datetime import date, datetime

import msgspec

from schemas.tables.core import CITY_TOTALS, FIGURES, STATE_TOTALS, WEBSITE_PROBES
from schemas.vocab.food_access import TierId
from warehouse.duckdb import Connection, table_names
from warehouse.release.tables import read_rows


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
