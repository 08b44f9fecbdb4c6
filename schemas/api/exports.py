"""Descriptions of the bulk folder and of its address."""

from __future__ import annotations

from typing import Annotated

import msgspec

_Meta = msgspec.Meta
_Size = Annotated[int, _Meta(description="Size in bytes.", ge=0)]
_Digest = Annotated[str, _Meta(description="SHA-256 of the bytes, hexadecimal.")]


class BulkTwin(msgspec.Struct, forbid_unknown_fields=True):
    """The same file, compressed."""

    name: Annotated[
        str, _Meta(description="Name of the compressed file.", examples=["resources.csv.gz"])
    ]
    encoding: Annotated[str, _Meta(description="Its content coding: gzip.")]
    size_bytes: _Size
    sha256: _Digest


class BulkFile(msgspec.Struct, forbid_unknown_fields=True):
    """One file with the whole directory, or a related table."""

    name: Annotated[str, _Meta(description="Name of the file.", examples=["resources.parquet"])]
    media_type: Annotated[str, _Meta(description="Media type of the file.")]
    description: Annotated[str, _Meta(description="What it is and how to read it.")]
    rows: Annotated[
        int, _Meta(description="Rows, features or lines; the header of a CSV is not counted.", ge=0)
    ]
    size_bytes: _Size
    sha256: _Digest
    license: Annotated[str, _Meta(description="SPDX id of the licence.", examples=["CC-BY-4.0"])]
    compressed: Annotated[
        list[BulkTwin],
        _Meta(
            description="The same file compressed; sent automatically to clients that accept it."
        ),
    ]


class BulkColumn(msgspec.Struct, forbid_unknown_fields=True):
    """A column of the resources, in the order of every file."""

    name: Annotated[str, _Meta(description="Name of the column.")]
    type: Annotated[
        str,
        _Meta(
            description="Logical type: string, integer, number, boolean, date, datetime (UTC), json (text) or strings (list)."
        ),
    ]
    description: Annotated[str, _Meta(description="What it says.")]


class BulkIndex(msgspec.Struct, forbid_unknown_fields=True):
    """`bulk/index.json` of a release."""

    title: Annotated[str, _Meta(description="What this is.")]
    license: Annotated[str, _Meta(description="SPDX id of the licence of all files.")]
    is_synthetic: Annotated[bool, _Meta(description="True when the places are invented.")]
    notice: Annotated[str | None, _Meta(description="What a reader must know first.")]
    as_of_date: Annotated[str, _Meta(description="Day for which freshness was judged.")]
    columns: Annotated[list[BulkColumn], _Meta(description="Columns of the resources.")]
    files: Annotated[list[BulkFile], _Meta(description="The files.")]


class ExportsRelease(msgspec.Struct, forbid_unknown_fields=True):
    """A release whose bulk files can be fetched."""

    release_id: Annotated[str, _Meta(description="Id of the release.")]
    created_at: Annotated[str, _Meta(description="When it was made, UTC.")]
    is_current: Annotated[bool, _Meta(description="True for the release that is served.")]
    is_synthetic: Annotated[bool, _Meta(description="True when the places are invented.")]
    license: Annotated[str, _Meta(description="SPDX id of the licence.")]
    index: Annotated[
        str, _Meta(description="Address of its `index.json`, with columns and compressed files.")
    ]
    files: Annotated[dict[str, str], _Meta(description="Address of every file by its name.")]


class ExportsIndex(msgspec.Struct, forbid_unknown_fields=True):
    """The releases on this instance, the newest first, and the files of the one that is served."""

    success: Annotated[bool, _Meta(description="Always true.")]
    latest: Annotated[
        str | None,
        _Meta(
            description="Release that `/exports/latest/` leads to; null where it has no bulk files."
        ),
    ]
    license: Annotated[str, _Meta(description="SPDX id of the licence of the compilation.")]
    is_synthetic: Annotated[bool, _Meta(description="True when the places are invented.")]
    files: Annotated[list[BulkFile], _Meta(description="Files of the latest release.")]
    releases: Annotated[list[ExportsRelease], _Meta(description="All releases available here.")]
