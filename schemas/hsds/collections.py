"""Every HSDS collection we publish, in the order in which the descriptor lists them."""

from __future__ import annotations

from schemas.hsds.details import (
    ATTRIBUTES,
    COST_OPTIONS,
    META_TABLE_DESCRIPTIONS,
    METADATA,
    ORGANIZATION_IDENTIFIERS,
    REQUIRED_DOCUMENTS,
    SERVICE_AREAS,
    TAXONOMIES,
    TAXONOMY_TERMS,
)
from schemas.hsds.directory import (
    ADDRESSES,
    LANGUAGES,
    LOCATIONS,
    ORGANIZATIONS,
    PHONES,
    SCHEDULES,
    SERVICE_AT_LOCATION,
    SERVICES,
)
from schemas.hsds.model import Collection

HSDS_VERSION = "3.0"

# The ten collections of the interface.
MAIN: tuple[Collection, ...] = (
    ORGANIZATIONS,
    SERVICES,
    LOCATIONS,
    SERVICE_AT_LOCATION,
    PHONES,
    ADDRESSES,
    SCHEDULES,
    LANGUAGES,
    TAXONOMY_TERMS,
    ATTRIBUTES,
)
COLLECTIONS: tuple[Collection, ...] = (
    *MAIN,
    TAXONOMIES,
    ORGANIZATION_IDENTIFIERS,
    REQUIRED_DOCUMENTS,
    COST_OPTIONS,
    SERVICE_AREAS,
    METADATA,
    META_TABLE_DESCRIPTIONS,
)

BY_NAME: dict[str, Collection] = {c.name: c for c in COLLECTIONS}
BY_TABLE: dict[str, Collection] = {c.table: c for c in COLLECTIONS}
