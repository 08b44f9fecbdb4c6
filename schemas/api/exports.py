"""Descriptions of the bulk folder and of its address."""

from typing import Annotated

import msgspec

from schemas.api.common import CompilationLicense, IsSynthetic, NonNegative, Success
from schemas.descriptions import describe

_Size = Annotated[int, describe("Size in bytes.", ge=0)]
_Digest = Annotated[str, describe("SHA-256 of the bytes, hexadecimal.")]


class BulkTwin(msgspec.Struct, forbid_unknown_fields=True):
    """The same file, compressed."""

    name: str
    encoding: str
    size_bytes: _Size
    sha256: _Digest


class BulkFile(msgspec.Struct, forbid_unknown_fields=True):
    """One file with the whole directory, or a related table."""

    name: str
    media_type: str
    description: str
    rows: NonNegative
    size_bytes: _Size
    sha256: _Digest
    license: str
    compressed: list[BulkTwin]


class BulkColumn(msgspec.Struct, forbid_unknown_fields=True):
    """A column of the resources, in the order of every file."""

    name: str
    type: str
    description: str


class BulkIndex(msgspec.Struct, forbid_unknown_fields=True):
    """`bulk/index.json` of a release."""

    title: str
    license: str
    is_synthetic: IsSynthetic
    notice: str | None
    as_of_date: str
    columns: list[BulkColumn]
    files: list[BulkFile]


class ExportsRelease(msgspec.Struct, forbid_unknown_fields=True):
    """A release whose bulk files can be fetched."""

    release_id: str
    created_at: str
    is_current: bool
    is_synthetic: IsSynthetic
    license: str
    index: str
    files: dict[str, str]


class ExportsIndex(msgspec.Struct, forbid_unknown_fields=True):
    """The releases on this instance, the newest first, and the files of the one that is served."""

    success: Success
    latest: str | None
    license: CompilationLicense
    is_synthetic: IsSynthetic
    files: list[BulkFile]
    releases: list[ExportsRelease]
