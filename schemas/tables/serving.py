"""The compact columns that the service keeps in memory: one row per active resource, in id order.

Codes are positions in the named vocabulary. Row number = position in the arenas.
"""

from __future__ import annotations

import pyarrow as pa

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
        pa.field("confirmed_day", pa.int32(), metadata={"description": "newest confirmation, days since 1970-01-01; -1 for none"}),
        pa.field("has_phone", pa.uint8(), metadata={"description": "1 with a telephone number"}),
        pa.field("is_confidential", pa.uint8(), metadata={"description": "1 where the exact place must not be published"}),
    ]
)  # fmt: skip

HOURS_SCHEMA = pa.schema(
    [
        pa.field("timezone", pa.string(), nullable=False),
        pa.field("schedules_json", pa.string(), nullable=False),
    ]
)
