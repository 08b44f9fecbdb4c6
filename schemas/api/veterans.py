"""Answers of the sibling service: the data set of resources for veterans, one of its records,
discovery.
"""

from typing import Annotated, Any, Literal

import msgspec

from schemas.descriptions import describe, members_of
from schemas.tables.veterans import VETERAN_DETAILS, VETERAN_RESOURCES
from schemas.vocab.veterans import VETERAN_LICENSE

_Url = Annotated[str, describe("Address.")]


VeteranResource = msgspec.defstruct(
    "VeteranResource", members_of(VETERAN_RESOURCES), forbid_unknown_fields=True
)
VeteranDetails = msgspec.defstruct(
    "VeteranDetails", members_of(VETERAN_DETAILS, "id"), forbid_unknown_fields=True
)


class VeteranColumn(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One column of the data set."""

    name: Annotated[str, describe("Name of the column.", "phone_e164")]
    type: Annotated[Literal["INTEGER", "TEXT", "BOOLEAN", "REAL"], describe("Type of the values.")]
    nullable: Annotated[bool, describe("Whether a value may be missing.")]
    description: Annotated[str, describe("What the column means.")]
    values: Annotated[list[str] | None, describe("All values that occur, where they are few.")] = (
        None
    )
    pattern: Annotated[str | None, describe("Regular expression of every value.")] = None


_Day = Annotated[
    str | None, describe("Date, YYYY-MM-DD; null where nothing was checked.", "2026-11-20")
]


class VeteranWebsiteProbes(msgspec.Struct, forbid_unknown_fields=True):
    """Results of probing the data set's websites; all zero in a release built without a network."""

    websites: Annotated[int, describe("Websites that the data set lists.", ge=0)]
    probed: Annotated[int, describe("Those of them that were ever probed.", ge=0)]
    last_date: _Day


class VeteranPhoneLookups(msgspec.Struct, forbid_unknown_fields=True):
    """Results of looking up telephone numbers by hand; all zero where nobody did."""

    numbers: Annotated[int, describe("Telephone numbers that the data set lists.", ge=0)]
    looked_up: Annotated[int, describe("Those of them that a person looked up.", ge=0)]
    right: Annotated[int, describe("The number is the place's.", ge=0)]
    wrong: Annotated[int, describe("The number is another's or out of service.", ge=0)]
    unclear: Annotated[int, describe("Nothing was found either way.", ge=0)]
    first_date: _Day
    last_date: _Day
    method: Annotated[str, describe("How the numbers are chosen and looked up.")]


class VeteranChecks(msgspec.Struct, forbid_unknown_fields=True):
    """Checks of the data set's content."""

    website_probes: VeteranWebsiteProbes
    phone_lookups: VeteranPhoneLookups


class VeteranDataset(msgspec.Struct, forbid_unknown_fields=True):
    """The whole data set with the list of its columns."""

    dataset: str
    title: str
    description: str
    changed_at: Annotated[
        str | None, describe("When a record last came or changed (UTC); null without records.")
    ]
    is_synthetic: Annotated[bool, describe("True where every record is invented.")]
    license: Annotated[str, describe("Licence of every record.", VETERAN_LICENSE)]
    license_url: _Url
    attribution: str
    primary_key: str
    cached_seconds: int
    record_count: Annotated[int, describe("Number of records.", ge=0)]
    completeness: Annotated[
        dict[str, Any], describe("Points of each part of `completeness_score`.")
    ]
    coverage: Annotated[
        dict[str, float],
        describe("Share of the records that have a value, 0 to 1, by column that may be empty."),
    ]
    practices: Annotated[
        dict[str, str], describe("How the data set of this release was made, by subject.")
    ]
    checks: VeteranChecks
    columns: Annotated[list[VeteranColumn], describe("The columns in their order.")]
    records: Annotated[list[VeteranResource], describe("The records, by id.")]  # type: ignore[valid-type]


VeteranRecord = msgspec.defstruct(
    "VeteranRecord",
    [
        *members_of(VETERAN_RESOURCES),
        (
            "details",
            Annotated[
                VeteranDetails,
                describe("The evidence for the record: sources, hours, how exact the point is."),
            ],
        ),
    ],
    forbid_unknown_fields=True,
)


class SiblingDataset(msgspec.Struct, forbid_unknown_fields=True):
    """A data set and its addresses."""

    id: str
    title: str
    json_url: _Url
    csv_url: _Url
    parquet_url: _Url
    datapackage_url: _Url
    record_url_template: Annotated[str, describe("Address of one record, with its id for `{id}`.")]
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
