"""Tables that `directory.duckdb` has besides the published ones: the columns that searches read.

The service loads them at the start. Row n of `search_places` is record n of `records.arrow`: the
active resources in order of their ids. Codes are positions in the named vocabulary; days count from
1970-01-01.
"""

from schemas.attributes import CODE_LISTS

# A table's columns: name, DuckDB type, description.
Columns = tuple[tuple[str, str, str], ...]

PLACES, TIMETABLES, ORIGINS = "search_places", "search_timetables", "search_hours_origins"
SEARCH_ZIPS, SEARCH_CITIES = "search_zips", "search_cities"

# Everything that the live members of a record depend on.
_LIVE: Columns = (
    ("type_code", "UTINYINT", "position in TYPE_IDS"),
    ("hours_code", "INTEGER", "row of search_timetables; -1 without hours"),
    ("hours_origin_code", "INTEGER", "row of search_hours_origins; -1 without dated hours"),
    ("hours_until_day", "INTEGER", "last day on which the hours may be asserted; -1 for none"),
    (
        "closed_until_day",
        "INTEGER",
        "last day of a closure, the greatest number if unknown; -1 if not closed for now",
    ),
    ("confirmed_day", "INTEGER", "newest confirmation; -1 for none"),
    ("dated_day", "INTEGER", "newest of the confirmed, updated and listed dates; -1 for none"),
    ("has_phone", "UTINYINT", "1 with a telephone number"),
    ("has_website", "UTINYINT", "1 with a web address"),
    ("is_confidential", "UTINYINT", "1 where the exact place must not be published"),
)
LIVE_NAMES = tuple(name for name, _, _ in _LIVE)

# Attributes that people filter by. Bit n of a list of codes stands for entry n of its vocabulary;
# an empty list is unknown. A truth takes two bits: bit 2n is set where truth number n is known, bit
# 2n + 1 where it is true.
ATTRIBUTE_COLUMNS: Columns = (
    ("truths", "UINTEGER", "two bits for each truth"),
    *((one.name, "UBIGINT", "one bit for each code") for one in CODE_LISTS),
    ("minimum_age", "SMALLINT", "years; -1 for none known"),
    ("maximum_age", "SMALLINT", "years; -1 for none known"),
)

PLACE_COLUMNS: Columns = (
    ("resource_id", "BIGINT", "ascending"),
    ("lat", "DOUBLE", "degrees, WGS84"),
    ("lng", "DOUBLE", "degrees, WGS84"),
    ("state_code", "UTINYINT", "position in STATE_CODES"),
    ("precision_code", "UTINYINT", "position in LOCATION_PRECISIONS"),
    ("verification_code", "UTINYINT", "position in VERIFICATION_STATUSES"),
    ("completeness_score", "UTINYINT", "0 to 100"),
    ("dated_code", "UTINYINT", "position in DATE_KINDS of dated_day, the strongest of equal ones"),
    *_LIVE,
    ("live_row", "INTEGER", "first row with the same live members: see LIVE_NAMES"),
    *ATTRIBUTE_COLUMNS,
)
