"""Declare totals by state, by city, and single figures, which all public statistics read."""

from __future__ import annotations

from schemas.fields import fields
from schemas.table import Table, names

STATE_TOTALS = Table(
    "out_directory__state_totals",
    "Active resources by state and territory: by kind, by verification, by place, and for every 1,000 residents. All 50 states, DC and the territories have a row, also where nothing is listed.",
    fields(
        "state resource_count food_pantries food_banks soup_kitchens mobile_pantries community_fridges "
        "pantry_class_count free_food_count wic_clinics school_meal_sites summer_meal_sites fqhc_health_centers "
        "head_start_centers snap_retailers partner_verified verified_count unverified_count "
        "partner_verified_pantries leaderboard_rank pantry_hours_known_count pantry_hours_old_count exact_point_count zip_count city_count "
        "county_count without_city_count population population_source population_date "
        "resources_per_1000_residents coverage_rank coverage_tier"
    ),
    key=("state",),
    required=names(
        "resource_count food_pantries food_banks soup_kitchens mobile_pantries "
        "community_fridges pantry_class_count free_food_count wic_clinics school_meal_sites "
        "summer_meal_sites fqhc_health_centers head_start_centers snap_retailers "
        "partner_verified verified_count unverified_count partner_verified_pantries "
        "pantry_hours_known_count pantry_hours_old_count exact_point_count zip_count "
        "city_count county_count without_city_count"
    ),
    order_by=("state",),
)

CITY_TOTALS = Table(
    "out_directory__city_totals",
    "Active resources by city. Spellings that differ in capitals only are one city, under the commonest spelling; the point is the middle of its places.",
    fields("state city resource_count pantry_class_count free_food_count lat lng"),
    key=("state", "city"),
    required=("resource_count", "pantry_class_count", "free_food_count", "lat", "lng"),
    order_by=("state", "city"),
)

FIGURES = Table(
    "out_directory__figures",
    "Single counts about the directory: how many places have each field, how many each source leads, how records were merged, on which days places were last verified.",
    fields("figure_id figure_group figure"),
    key=("figure_id", "figure_group"),
    required=("figure",),
    order_by=("figure_id", "figure_group"),
)
