"""Recounts the totals of a build from its resources with DuckDB.

pandas makes the tables (`assets.statistics.atlas`, `assets.statistics.totals_assets`); here each
column is compared with the Parquet file of the resources.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from schemas.vocab.resource_types import PANTRY_CLASS, TYPES_BY_MODE
from schemas.vocab.states import STATE_CODES
from warehouse.checks.declared import Finding
from warehouse.duckdb import Connection, connection, quote

SHOWN = 5


@contextmanager
def views(resources: Path, **tables: Path) -> Iterator[Connection]:
    """Open a connection with a view of each table, of `resources`, and of the `active`
    resources."""
    with connection() as db:
        for name, path in {"resources": resources, **tables}.items():
            db.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet({quote(path)})")
        db.execute("CREATE VIEW active AS SELECT * FROM resources WHERE is_active")
        yield db


def is_one_of(types: tuple[str, ...]) -> str:
    """Return an SQL condition for a resource of one of the types."""
    return f"resource_type IN ({', '.join(map(quote, types))})"


def differing(db: Connection, rule: str, stated: str, recount: str) -> Finding:
    """Find groups whose stated figure differs from the count; a missing figure counts as 0."""
    query = f"""SELECT g, coalesce(a.n, 0) AS said, coalesce(b.n, 0) AS truth
        FROM ({stated}) a(g, n) FULL JOIN ({recount}) b(g, n) USING (g)"""
    return at_fault(db, f"{rule} agrees with the resources", query, "said <> truth")


def differing_columns(
    db: Connection, place: str, key: str, counts: Mapping[str, str]
) -> list[Finding]:
    """Compare columns of `totals` with counts of the active resources, both SQL, by `key`."""
    return [
        differing(
            db,
            f"{column} by {place}",
            f"SELECT {key}, {column} FROM totals",
            f"SELECT {key}, {count} FROM active WHERE {key} IS NOT NULL GROUP BY 1",
        )
        for column, count in counts.items()
    ]


def count_where(rules: Mapping[str, str]) -> dict[str, str]:
    """Return SQL that counts the resources meeting each rule."""
    return {column: f"count(*) FILTER ({rule})" for column, rule in rules.items()}


def at_fault(db: Connection, rule: str, query: str, fault: str) -> Finding:
    """Find faulty rows of a query (name, said, truth, ...)."""
    rows = db.execute(f"SELECT * FROM ({query}) WHERE {fault} ORDER BY 1").fetchall()
    examples = tuple(f"{name}: {stated} for {truth}" for name, stated, truth, *_ in rows[:SHOWN])
    return Finding(rule, len(rows), examples)


_PANTRY = is_one_of(PANTRY_CLASS)
_FREE = is_one_of(TYPES_BY_MODE["free"])
# Column of the state totals -> the active resources it counts.
_STATE_RULES = {
    "resource_count": "true",
    "food_pantries": "resource_type = 'food_pantry'",
    "food_banks": "resource_type = 'food_bank'",
    "soup_kitchens": "resource_type = 'soup_kitchen'",
    "mobile_pantries": "resource_type = 'mobile_pantry'",
    "community_fridges": "resource_type = 'community_fridge'",
    "pantry_class_count": _PANTRY,
    "free_food_count": _FREE,
    "wic_clinics": "resource_type = 'wic_office'",
    "school_meal_sites": "resource_type = 'school_meal'",
    "summer_meal_sites": "resource_type = 'summer_meal'",
    "fqhc_health_centers": "resource_type = 'health_center'",
    "head_start_centers": "resource_type = 'head_start'",
    "snap_retailers": "resource_type = 'snap_retailer'",
    "partner_verified": "verification_status = 'partner_verified'",
    "verified_count": "verification_status = 'verified'",
    "unverified_count": "verification_status = 'unverified'",
    "partner_verified_pantries": f"verification_status = 'partner_verified' AND {_PANTRY}",
    "pantry_hours_known_count": f"is_hours_current AND {_PANTRY}",
    "pantry_hours_old_count": f"schedules_json IS NOT NULL AND NOT is_hours_current AND {_PANTRY}",
    "exact_point_count": "location_precision IN ('rooftop', 'street')",
    "without_city_count": "city IS NULL",
}
_STATE_VALUES = {"zip_count": "zip", "city_count": "lower(city)", "county_count": "county_fips"}
_CITY_RULES = {"resource_count": "true", "pantry_class_count": _PANTRY, "free_food_count": _FREE}
_CLASSES = {"all": "true", "pantry_class": _PANTRY, "free": _FREE}
_KNOWN = {
    "places": "true",
    "known_phone": "phone IS NOT NULL",
    "known_website": "website IS NOT NULL",
    "known_hours": "(hours_text IS NOT NULL OR schedules_json IS NOT NULL)",
    "known_hours_current": "is_hours_current",
    "known_hours_old": "schedules_json IS NOT NULL AND NOT is_hours_current",
    "known_address": "address IS NOT NULL",
    "known_geocode": "location_precision IN ('rooftop', 'street')",
    "known_verification_date": "last_verified_date IS NOT NULL",
    "known_services_offered": "len(services_offered) > 0",
    "known_requirements_text": "requirements_text IS NOT NULL",
    "known_languages_offered": "len(languages) > 0",
}


def state_disagreements(totals: Path, resources: Path) -> list[Finding]:
    """Find columns of the state totals that differ from the resources."""
    distinct = {column: f"count(DISTINCT {value})" for column, value in _STATE_VALUES.items()}
    counts = count_where(_STATE_RULES) | distinct
    with views(resources, totals=totals) as db:
        findings = differing_columns(db, "state", "state", counts)
        states = {code for (code,) in db.execute("SELECT state FROM totals").fetchall()}
    missing = tuple(code for code in STATE_CODES if code not in states)
    findings.append(Finding("every state and territory has a row", len(missing), missing[:SHOWN]))
    return [finding for finding in findings if finding.broken]


def city_disagreements(totals: Path, resources: Path) -> list[Finding]:
    """Return columns of `out_directory__city_totals` that differ from the resources; empty if all
    agree."""
    with views(resources, totals=totals) as db:
        findings = differing_columns(
            db, "city", "state || ':' || lower(city)", count_where(_CITY_RULES)
        )
    return [finding for finding in findings if finding.broken]


def figure_disagreements(figures: Path, resources: Path, record_sources: Path) -> list[Finding]:
    """Return figures of `out_directory__figures` that differ from the resources; empty when all
    agree.
    """
    with views(resources, totals=figures, record_sources=record_sources) as db:
        db.execute(
            """CREATE VIEW records AS SELECT * FROM record_sources
                WHERE resource_id IN (SELECT resource_id FROM active)"""
        )
        findings = [
            differing(
                db,
                name,
                f"SELECT figure_group, figure FROM totals WHERE figure_id = {quote(name)}",
                " UNION ALL ".join(
                    f"SELECT {quote(group)}, count(*) FROM active WHERE {rule} AND {inside}"
                    for group, inside in _CLASSES.items()
                ),
            )
            for name, rule in _KNOWN.items()
        ]
        groups = {
            "places_led_by_source": "SELECT data_source, count(*) FROM active GROUP BY 1",
            "snap_retailers_led_by_source": (
                "SELECT data_source, count(*) FROM active WHERE resource_type = 'snap_retailer' "
                "GROUP BY 1"
            ),
            "records_of_source": "SELECT source_id, count(*) FROM records GROUP BY 1",
            "places_by_last_verified_date": (
                "SELECT last_verified_date::VARCHAR, count(*) FROM active "
                "WHERE last_verified_date IS NOT NULL GROUP BY 1"
            ),
        }
        findings += [
            differing(
                db,
                name,
                f"SELECT figure_group, figure FROM totals WHERE figure_id = {quote(name)}",
                recount,
            )
            for name, recount in groups.items()
        ]
        findings.append(_merging(db))
    return [finding for finding in findings if finding.broken]


def _merging(db: Connection) -> Finding:
    """Compute the merging figures, and check that match reasons add up to all records."""
    stated = (
        "SELECT figure_group, figure FROM totals WHERE figure_id = 'merging' "
        "AND figure_group IN ('source_records', 'resources', 'merged_records') "
        "UNION ALL SELECT 'match reasons', sum(figure) FROM totals "
        "WHERE figure_id = 'records_by_match_reason'"
    )
    recount = """SELECT 'source_records', count(*) FROM records
        UNION ALL SELECT 'match reasons', count(*) FROM records
        UNION ALL SELECT 'resources', count(*) FROM active
        UNION ALL SELECT 'merged_records',
            (SELECT count(*) FROM records) - (SELECT count(*) FROM active)"""
    return differing(db, "merging", stated, recount)
