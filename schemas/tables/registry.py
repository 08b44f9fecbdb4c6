"""All table declarations by name, for the data dictionary, the checks and the release."""

from schemas.table import Table
from schemas.tables import core, hsds, veterans
from schemas.tables.core import (
    AREA_ACCESS,
    AUTOMATIC_CHANGES,
    CITIES,
    CITY_TOTALS,
    COUNTY_TOTALS,
    DECLARATIONS,
    DOUBTFUL,
    FIGURES,
    HOME_DELIVERIES,
    IDENTITIES,
    LAST_CHANGES,
    ORGANIZATIONS,
    PHONE_VALIDATIONS,
    QUALITY,
    RECORD_SOURCES,
    RESOURCES,
    RIGHTS,
    RULE_OBSERVATIONS,
    STATE_TOTALS,
    TYPE_COUNTS,
    WEBSITE_PROBES,
    ZIP_ACCESS,
    ZIPS,
)
from schemas.tables.hsds import HSDS_TABLES, RETIRED_IDS
from schemas.tables.veterans import VETERAN_DETAILS, VETERAN_IDENTITIES, VETERAN_RESOURCES

TABLES: dict[str, Table] = {
    table.name: table
    for module in (core, hsds, veterans)
    for table in vars(module).values()
    if isinstance(table, Table)
} | {table.name: table for table in HSDS_TABLES}

# The tables of a release, in the order in which it names them.
PUBLISHED: tuple[Table, ...] = (
    RESOURCES,
    RECORD_SOURCES,
    HOME_DELIVERIES,
    RIGHTS,
    IDENTITIES,
    AUTOMATIC_CHANGES,
    RULE_OBSERVATIONS,
    WEBSITE_PROBES,
    PHONE_VALIDATIONS,
    ZIPS,
    CITIES,
    DECLARATIONS,
    TYPE_COUNTS,
    QUALITY,
    LAST_CHANGES,
    STATE_TOTALS,
    CITY_TOTALS,
    FIGURES,
    ZIP_ACCESS,
    COUNTY_TOTALS,
    AREA_ACCESS,
    VETERAN_RESOURCES,
    VETERAN_DETAILS,
    VETERAN_IDENTITIES,
    ORGANIZATIONS,
    *HSDS_TABLES,
    RETIRED_IDS,
    DOUBTFUL,
)
