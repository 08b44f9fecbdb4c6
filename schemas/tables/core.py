"""Declare the tables of the YAML files of this folder; `core.yaml` documents their members."""

from dataclasses import replace
from pathlib import Path

import msgspec

from schemas.attributes import ATTRIBUTE_NAMES
from schemas.fields import fields
from schemas.table import Field, ForeignKey, Table, names


class _Declaration(msgspec.Struct, forbid_unknown_fields=True):
    """Members as `schemas.table.Table` has them; lists of names are blank-separated."""

    description: str
    fields: str
    key: str = ""
    required: str = ""
    order_by: str | None = None
    foreign_keys: dict[str, str] = {}
    published: bool = True


def read_tables(file_name: str) -> dict[str, Table]:
    """Return the tables of a file by name. Raises msgspec.ValidationError, KeyError for a field."""
    content = Path(__file__).with_name(file_name).read_bytes()
    declarations = msgspec.yaml.decode(content, type=dict[str, _Declaration])
    return {name: _table(name, one) for name, one in declarations.items()}


def _table(name: str, declaration: _Declaration) -> Table:
    return Table(
        name,
        declaration.description,
        fields(declaration.fields.replace("{attributes}", " ".join(ATTRIBUTE_NAMES))),
        key=names(declaration.key),
        required=names(declaration.required),
        foreign_keys=tuple(ForeignKey(f, of, f) for f, of in declaration.foreign_keys.items()),
        order_by=names(declaration.key if declaration.order_by is None else declaration.order_by),
        published=declaration.published,
    )


_TABLES = {
    name: table
    for file in ("core", "checks", "out", "atlas", "access", "operations")
    for name, table in read_tables(f"{file}.yaml").items()
}


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

# Automatic checks and changes.
AUTOMATIC_CHANGES = _TABLES["core_directory__automatic_changes"]
RULE_OBSERVATIONS = _TABLES["core_directory__rule_observations"]
WEBSITE_PROBES = _TABLES["core_directory__website_probes"]
PHONE_VALIDATIONS = _TABLES["core_directory__phone_validations"]

# What the service answers from, and what is published.
TYPE_COUNTS = _TABLES["out_directory__type_counts"]
QUALITY = _TABLES["out_directory__quality_checks"]
DOUBTFUL = _TABLES["out_directory__doubtful_pairs"]
CROSSWALK = _TABLES["out_directory__crosswalk"]

# Totals by state, by city, and single figures, which all public statistics read.
STATE_TOTALS = _TABLES["out_directory__state_totals"]
CITY_TOTALS = _TABLES["out_directory__city_totals"]
FIGURES = _TABLES["out_directory__figures"]

# Distance from residents to listed food.
ZIP_ACCESS = _TABLES["out_directory__zip_access"]
COUNTY_TOTALS = _TABLES["out_directory__county_totals"]
AREA_ACCESS = _TABLES["out_directory__area_access"]

# Approved submissions.
EDITS = _TABLES["core_{source}__edits"]
DECISIONS = _TABLES["core_operations__decisions"]

# Fields of a resource whose new value is no change of the resource, each with the reason. This is
# the only place that says so: change feed, report, `last_changed_at` and their tests follow it.
UNCOUNTED_FIELDS: dict[str, str] = {
    "retrieved_at": (
        "When the bytes were fetched: it moves whenever the same file is fetched again."
    ),
}
# Everything else that is published of a resource counts.
COUNTED_FIELDS: tuple[Field, ...] = tuple(
    f for f in RESOURCES.fields if f.name not in {*RESOURCES.key, *UNCOUNTED_FIELDS}
)
