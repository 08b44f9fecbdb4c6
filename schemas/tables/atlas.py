"""Declare totals by state, by city, and single figures, which all public statistics read."""

from schemas.tables.declared import read_tables

_TABLES = read_tables("atlas.yaml")

STATE_TOTALS = _TABLES["out_directory__state_totals"]
CITY_TOTALS = _TABLES["out_directory__city_totals"]
FIGURES = _TABLES["out_directory__figures"]
