"""Answers of the sibling service: the data set of resources for veterans, one of its records, discovery."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from schemas.table import Field, Table
from schemas.tables.veterans import VETERAN_DETAILS, VETERAN_RESOURCES
from schemas.vocab.veterans import VETERAN_LICENSE

_Meta = msgspec.Meta
_PYTHON_TYPES: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "date": str,
    "datetime": str,
    "json": str,
    "strings": list[str],
}
_Url = Annotated[str, _Meta(description="Address.")]


def _members(table: Table) -> list[tuple[str, Any]]:
    required = set(table.required_names)
    return [(field.name, _annotation(field, field.name in required)) for field in table.fields]


def _annotation(field: Field, is_required: bool) -> Any:
    kind: Any = Literal[field.values] if field.values else _PYTHON_TYPES[field.type]
    return Annotated[
        kind if is_required else kind | None,
        _Meta(description=field.description, examples=[field.example] if field.example else None),
    ]


VeteranResource = msgspec.defstruct(
    "VeteranResource", _members(VETERAN_RESOURCES), forbid_unknown_fields=True
)
VeteranDetails = msgspec.defstruct(
    "VeteranDetails", _members(VETERAN_DETAILS)[1:], forbid_unknown_fields=True
)


class VeteranColumn(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One column of the data set."""

    name: Annotated[str, _Meta(description="Name of the column.", examples=["phone_e164"])]
    type: Annotated[Literal["INTEGER", "TEXT", "BOOLEAN", "REAL"], _Meta(description="Type of the values.")]  # fmt: skip
    nullable: Annotated[bool, _Meta(description="Whether a value may be missing.")]
    description: Annotated[str, _Meta(description="What the column means.")]
    values: Annotated[list[str] | None, _Meta(description="All values that occur, where they are few.")] = None  # fmt: skip
    pattern: Annotated[str | None, _Meta(description="Regular expression of every value.")] = None


class VeteranDataset(msgspec.Struct, forbid_unknown_fields=True):
    """The whole data set with the list of its columns."""

    dataset: str
    title: str
    description: str
    changed_at: Annotated[str | None, _Meta(description="When a record last came or changed (UTC); null without records.")]  # fmt: skip
    is_synthetic: Annotated[bool, _Meta(description="True where every record is invented.")]
    license: Annotated[str, _Meta(description="Licence of every record.", examples=[VETERAN_LICENSE])]  # fmt: skip
    license_url: _Url
    attribution: str
    primary_key: str
    cached_seconds: int
    record_count: Annotated[int, _Meta(description="Number of records.", ge=0)]
    completeness: Annotated[dict[str, Any], _Meta(description="Points of each part of `completeness_score`.")]  # fmt: skip
    coverage: Annotated[dict[str, float], _Meta(description="Share of the records that have a value, 0 to 1, by column that may be empty.")]  # fmt: skip
    practices: Annotated[
        dict[str, str], _Meta(description="How the data set of this release was made, by subject.")
    ]
    columns: Annotated[list[VeteranColumn], _Meta(description="The columns in their order.")]
    records: Annotated[list[VeteranResource], _Meta(description="The records, by id.")]  # type: ignore[valid-type]


VeteranRecord = msgspec.defstruct(
    "VeteranRecord",
    [*_members(VETERAN_RESOURCES), ("details", Annotated[VeteranDetails, _Meta(description="What stands behind the record: sources, hours, how exact the point is.")])],
    forbid_unknown_fields=True,
)  # fmt: skip


class SiblingDataset(msgspec.Struct, forbid_unknown_fields=True):
    """A data set and its addresses."""

    id: str
    title: str
    json_url: _Url
    csv_url: _Url
    parquet_url: _Url
    datapackage_url: _Url
    record_url_template: Annotated[str, _Meta(description="Address of one record, with its id for `{id}`.")]  # fmt: skip
    license: str
    cached_seconds: int


class SiblingEndpoint(msgspec.Struct, forbid_unknown_fields=True):
    """One more address of the service."""

    name: str
    url: _Url
    description: str


class SiblingDiscovery(msgspec.Struct, forbid_unknown_fields=True):
    """Where everything of this service is."""

    service: str
    version: str
    organization: str
    contact: str
    release_id: str | None
    is_synthetic: bool | None
    datasets: list[SiblingDataset]
    endpoints: list[SiblingEndpoint]
