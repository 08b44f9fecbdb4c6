"""Answers of the sibling service: the data set of resources for veterans, discovery."""

from typing import Annotated, Any, Literal

import msgspec

from schemas.api.common import NonNegative
from schemas.descriptions import describe, members_of
from schemas.tables.veterans import VETERAN_RESOURCES
from schemas.vocab.veterans import VETERAN_LICENSE

_Url = Annotated[str, describe("Address.")]


VeteranResource = msgspec.defstruct(
    "VeteranResource", members_of(VETERAN_RESOURCES), forbid_unknown_fields=True
)


class VeteranColumn(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One column of the data set."""

    name: str
    type: Literal["INTEGER", "TEXT", "BOOLEAN", "REAL"]
    nullable: bool
    description: str
    values: list[str] | None = None
    pattern: str | None = None


_Day = Annotated[
    str | None, describe("Date, YYYY-MM-DD; null where nothing was checked.", "2026-11-20")
]


class VeteranWebsiteProbes(msgspec.Struct, forbid_unknown_fields=True):
    """Results of probing the data set's websites; all zero in a release built without a network."""

    websites: NonNegative
    probed: NonNegative
    last_date: _Day


class VeteranPhoneLookups(msgspec.Struct, forbid_unknown_fields=True):
    """Results of looking up telephone numbers by hand; all zero where nobody did."""

    numbers: NonNegative
    looked_up: NonNegative
    right: NonNegative
    wrong: NonNegative
    unclear: NonNegative
    first_date: _Day
    last_date: _Day
    method: str


class VeteranChecks(msgspec.Struct, forbid_unknown_fields=True):
    """Checks of the data set's content."""

    website_probes: VeteranWebsiteProbes
    phone_lookups: VeteranPhoneLookups


class VeteranDataset(msgspec.Struct, forbid_unknown_fields=True):
    """The whole data set with the list of its columns."""

    dataset: str
    title: str
    description: str
    changed_at: str | None
    is_synthetic: bool
    license: Annotated[str, describe("License of every record.", VETERAN_LICENSE)]
    license_url: _Url
    attribution: str
    primary_key: str
    cached_seconds: int
    record_count: NonNegative
    completeness: dict[str, Any]
    coverage: dict[str, float]
    practices: dict[str, str]
    checks: VeteranChecks
    columns: list[VeteranColumn]
    records: list[VeteranResource]  # type: ignore[valid-type]


class SiblingDataset(msgspec.Struct, forbid_unknown_fields=True):
    """A data set and its addresses."""

    id: str
    title: str
    json_url: _Url
    csv_url: _Url
    parquet_url: _Url
    license: str
    cached_seconds: int


class SiblingEndpoint(msgspec.Struct, forbid_unknown_fields=True):
    """One more address of the service."""

    name: str
    url: _Url
    description: str


class SiblingDiscovery(msgspec.Struct, forbid_unknown_fields=True):
    """Addresses of this service."""

    service: str
    version: str
    organization: str
    contact: str
    release_id: str | None
    is_synthetic: bool | None
    datasets: list[SiblingDataset]
    endpoints: list[SiblingEndpoint]
