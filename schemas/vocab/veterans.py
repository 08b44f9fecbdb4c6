"""Name the types of facilities, the veterans' ones, license and parts of the completeness score."""

VETERAN_TYPES: tuple[str, ...] = (
    "va_hospital",
    "va_clinic",
    "vet_center",
    "benefits_office",
    "mental_health",
    "housing",
    "employment",
    "vso",
    "other",
)

# The interface fixes this text for every row; in SPDX's spelling it is CC-BY-4.0.
VETERAN_LICENSE = "CC-BY 4.0"
VETERAN_LICENSE_URL = "https://creativecommons.org/licenses/by/4.0/"

# Points of each part of the completeness score; they add up to 100. FIPS codes count one by one.
COMPLETENESS_POINTS: dict[str, int] = {
    "phone": 20,
    "website": 15,
    "address": 20,
    "coordinates": 15,
    "fips_state": 5,
    "fips_county": 5,
    "fips_tract": 5,
    "verified_within_a_year": 15,
}
# A verification that is older than this counts for nothing.
RECENT_DAYS = 365

# How the published list of columns names the types.
SQL_TYPES: dict[str, str] = {
    "string": "TEXT",
    "integer": "INTEGER",
    "number": "REAL",
    "boolean": "BOOLEAN",
}


FACILITY_TYPES: tuple[str, ...] = (
    "hospital",
    "va_hospital",
    "va_clinic",
    "vet_center",
    "benefits_office",
    "other",
)
