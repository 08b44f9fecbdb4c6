"""All table declarations by name, for the data dictionary, the checks and the release."""

from schemas.table import Table
from schemas.tables import access, atlas, checks, core, history, hsds, operations, out, veterans

TABLES: dict[str, Table] = {
    table.name: table
    for module in (core, checks, out, atlas, access, history, hsds, operations, veterans)
    for table in vars(module).values()
    if isinstance(table, Table)
} | {table.name: table for table in hsds.HSDS_TABLES}
