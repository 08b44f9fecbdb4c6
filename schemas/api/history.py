"""Answers about the origin of the data: the statements of each source, releases, the changes
between two releases, and the signed log.
"""

from typing import Annotated, Any, Literal

import msgspec

from schemas.api.common import IsSynthetic, NonNegative, PlaceId, ServedRelease, Success
from schemas.descriptions import describe
from schemas.vocab.reviews import ChangeKind, RetirementReason

RELEASE_ID_PATTERN = r"^[0-9]{8}T[0-9]{6}Z-[0-9a-f]{8}$"
ReleaseId = Annotated[str, describe("Id of a release.", "20261101T060000Z-1c2d3e4f")]
Count = NonNegative
Sha256 = Annotated[
    str,
    describe(
        "SHA-256, hexadecimal.", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    ),
]


class Movement(msgspec.Struct, forbid_unknown_fields=True):
    """Changes within one group. Listings that moved between groups make before + changes differ
    from after."""

    group: str
    before: Count
    after: Count
    added: Count
    changed: Count
    reactivated: Count
    merged: Count
    retired: Count


class ChangeExample(msgspec.Struct, forbid_unknown_fields=True):
    """One change, as an example."""

    change: ChangeKind
    resource_id: int
    name: str
    resource_type: str
    city: str | None
    state: str
    detail: str | None


class ReleaseReport(msgspec.Struct, forbid_unknown_fields=True):
    """Changes from one release to another. before + added + reactivated - merged - retired =
    after, always."""

    older: str | None
    newer: ReleaseId
    before: Count
    after: Count
    added: Count
    changed: Count
    reactivated: Count
    merged: Count
    retired: Count
    changed_fields: dict[str, int]
    retired_reasons: dict[str, int]
    by_type: list[Movement]
    by_state: list[Movement]
    by_source: list[Movement]
    examples: list[ChangeExample]
    uncounted_fields: dict[str, str]


class FieldChange(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Value of one field before and now."""

    old: Any
    new: Any
    is_old_withheld: bool = False


class Change(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One listing that changed; a line of the NDJSON form."""

    resource_id: int
    change: ChangeKind
    fields: dict[str, FieldChange] | None = None
    record: dict[str, Any] | None = None
    merged_into: int | None = None
    reason: RetirementReason | None = None
    detail: str | None = None


class ChangeHead(msgspec.Struct, forbid_unknown_fields=True):
    """Members of a page of changes other than the changes."""

    success: Success
    since: str | None
    until: str
    total: NonNegative
    count: NonNegative
    next: str | None
    license: str
    is_synthetic: IsSynthetic
    release_id: str


class ChangePage(ChangeHead):
    """One page of changes, in order of id."""

    changes: list[Change]


class LogEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One line of the release log. Its canonical JSON (RFC 8785) is signed without `signature` and
    chained with it. `why` is in entries of a withdrawal only.
    """

    sequence: Annotated[int, msgspec.Meta(ge=1)]
    event: Literal["promote", "rollback", "recovered", "withdraw"]
    release_id: ReleaseId
    created_at: str
    manifest_sha256: str
    previous_sha256: str | None
    key_id: str | None
    signature: str | None
    why: str | None = None


class ReleaseLog(msgspec.Struct, forbid_unknown_fields=True):
    """All entries of the release log, oldest first."""

    success: Success
    head_sha256: str | None
    entries: list[LogEntry]


class ReleaseLinks(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Links to more about a release."""

    report: str
    manifest: str
    changes: str | None = None
    changes_since: str | None = None


class ReleaseCheck(msgspec.Struct, forbid_unknown_fields=True):
    """The result of a blocking check, without which a release is not made."""

    asset: str
    name: str
    is_passed: bool
    detail: str
    digest: str
    checked_at: str


class ReleaseSummary(msgspec.Struct, forbid_unknown_fields=True):
    """One release of the history."""

    id: ReleaseId
    created_at: str
    parent: str | None
    is_current: bool
    is_kept: bool
    is_synthetic: IsSynthetic
    as_of_date: str
    content_digest: str
    manifest_sha256: Sha256
    withdrawn: str | None
    listed: int | None
    rows: dict[str, int]
    changes: dict[str, int] | None
    log_sequences: list[int]
    size_bytes: int
    checks: list[ReleaseCheck]
    links: ReleaseLinks


class ReleaseList(msgspec.Struct, forbid_unknown_fields=True):
    """The history: every release that was ever served, newest first."""

    success: Success
    current: str
    log_head_sha256: str | None
    log_url: str
    releases: list[ReleaseSummary]


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
