"""Writes the HSDS folder of a release (layout: `warehouse.hsds.layout`) from the tables.

DuckDB turns rows into text, a batch at a time; each batch's text buffers are written directly, so
that memory stays flat and Python touches no row.
"""

import hashlib
import json
import struct
import zipfile
from pathlib import Path
from typing import NamedTuple

from schemas.hsds.collections import COLLECTIONS
from schemas.hsds.descriptor import descriptor
from warehouse.duckdb import connection
from warehouse.exports.gzip_files import gzip_path
from warehouse.files import sha256_of
from warehouse.hsds.texts import write_texts

_ZIP_DATE = (1980, 1, 1, 0, 0, 0)
ZIP_NAME = "hsds.zip"
SUMS_NAME = "checksums.txt"
DESCRIPTOR = "datapackage.json"


class Package(NamedTuple):
    """Rows by collection; size and SHA-256 of the gzipped texts by name."""

    rows: dict[str, int]
    texts: dict[str, tuple[int, str]]


def write_package(tables: Path, folder: Path, *, license_id: str, is_synthetic: bool) -> Package:
    """Fill an empty folder from the Parquet files in `tables`.

    The descriptor's version is a digest of the CSVs: it changes only with the data. Raises
    duckdb.Error when a table is missing.
    """
    package = _write_collections(tables, folder)
    sums = {name: digest for name, (_, digest) in package.texts.items()}
    package_descriptor = descriptor(license_id, is_synthetic=is_synthetic, version=_version(sums))
    text = json.dumps(package_descriptor, ensure_ascii=False, indent=2) + "\n"
    (folder / DESCRIPTOR).write_text(text, encoding="utf-8")
    sums[DESCRIPTOR] = sha256_of(folder / DESCRIPTOR)
    _write_sums(folder / SUMS_NAME, sums)
    _write_zip(folder, {n: s for n, s in sums.items() if not n.endswith(".ndjson")})
    return package


def _write_collections(tables: Path, folder: Path) -> Package:
    """Write every collection's files."""
    package = Package({}, {})
    with connection() as db:
        for collection in COLLECTIONS:
            table = tables / f"{collection.table_name}.parquet"
            written_texts = write_texts(db, collection, table, folder)
            package.rows[collection.name] = written_texts.rows
            package.texts.update(written_texts.texts)
    return package


# ------------------------------------------------------------------ descriptions


def _version(sums: dict[str, str]) -> str:
    digests = "".join(digest for name, digest in sorted(sums.items()) if name.endswith(".csv"))
    return hashlib.sha256(digests.encode()).hexdigest()[:16]


def _write_sums(path: Path, sums: dict[str, str]) -> None:
    lines = (f"{digest}  {name}\n" for name, digest in sorted(sums.items()))
    path.write_text("".join(lines), encoding="utf-8")


def _write_zip(folder: Path, sums: dict[str, str]) -> None:
    """Write the tabular package into one file: sorted names, one date for all."""
    checksums = "".join(f"{digest}  {name}\n" for name, digest in sorted(sums.items())).encode()
    with (folder / ZIP_NAME).open("wb") as file, zipfile.ZipFile(file, "w") as bundle:
        bundle.writestr(_entry("checksums-csv.txt"), checksums)
        bundle.writestr(_entry(DESCRIPTOR), (folder / DESCRIPTOR).read_bytes())
        for name in sorted(n for n in sums if n.endswith(".csv")):
            entry, packed = _entry(name), gzip_path(folder / name).read_bytes()
            file.write(_pack_header(bundle, entry, packed) + packed[10:-8])
            bundle.start_dir = file.tell()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _ZIP_DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # the same on every system
    entry.external_attr = 0o644 << 16
    return entry


def _pack_header(bundle: zipfile.ZipFile, entry: zipfile.ZipInfo, packed: bytes) -> bytes:
    """List a gzip file's content in a zip that takes it compressed as it is, which `zipfile` cannot
    do; return the header that precedes it there.

    A gzip file has ten bytes before the content, and CRC and size after it (RFC 1952).
    """
    entry.CRC, entry.file_size = struct.unpack("<II", packed[-8:])
    entry.compress_size, entry.header_offset = len(packed) - 18, bundle.start_dir
    bundle.filelist.append(entry)
    bundle.NameToInfo[entry.filename] = entry
    return entry.FileHeader()
