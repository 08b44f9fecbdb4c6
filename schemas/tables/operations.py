"""Tables of approved submissions."""

from schemas.tables.declared import read_tables

_TABLES = read_tables("operations.yaml")

EDITS = _TABLES["core_{source}__edits"]
DECISIONS = _TABLES["core_operations__decisions"]
