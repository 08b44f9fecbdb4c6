"""Cache of geocoder answers across builds: <data>/geocode/answers.sqlite.

The key is a digest of the sent address, benchmark and vintage; the address itself is not stored. A
match is permanent; `No_Match` and `Tie` expire. Every write is one transaction.
"""

import csv
import fcntl
import hashlib
import io
import math
import re
import sqlite3
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from warehouse.fetch.errors import FetchError, ServerBusyError, TruncatedError
from warehouse.gzip_files import DamagedFileError
from warehouse.raw_store import utc_now

Match = Literal["match", "no_match", "tie"]

_MATCHES: dict[str, Match] = {"Match": "match", "No_Match": "no_match", "Tie": "tie"}
_EXACTNESS = {"Exact": True, "Non_Exact": False}
_SHORT, _LOCATIONS, _GEOGRAPHIES = 3, 8, 12
_CODES = re.compile(r"\d{2},\d{3},\d{6}", re.ASCII)
_NOT_WORD = re.compile(r"[^A-Z0-9]+")
# Letters and signs without an ASCII decomposition.
_PLAIN = str.maketrans(
    {
        "–": "-",
        "—": "-",
        "‐": "-",
        "‑": "-",
        "ß": "ss",
        "ø": "o",
        "Ø": "O",
        "ł": "l",
        "Ł": "L",
        "æ": "ae",
        "Æ": "AE",
        "œ": "oe",
        "Œ": "OE",
        "đ": "d",
        "Đ": "D",
        "½": " 1/2",
    }
)


class Address(NamedTuple):
    """An address as sent: capitals, ASCII, single blanks; city, state and zip may be empty."""

    street: str
    city: str
    state: str
    zip: str

    @property
    def digest(self) -> str:
        """The address as a key: 32 hexadecimal digits of SHA-256."""
        return hashlib.sha256("\x1f".join(self).encode()).hexdigest()[:32]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """Result for one address; only a match has members other than `match`.

    `is_exact` is False if the service changed ZIP, direction or street type. `tract` is the eleven
    digits of state, county and tract, None if the service gives none.
    """

    match: Match
    is_exact: bool | None = None
    matched_address: str | None = None
    lat: float | None = None
    lng: float | None = None
    tiger_line: str | None = None
    side: str | None = None
    tract: str | None = None
    block: str | None = None


def as_sent(street: str, city: str, state: str, zip_code: str) -> Address:
    """Return the address as sent: plain letters, no quotes or control characters."""
    return Address(*(_fold(part) for part in (street, city, state, zip_code)))


def _fold(text: str) -> str:
    if not (text.isascii() and text.isprintable()):
        text = _as_ascii(text)
    return " ".join(text.replace('"', " ").upper().split())


def _as_ascii(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    return "".join(
        " " if unicodedata.category(character)[0] in "CZ" else character
        for character in decomposed
        if character.isascii() or unicodedata.category(character)[0] in "CZ"
    )


def batch_as_csv(batch: Mapping[str, Address]) -> bytes:
    """Return the body of the file part: one line for each id, no header."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([row_id, *address] for row_id, address in batch.items())
    return text.getvalue().encode("ascii")


def read_answers(body: bytes, batch: Mapping[str, Address], url: str) -> dict[Address, Answer]:
    """Parse the answers to a batch, skipping rows whose echo is not the sent address.

    Raises ServerBusyError for anything but rows (a web page under status 200), TruncatedError for a
    broken row and for missing, repeated or unknown ids. `url` is the URL for messages.
    """
    text = _decode(body)
    if not text.lstrip().startswith('"'):
        kind = "a web page or text" if text.strip() else "an empty body"
        raise ServerBusyError(url, f"{kind} instead of rows")
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row]
    except csv.Error as error:
        raise TruncatedError(url, f"the answer is not whole CSV ({error})") from error
    _check_ids([row[0] for row in rows], batch, url)
    has_end = text.endswith(("\n", "\r"))
    if not has_end and _LOCATIONS <= len(rows[-1]) < _GEOGRAPHIES:
        raise TruncatedError(url, "the last row has no end")
    answers = {batch[row[0]]: (row[1:2], _answer(row, url)) for row in rows}
    return {
        address: answer for address, (echo, answer) in answers.items() if _is_echo(echo[0], address)
    }


def _decode(body: bytes) -> str:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return body.decode("latin-1")


def _check_ids(ids: list[str], batch: Mapping[str, Address], url: str) -> None:
    faults = {
        "repeated": len(ids) - len(set(ids)),
        "missing": len(batch.keys() - set(ids)),
        "foreign": len(set(ids) - batch.keys()),
    }
    totals = ", ".join(f"{count} {fault}" for fault, count in faults.items() if count)
    if totals:
        raise TruncatedError(url, f"{len(batch)} rows sent, ids of the answer: {totals}")


def _is_echo(echo: str, address: Address) -> bool:
    words = [_NOT_WORD.sub("", text.upper()) for text in (echo, "".join(address))]
    return words[0] == words[1]


def _answer(row: list[str], url: str) -> Answer:
    match = _MATCHES.get(row[2]) if len(row) >= _SHORT else None
    if match is None:
        raise _broken(row, url)
    if match != "match":
        if any(row[_SHORT:]):
            raise _broken(row, url)
        return Answer(match=match)
    if len(row) not in (_LOCATIONS, _GEOGRAPHIES) or row[3] not in _EXACTNESS:
        raise _broken(row, url)
    point = _point(row[5])
    if point is None:
        raise _broken(row, url)
    codes = row[_LOCATIONS:]
    has_tract = bool(_CODES.fullmatch(",".join(codes[:3])))
    return Answer(
        match=match,
        is_exact=_EXACTNESS[row[3]],
        matched_address=row[4],
        lat=point[0],
        lng=point[1],
        tiger_line=row[6],
        side=row[7],
        tract="".join(codes[:3]) if has_tract else None,
        block=codes[3] if has_tract else None,
    )


def _point(text: str) -> tuple[float, float] | None:
    """Parse "longitude,latitude" as (lat, lng); None for anything else."""
    try:
        lng, lat = (float(part) for part in text.split(","))
    except ValueError:
        return None
    is_on_earth = math.isfinite(lat) and math.isfinite(lng) and abs(lat) <= 90 and abs(lng) <= 180
    return (lat, lng) if is_on_earth else None


def _broken(row: list[str], url: str) -> FetchError:
    # The row itself is not quoted: messages reach logs, which must not contain addresses.
    return TruncatedError(url, f"row {row[0]} of the answer has {len(row)} unreadable fields")


# The Bureau renews its address ranges twice a year.
_NEGATIVE_DAYS = 180
_WAIT_SECONDS = 60.0
_VARIABLES = 500
_ANSWER = Answer.__struct_fields__
_CREATE = """
CREATE TABLE IF NOT EXISTS answers (
  digest TEXT NOT NULL, benchmark TEXT NOT NULL, vintage TEXT NOT NULL, asked_at TEXT NOT NULL,
  match TEXT NOT NULL CHECK (match IN ('match', 'no_match', 'tie')),
  is_exact INTEGER, matched_address TEXT, lat REAL, lng REAL, tiger_line TEXT, side TEXT,
  tract TEXT, block TEXT,
  PRIMARY KEY (digest, benchmark, vintage)
) WITHOUT ROWID
"""


class GeocodeCache:
    """Answers of one benchmark and vintage. `clock` dates new answers and expires old ones."""

    def __init__(
        self,
        data_dir: Path,
        benchmark: str,
        vintage: str,
        clock: Callable[[], datetime] = utc_now,
        negative_days: int = _NEGATIVE_DAYS,
    ) -> None:
        self.path = data_dir / "geocode" / "answers.sqlite"
        self._names = (benchmark, vintage)
        self._clock = clock
        self._negative = timedelta(days=negative_days)

    def exists(self) -> bool:
        """Return whether any build has cached an answer."""
        return self.path.exists()

    def find(self, addresses: Iterable[Address]) -> dict[Address, Answer]:
        """Return cached answers of the addresses, without expired negative ones.

        Raises DamagedFileError when the file is no such cache.
        """
        if not self.exists():
            return {}
        by_digest = {address.digest: address for address in addresses}
        digests, answers = iter(by_digest), {}
        with self._open() as connection:
            while chunk := list(islice(digests, _VARIABLES)):
                for digest, *values in connection.execute(
                    f"SELECT digest, {', '.join(_ANSWER)} FROM answers "
                    "WHERE benchmark = ? AND vintage = ? AND (match = 'match' OR asked_at > ?) "
                    f"AND digest IN ({', '.join('?' * len(chunk))})",
                    (*self._names, (self._clock() - self._negative).isoformat(), *chunk),
                ):
                    columns = dict(zip(_ANSWER, values, strict=True))
                    exact = columns["is_exact"]
                    columns["is_exact"] = None if exact is None else bool(exact)
                    answers[by_digest[digest]] = Answer(**columns)
        return answers

    def keep(self, answers: Mapping[Address, Answer]) -> None:
        """Add answers, all or none; a newer one replaces an older one."""
        asked_at = self._clock().isoformat()
        rows = [
            (address.digest, *self._names, asked_at, *(getattr(answer, n) for n in _ANSWER))
            for address, answer in answers.items()
        ]
        columns = ("digest", "benchmark", "vintage", "asked_at", *_ANSWER)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._open() as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(
                f"INSERT OR REPLACE INTO answers ({', '.join(columns)}) "
                f"VALUES ({', '.join('?' * len(columns))})",
                rows,
            )

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Hold the lock during requests: a second build waits, then finds the answers here."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with (self.path.parent / ".asking").open("a") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(
                sqlite3.connect(self.path, timeout=_WAIT_SECONDS, isolation_level=None)
            ) as connection:
                connection.execute(_CREATE)
                yield connection
        except sqlite3.OperationalError:
            raise  # locked too long, disk full: the file itself is sound
        except sqlite3.DatabaseError as error:
            raise DamagedFileError(
                f"{self.path}: {error}. Move it away; its answers are then requested again"
            ) from error
