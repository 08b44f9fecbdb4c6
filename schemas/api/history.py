"""Answers about the history of the data: releases, what changed between two of them, the signed
log.
"""

from typing import Annotated, Any, Literal

import msgspec

from schemas.api.common import IsSynthetic
from schemas.descriptions import describe
from schemas.vocab.changes import ChangeKind, RetirementReason

RELEASE_ID_PATTERN = r"^[0-9]{8}T[0-9]{6}Z-[0-9a-f]{8}$"
ReleaseId = Annotated[str, describe("Id of a release.", "20261101T060000Z-1c2d3e4f")]
Count = Annotated[int, msgspec.Meta(ge=0)]
Sha256 = Annotated[
    str,
    describe(
        "SHA-256, hexadecimal.", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    ),
]


class Movement(msgspec.Struct, forbid_unknown_fields=True):
    """Changes within one group. Listings that moved between groups make before + changes differ
    from after."""

    group: Annotated[str, describe("Type, state or source.")]
    before: Annotated[Count, describe("Listed places before.")]
    after: Annotated[Count, describe("Listed places now.")]
    added: Count
    changed: Count
    reactivated: Count
    merged: Count
    retired: Count


class ChangeExample(msgspec.Struct, forbid_unknown_fields=True):
    """One change, to look at."""

    change: Annotated[ChangeKind, describe("What happened to the listing.")]
    resource_id: int
    name: str
    resource_type: str
    city: str | None
    state: str
    detail: Annotated[str | None, describe("Fields that changed, successor or reason.")]


class ReleaseReport(msgspec.Struct, forbid_unknown_fields=True):
    """Changes from one release to another. before + added + reactivated - merged - retired =
    after, always."""

    older: Annotated[
        str | None, describe("The release compared with; null for the first release of a history.")
    ]
    newer: ReleaseId
    before: Annotated[Count, describe("Listed places in the older release.")]
    after: Annotated[Count, describe("Listed places in the newer release.")]
    added: Count
    changed: Count
    reactivated: Count
    merged: Count
    retired: Count
    changed_fields: Annotated[dict[str, int], describe("Changed listings by field.")]
    retired_reasons: Annotated[dict[str, int], describe("Retired listings by reason.")]
    by_type: list[Movement]
    by_state: list[Movement]
    by_source: Annotated[
        list[Movement], describe("By the source that leads the listing, most changes first.")
    ]
    examples: list[ChangeExample]
    uncounted_fields: Annotated[
        dict[str, str], describe("Fields whose new value is no change, with the reason.")
    ]


class FieldChange(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Value of one field before and now."""

    old: Annotated[Any, describe("Value before.")]
    new: Annotated[Any, describe("Value after.")]
    is_old_withheld: Annotated[
        bool,
        describe(
            "True where the value before is not repeated: the place has become confidential, or a publisher of it has withdrawn."
        ),
    ] = False


class Change(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One listing that changed; a line of the NDJSON form."""

    resource_id: Annotated[int, describe("Permanent id of the listing.")]
    change: Annotated[ChangeKind, describe("What happened to the listing.")]
    fields: Annotated[
        dict[str, FieldChange] | None,
        describe("Of a changed listing: every field that has another value."),
    ] = None
    record: Annotated[
        dict[str, Any] | None,
        describe(
            "Of an added or reactivated listing: the whole record, as a line of `resources.ndjson`."
        ),
    ] = None
    merged_into: Annotated[
        int | None, describe("Of a merged listing: the listing that took over.")
    ] = None
    reason: Annotated[RetirementReason | None, describe("Of a retired listing: why.")] = None
    detail: Annotated[
        str | None, describe("Of a retired listing: more about the reason, in words.")
    ] = None


class ChangeHead(msgspec.Struct, forbid_unknown_fields=True):
    """Members of a page of changes other than the changes."""

    success: Annotated[bool, describe("Always true.")]
    since: Annotated[
        str | None, describe("The release compared with; null for the first of a history.")
    ]
    until: Annotated[str, describe("The release the changes lead to.")]
    total: Annotated[int, describe("Changes in all.", ge=0)]
    count: Annotated[int, describe("Changes on this page.", ge=0)]
    next: Annotated[str | None, describe("Address of the next page; null on the last one.")]
    license: Annotated[str, describe("SPDX id of the licence of the data.")]
    is_synthetic: IsSynthetic
    release_id: Annotated[str, describe("Release the service answers from.")]


class ChangePage(ChangeHead):
    """One page of changes, in order of id."""

    changes: Annotated[list[Change], describe("The changes, in order of place.")]


class LogEntry(msgspec.Struct, forbid_unknown_fields=True):
    """One line of the release log. Canonical JSON (RFC 8785) of it, without and with `signature`,
    is what is signed and chained.
    """

    sequence: Annotated[int, describe("1, 2, 3 ... without a gap.", ge=1)]
    event: Annotated[
        Literal["promote", "rollback", "recovered"],
        describe(
            "Why the release is served. recovered: it was found being served without an entry, because it was promoted before there was a log or by a process that was killed."
        ),
    ]
    release_id: ReleaseId
    created_at: Annotated[str, describe("When the entry was written (UTC).")]
    manifest_sha256: Annotated[str, describe("SHA-256 of the manifest in canonical JSON.")]
    previous_sha256: Annotated[
        str | None,
        describe(
            "SHA-256 of the entry before in canonical JSON, its signature included; null for the first."
        ),
    ]
    key_id: Annotated[
        str | None, describe("Thumbprint (RFC 7638) of the key that signed; null when unsigned.")
    ]
    signature: Annotated[
        str | None,
        describe(
            "Ed25519 signature, base64, of the entry in canonical JSON without this member; null when unsigned."
        ),
    ]


class ReleaseLog(msgspec.Struct, forbid_unknown_fields=True):
    """All entries of the release log, oldest first."""

    success: Annotated[bool, describe("Always true.")]
    head_sha256: Annotated[
        str | None,
        describe("SHA-256 of the last entry. Save it: every later log must still contain it."),
    ]
    entries: Annotated[list[LogEntry], describe("The entries.")]


class ReleaseLinks(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Links to more about a release."""

    report: Annotated[str, describe("Counts of its changes, with examples.")]
    manifest: Annotated[str, describe("Its manifest.")]
    changes: Annotated[str | None, describe("Its changes against the parent.")] = None
    changes_since: Annotated[str | None, describe("Changes from it to the current release.")] = None


class ReleaseCheck(msgspec.Struct, forbid_unknown_fields=True):
    """The result of a blocking check, without which a release is not made."""

    asset: Annotated[
        str,
        describe(
            "Table or product that was checked; empty in releases made before checks were recorded."
        ),
    ]
    name: Annotated[str, describe("Name of the check.")]
    is_passed: Annotated[bool, describe("Whether it passed.")]
    detail: Annotated[str, describe("What the check found, in words.")]
    digest: Annotated[str, describe("Digest of the content that the check saw.")]
    checked_at: Annotated[str, describe("When (UTC).")]


class ReleaseSummary(msgspec.Struct, forbid_unknown_fields=True):
    """One release of the history."""

    id: ReleaseId
    created_at: Annotated[str, describe("When it was made (UTC).")]
    parent: Annotated[str | None, describe("The release that was served when it was made.")]
    is_current: Annotated[bool, describe("Whether it is served now.")]
    is_kept: Annotated[bool, describe("False once its files are gone; manifest and report stay.")]
    is_synthetic: IsSynthetic
    as_of_date: Annotated[str, describe("Day up to which the sources were read.")]
    content_digest: Annotated[
        str,
        describe("Digest of the content of all tables: two builds of the same inputs share it."),
    ]
    manifest_sha256: Sha256
    listed: Annotated[
        int | None, describe("Listed places; null for releases made before changes were recorded.")
    ]
    rows: Annotated[dict[str, int], describe("Rows of every published table.")]
    changes: Annotated[
        dict[str, int] | None,
        describe(
            "Counts of changes against the parent; null for releases made before changes were recorded."
        ),
    ]
    log_sequences: Annotated[list[int], describe("Entries of the log that name it.")]
    size_bytes: Annotated[int, describe("Size of its files in bytes.")]
    checks: Annotated[
        list[ReleaseCheck],
        describe(
            "Results of its blocking checks, while its files are available. The manifest always has them."
        ),
    ]
    links: Annotated[ReleaseLinks, describe("Addresses about the release.")]


class ReleaseList(msgspec.Struct, forbid_unknown_fields=True):
    """The history: every release that was ever served, newest first."""

    success: Annotated[bool, describe("Always true.")]
    current: Annotated[str, describe("Id of the current release.")]
    log_head_sha256: Annotated[
        str | None, describe("SHA-256 of the newest entry of the log; null while it is empty.")
    ]
    log_url: Annotated[str, describe("Address of the log.")]
    releases: Annotated[list[ReleaseSummary], describe("The releases, newest first.")]
