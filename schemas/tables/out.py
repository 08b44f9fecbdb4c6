"""Output tables: those the service answers from, and those that are published."""

from schemas.tables.declared import read_tables

_TABLES = read_tables("out.yaml")

TYPE_COUNTS = _TABLES["out_directory__type_counts"]
QUALITY = _TABLES["out_directory__quality_checks"]
DOUBTFUL = _TABLES["out_directory__doubtful_pairs"]
CROSSWALK = _TABLES["out_directory__crosswalk"]
