"""Read the SQL of the HSDS tables by name from `queries.sql`."""

import re
from pathlib import Path

_, *_PARTS = re.split(
    r"^-- name: (\w+)\n",
    Path(__file__).with_name("queries.sql").read_text("utf-8"),
    flags=re.MULTILINE,
)
_SECTIONS = dict(zip(_PARTS[::2], _PARTS[1::2], strict=True))
# `base` and `said` are made before a collection's query runs.
BASE, SAID = _SECTIONS.pop("base"), _SECTIONS.pop("said")
# Collection -> its query, in an order in which services, which change with the others, come last.
QUERIES = {name: sql.rstrip().rstrip(";") for name, sql in _SECTIONS.items()}
