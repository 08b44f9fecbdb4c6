"""Cache of geocoder answers across builds: <data>/geocode/answers.sqlite.

The key is a digest of the sent address, benchmark and vintage; the address itself is not stored. A
match is permanent; `No_Match` and `Tie` expire. Every write is one transaction.
"""

import fcntl
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from warehouse.geocoder.answers import Address, Answer
from warehouse.raw_store import utc_now
from warehouse.unpacking import DamagedFileError

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
                    answers[by_digest[digest]] = _answer(values)
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


def _answer(values: list[object]) -> Answer:
    columns = dict(zip(_ANSWER, values, strict=True))
    exact = columns["is_exact"]
    columns["is_exact"] = None if exact is None else bool(exact)
    return Answer(**columns)  # type: ignore[arg-type]
