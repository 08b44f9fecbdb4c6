"""Three questions to the bulk files, answered with DuckDB alone.

    python three_questions.py <folder or address of the bulk files> [miles]

The folder holds `resources.parquet`, `zips.parquet` and `cities.parquet`, as `/exports/latest/`
serves them and as they lie in `releases/<release_id>/bulk`. Each answer names what it leaves out:
read `docs/analysis.md` before quoting one.
"""

from __future__ import annotations

import sys

import duckdb

# Places where anybody can get food without paying; a shop that takes SNAP is not one.
FREE_FOOD = (
    "food_pantry",
    "food_bank",
    "soup_kitchen",
    "mobile_pantry",
    "community_fridge",
    "emergency",
    "tribal_food",
    "senior_commodity",
)
EARTH_MILES = 3958.7613  # mean radius
MILES_PER_DEGREE = 68.7  # of latitude, rounded down: the box below must not cut the circle
SMALLEST_GROUP = 5

HOURS_KNOWN = """
    SELECT resource_type AS type, state, count(*) AS places,
        round(100 * avg((hours IS NOT NULL)::INT), 1) AS hours_known_percent
    FROM resources
    WHERE list_contains(?::VARCHAR[], resource_type)
    GROUP BY ALL HAVING count(*) >= ?
    ORDER BY hours_known_percent, places DESC, type, state
"""
SHOPS_PER_PANTRY = """
    WITH counted AS (
        SELECT county_fips, any_value(county_name) AS county, any_value(state) AS state,
            count(*) FILTER (resource_type = 'snap_retailer') AS shops,
            count(*) FILTER (list_contains(?::VARCHAR[], resource_type)) AS free_food
        FROM resources WHERE county_fips IS NOT NULL GROUP BY county_fips
    ), people AS (SELECT county_fips, sum(population) AS residents FROM zips GROUP BY county_fips)
    SELECT county, state, residents, shops, free_food, round(shops / nullif(free_food, 0), 1) AS shops_per_free_food
    FROM counted LEFT JOIN people USING (county_fips)
    WHERE shops > 0
    ORDER BY shops_per_free_food DESC NULLS LAST, shops DESC, county_fips
"""
# People are counted at one point: that of their ZIP code, or of their city in a release that knows
# the population of no ZIP code.
PEOPLE = """
    CREATE VIEW people AS
    SELECT zip AS area, state, lat, lng, population FROM zips WHERE population > 0 AND lat IS NOT NULL
    UNION ALL
    SELECT state || ' ' || search_name, state, lat, lng, population FROM cities
    WHERE population > 0 AND (SELECT count(population) FROM zips) = 0
"""
# Every such point against the free food in a box around it, then the true distance.
WITHIN_REACH = """
    WITH food AS (
        SELECT lat, lng FROM resources
        WHERE list_contains(?::VARCHAR[], resource_type)
            AND location_precision IN ('rooftop', 'street', 'zip')
    ), homes AS (
        SELECT *,
            lat - $2 / $3 AS south, lat + $2 / $3 AS north,
            $2 / ($3 * greatest(cos(radians(lat)), 0.01)) AS reach
        FROM people
    ), reached AS (
        SELECT DISTINCT area FROM homes h JOIN food f
            ON f.lat BETWEEN h.south AND h.north AND f.lng BETWEEN h.lng - h.reach AND h.lng + h.reach
        WHERE 2 * $4 * asin(least(1, sqrt(
            sin(radians(f.lat - h.lat) / 2) ** 2
            + cos(radians(h.lat)) * cos(radians(f.lat)) * sin(radians(f.lng - h.lng) / 2) ** 2))) <= $2
    )
    SELECT coalesce(state, 'all') AS state,
        (SELECT count(*) FROM resources r
         WHERE list_contains(?::VARCHAR[], resource_type) AND (homes.state IS NULL OR r.state = homes.state)) AS listed,
        sum(population) AS residents,
        coalesce(sum(population) FILTER (reached.area IS NOT NULL), 0) AS within_reach,
        round(100 * coalesce(sum(population) FILTER (reached.area IS NOT NULL), 0) / sum(population), 1) AS percent
    FROM homes LEFT JOIN reached USING (area)
    GROUP BY GROUPING SETS ((state), ())
    ORDER BY grouping(state) DESC, percent, state
"""


def open_files(place: str) -> duckdb.DuckDBPyConnection:
    """Return a connection with the views `resources`, `zips`, `cities` and `people`. Raises
    duckdb.Error when a file is missing.
    """
    db = duckdb.connect()
    for name in ("resources", "zips", "cities"):
        path = f"{place.rstrip('/')}/{name}.parquet".replace("'", "''")
        db.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet('{path}')")  # noqa: S608
    db.execute(PEOPLE)
    return db


def hours_known(db: duckdb.DuckDBPyConnection) -> list[tuple]:
    """Return type, state, places, percent with hours that could be read; groups of SMALLEST_GROUP
    or more.
    """
    return db.execute(HOURS_KNOWN, [list(FREE_FOOD), SMALLEST_GROUP]).fetchall()


def shops_per_free_food(db: duckdb.DuckDBPyConnection) -> list[tuple]:
    """Return county, state, residents, SNAP shops, free food places, shops for each.

    Counties in which we list no free food come last, without a ratio: that is a gap in the sources
    until somebody shows that it is one in the county.
    """
    return db.execute(SHOPS_PER_PANTRY, [list(FREE_FOOD)]).fetchall()


def within_reach(db: duckdb.DuckDBPyConnection, miles: float = 5) -> list[tuple]:
    """State (`all` first), free food listed there, residents, residents whose point has free food
    within `miles`, percent.
    """
    query = WITHIN_REACH.replace("?", "$1")
    return db.execute(query, [list(FREE_FOOD), miles, MILES_PER_DEGREE, EARTH_MILES]).fetchall()


def show(title: str, names: tuple[str, ...], rows: list[tuple], most: int = 12) -> None:
    """Print a table, its first rows."""
    cells = [
        names,
        *(
            tuple("-" if v is None else f"{v:,}" if isinstance(v, int) else str(v) for v in row)
            for row in rows[:most]
        ),
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    print(f"\n{title}")
    for line in cells:
        print("  " + "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)))
    if len(rows) > most:
        print(f"  ... {len(rows) - most:,} more rows")


def main(place: str, miles: float = 5) -> None:
    """Print the three answers."""
    db = open_files(place)
    (total, invented), *_ = db.execute(
        "SELECT count(*), count(*) FILTER (is_synthetic) FROM resources"
    ).fetchall()
    print(
        f"{total:,} places"
        + (f", {invented:,} of them INVENTED: demonstration data" if invented else "")
    )
    counties = shops_per_free_food(db)
    show(
        "1. Where do we know least about the opening hours of free food?",
        ("type", "state", "places", "hours known %"),
        hours_known(db),
    )
    show(
        "2. In which counties are there many shops that take SNAP for each place with free food?",
        ("county", "state", "residents", "SNAP shops", "free food", "shops for each"),
        [r for r in counties if r[4]],
    )
    print(
        f"  {sum(not r[4] for r in counties):,} more counties have such shops and no free food that we list: a gap in our sources first of all"
    )
    show(
        f"3. How many people live within {miles:g} miles of free food that we list?",
        ("state", "free food listed", "residents", "within reach", "percent"),
        within_reach(db, miles),
    )


if __name__ == "__main__":
    main(sys.argv[1], *map(float, sys.argv[2:3]))
