"""Descriptions of the bulk folder and of its address."""

from typing import Annotated

import msgspec

from schemas.descriptions import describe

_Size = Annotated[int, describe("Size in bytes.", ge=0)]
_Digest = Annotated[str, describe("SHA-256 of the bytes, hexadecimal.")]


class BulkTwin(msgspec.Struct, forbid_unknown_fields=True):
    """The same file, compressed."""

    name: Annotated[str, describe("Name of the compressed file.", "resources.csv.gz")]
    encoding: Annotated[str, describe("Its content coding: gzip.")]
    size_bytes: _Size
    sha256: _Digest


class BulkFile(msgspec.Struct, forbid_unknown_fields=True):
    """One file with the whole directory, or a related table."""

    name: Annotated[str, describe("Name of the file.", "resources.parquet")]
    media_type: Annotated[str, describe("Media type of the file.")]
    description: Annotated[str, describe("What it is and how to read it.")]
    rows: Annotated[
        int, describe("Rows, features or lines; the header of a CSV is not counted.", ge=0)
    ]
    size_bytes: _Size
    sha256: _Digest
    license: Annotated[str, describe("SPDX id of the licence.", "CC-BY-4.0")]
    compressed: Annotated[
        list[BulkTwin],
        describe("The same file compressed; sent automatically to clients that accept it."),
    ]


class BulkColumn(msgspec.Struct, forbid_unknown_fields=True):
    """A column of the resources, in the order of every file."""

    name: Annotated[str, describe("Name of the column.")]
    type: Annotated[
        str,
        describe(
            "Logical type: string, integer, number, boolean, date, datetime (UTC), json (text) or strings (list)."
        ),
    ]
    description: Annotated[str, describe("What it says.")]


class BulkIndex(msgspec.Struct, forbid_unknown_fields=True):
    """`bulk/index.json` of a release."""

    title: Annotated[str, describe("What this is.")]
    license: Annotated[str, describe("SPDX id of the licence of all files.")]
    is_synthetic: Annotated[bool, describe("True when the places are invented.")]
    notice: Annotated[str | None, describe("What a reader must know first.")]
    as_of_date: Annotated[str, describe("Day for which freshness was judged.")]
    columns: Annotated[list[BulkColumn], describe("Columns of the resources.")]
    files: Annotated[list[BulkFile], describe("The files.")]


class ExportsRelease(msgspec.Struct, forbid_unknown_fields=True):
    """A release whose bulk files can be fetched."""

    release_id: Annotated[str, describe("Id of the release.")]
    created_at: Annotated[str, describe("When it was made, UTC.")]
    is_current: Annotated[bool, describe("True for the release that is served.")]
    is_synthetic: Annotated[bool, describe("True when the places are invented.")]
    license: Annotated[str, describe("SPDX id of the licence.")]
    index: Annotated[
        str, describe("Address of its `index.json`, with columns and compressed files.")
    ]
    files: Annotated[dict[str, str], describe("Address of every file by its name.")]


class ExportsIndex(msgspec.Struct, forbid_unknown_fields=True):
    """The releases on this instance, the newest first, and the files of the one that is served."""

    success: Annotated[bool, describe("Always true.")]
    latest: Annotated[
        str | None,
        describe("Release that `/exports/latest/` leads to; null where it has no bulk files."),
    ]
    license: Annotated[str, describe("SPDX id of the licence of the compilation.")]
    is_synthetic: Annotated[bool, describe("True when the places are invented.")]
    files: Annotated[list[BulkFile], describe("Files of the latest release.")]
    releases: Annotated[list[ExportsRelease], describe("All releases available here.")]
