"""Distance from residents to listed food: by ZIP code, by county, by state and for the nation."""

from schemas.tables.declared import read_tables

_TABLES = read_tables("access.yaml")

ZIP_ACCESS = _TABLES["out_directory__zip_access"]
COUNTY_TOTALS = _TABLES["out_directory__county_totals"]
AREA_ACCESS = _TABLES["out_directory__area_access"]
