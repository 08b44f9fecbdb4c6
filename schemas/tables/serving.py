"""The compact columns that the service keeps in memory: one row per active resource, in id order.

Codes are positions in the named vocabulary. Row number = position in the arenas.
"""

import pyarrow as pa

from schemas.attributes import CODE_LISTS

POINTS_SCHEMA = pa.schema(
    [
        pa.field("resource_id", pa.int64(), metadata={"description": "ascending"}),
        pa.field("lat", pa.float64(), metadata={"description": "degrees, WGS84"}),
        pa.field("lng", pa.float64(), metadata={"description": "degrees, WGS84"}),
        pa.field("type_code", pa.uint8(), metadata={"description": "position in TYPE_IDS"}),
        pa.field("state_code", pa.uint8(), metadata={"description": "position in STATE_CODES"}),
        pa.field("precision_code", pa.uint8(), metadata={"description": "position in LOCATION_PRECISIONS"}),
        pa.field("verification_code", pa.uint8(), metadata={"description": "position in VERIFICATION_STATUSES"}),
        pa.field("completeness_score", pa.uint8(), metadata={"description": "0 to 100"}),
        pa.field("hours_code", pa.int32(), metadata={"description": "row in hours.arrow; -1 without hours"}),
        pa.field("hours_origin_code", pa.int32(), metadata={"description": "row in hours_origins.arrow; -1 without hours that are dated"}),
        pa.field("hours_until_day", pa.int32(), metadata={"description": "last day on which the hours may be asserted, days since 1970-01-01; -1 for none"}),
        pa.field("confirmed_day", pa.int32(), metadata={"description": "newest confirmation, days since 1970-01-01; -1 for none"}),
        pa.field("dated_day", pa.int32(), metadata={"description": "newest of the confirmed, updated and listed dates; -1 for none"}),
        pa.field("dated_code", pa.uint8(), metadata={"description": "position in DATE_KINDS of that date, the strongest of equal ones"}),
        pa.field("has_phone", pa.uint8(), metadata={"description": "1 with a telephone number"}),
        pa.field("has_website", pa.uint8(), metadata={"description": "1 with a web address"}),
        pa.field("is_confidential", pa.uint8(), metadata={"description": "1 where the exact place must not be published"}),
        pa.field("profile_code", pa.int32(), metadata={"description": "row in profiles.arrow"}),
    ]
)  # fmt: skip

# Everything that the live members of a record depend on: places that agree in it share a profile.
PROFILES_SCHEMA = pa.schema(
    [
        POINTS_SCHEMA.field(name)
        for name in (
            "type_code",
            "hours_code",
            "hours_origin_code",
            "hours_until_day",
            "confirmed_day",
            "dated_day",
            "has_phone",
            "has_website",
            "is_confidential",
        )
    ]
)

BLOCK_SIZE = 64
# Blocks of neighbouring places, in order of their groups: see `warehouse.index.blocks`.
BLOCKS_SCHEMA = pa.schema(
    [
        pa.field("group", pa.int64(), nullable=False),
        pa.field("rows", pa.list_(pa.int64(), BLOCK_SIZE), nullable=False),
        pa.field("xyz", pa.list_(pa.float64(), 3 * BLOCK_SIZE), nullable=False),
        pa.field("low", pa.list_(pa.float64(), 3), nullable=False),
        pa.field("high", pa.list_(pa.float64(), 3), nullable=False),
    ]
)

# Places along a Z-curve over the map: see `warehouse.index.map_order`.
MAP_ORDER_SCHEMA = pa.schema(
    [
        pa.field("cell", pa.uint64(), nullable=False),
        pa.field("row", pa.int32(), nullable=False),
    ]
)

# Attributes that people filter by. Bit n of a list of codes stands for entry n of its vocabulary; an
# empty list is unknown. A truth takes two bits: bit 2n is set where truth number n is known, bit
# 2n + 1 where it is true.
FACTS_SCHEMA = pa.schema(
    [
        pa.field("truths", pa.uint32(), metadata={"description": "two bits for each truth"}),
        *(
            pa.field(one.name, pa.uint64(), metadata={"description": "one bit for each code"})
            for one in CODE_LISTS
        ),
        pa.field("minimum_age", pa.int16(), metadata={"description": "years; -1 for none known"}),
        pa.field("maximum_age", pa.int16(), metadata={"description": "years; -1 for none known"}),
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
