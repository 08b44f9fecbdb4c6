"""Tables of automatic checks and changes."""

from schemas.tables.declared import read_tables

_TABLES = read_tables("checks.yaml")

AUTOMATIC_CHANGES = _TABLES["core_directory__automatic_changes"]
RULE_OBSERVATIONS = _TABLES["core_directory__rule_observations"]
WEBSITE_PROBES = _TABLES["core_directory__website_probes"]
PHONE_VALIDATIONS = _TABLES["core_directory__phone_validations"]
