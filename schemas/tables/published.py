"""List the tables of a release, in the order in which it names them."""

from schemas.table import Table
from schemas.tables.access import AREA_ACCESS, COUNTY_TOTALS, ZIP_ACCESS
from schemas.tables.atlas import CITY_TOTALS, FIGURES, STATE_TOTALS
from schemas.tables.checks import (
    AUTOMATIC_CHANGES,
    PHONE_VALIDATIONS,
    RULE_OBSERVATIONS,
    WEBSITE_PROBES,
)
from schemas.tables.core import (
    CITIES,
    DECLARATIONS,
    HOME_DELIVERIES,
    IDENTITIES,
    LAST_CHANGES,
    ORGANIZATIONS,
    RECORD_SOURCES,
    RESOURCES,
    RIGHTS,
    ZIPS,
)
from schemas.tables.hsds import HSDS_TABLES, RETIRED_IDS
from schemas.tables.out import DOUBTFUL, QUALITY, TYPE_COUNTS
from schemas.tables.veterans import VETERAN_DETAILS, VETERAN_IDENTITIES, VETERAN_RESOURCES

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
