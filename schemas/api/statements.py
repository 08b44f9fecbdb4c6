"""Statements of each source about a place."""

import msgspec

from schemas.api.common import PlaceId, ServedRelease


class Statement(msgspec.Struct, forbid_unknown_fields=True):
    """One value that a source record states."""

    field: str
    value: str
    source_id: str
    source_key: str
    stated_date: str | None
    file_name: str | None
    source_row: int | None
    is_published: bool
    is_contradicted: bool


class ResourceStatements(msgspec.Struct, forbid_unknown_fields=True):
    """Everything that the sources of a place state, field by field."""

    id: PlaceId
    rule: str
    total: int
    contradicted_fields: list[str]
    statements: list[Statement]
    release_id: ServedRelease
