"""Declare tables between files and directory: raw, places, rejects, geography, disasters."""

from dataclasses import replace

from schemas.attributes import ATTRIBUTE_NAMES
from schemas.fields import fields
from schemas.table import names
from schemas.tables.declared import read_tables

_TABLES = read_tables("core.yaml")

RAW_FILES = _TABLES["raw_{source}__{plural}"]
PLACES = _TABLES["core_{source}__places"]
# Registers that the directory does not list, used for comparison or for other data sets.
FACILITIES = replace(
    PLACES,
    name="core_{source}__facilities",
    description="Facilities of one register outside the food directory (hospitals, offices for "
    "veterans): cleaned, not merged.",
    fields=tuple(
        field
        for known in PLACES.fields
        for field in (
            fields("facility_type facility_subtype") if known.name == "resource_type" else (known,)
        )
    ),
    required=names(" ".join(PLACES.required).replace("resource_type", "facility_type")),
)
REJECTS = _TABLES["core_directory__rejects"]
LOCATED = replace(
    PLACES,
    name="core_directory__located",
    description="Places of all sources with a point, its precision and method, county, time zone, "
    "readable hours, and attributes read from their texts.",
    fields=(
        *(
            f
            for f in PLACES.fields
            if f.name not in {"lat", "lng", "location_precision", "county_name"}
        ),
        *fields("lat lng location_precision location_method county_name county_fips census_tract"),
        *fields("timezone schedules_json hours_json"),
        *fields(" ".join(n for n in ATTRIBUTE_NAMES if n not in PLACES.field_names)),
    ),
    required=(
        *PLACES.required,
        *names("state lat lng location_precision location_method timezone"),
    ),
)
CLUSTERS = _TABLES["core_directory__clusters"]
DOUBTFUL_PAIRS = _TABLES["core_directory__doubtful_pairs"]
IDENTITIES = _TABLES["core_directory__identities"]
RESOURCES = _TABLES["core_directory__resources"]
# Every place has a point, but that of a place whose address is withheld is not published.
POINT = ("lat", "lng")
PUBLISHED_REQUIRED = tuple(n for n in RESOURCES.required_names if n not in (*POINT, *RESOURCES.key))
RECORD_SOURCES = _TABLES["core_directory__record_sources"]
STATEMENTS = _TABLES["core_directory__statements"]
HOME_DELIVERIES = _TABLES["core_directory__home_deliveries"]
RIGHTS = _TABLES["core_sources__rights"]
ZIPS = _TABLES["core_geography__zips"]
CITIES = _TABLES["core_geography__cities"]
FOOD_BANKS = _TABLES["core_directory__food_banks"]
DECLARATIONS = _TABLES["core_fema_declarations__areas"]
ORGANIZATIONS = _TABLES["core_directory__organizations"]
LAST_CHANGES = _TABLES["core_directory__last_changes"]
