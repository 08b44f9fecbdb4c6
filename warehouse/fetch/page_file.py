"""Stores fetched pages: records on disk, and a record of the progress."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from warehouse.fetch.errors import ChangedWhileReadingError, TooLargeError
from warehouse.files import write_bytes

_BETWEEN = b",\n"
_HERE = "records go here"


class Position(msgspec.Struct, frozen=True):
    """Progress: pages read and records stored."""

    pages: int = 0
    rows: int = 0


class PageState(msgspec.Struct, kw_only=True):
    """State on disk: `size_bytes` of records up to `at`; the last page began at `last`."""

    source: str
    began_at: float
    size_bytes: int = 0
    at: Position = Position()
    last: Position = Position()
    last_digest: str = ""
    total: int | None = None
    prefix: str = ""
    suffix: str = ""


class PageFile:
    """Records of one feed on their way into the store.

    `source` names address, parameters and page size: parts of another source, or older than
    `max_age_seconds`, are not resumed.
    """

    def __init__(
        self,
        path: Path,
        source: str,
        address: str,
        max_bytes: int,
        max_age_seconds: float,
        *,
        has_overlap: bool = False,
    ) -> None:
        self._path, self._record = path, path.with_name(f"{path.name}.json")
        self._address, self._max_bytes, self._max_age = address, max_bytes, max_age_seconds
        self._has_overlap = has_overlap
        self._state = PageState(source=source, began_at=time.time())
        self._ids: set[object] = set()
        self._digests: set[str] = set()
        self._stream: BinaryIO | None = None

    def __enter__(self) -> PageFile:
        self._stream = self._path.open("r+b" if self._path.exists() else "w+b")
        return self

    def __exit__(self, *_: object) -> None:
        self._open().close()

    @property
    def at(self) -> Position:
        """Return the position after the stored records."""
        return self._state.at

    @property
    def last(self) -> Position:
        """Return the start of the last stored page."""
        return self._state.last

    def restore(self, total: int | None, identify: Callable[[Any], object]) -> bool:
        """Resume an interrupted fetch; False, and empty, if there is none."""
        state = self._read_state()
        stream = self._open()
        is_same = state is not None and state.source == self._state.source
        if state is None or not is_same or (total is not None and state.total != total):
            self.restart()
            return False
        stream.truncate(state.size_bytes)
        stream.seek(0)
        for record in msgspec.json.decode(b"[" + stream.read() + b"]", type=list[msgspec.Raw]):
            key = identify(msgspec.json.decode(record))
            self._ids.add(bytes(record) if key is None and self._has_overlap else key)
        self._ids.discard(None)
        self._state = state
        self._digests = {state.last_digest}
        return True

    def _read_state(self) -> PageState | None:
        try:
            state = msgspec.json.decode(self._record.read_bytes(), type=PageState)
        except (FileNotFoundError, msgspec.DecodeError):
            return None
        is_there = self._path.stat().st_size >= state.size_bytes > 0
        is_young = 0 <= time.time() - state.began_at <= self._max_age
        return state if is_there and is_young else None

    def restart(self) -> None:
        """Discard all records read."""
        self._record.unlink(missing_ok=True)
        self._open().truncate(0)
        self._open().seek(0)
        self._state = PageState(source=self._state.source, began_at=time.time())
        self._ids.clear()
        self._digests.clear()

    def is_last_page(self, records: Sequence[bytes]) -> bool:
        """Return whether these records are those of the last stored page."""
        return _digest(records) == self._state.last_digest

    def add(self, records: Sequence[bytes], ids: Sequence[object]) -> None:
        """Append a page. Raises ChangedWhileReadingError if repeated, or TooLargeError."""
        digest = _digest(records)
        if self._has_overlap:
            unseen = self._drop_seen(records, ids)
        else:
            self._refuse_repetition(digest, records, ids)
            unseen = list(records)
        stream = self._open()
        for record in unseen:
            stream.write(_BETWEEN + record if stream.tell() else record)
        if stream.tell() > self._max_bytes:
            raise TooLargeError(self._address, f"more than {self._max_bytes} bytes of pages")
        at = self._state.at
        self._state.last, self._state.last_digest = at, digest
        self._state.at = Position(at.pages + 1, at.rows + len(unseen))

    def _drop_seen(self, records: Sequence[bytes], ids: Sequence[object]) -> list[bytes]:
        unseen: dict[object, bytes] = {}
        for record, key in zip(records, ids, strict=True):
            own = record if key is None else key
            if own not in self._ids:
                unseen.setdefault(own, record)
        self._ids.update(unseen)
        return list(unseen.values())

    def _refuse_repetition(
        self, digest: str, records: Sequence[bytes], ids: Sequence[object]
    ) -> None:
        if records and digest in self._digests:
            raise ChangedWhileReadingError(self._address, "a page came twice")
        self._digests.add(digest)
        present_ids = [key for key in ids if key is not None]
        if len(self._ids) + len(present_ids) != len(self._ids | set(present_ids)):
            raise ChangedWhileReadingError(self._address, "a row came twice: the order moved")
        self._ids.update(present_ids)

    def set_envelope(self, members: dict[str, Any], path: tuple[str, ...]) -> None:
        """Set the text around the records of the finished file: `members`, the list at `path`."""
        inner: Any = _HERE
        for name in reversed(path):
            inner = {name: inner}
        whole = {**members, **inner} if path else inner
        before, _, after = msgspec.json.encode(whole).decode().partition(f'"{_HERE}"')
        self._state.prefix, self._state.suffix = f"{before}[\n", f"\n]{after}\n"

    def save(self, total: int | None) -> None:
        """Sync the records to disk, then record the progress."""
        stream = self._open()
        stream.flush()
        os.fsync(stream.fileno())
        self._state.size_bytes, self._state.total = stream.tell(), total
        write_bytes(self._record, msgspec.json.encode(self._state))

    def finish(self, target: Path) -> None:
        """Write the whole file to `target`."""
        stream = self._open()
        stream.seek(0)
        with target.open("wb") as whole:
            whole.write(self._state.prefix.encode())
            shutil.copyfileobj(stream, whole)
            whole.write(self._state.suffix.encode())

    def discard(self) -> None:
        """Remove the part and its record."""
        self._record.unlink(missing_ok=True)
        self._path.unlink(missing_ok=True)

    def _open(self) -> BinaryIO:
        if self._stream is None:
            raise RuntimeError("the page file is used inside its with block")
        return self._stream


def _digest(records: Sequence[bytes]) -> str:
    return hashlib.sha256(b"\n".join(records)).hexdigest()
