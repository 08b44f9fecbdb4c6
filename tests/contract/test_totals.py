"""Compare the totals of the service with counts of the records of `/api/resources/bulk`."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from typing import Any

import msgspec
import pytest

from schemas.api.coverage import Coverage
from schemas.api.data_quality import DataQuality
from schemas.api.reports import ServiceHealth, Stats, TypeCatalog
from schemas.api.snapshots import (
    Cities,
    Leaderboard,
    NationalAtlas,
    QuickStats,
    Snapshot,
    StateAtlas,
    StateDump,
)
from schemas.vocab.resource_types import MODES, PANTRY_CLASS, RESOURCE_TYPES, TYPES_BY_MODE
from schemas.vocab.states import FIFTY_ONE, STATES
from tests.support.clients import Client, open_client, read
from tests.support.country import write_country

Row = dict[str, Any]
Rows = list[Row]
TYPES_BY_TOTAL = {
    "food_pantries": "food_pantry",
    "food_banks": "food_bank",
    "soup_kitchens": "soup_kitchen",
    "mobile_pantries": "mobile_pantry",
    "community_fridges": "community_fridge",
    "wic_clinics": "wic_office",
    "school_meal_sites": "school_meal",
    "summer_meal_sites": "summer_meal",
    "fqhc_health_centers": "health_center",
    "head_start_centers": "head_start",
    "snap_retailers": "snap_retailer",
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder = tmp_path_factory.mktemp("country")
    write_country(folder)
    with open_client(folder) as client:
        yield client


@pytest.fixture(scope="module")
def rows(client: Client) -> Rows:
    """All records, read page by page."""
    records: Rows = []
    address: str | None = "/api/resources/bulk?limit=777"
    while address:
        page = client.get(address).json()
        records += page["resources"]
        address = page["next"]
    assert len(records) == page["total"] > 5000
    return records


def is_pantry(row: Row) -> bool:
    return row["resource_type"] in PANTRY_CLASS


def is_free(row: Row) -> bool:
    return row["resource_type"] in TYPES_BY_MODE["free"]


def is_partner(row: Row) -> bool:
    return bool(row["verification_status"] == "partner_verified")


def count(rows: Rows, *tests: Callable[[Row], Any]) -> int:
    return sum(1 for row in rows if all(test(row) for test in tests))


def pct(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0


def of_state(rows: Rows, code: str) -> Rows:
    return [row for row in rows if row["state"] == code]


def atlas_counts(rows: Rows) -> dict[str, int]:
    types = Counter(row["resource_type"] for row in rows)
    return {
        "total_resources": len(rows),
        "food_pantry_class": count(rows, is_pantry),
        "free_food": count(rows, is_free),
        **{name: types[type_id] for name, type_id in TYPES_BY_TOTAL.items()},
        "partner_verified": count(rows, is_partner),
    }


def members(struct: Any, names: Any) -> dict[str, Any]:
    return {name: getattr(struct, name) for name in names}


# ---------------------------------------------------------------- atlas


def test_the_national_atlas(client: Client, rows: Rows) -> None:
    atlas = read(client, "/atlas.json", NationalAtlas)
    totals = atlas_counts(rows)
    assert members(atlas.national, totals) == totals
    assert [s.state for s in atlas.states] == sorted({*FIFTY_ONE, *(row["state"] for row in rows)})
    for state in atlas.states:
        totals = atlas_counts(of_state(rows, state.state))
        assert members(state, totals) == totals, state.state
    for name in totals:
        assert sum(getattr(s, name) for s in atlas.states) == getattr(atlas.national, name)
    assert atlas.states_covered == len({row["state"] for row in rows})


@pytest.mark.parametrize("code", [*FIFTY_ONE, "GU"])
def test_the_atlas_of_a_state(client: Client, rows: Rows, code: str) -> None:
    atlas, own = read(client, f"/atlas/{code}.json", StateAtlas), of_state(rows, code)
    coverage = atlas.coverage
    parts = {
        **msgspec.structs.asdict(coverage.food_pantry_class),
        **msgspec.structs.asdict(coverage.federal_programs),
        "snap_retailers": coverage.snap_retailers,
    }
    counts = atlas_counts(own)
    assert parts.pop("subtotal") == counts["food_pantry_class"]
    assert parts == {name: counts[name] for name in parts}
    assert sum(parts.values()) + coverage.other_resources == coverage.total_resources == len(own)
    types = Counter(row["resource_type"] for row in own)
    assert coverage.by_type == {type_id: types[type_id] for type_id in RESOURCE_TYPES}
    _check_verification(atlas.verification, own)
    _check_geography(atlas.geographic, own, code)
    by_city = Counter(row["city"].lower() for row in own if row["city"] and is_pantry(row))
    most = sorted(by_city.values(), reverse=True)[:10]
    assert [c.pantry_count for c in atlas.top_cities_by_pantry_count] == most
    places = Counter(row["city"].lower() for row in own if row["city"])
    for city in atlas.top_cities_by_pantry_count:
        assert by_city[city.city.lower()] == city.pantry_count
        assert places[city.city.lower()] == city.resource_count
    assert len(set(atlas.related_surfaces.values())) == 8


def has_current_hours(row: dict[str, Any]) -> bool:
    """Return whether a page would show the hours today: they were confirmed on the record's day."""
    day = row["confirmed_date"]
    return (
        bool(row["hours"])
        and day is not None
        and (datetime.now(UTC).date() - date.fromisoformat(day)).days <= 180
    )


def _check_verification(verification: Any, own: Rows) -> None:
    statuses = Counter(row["verification_status"] for row in own)
    for name in ("partner_verified", "verified", "unverified"):
        rate = getattr(verification, name)
        assert (rate.count, rate.pct) == (statuses[name], pct(statuses[name], len(own)))
    assert verification.partner_verified_pantries == count(own, is_pantry, is_partner)
    known_hours, pantries = count(own, is_pantry, has_current_hours), count(own, is_pantry)
    assert (verification.pantry_hours_known.count, verification.pantry_hours_known.pct) == (
        known_hours,
        pct(known_hours, pantries),
    )


def _check_geography(geography: Any, own: Rows, code: str) -> None:
    assert geography.zip_codes == len({row["zip"] for row in own} - {None})
    assert geography.cities == len({row["city"].lower() for row in own if row["city"]})
    assert geography.counties == len({row["county_fips"] for row in own} - {None})
    assert geography.places_without_city == count(own, lambda r: r["city"] is None)
    assert geography.exact_points.count == count(
        own, lambda r: r["location_precision"] in {"rooftop", "street"}
    )
    assert geography.population == STATES[code].population
    assert geography.resources_per_1000_residents == round(
        1000 * len(own) / geography.population, 4
    )
    assert geography.free_food_per_1000_residents == round(
        1000 * count(own, is_free) / geography.population, 4
    )
    assert (geography.coverage_rank is None) == (code not in FIFTY_ONE)


@pytest.mark.parametrize(
    "path",
    [
        "/atlas/ZZ.json",
        "/atlas/PR.json",
        "/atlas/.json",
        "/atlas/CA.xml",
        "/api/v1/state/ZZ.json",
        "/api/v1/state/PR.json",
    ],
)
def test_an_unknown_or_empty_state_is_404(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


# ---------------------------------------------------------------- leaderboard, coverage


def test_the_leaderboard(client: Client, rows: Rows) -> None:
    board = read(client, "/api/leaderboard.json", Leaderboard)
    partner = count(rows, is_pantry, is_partner)
    assert board.national.partner_verified_pantries == partner
    assert board.national.partner_verified == count(rows, is_partner)
    assert board.national.pantries == count(rows, is_pantry)
    assert board.national.partner_verified_pct == pct(partner, count(rows, is_pantry))
    numbers = [s.partner_verified_pantries for s in board.states]
    assert numbers == sorted(numbers, reverse=True)
    assert sum(numbers) == partner
    for state in board.states:
        own = of_state(rows, state.state)
        assert state.partner_verified_pantries == count(own, is_pantry, is_partner)
        assert (state.partner_verified, state.pantries) == (
            count(own, is_partner),
            count(own, is_pantry),
        )
        ahead = sum(1 for n in numbers if n > state.partner_verified_pantries)
        assert state.rank == (ahead + 1 if state.partner_verified_pantries else None)
    assert {"VT"} <= {s.state for s in board.states if s.rank is None}
    assert board.national.states_ranked == sum(1 for s in board.states if s.rank)


def test_the_coverage_analysis(client: Client, rows: Rows) -> None:
    coverage = read(client, "/api/v1/coverage.json", Coverage)
    assert [len(coverage.states), len(coverage.territories)] == [51, 5]
    assert {s.state for s in coverage.states} == set(FIFTY_ONE)
    ratios = [s.resources_per_1000_residents for s in coverage.states]
    assert ratios == sorted(ratios, reverse=True)
    edges = {tier.id: (tier.minimum, tier.below) for tier in coverage.tiers}
    for state in [*coverage.states, *coverage.territories]:
        own = of_state(rows, state.state)
        assert (state.resources, state.pantries, state.free_food) == (
            len(own),
            count(own, is_pantry),
            count(own, is_free),
        )
        stores, schools = (
            count(own, lambda r, t=types: r["resource_type"] in t)
            for types in ({"snap_retailer"}, {"school_meal", "summer_meal"})
        )
        assert (state.stores, state.schools) == (stores, schools)
        for ratio, places in (
            (state.resources_per_1000_residents, state.resources),
            (state.stores_per_1000_residents, stores),
            (state.schools_per_1000_residents, schools),
            (state.free_food_per_1000_residents, state.free_food),
        ):
            assert ratio == round(1000 * places / state.population, 4)
        assert state.free_food_per_10000_residents == round(
            10_000 * state.free_food / state.population, 3
        )
        least, below = edges[state.tier]
        assert state.free_food_per_1000_residents >= least
        assert below is None or state.free_food_per_1000_residents < below
        assert state.population_source
        assert state.population_date
        assert state.reason is None
    for state in coverage.states:
        assert state.rank == 1 + sum(1 for r in ratios if r > state.resources_per_1000_residents)
    assert {s.rank for s in coverage.territories} == {None}
    tiers = Counter(s.tier for s in coverage.states)
    assert members(coverage.tier_counts, edges) == {name: tiers[name] for name in edges}
    national, everywhere = coverage.national, [*coverage.states, *coverage.territories]
    assert national.total_resources == len(rows)
    assert national.ranked_resources == sum(s.resources for s in coverage.states)
    assert national.population == sum(s.population for s in everywhere)
    assert national.ranked_population == sum(s.population for s in coverage.states)
    assert national.resources_per_1000_residents == round(1000 * len(rows) / national.population, 4)
    assert national.free_food_per_1000_residents == round(
        1000 * count(rows, is_free) / national.population, 4
    )
    assert (national.pantries, national.free_food) == (count(rows, is_pantry), count(rows, is_free))


# ---------------------------------------------------------------- quality


def test_the_data_quality_report(client: Client, rows: Rows) -> None:
    quality = read(client, "/api/v1/data-quality.json", DataQuality)
    _check_completeness(quality.field_completeness_pantry_class, [r for r in rows if is_pantry(r)])
    _check_completeness(quality.field_completeness_all, rows)
    for group, inside in (
        ("pantry_class", is_pantry),
        ("free_food", is_free),
        ("all", lambda _: True),
    ):
        share = getattr(quality.hours_known_share, group)
        known, places = count(rows, inside, has_current_hours), count(rows, inside)
        assert (share.count, share.pct) == (known, pct(known, places))
    mix = Counter(row["verification_status"] for row in rows)
    assert msgspec.structs.asdict(quality.verification_mix) == dict(mix)
    _check_sources(quality, rows)
    merging = quality.deduplication
    assert merging.resources == len(rows)
    assert merging.source_records == sum(_records(client, rows[:25])) * len(rows) // 25
    assert merging.merged_records == merging.source_records - merging.resources
    assert sum(merging.records_by_match_reason.values()) == merging.source_records


def _records(client: Client, rows: Rows) -> list[int]:
    """Return numbers of source records of places; in this release each place has one."""
    return [len(client.get(f"/api/resources/{row['id']}").json()["sources"]) for row in rows]


def _check_completeness(completeness: Any, rows: Rows) -> None:
    is_complete = {
        "phone": lambda r: r["phone"],
        "website": lambda r: r["website"],
        "hours": lambda r: r["hours"] or r["hours_text"],
        "hours_current": has_current_hours,
        "hours_old": lambda r: r["hours"] and not has_current_hours(r),
        "address": lambda r: r["address"],
        "geocode": lambda r: r["location_precision"] in {"rooftop", "street"},
        "verification_date": lambda r: r["last_verified_date"],
        "services_offered": lambda r: r["services_offered"],
        "requirements_text": lambda r: r["requirements_text"],
        "languages_offered": lambda r: r["languages"],
    }
    assert completeness.total_records == len(rows)
    for name, test in is_complete.items():
        rate = getattr(completeness, name)
        assert (rate.count, rate.pct) == (count(rows, test), pct(count(rows, test), len(rows))), (
            name
        )


def _check_sources(quality: Any, rows: Rows) -> None:
    counts_by_source = Counter(row["data_source"] for row in rows)
    assert {s.source: s.count for s in quality.top_data_sources} == dict(counts_by_source)
    counts = [s.count for s in quality.top_data_sources]
    assert counts == sorted(counts, reverse=True)
    shops = [row for row in rows if row["resource_type"] == "snap_retailer"]
    retailers = quality.snap_retailer_data
    assert retailers.total == len(shops) == sum(retailers.by_source.values())
    assert retailers.by_source == dict(Counter(row["data_source"] for row in shops))
    assert retailers.share_of_all_pct == pct(len(shops), len(rows))


def test_the_ages_of_the_last_verification(client: Client, rows: Rows) -> None:
    freshness = read(client, "/api/v1/data-quality.json", DataQuality).freshness_distribution
    today = datetime.now(UTC).date()
    days = [row["last_verified_date"] for row in rows]
    ages = [max(0, (today - date.fromisoformat(day)).days) for day in days if day]
    for limit in (7, 30, 90, 180, 365):
        within = sum(1 for age in ages if age <= limit)
        assert getattr(freshness, f"verified_in_last_{limit}d") == within
    assert freshness.older_than_365d_or_unknown == len(rows) - freshness.verified_in_last_365d
    assert freshness.never_verified == days.count(None)
    assert freshness.total_records == len(rows)
    statistics = client.get("/api/stats/quality").json()
    assert msgspec.to_builtins(freshness.confirmed) == statistics["freshness"]


# ---------------------------------------------------------------- figures


def test_the_main_figures_agree_everywhere(client: Client, rows: Rows) -> None:
    quick = read(client, "/api/v1/quick-stats.json", QuickStats).stats
    snapshot = read(client, "/snapshot.json", Snapshot)
    stats, health = (
        read(client, "/api/stats", Stats),
        read(client, "/api/v1/health.json", ServiceHealth),
    )
    types = read(client, "/api/v1/types.json", TypeCatalog)
    by_type = Counter(row["resource_type"] for row in rows)
    by_mode = {mode: sum(by_type[t] for t in TYPES_BY_MODE[mode]) for mode in MODES}
    assert quick == snapshot.coverage
    assert (
        quick.total_resources
        == stats.total_resources
        == health.coverage["resources"]
        == types.total
        == len(rows)
    )
    assert quick.by_mode == stats.by_mode == by_mode
    assert (
        {t.id: t.count for t in types.types}
        == stats.by_type
        == {t: by_type[t] for t in RESOURCE_TYPES}
    )
    assert quick.food_pantry_class == health.coverage["food_pantry_class"] == count(rows, is_pantry)
    assert quick.free_food == health.coverage["free_food"] == by_mode["free"]
    assert quick.snap_retailers == health.coverage["snap_retailers"] == by_type["snap_retailer"]
    assert quick.states_and_territories == stats.states_covered == health.coverage["states"]
    assert quick.cities == len({(r["state"], r["city"].lower()) for r in rows if r["city"]})
    statuses = Counter(row["verification_status"] for row in rows)
    assert members(quick, statuses) == dict(statuses) == stats.by_verification_status
    assert quick.pantry_hours_known.count == count(rows, is_pantry, has_current_hours)
    assert client.get("/api/v1/types.json").content == client.get("/api/resources/types").content


def test_top_states_and_cities(client: Client, rows: Rows) -> None:
    snapshot = read(client, "/snapshot.json", Snapshot)
    states = Counter(row["state"] for row in rows)
    free = Counter(row["state"] for row in rows if is_free(row))
    assert [s.free_food_count for s in snapshot.top_states] == sorted(free.values(), reverse=True)[
        :10
    ]
    for state in snapshot.top_states:
        assert state.resource_count == states[state.state]
        assert state.free_food_count == free[state.state]
        assert state.pantry_count == count(of_state(rows, state.state), is_pantry)
    by_city = _by_city(rows)
    most = sorted(map(len, by_city.values()), reverse=True)[:10]
    assert [c.resource_count for c in snapshot.top_cities] == most
    for city in snapshot.top_cities:
        own = by_city[city.state, city.city.lower()]
        assert (city.resource_count, city.pantry_count) == (len(own), count(own, is_pantry))
    assert len(set(snapshot.discovery.values())) == 14
    assert len(set(snapshot.quick_actions.values())) == 9


def _by_city(rows: Rows) -> dict[tuple[str, str], Rows]:
    rows_by_city: dict[tuple[str, str], Rows] = {}
    for row in rows:
        if row["city"]:
            rows_by_city.setdefault((row["state"], row["city"].lower()), []).append(row)
    return rows_by_city


def test_the_list_of_cities(client: Client, rows: Rows) -> None:
    cities, by_city = read(client, "/api/v1/cities.json", Cities), _by_city(rows)
    large = [own for own in by_city.values() if len(own) >= 20]
    assert cities.cities_with_minimum == len(large) > 200
    assert cities.count == len(cities.cities) == min(200, len(large))
    assert [c.resource_count for c in cities.cities] == sorted(map(len, large), reverse=True)[:200]
    for city in cities.cities:
        own = by_city[city.state, city.city.lower()]
        assert (city.resource_count, city.pantry_count, city.free_food_count) == (
            len(own),
            count(own, is_pantry),
            count(own, is_free),
        )
    assert ("CA", "MC FARLAND") in {(c.state, c.city) for c in cities.cities}


# ---------------------------------------------------------------- dumps


@pytest.mark.parametrize("code", ["AL", "CA", "GU", "WY"])
def test_the_dump_of_a_state_equals_the_bulk_records(client: Client, rows: Rows, code: str) -> None:
    read(client, f"/api/v1/state/{code}.json", StateDump)
    dump, own = client.get(f"/api/v1/state/{code}.json").json(), of_state(rows, code)
    assert dump["count"] == len(dump["resources"]) == len(own)
    for record, row in zip(dump["resources"], own, strict=True):
        assert record == {name: row[name] for name in record}
    counts = atlas_counts(own)
    assert {name: dump["counts"][name] for name in counts} == counts
