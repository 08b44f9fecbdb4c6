"""Every HSDS collection we publish, in the order in which the descriptor lists them, and the versions
of HSDS in which we do.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from schemas.hsds.details import (
    ATTRIBUTES,
    COST_OPTIONS,
    META_TABLE_DESCRIPTIONS,
    METADATA,
    ORGANIZATION_IDENTIFIERS,
    REQUIRED_DOCUMENTS,
    SERVICE_AREAS,
    SERVICE_CAPACITY,
    TAXONOMIES,
    TAXONOMY_TERMS,
    UNITS,
    URL,
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
# The collections that a release stores.
COLLECTIONS: tuple[Collection, ...] = (
    *MAIN,
    TAXONOMIES,
    ORGANIZATION_IDENTIFIERS,
    REQUIRED_DOCUMENTS,
    COST_OPTIONS,
    SERVICE_AREAS,
    METADATA,
    META_TABLE_DESCRIPTIONS,
    URL,
    UNITS,
)
# Made from the reports of the last 24 hours; no release stores them.
LIVE: tuple[Collection, ...] = (SERVICE_CAPACITY,)

BY_NAME: dict[str, Collection] = {c.name: c for c in (*COLLECTIONS, *LIVE)}
BY_TABLE: dict[str, Collection] = {c.table: c for c in (*COLLECTIONS, *LIVE)}


@dataclass(frozen=True)
class Version:
    """A version of HSDS, the address below which the feed speaks it, and the folder of its
    descriptions in that of the feed. A further version is one more row of `VERSIONS`, with the
    collections and columns that are new in it.
    """

    number: str
    root: str
    folder: str = ""

    @cached_property
    def collections(self) -> tuple[Collection, ...]:
        """Every collection that the version has."""
        return tuple(c for c in (*COLLECTIONS, *LIVE) if c.since <= self.number)

    @cached_property
    def stored(self) -> tuple[Collection, ...]:
        """The collections of the version that a release stores."""
        return tuple(c for c in COLLECTIONS if c.since <= self.number)


HSDS_3_0 = Version("3.0", "/hsds/v3")
HSDS_3_1 = Version("3.1", "/hsds/v3.1", "v3.1/")
VERSIONS: tuple[Version, ...] = (HSDS_3_0, HSDS_3_1)
