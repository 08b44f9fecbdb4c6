"""Federal disaster declarations for the service, from a release or a newer side file.

The side file `refreshed/disasters.ndjson` in the data directory is written hourly without building
a release. Its first line is a header (format, time, origin, rows, SHA-256 of the rest); each
further line is one declaration for one area. It is replaced atomically, and ignored if its header
or digest does not match.
"""

import hashlib
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from pathlib import Path

import msgspec

from schemas.tables.core import DECLARATIONS, ZIPS
from schemas.values.disasters import RETENTION_DAYS
from warehouse.duckdb import Connection, table_names
from warehouse.files import replacing

SIDE_FILE = Path("refreshed") / "disasters.ndjson"
FORMAT = 1
# A larger file is not ours: 100,000 declarations are 40 MB.
MAX_BYTES = 200_000_000


class DamagedDeclarationsError(ValueError):
    """The side file does not match its header; the message names the fault."""


class Declaration(msgspec.Struct, frozen=True, omit_defaults=True):
    """A disaster (no `designated_area`) or one area of it."""

    disaster_number: int
    declaration_type: str
    title: str
    state: str
    declaration_date: date
    incident_type: str | None = None
    county_fips: str | None = None
    designated_area: str | None = None
    is_tribal_area: bool = False
    has_individual_assistance: bool | None = None
    has_public_assistance: bool | None = None
    has_hazard_mitigation: bool | None = None
    incident_begin_date: date | None = None
    incident_end_date: date | None = None
    closeout_date: date | None = None
    last_ia_filing_date: date | None = None


class Edition(msgspec.Struct, frozen=True):
    """Edition of the declarations. Days and instants describe the whole file, not the stored rows.

    `as_of` is the publisher's date: the newest `lastRefresh`; `checked_at` is our last check for a
    newer edition, None if only `retrieved_at` is known (releases).
    """

    as_of: date | None
    newest_declaration_date: date | None
    cutoff_day: date
    retrieved_at: datetime | None
    checked_at: datetime | None
    files: list[str]
    is_synthetic: bool


class _Header(msgspec.Struct, frozen=True):
    format: int
    sha256: str
    rows: int
    edition: Edition


class Declarations(msgspec.Struct, frozen=True):
    """Declarations of one edition, ordered by number and area."""

    edition: Edition
    rows: list[Declaration]


_COLUMNS = Declaration.__struct_fields__
_DECODER = msgspec.json.Decoder(Declaration)
_HEADER = msgspec.json.Decoder(_Header)


def cutoff_day(day: date) -> date:
    """Return the cutoff day: no declaration in use began, ended or closed before it."""
    return day - timedelta(days=RETENTION_DAYS)


def read_release_declarations(db: Connection, as_of: date) -> Declarations | None:
    """Return the declarations of an open release for the day `as_of`; None if it lacks the
    table."""
    if DECLARATIONS.name not in table_names(db):
        return None
    since = cutoff_day(as_of)
    rows = db.execute(
        f"SELECT {', '.join(_COLUMNS)} FROM {DECLARATIONS.name} "
        "WHERE greatest(declaration_date, incident_begin_date, incident_end_date, "
        "last_ia_filing_date) >= ? ORDER BY disaster_number, declaration_type, designated_area "
        "NULLS FIRST, county_fips",
        [since],
    ).fetchall()
    as_of_file, newest, retrieved, files, invented = db.execute(
        "SELECT max(source_updated_date), max(declaration_date), max(retrieved_at),"
        " list_sort(list(DISTINCT file_name)), bool_or(is_synthetic)"
        f" FROM {DECLARATIONS.name}"
    ).fetchall()[0]
    edition = Edition(as_of_file, newest, since, retrieved, None, files or [], bool(invented))
    return Declarations(edition, [Declaration(*row) for row in rows])


def read_counties(db: Connection, zip_code: str) -> list[tuple[str, str]]:
    """Return (FIPS code, name) of the counties of a ZIP code, the main one first."""
    rows: list[tuple[str, str]] = db.execute(
        "SELECT county_fips, coalesce(county_name, county_fips)"
        f" FROM {ZIPS.name} WHERE zip = ? AND county_fips IS NOT NULL",
        [zip_code],
    ).fetchall()
    return rows


def write_side_file(data_dir: Path, edition: Edition, rows: Iterable[Declaration]) -> Path:
    """Replace the side file atomically."""
    lines = [msgspec.json.encode(row) for row in rows]
    body = b"".join(line + b"\n" for line in lines)
    header = _Header(FORMAT, hashlib.sha256(body).hexdigest(), len(lines), edition)
    path = data_dir / SIDE_FILE
    with replacing(path) as temporary:
        temporary.write_bytes(msgspec.json.encode(header) + b"\n" + body)
    return path


def read_side_file(path: Path) -> Declarations:
    """Read the side file. Raises DamagedDeclarationsError or FileNotFoundError."""
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise DamagedDeclarationsError(f"{path.name}: {size} bytes, more than {MAX_BYTES}")
    head, _, body = path.read_bytes().partition(b"\n")
    try:
        header = _HEADER.decode(head)
    except msgspec.DecodeError as error:
        raise DamagedDeclarationsError(
            f"{path.name}: the header cannot be read: {error}"
        ) from error
    if header.format != FORMAT:
        raise DamagedDeclarationsError(f"{path.name}: format {header.format} is not {FORMAT}")
    if hashlib.sha256(body).hexdigest() != header.sha256:
        raise DamagedDeclarationsError(f"{path.name}: the rows do not have the sum of the header")
    try:
        rows = [_DECODER.decode(line) for line in body.splitlines()]
    except msgspec.DecodeError as error:
        raise DamagedDeclarationsError(f"{path.name}: a row cannot be read: {error}") from error
    if len(rows) != header.rows:
        raise DamagedDeclarationsError(
            f"{path.name}: {len(rows)} rows, the header says {header.rows}"
        )
    return Declarations(header.edition, rows)


class SideFile:
    """Cached side file. `current` checks the file's metadata and rereads it only after a change.

    A damaged file leaves the last valid one in use; `fault` has the reason.
    """

    def __init__(self, data_dir: Path) -> None:
        self.path = data_dir / SIDE_FILE
        self.fault: str | None = None
        self._seen: tuple[int, int, int] | None = None
        self._good: Declarations | None = None

    def current(self) -> Declarations | None:
        """Return the last valid content, None if there never was any or the file was removed."""
        state = self._state()
        if state != self._seen:
            self._seen = state
            self._read(state)
        return self._good

    def _state(self) -> tuple[int, int, int] | None:
        try:
            stat = self.path.stat()
        except OSError:
            return None
        return stat.st_ino, stat.st_size, stat.st_mtime_ns

    def _read(self, state: tuple[int, int, int] | None) -> None:
        if state is None:
            self.fault, self._good = None, None
            return
        try:
            self._good = read_side_file(self.path)
            self.fault = None
        except (DamagedDeclarationsError, OSError) as error:
            self.fault = str(error)
