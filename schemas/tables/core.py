"""Declare tables between files and directory: raw, places, rejects, geography, disasters."""

from __future__ import annotations

from schemas.attributes import ATTRIBUTE_NAMES
from schemas.fields import fields
from schemas.table import ForeignKey, Table, names

RAW_FILES = Table(
    "raw_{source}__{plural}",
    "The publisher's files of one source as they arrived: name, size, digest, origin and time. "
    "The bytes are stored.",
    fields(
        "source_id file_name sha256 size_bytes media_type fetched_from stored_as retrieved_at source_updated_date"
    ),
    key=("source_id", "file_name"),
    required=("sha256", "size_bytes", "stored_as", "retrieved_at", "fetched_from"),
    order_by=("source_id", "file_name"),
    published=False,
)

PLACES = Table(
    "core_{source}__places",
    "Places of one source in the one contract that all sources share: cleaned, checked, nothing merged yet.",
    fields(
        "source_id source_key source_row file_name name organization resource_type is_public is_confidential "
        "address city state zip county_name lat lng location_precision phone phone_e164 website hours_text "
        "services_text requirements_text eligibility_text languages notes accepts_walkins requires_appointment "
        "retrieved_at source_updated_date listed_date updated_date confirmed_date is_synthetic"
    ),
    key=("source_id", "source_key"),
    required=names(
        "source_row file_name name resource_type is_public is_confidential retrieved_at "
        "is_synthetic"
    ),
    order_by=("source_id", "source_key"),
    published=False,
)

# Registers that the directory does not list but compares with, or that other data sets are made of.
FACILITIES = Table(
    "core_{source}__facilities",
    "Facilities of one register outside the food directory (hospitals, offices for veterans): "
    "cleaned, not merged.",
    tuple(
        field
        for known in PLACES.fields
        for field in (
            fields("facility_type facility_subtype") if known.name == "resource_type" else (known,)
        )
    ),
    key=("source_id", "source_key"),
    required=names(
        "source_row file_name name facility_type is_public is_confidential retrieved_at "
        "is_synthetic"
    ),
    order_by=("source_id", "source_key"),
    published=False,
)

REJECTS = Table(
    "core_directory__rejects",
    "Rejected rows, each with the reason. Stored, so that nothing is lost silently.",
    fields("source_id file_name source_row source_key reject_reason reject_detail row_json"),
    required=("source_id", "file_name", "source_row", "reject_reason"),
    order_by=("source_id", "file_name", "source_row"),
    published=False,
)

LOCATED = Table(
    "_core_directory__located",
    "Places of all sources with a point, its precision and method, county, time zone and readable hours.",
    (
        *(
            f
            for f in PLACES.fields
            if f.name not in {"lat", "lng", "location_precision", "county_name"}
        ),
        *fields(
            "lat lng location_precision location_method county_name county_fips census_tract timezone"
        ),
        *fields("schedules_json hours_json"),
    ),
    key=("source_id", "source_key"),
    required=(
        *PLACES.required,
        *names("state lat lng location_precision location_method timezone"),
    ),
    order_by=("source_id", "source_key"),
    published=False,
)

CLUSTERS = Table(
    "_core_directory__clusters",
    "Which source records describe the same place, and why.",
    fields("source_id source_key cluster_id match_reason"),
    key=("source_id", "source_key"),
    required=("cluster_id", "match_reason"),
    order_by=("source_id", "source_key"),
    published=False,
)

DOUBTFUL_PAIRS = Table(
    "_core_directory__doubtful_pairs",
    "Pairs of source records that may describe one place and were not merged: the review list.",
    fields(
        "source_id source_key other_source_id other_source_key doubt_reason name_similarity miles_apart"
    ),
    key=("source_id", "source_key", "other_source_id", "other_source_key"),
    required=("doubt_reason", "name_similarity"),
    order_by=("source_id", "source_key", "other_source_id", "other_source_key"),
    published=False,
)

IDENTITIES = Table(
    "core_directory__identities",
    "Every source record ever published and the permanent id it was published under, with successors of merged ids.",
    fields("source_id source_key resource_id id_status successor_id first_release_id"),
    key=("source_id", "source_key"),
    required=("resource_id", "id_status", "first_release_id"),
    order_by=("source_id", "source_key"),
)

RESOURCES = Table(
    "core_directory__resources",
    "The directory: one record for each place that people can go to.",
    fields(
        "resource_id name organization resource_type address city state zip county_name county_fips census_tract lat lng "
        "location_precision location_method timezone phone phone_e164 website hours_text schedules_json hours_json "
        "hours_date hours_date_basis hours_source hours_until_date is_hours_current "
        "services_offered requirements_text eligibility_text languages notes "
        f"{' '.join(ATTRIBUTE_NAMES)} "
        "verification_status verification_confidence verification_reasons p_exists p_phone p_hours last_verified_date listed_date updated_date confirmed_date source_updated_date retrieved_at data_source source_count source_url "
        "license completeness_score completeness_missing is_confidential is_active is_synthetic"
    ),
    key=("resource_id",),
    required=names(
        "name resource_type state lat lng location_precision location_method timezone "
        "verification_status verification_confidence verification_reasons retrieved_at "
        "data_source source_count license completeness_score is_hours_current is_confidential "
        "is_active is_synthetic"
    ),
    order_by=("resource_id",),
)

RECORD_SOURCES = Table(
    "core_directory__record_sources",
    "Source records of a resource, and the published fields that each of them supplies.",
    fields(
        "resource_id source_id source_key is_primary supplied_fields match_reason retrieved_at source_updated_date "
        "listed_date updated_date confirmed_date"
    ),
    key=("resource_id", "source_id", "source_key"),
    required=("is_primary", "supplied_fields", "match_reason", "retrieved_at"),
    foreign_keys=(ForeignKey("resource_id", "core_directory__resources", "resource_id"),),
    order_by=("resource_id", "source_id", "source_key"),
)

STATEMENTS = Table(
    "core_directory__statements",
    "What every source record of a resource states: a row for each value, with its date, file and row. The "
    "published value of a field is the statement with `is_published`.",
    fields(
        "resource_id field_name source_id source_key value stated_date file_name source_row is_published "
        "is_contradicted"
    ),
    key=("resource_id", "field_name", "source_id", "source_key"),
    required=("value", "is_published", "is_contradicted"),
    foreign_keys=(ForeignKey("resource_id", "core_directory__resources", "resource_id"),),
    order_by=("resource_id", "field_name", "source_id", "source_key"),
)

HOME_DELIVERIES = Table(
    "core_directory__home_deliveries",
    "Services that bring food to people's homes: no place to go to, listed by the area they serve. Without address or point: the office is nowhere to get food, and may be a home.",
    fields(
        "source_id source_key name organization state phone phone_e164 website hours_text services_text requirements_text "
        "eligibility_text languages notes service_areas service_area_text office_areas listed_date updated_date "
        "confirmed_date source_updated_date license is_synthetic"
    ),
    key=("source_id", "source_key"),
    required=("name", "state", "service_areas", "office_areas", "license", "is_synthetic"),
    order_by=("source_id", "source_key"),
)

RIGHTS = Table(
    "core_sources__rights",
    "What this release may use of each source, and what allows it.",
    fields("source_id rights_use rights_basis rights_reason"),
    key=("source_id",),
    required=("rights_use", "rights_basis", "rights_reason"),
    order_by=("source_id",),
)

ZIPS = Table(
    "core_geography__zips",
    "ZIP codes with a point, city, state, county, time zone and population: the places people search from.",
    fields(
        "zip zip_kind place_name state county_name county_fips lat lng timezone population is_quality_low"
    ),
    key=("zip",),
    required=("zip_kind", "is_quality_low"),
    order_by=("zip",),
)

CITIES = Table(
    "core_geography__cities",
    "Cities, towns and other named places with a point and population, one row per name and state.",
    fields("place_name state search_name lat lng zip population"),
    key=("state", "search_name"),
    required=("place_name", "lat", "lng"),
    order_by=("state", "search_name"),
)

FOOD_BANKS = Table(
    "_core_directory__food_banks",
    "Food banks and the ZIP codes that each serves, for answers where nothing is listed nearby. Never published as a table: the publisher's terms are unknown.",
    fields(
        "source_key name state website phone source_updated_date served_zips served_county_zips"
    ),
    key=("source_key",),
    required=("name", "served_zips", "served_county_zips"),
    order_by=("source_key",),
    published=False,
)

DECLARATIONS = Table(
    "core_fema_declarations__areas",
    "Federal disaster declarations by designated area; a row without area represents the whole "
    "disaster.",
    fields(
        "source_id source_key source_row file_name disaster_number declaration_string declaration_type title "
        "incident_type state county_fips designated_area is_tribal_area has_individual_assistance "
        "has_public_assistance has_hazard_mitigation declaration_date incident_begin_date incident_end_date "
        "closeout_date last_ia_filing_date retrieved_at source_updated_date is_synthetic"
    ),
    key=("source_id", "source_key"),
    required=names(
        "source_row file_name disaster_number declaration_type title state is_tribal_area "
        "declaration_date retrieved_at is_synthetic"
    ),
    order_by=("source_id", "source_key"),
)
