"""The compact columns that the service keeps in memory: one row per active resource, in id order.

Codes are positions in the named vocabulary. Row number = position in the arenas.
"""

import pyarrow as pa

from schemas.attributes import CODE_LISTS


def _column(name: str, kind: pa.DataType, description: str) -> pa.Field:
    return pa.field(name, kind, metadata={"description": description})


POINTS_SCHEMA = pa.schema(
    [
        _column("resource_id", pa.int64(), "ascending"),
        _column("lat", pa.float64(), "degrees, WGS84"),
        _column("lng", pa.float64(), "degrees, WGS84"),
        _column("type_code", pa.uint8(), "position in TYPE_IDS"),
        _column("state_code", pa.uint8(), "position in STATE_CODES"),
        _column("precision_code", pa.uint8(), "position in LOCATION_PRECISIONS"),
        _column("verification_code", pa.uint8(), "position in VERIFICATION_STATUSES"),
        _column("completeness_score", pa.uint8(), "0 to 100"),
        _column("hours_code", pa.int32(), "row in hours.arrow; -1 without hours"),
        _column(
            "hours_origin_code",
            pa.int32(),
            "row in hours_origins.arrow; -1 without hours that are dated",
        ),
        _column(
            "hours_until_day",
            pa.int32(),
            "last day on which the hours may be asserted, days since 1970-01-01; -1 for none",
        ),
        _column(
            "closed_until_day",
            pa.int32(),
            "last day of a closure, days since 1970-01-01, the greatest number where unknown; -1 "
            "where not closed for now",
        ),
        _column(
            "confirmed_day", pa.int32(), "newest confirmation, days since 1970-01-01; -1 for none"
        ),
        _column(
            "dated_day",
            pa.int32(),
            "newest of the confirmed, updated and listed dates; -1 for none",
        ),
        _column(
            "dated_code",
            pa.uint8(),
            "position in DATE_KINDS of that date, the strongest of equal ones",
        ),
        _column("has_phone", pa.uint8(), "1 with a telephone number"),
        _column("has_website", pa.uint8(), "1 with a web address"),
        _column("is_confidential", pa.uint8(), "1 where the exact place must not be published"),
        _column("profile_code", pa.int32(), "row in profiles.arrow"),
    ]
)

# Everything that the live members of a record depend on: places that agree in it share a profile.
PROFILES_SCHEMA = pa.schema(
    [
        POINTS_SCHEMA.field(name)
        for name in (
            "type_code",
            "hours_code",
            "hours_origin_code",
            "hours_until_day",
            "closed_until_day",
            "confirmed_day",
            "dated_day",
            "has_phone",
            "has_website",
            "is_confidential",
        )
    ]
)

# Attributes that people filter by. Bit n of a list of codes stands for entry n of its vocabulary;
# an empty list is unknown. A truth takes two bits: bit 2n is set where truth number n is known, bit
# 2n + 1 where it is true.
FACTS_SCHEMA = pa.schema(
    [
        _column("truths", pa.uint32(), "two bits for each truth"),
        *(
            pa.field(one.name, pa.uint64(), metadata={"description": "one bit for each code"})
            for one in CODE_LISTS
        ),
        _column("minimum_age", pa.int16(), "years; -1 for none known"),
        _column("maximum_age", pa.int16(), "years; -1 for none known"),
    ]
)

# Which day and which source the hours of places come from.
HOURS_ORIGINS_SCHEMA = pa.schema(
    [
        pa.field("hours_date", pa.date32(), nullable=False),
        pa.field("hours_date_basis", pa.string(), nullable=False),
        pa.field("hours_source", pa.string(), nullable=False),
    ]
)

HOURS_SCHEMA = pa.schema(
    [
        pa.field("timezone", pa.string(), nullable=False),
        pa.field("schedules_json", pa.string(), nullable=False),
    ]
)
