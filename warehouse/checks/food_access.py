"""Recomputes the access measure with DuckDB, without an index, and compares it with the tables.

`assets.statistics.access_assets` makes the tables with pandas and k-d trees. Here every count by
county is repeated, a sample of ZIP codes is measured against every single place, and the shares of
residents are summed again.
"""

from pathlib import Path

from schemas.values.coordinates import (
    ECCENTRICITY_SQUARED,
    MEAN_RADIUS_M,
    METRES_PER_MILE,
    SEMI_MAJOR_AXIS_M,
)
from schemas.vocab.food_access import (
    FREE_RADII,
    FREE_TYPES,
    NATION,
    PEOPLE_RADII,
    SNAP_RADII,
    SNAP_TYPE,
)
from schemas.vocab.resource_types import MODES, PANTRY_CLASS, TYPES_BY_MODE
from schemas.vocab.statuses import EXACT_PRECISIONS
from warehouse.checks.declared import Finding
from warehouse.checks.totals import (
    at_fault,
    count_where,
    differing,
    differing_columns,
    is_one_of,
    views,
)
from warehouse.duckdb import Connection, quote

SAMPLE = 60
# Distances are rounded to hundredths; the last digit may differ at exact halves.
_MILES_APART, _SHARE_APART = 0.0101, 0.000101


_FREE = is_one_of(FREE_TYPES)
_EXACT = f"location_precision IN ({', '.join(map(quote, EXACT_PRECISIONS))})"
_FREE_COUNTS = {
    "free_food_count": _FREE,
    "free_hours_known_count": f"{_FREE} AND is_hours_current",
    "free_exact_point_count": f"{_FREE} AND {_EXACT}",
}
_COUNTY_COUNTS = {
    "resource_count": "true",
    "pantry_class_count": is_one_of(PANTRY_CLASS),
    **{f"{mode}_count": is_one_of(TYPES_BY_MODE[mode]) for mode in MODES if mode != "free"},
    **_FREE_COUNTS,
}
# Column of the ZIP table -> the places it counts, and within how many miles.
_AROUND = {
    **{f"free_within_{r}_count": (_FREE, r) for r in FREE_RADII},
    "free_known_hours_within_25_count": (_FREE_COUNTS["free_hours_known_count"], 25),
    "free_exact_within_25_count": (_FREE_COUNTS["free_exact_point_count"], 25),
    **{f"snap_within_{r}_count": (f"resource_type = {quote(SNAP_TYPE)}", r) for r in SNAP_RADII},
}
_NEAREST = {
    "nearest_free_miles": _FREE,
    "nearest_free_known_hours_miles": _FREE_COUNTS["free_hours_known_count"],
    "nearest_snap_miles": f"resource_type = {quote(SNAP_TYPE)}",
}
_SHARES = {
    f"people_share_within_{r}_mile{'' if r == 1 else 's'}": f"nearest_free_miles <= {r}"
    for r in PEOPLE_RADII
} | {"people_share_known_hours_within_5_miles": "nearest_free_known_hours_miles <= 5"}


def county_disagreements(counties: Path, zips: Path, resources: Path) -> list[Finding]:
    """Find columns of the county totals that differ from the resources and ZIP codes."""
    with views(resources, totals=counties, access=zips) as db:
        findings = differing_columns(db, "county", "county_fips", count_where(_COUNTY_COUNTS))
        findings += _share_findings(db, "county_fips", "SELECT county_fips AS place, * FROM access")
    return [finding for finding in findings if finding.broken]


def area_disagreements(areas: Path, zips: Path, resources: Path) -> list[Finding]:
    """Find columns of the area access that differ from the resources and ZIP codes."""
    with views(resources, totals=areas, access=zips) as db:
        findings = []
        for column, rule in _FREE_COUNTS.items():
            recount = (
                f"SELECT state, count(*) FILTER ({rule}) FROM active GROUP BY 1 "
                f"UNION ALL SELECT {quote(NATION)}, count(*) FILTER ({rule}) FROM active"
            )
            stated = f"SELECT area, {column} FROM totals"
            findings.append(differing(db, f"{column} by state", stated, recount))
        both = (
            f"SELECT state AS place, * FROM access UNION ALL SELECT {quote(NATION)}, * FROM access"
        )
        findings += _share_findings(db, "area", both)
    return [finding for finding in findings if finding.broken]


def zip_disagreements(zips: Path, geography: Path, resources: Path) -> list[Finding]:
    """Return distances and counts of sampled ZIP codes that brute force contradicts; empty if all
    agree.

    The sample is spread by a digest of the ZIP code, half of it among ZIP codes with free food
    within 10 miles.
    """
    with views(resources, access=zips) as db:
        _measure(db, geography)
        findings = [
            at_fault(
                db,
                f"{column} of the nearest place",
                f"SELECT zip, access.{column} AS said, truth.{column} AS truth FROM truth "
                "JOIN access USING (zip)",
                f"(said IS NULL) <> (truth IS NULL) OR abs(said - truth) > {_MILES_APART}",
            )
            for column in _NEAREST
        ]
        findings += [
            at_fault(
                db,
                f"{column} of the places around",
                f"SELECT zip, access.{column} AS said, least_{column} AS least, most_{column} AS "
                "most FROM truth JOIN access USING (zip)",
                "said NOT BETWEEN least AND most",
            )
            for column in _AROUND
        ]
    return [finding for finding in findings if finding.broken]


def _measure(db: Connection, geography: Path) -> None:
    """Create the table `truth`: a sample of ZIP codes, each measured against every free place and
    every shop.

    A count is a range: a place within a millionth of a mile of the radius may count or not.
    """
    normal = f"({SEMI_MAJOR_AXIS_M} / sqrt(1 - {ECCENTRICITY_SQUARED} * sin(radians(lat)) ** 2))"
    db.execute(f"CREATE MACRO ecef_x(lat, lng) AS {normal} * cos(radians(lat)) * cos(radians(lng))")
    db.execute(f"CREATE MACRO ecef_y(lat, lng) AS {normal} * cos(radians(lat)) * sin(radians(lng))")
    db.execute(
        f"CREATE MACRO ecef_z(lat) AS {normal} * (1 - {ECCENTRICITY_SQUARED}) * sin(radians(lat))"
    )
    points = "ecef_x(lat, lng) AS x, ecef_y(lat, lng) AS y, ecef_z(lat) AS z"
    sample = "SELECT zip FROM access WHERE {} ORDER BY md5(zip) LIMIT {}"
    db.execute(
        f"""CREATE TABLE sample AS SELECT zip, {points} FROM read_parquet({quote(geography)})
            WHERE zip IN (
            ({sample.format("free_within_10_count > 0", SAMPLE // 2)})
                UNION ({sample.format("true", SAMPLE // 2)}))"""
    )
    diameter = 2 * MEAN_RADIUS_M
    chord = "sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2)"
    pairs = f"""SELECT a.zip, b.resource_type, b.is_hours_current, b.location_precision,
        {diameter} * asin(least({chord} / {diameter}, 1)) / {METRES_PER_MILE} AS miles
        FROM sample a LEFT JOIN (SELECT resource_type, is_hours_current, location_precision,
            {points} FROM active
            WHERE {_FREE} OR resource_type = {quote(SNAP_TYPE)}) b ON true"""
    columns = [f"min(miles) FILTER ({rule}) AS {column}" for column, rule in _NEAREST.items()]
    for column, (rule, radius) in _AROUND.items():
        for name, edge in (("least", -1e-6), ("most", 1e-6)):
            columns.append(
                f"count(*) FILTER ({rule} AND miles <= {radius + 0.005 + edge}) AS {name}_{column}"
            )
    db.execute(
        f"CREATE TABLE truth AS SELECT zip, {', '.join(columns)} FROM ({pairs}) GROUP BY zip"
    )


def _share_findings(db: Connection, key: str, weights: str) -> list[Finding]:
    """Compare residents and shares in `totals` with the `weights` by `place`."""
    db.execute(f"CREATE VIEW weights AS {weights}")
    people = (
        "SELECT place, coalesce(sum(population), 0)::BIGINT FROM weights WHERE place IS NOT NULL "
        "GROUP BY 1"
    )
    findings = [
        differing(
            db, f"zip_population by {key}", f"SELECT {key}, zip_population FROM totals", people
        )
    ]
    for column, rule in _SHARES.items():
        share = f"coalesce(sum(population) FILTER ({rule}), 0) / nullif(sum(population), 0)"
        findings.append(
            at_fault(
                db,
                f"{column} by {key}",
                f"""SELECT w.place, t.{column} AS said, w.share AS truth FROM totals t
                    JOIN (SELECT place, {share} AS share FROM weights GROUP BY 1) w
                        ON w.place = t.{key}""",
                f"(said IS NULL) <> (truth IS NULL) OR abs(said - truth) > {_SHARE_APART}",
            )
        )
    return findings
