"""Contract of source modules, and their helpers.

A source module handles the publisher's oddities and nothing else. It offers one function:

def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]

which yields frames with one row for every record of the file, in file order, whose columns are a
subset of the contract's (`schemas.tables.core.PLACES`; `DECLARATIONS` for `yields: areas`,
`FACILITIES` for `yields: facilities`, `EDITS` for `yields: edits`) plus

    source_row     1, 2, ... in the file (header not counted), required
    reject_reason  a code where the source itself shows that the row cannot be used, else empty
    reject_detail  the value or rule behind it

Text is text: codes retain leading zeros, missing values are None, numbers only in `lat` and `lng`.
The module maps columns, joins split fields, drops personal data (e-mail addresses, names of staff)
and picks the type and key. General repairs (case, ZIP, phone, points) are the cleaning steps' work.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as member
from datetime import date, datetime
from importlib import import_module
from pathlib import Path
from typing import Protocol

import numpy as np
import pandas as pd

from assets.cleaning.text import remove_invisible
from schemas.sources.registry import Source
from schemas.table import Table
from schemas.tables.core import DECLARATIONS, EDITS, FACILITIES, PLACES
from warehouse.gzip_files import MAX_UNPACKED_BYTES, ZIP_MAGIC, only_member, unpack_chunks

# Layout of a file whose name matches none of the source's: its columns decide (`_frames_of`).
BY_COLUMNS = ""
# Reason of the single row that represents a file that no layout of its source reads.
FILE_SET_ASIDE = "file_set_aside"


@dataclass(frozen=True)
class RawFile:
    """A stored file of a publisher. `name` is the publisher's, without a .gz that storage added."""

    source_id: str
    name: str
    path: Path
    sha256: str
    layout: str
    retrieved_at: datetime
    vintage: date | None = None
    is_synthetic: bool = False
    # All files of the source in this build, for packages with one file per table.
    package: tuple[RawFile, ...] = ()
    # Names of a column in other editions of the file, by declared name.
    other_names: Mapping[str, Sequence[str]] = member(default_factory=dict)

    def companion(self, layout: str) -> RawFile | None:
        """Return the first file of this layout in the same package, None without one."""
        return next((file for file in self.package if file.layout == layout), None)

    def open(self) -> io.BufferedIOBase:
        """Return the bytes as a stream, decompressed if its magic number is gzip's."""
        with self.path.open("rb") as probe:
            packed = probe.read(2) == b"\x1f\x8b"
        return gzip.open(self.path) if packed else self.path.open("rb")

    def first_bytes(self, size: int) -> bytes:
        """Return the first bytes of `read_bytes`."""
        chunk = next(unpack_chunks(self.path, MAX_UNPACKED_BYTES), b"")
        return (self.read_bytes() if chunk.startswith(ZIP_MAGIC) else chunk)[:size]

    def read_bytes(self) -> bytes:
        """Return the whole decompressed file, also from a single-file zip archive.

        Raises ValueError if it is damaged or unpacks to more than MAX_UNPACKED_BYTES.
        """
        # Requesting that many bytes from a stream would reserve as much memory, however small the
        # file is.
        content = io.BytesIO()
        for chunk in unpack_chunks(self.path, MAX_UNPACKED_BYTES):
            content.write(chunk)
        return only_member(content.getvalue())


class SourceModule(Protocol):
    def read_rows(self, file: RawFile, source: Source) -> Iterator[pd.DataFrame]: ...


class UnreadableFileError(Exception):
    """A file lacks its layout; the last good tables of its source stay in use."""


def module_name(source: Source) -> str:
    """Return the name of the module in `assets.sources` that reads a source: its mapping's, else
    its own."""
    return "mapping" if source.layouts else source.id


def contract_table(source: Source) -> Table:
    return {"places": PLACES, "areas": DECLARATIONS, "facilities": FACILITIES, "edits": EDITS}[
        source.yields
    ]


def rejects_name(source: Source) -> str:
    """Return the name of the table of rows that are read and not used."""
    return f"core_{source.id}__rejects"


def digest_key(*parts: str | None) -> str:
    """Return a key of stable fields: 20 hex digits of SHA-256 that ignore case and blanks."""
    text = "\x1f".join(" ".join((part or "").split()).casefold() for part in parts)
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def package_files(source: Source, files: Iterable[RawFile]) -> list[RawFile]:
    """Return the files with the other names of the source's columns, each with all as package."""
    package = tuple(replace(file, other_names=source.other_names) for file in files)
    return [replace(file, package=package) for file in package]


def rows_of_files(
    source: Source, files: Iterable[RawFile], module: SourceModule | None = None
) -> pd.DataFrame:
    """Return all rows of all files of a source in the contract's columns plus `reject_reason`,
    `reject_detail`, without invisible characters, read by a module: the source's unless given.

    Every input row is one output row; a skipped file is one row with the reason FILE_SET_ASIDE
    (`_frames_of`, `_is_replaced`). Raises UnreadableFileError for another file that no layout
    reads, or if no file remains, ValueError if a module breaks the contract.
    """
    table = contract_table(source)
    module = module or import_module(f"assets.sources.{module_name(source)}")
    package = package_files(source, files)
    frames: list[pd.DataFrame] = []
    unread: dict[str, RawFile] = {}
    for file in package:
        file_frames, fault = _frames_of(module, file, source)
        if fault is not None:
            unread[fault] = file
            row = {"source_row": 1, "reject_reason": FILE_SET_ASIDE, "reject_detail": fault}
            file_frames = [pd.DataFrame([row])]
        frames += [_with_contract_columns(f, table, source, file) for f in file_frames if len(f)]
        if sum(map(len, frames)) > source.limits.rows:
            raise UnreadableFileError(
                f"{file.name}: its files have more than {source.limits.rows:,} rows"
            )
    readable = [file for file in package if file.name not in {f.name for f in unread.values()}]
    stopping = [fault for fault, file in unread.items() if not _is_replaced(file, readable)]
    if stopping or (unread and not readable):
        raise UnreadableFileError("; ".join(stopping or unread))
    if frames:
        return remove_invisible(pd.concat(frames, ignore_index=True))
    return pd.DataFrame(columns=[*table.field_names, "reject_reason", "reject_detail"])


def _is_replaced(file: RawFile, readable: list[RawFile]) -> bool:
    """Check for a file that its source does not name, or an older edition of one read."""
    if file.layout == BY_COLUMNS:
        return True
    newer = [f.vintage for f in readable if f.layout == file.layout and f.vintage is not None]
    return file.vintage is not None and max(newer, default=file.vintage) > file.vintage


def _frames_of(
    module: SourceModule, file: RawFile, source: Source
) -> tuple[list[pd.DataFrame], str | None]:
    """Return the frames of a file by its name's layout; without one, by the first layout whose
    columns it has; or the missing columns."""
    if file.layout != BY_COLUMNS:
        try:
            return list(_frames(module, file, source)), None
        except UnreadableFileError as error:
            return [], str(error)
    faults = []
    for layout in dict.fromkeys(each.layout for each in source.files):
        try:
            rows_by_frame = list(_frames(module, replace(file, layout=layout), source))
        except UnreadableFileError as error:
            faults.append(f"{file.name} as {layout}: {str(error).removeprefix(f'{file.name}: ')}")
            continue
        # Files joined to others give no rows, whatever they contain.
        if any(len(frame) for frame in rows_by_frame):
            return rows_by_frame, None
    return [], "; ".join(faults) or f"{file.name}: no layout of {source.id} has its columns"


# Readers' errors on a file of another layout: damaged frames, and values of another type.
_NOT_OF_ITS_LAYOUT = (
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    SyntaxError,
    EOFError,
    gzip.BadGzipFile,
    zlib.error,
)


def _frames(module: SourceModule, file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield a file's frames. Raises UnreadableFileError for any failing content."""
    try:
        yield from module.read_rows(file, source)
    except _NOT_OF_ITS_LAYOUT as error:
        cause = f"{type(error).__name__}: {error}"
        raise UnreadableFileError(
            f"{file.name}: something in it is not of its layout ({cause})"
        ) from error


_FILLED = (
    "resource_type",
    "facility_type",
    "is_public",
    "is_confidential",
    "source_updated_date",
    "listed_date",
    "updated_date",
    "confirmed_date",
    "program_ends_date",
)
_PANDAS_TYPES = {"string": "str", "integer": "Int64", "number": "float64", "boolean": "boolean"}


def _with_contract_columns(
    frame: pd.DataFrame, table: Table, source: Source, file: RawFile
) -> pd.DataFrame:
    extra = ["reject_reason", "reject_detail"]
    unknown = set(frame.columns) - set(table.field_names) - set(extra)
    if unknown:
        raise ValueError(f"{source.id}: columns outside the contract: {sorted(unknown)}")
    if "source_row" not in frame:
        raise ValueError(f"{source.id}: frames need source_row")
    has_updated = "updated_date" in frame
    frame = frame.reindex(columns=[*table.field_names, *extra])
    # pandas types an empty column as float, which accepts no text, boolean or date.
    frame = frame.astype({name: "object" for name in _FILLED if name in frame})
    frame["source_id"] = source.id
    frame["file_name"] = file.name
    frame["retrieved_at"] = pd.Timestamp(file.retrieved_at)
    frame["is_synthetic"] = file.is_synthetic
    if "resource_type" in frame and source.default_type:
        frame["resource_type"] = frame["resource_type"].fillna(source.default_type)
    if "is_public" in frame:
        frame["is_public"] = frame["is_public"].fillna(True)
        frame["is_confidential"] = frame["is_confidential"].fillna(False)
    _fill_dates(frame, file.vintage, has_updated=has_updated)
    if file.vintage is not None:
        updated = frame["source_updated_date"]
        frame["source_updated_date"] = updated.where(updated.notna(), file.vintage)
    for field in table.fields:
        pandas_type = _PANDAS_TYPES.get(field.type)
        if pandas_type and frame[field.name].dtype != pandas_type:
            try:
                frame[field.name] = frame[field.name].astype(pandas_type)
            except (TypeError, ValueError) as error:
                raise UnreadableFileError(f"{file.name}: {field.name}: {error}") from error
    for name in extra:
        frame[name] = frame[name].astype("str")
    return frame


def _fill_dates(frame: pd.DataFrame, vintage: date | None, *, has_updated: bool) -> None:
    """Fill the dates of `schemas.vocab.statuses` that a module omits.

    A row's own date is the day its publisher changed it, unless the module sets `updated_date`
    itself because that date means something else. A row's listing date is its file's.
    """
    if "listed_date" not in frame:
        return
    if not has_updated:
        frame["updated_date"] = frame["source_updated_date"]
    if vintage is not None:
        frame["listed_date"] = frame["listed_date"].where(frame["listed_date"].notna(), vintage)


def rows_as_json(rows: pd.DataFrame) -> list[str]:
    """Return rejected rows as JSON texts without missing values. Stored lists are read as arrays.

    The time of fetching is omitted too: the list of raw files has it, and equal files give equal
    texts.
    """
    if rows.empty:
        return []
    names = [name for name in rows.columns if name != "retrieved_at"]
    columns = (rows[name].astype(object).where(rows[name].notna(), None) for name in names)
    encode = json.JSONEncoder(default=_plain, ensure_ascii=False, sort_keys=True).encode
    return [
        encode({name: value for name, value in zip(names, row, strict=True) if value is not None})
        for row in zip(*columns, strict=True)
    ]


def _plain(value: object) -> object:
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else str(value)
