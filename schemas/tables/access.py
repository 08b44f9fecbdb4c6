"""Distance from residents to listed food: by ZIP code, by county, by state and for the nation."""

from __future__ import annotations

from schemas.fields import fields
from schemas.table import Table, names

_PEOPLE = (
    "zip_area_count zip_without_population_count zip_population rough_population inexact_population mean_free_miles median_free_miles "
    "people_share_within_1_mile people_share_within_5_miles people_share_within_10_miles people_share_within_25_miles "
    "people_share_known_hours_within_5_miles zip_share_within_5_miles"
)

ZIP_ACCESS = Table(
    "out_directory__zip_access",
    "Distance in great-circle miles from the point of every ZIP code to listed food, and "
    "listings around it. ZIP codes without a point or a state (military) are left out.",
    fields(
        "zip zip_kind state county_fips population population_source is_quality_low nearest_free_miles "
        "is_nearest_free_exact nearest_free_known_hours_miles free_within_5_count free_within_10_count "
        "free_within_25_count free_known_hours_within_25_count free_exact_within_25_count hours_known_share exact_share "
        "nearest_snap_miles snap_within_1_count snap_within_5_count snap_within_10_count"
    ),
    key=("zip",),
    required=names(
        "zip_kind state is_quality_low free_within_5_count free_within_10_count "
        "free_within_25_count free_known_hours_within_25_count free_exact_within_25_count "
        "snap_within_1_count snap_within_5_count snap_within_10_count"
    ),
    order_by=("zip",),
)

COUNTY_TOTALS = Table(
    "out_directory__county_totals",
    "Active resources by county or county equivalent, for its residents, and how far its residents are from free food. All counties have a row, also where nothing is listed; resources without a known county are in none.",
    fields(
        "county_fips county_name state population population_source resource_count free_food_count snap_count "
        "school_count summer_count wic_count health_count pantry_class_count free_hours_known_count "
        f"free_exact_point_count hours_known_share exact_share free_food_per_10000_residents resources_per_10000_residents {_PEOPLE}"
    ),
    key=("county_fips",),
    required=names(
        "resource_count free_food_count snap_count school_count summer_count wic_count "
        "health_count pantry_class_count free_hours_known_count free_exact_point_count "
        "zip_area_count zip_without_population_count"
    ),
    order_by=("county_fips",),
)

AREA_ACCESS = Table(
    "out_directory__area_access",
    "How far the residents of each state and territory, and of the nation (US), are from free "
    "food, and how many free places have known hours.",
    fields(
        f"area free_food_count free_hours_known_count free_exact_point_count hours_known_share exact_share {_PEOPLE}"
    ),
    key=("area",),
    required=names(
        "free_food_count free_hours_known_count free_exact_point_count zip_area_count "
        "zip_without_population_count"
    ),
    order_by=("area",),
)
