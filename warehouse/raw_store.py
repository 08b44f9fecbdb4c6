"""Stores publishers' bytes before anything is parsed, addressed by content.

On disk, below the data directory:

    raw/<source_id>/<first 16 digits of the SHA-256>/<file name>           the bytes as they arrived
    raw/<source_id>/<first 16 digits of the SHA-256>/.<file name>.kept     facts about them (JSON)
    raw/<source_id>/latest.json                                            the current set of files

The digest is that of the publisher's bytes, without a gzip added by storage or transport, which is
also removed on reading. Known bytes keep the time they were first seen.
"""

import mimetypes
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from warehouse.files import BusyError, lock, replacing, sync_folder
from warehouse.gzip_files import (
    MAX_UNPACKED_BYTES,
    DamagedFileError,
    Digest,
    OversizedFileError,
    digest_of,
)

_CHUNK_BYTES = 2**20
_SOURCE_ID = re.compile(r"[a-z0-9][a-z0-9_]*")
_HOME = re.compile(r"[0-9a-f]{16}")
_ABANDONED_AFTER_SECONDS = 7 * 86_400
# Only Python's built-in table: the machine's own would make results differ between machines.
_MEDIA_TYPES = mimetypes.MimeTypes(filenames=())


class Arrival(msgspec.Struct, frozen=True, kw_only=True):
    """HTTP metadata of a file. All optional: a file from disk has none."""

    media_type: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    source_updated_date: date | None = None


class RawFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file in the store: the columns of `schemas.tables.core.RAW_FILES`, validators, and its
    path.

    `sha256` and `size_bytes` describe the publisher's unpacked bytes. `stored_as` is relative to
    the data directory. `etag` and `last_modified` are the publisher's, verbatim.
    """

    source_id: str
    file_name: str
    sha256: str
    size_bytes: int
    media_type: str
    fetched_from: str
    stored_as: str
    retrieved_at: datetime
    path: Path
    source_updated_date: date | None = None
    etag: str | None = None
    last_modified: str | None = None


class _SetEntry(msgspec.Struct, frozen=True):
    file_name: str
    sha256: str


class _LatestSet(msgspec.Struct, frozen=True):
    source_id: str
    completed_at: datetime
    files: list[_SetEntry]


def utc_now() -> datetime:
    """Return the current instant, UTC, to the second."""
    return datetime.now(UTC).replace(microsecond=0)


class RawStore:
    """Stored files of all sources below one data directory.

    `clock` gives the recording time of new files. `max_unpacked_bytes` limits the unpacked size of
    one file.
    """

    def __init__(
        self,
        data_dir: Path,
        clock: Callable[[], datetime] = utc_now,
        max_unpacked_bytes: int = MAX_UNPACKED_BYTES,
    ) -> None:
        self.data_dir = data_dir
        self._clock = clock
        self._max_unpacked_bytes = max_unpacked_bytes

    def keep_file(
        self,
        source_id: str,
        path: Path,
        fetched_from: str,
        name: str | None = None,
        arrival: Arrival | None = None,
    ) -> RawFile:
        """Store a copy of a file under `name`, or its own name. See `keep_stream`."""
        with path.open("rb") as stream:
            return self.keep_stream(source_id, stream, fetched_from, name or path.name, arrival)

    def keep_stream(
        self,
        source_id: str,
        stream: BinaryIO,
        fetched_from: str,
        name: str,
        arrival: Arrival | None = None,
    ) -> RawFile:
        """Store the bytes of a stream; they are completely on disk when this returns.

        They join the current set only with `replace_latest`. Raises DamagedFileError for a broken
        gzip or a .gz in another format, OversizedFileError if it unpacks to too much, ValueError
        for a name that is not a plain file name.
        """
        file_name = plain_name(name)
        with self._incoming(source_id) as temporary:
            with temporary.open("wb") as target:
                shutil.copyfileobj(stream, target, _CHUNK_BYTES)
                target.flush()
                os.fsync(target.fileno())
            digest = self._digest(temporary, name)
            earlier = self._record(source_id, file_name, digest.sha256)
            if earlier is None or not self._is_whole(earlier):
                home = self._home(source_id, digest.sha256)
                path = home / (f"{file_name}.gz" if digest.is_packed else file_name)
                path.parent.mkdir(parents=True, exist_ok=True)
                os.replace(temporary, path)
                sync_folder(path.parent)
                sync_folder(path.parent.parent)
            else:
                path = earlier.path
        file = self._store(source_id, file_name, fetched_from, path, digest, arrival or Arrival())
        if earlier is not None:
            file = msgspec.structs.replace(file, retrieved_at=earlier.retrieved_at)
        self._write_record(file)
        return file

    def files(self, source_id: str) -> list[RawFile]:
        """Return the current set of a source by file name; empty before the first whole fetch.

        Raises DamagedFileError when a file of the set is gone.
        """
        latest = self._latest(source_id)
        if latest is None:
            return []
        files = []
        for entry in latest.files:
            file = self._record(source_id, entry.file_name, entry.sha256)
            if file is None or not file.path.exists():
                raise DamagedFileError(
                    f"{source_id}: {entry.file_name} ({entry.sha256[:16]}) is in the current set "
                    "and not in the store. Fetch the source again"
                )
            files.append(file)
        return files

    def completed_at(self, source_id: str) -> datetime | None:
        """Return when the source's files were last fetched whole, changed or not."""
        latest = self._latest(source_id)
        return latest.completed_at if latest else None

    def replace_latest(self, source_id: str, files: Sequence[RawFile]) -> None:
        """Make these files the source's current set atomically. Raises ValueError."""
        names = sorted(file.file_name for file in files)
        if len(set(names)) != len(names):
            raise ValueError(f"{source_id}: two files of one name among {names}")
        if strangers := sorted({file.source_id for file in files} - {source_id}):
            raise ValueError(f"{source_id}: files of {strangers}")
        entries = [_SetEntry(file.file_name, file.sha256) for file in files]
        entries.sort(key=lambda entry: entry.file_name)
        latest = _LatestSet(source_id, self._clock(), entries)
        with replacing(self._folder(source_id) / "latest.json") as temporary:
            temporary.write_bytes(msgspec.json.format(msgspec.json.encode(latest)))

    def verify(self, file: RawFile) -> None:
        """Read a stored file again. Raises DamagedFileError if changed or gone."""
        try:
            digest = digest_of(file.path, self._max_unpacked_bytes)
        except FileNotFoundError as error:
            raise DamagedFileError(f"{file.stored_as} is gone") from error
        if digest.sha256 != file.sha256 or digest.size_bytes != file.size_bytes:
            raise DamagedFileError(
                f"{file.stored_as} holds {digest.size_bytes} bytes with digest "
                f"{digest.sha256[:16]}; recorded are {file.size_bytes} with {file.sha256[:16]}"
            )

    def updating(self, source_id: str) -> AbstractContextManager[None]:
        """Hold the lock for fetching a source. Raises BusyError if it is taken."""
        return lock(self._folder(source_id) / ".lock", f"fetch of {source_id}")

    def parts_folder(self, source_id: str) -> Path:
        """Return the folder of unfinished downloads."""
        folder = self._folder(source_id) / ".parts"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def turns_folder(self) -> Path:
        """Return the folder in which fetching processes record when a host may be requested
        again."""
        return self._root / ".hosts"

    def prune(self, keep: Collection[str] = ()) -> list[str]:
        """Remove files that are in no current set and whose SHA-256 is not in `keep`.

        `keep` has the digests that releases refer to. Sources being fetched are skipped. Returns
        the removed paths, relative to the data directory. Unfinished downloads are removed after a
        week.
        """
        paths: list[str] = []
        for folder in sorted(self._root.glob("*")):
            if not (folder.is_dir() and _SOURCE_ID.fullmatch(folder.name)):
                continue
            try:
                with self.updating(folder.name):
                    paths += self._prune_source(folder, set(keep))
            except BusyError:
                continue
        return paths

    def _prune_source(self, folder: Path, keep: set[str]) -> list[str]:
        latest = self._latest(folder.name)
        prefixes = {digest[:16] for digest in keep}
        prefixes |= {entry.sha256[:16] for entry in latest.files} if latest else set()
        homes = [path for path in sorted(folder.iterdir()) if _HOME.fullmatch(path.name)]
        paths = []
        for home in (path for path in homes if path.name not in prefixes):
            paths += [
                str(path.relative_to(self.data_dir))
                for path in sorted(home.iterdir())
                if not path.name.startswith(".")
            ]
            shutil.rmtree(home)
        for waiting in (*folder.glob(".parts/*"), *folder.glob(".incoming/*")):
            if time.time() - waiting.stat().st_mtime > _ABANDONED_AFTER_SECONDS:
                waiting.unlink()
        return paths

    @property
    def _root(self) -> Path:
        return self.data_dir / "raw"

    def _folder(self, source_id: str) -> Path:
        if not _SOURCE_ID.fullmatch(source_id):
            raise ValueError(f"{source_id!r} is not a source id")
        return self._root / source_id

    def _home(self, source_id: str, sha256: str) -> Path:
        return self._folder(source_id) / sha256[:16]

    @contextmanager
    def _incoming(self, source_id: str) -> Iterator[Path]:
        folder = self._folder(source_id) / ".incoming"
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder)
        os.close(handle)
        temporary = Path(name)
        try:
            yield temporary
        finally:
            temporary.unlink(missing_ok=True)

    def _store(
        self,
        source_id: str,
        file_name: str,
        fetched_from: str,
        path: Path,
        digest: Digest,
        arrival: Arrival,
    ) -> RawFile:
        return RawFile(
            source_id=source_id,
            file_name=file_name,
            sha256=digest.sha256,
            size_bytes=digest.size_bytes,
            media_type=arrival.media_type
            or _MEDIA_TYPES.guess_type(file_name)[0]
            or "application/octet-stream",
            fetched_from=fetched_from,
            stored_as=str(path.relative_to(self.data_dir)),
            retrieved_at=self._clock(),
            path=path,
            source_updated_date=arrival.source_updated_date,
            etag=arrival.etag,
            last_modified=arrival.last_modified,
        )

    def _digest(self, path: Path, name: str) -> Digest:
        try:
            digest = digest_of(path, self._max_unpacked_bytes)
        except (DamagedFileError, OversizedFileError) as error:
            raise type(error)(f"{name}: {error}") from error
        if name.endswith(".gz") and not digest.is_packed:
            raise DamagedFileError(f"{name} is named .gz and is not gzip")
        return digest

    def _is_whole(self, file: RawFile) -> bool:
        try:
            self.verify(file)
        except (DamagedFileError, OversizedFileError):
            return False
        return True

    def _record(self, source_id: str, file_name: str, sha256: str) -> RawFile | None:
        path = self._home(source_id, sha256) / f".{file_name}.kept"
        try:
            facts: dict[str, Any] = msgspec.json.decode(path.read_bytes())
        except FileNotFoundError:
            return None
        except msgspec.DecodeError as error:
            raise DamagedFileError(f"{path}: {error}. Remove it and fetch again") from error
        facts["path"] = self.data_dir / str(facts["stored_as"])
        file = msgspec.convert(facts, RawFile, dec_hook=lambda kind, value: value)
        return file if file.sha256 == sha256 else None

    def _write_record(self, file: RawFile) -> None:
        # Without the path: the data directory may be moved, or be on another machine.
        facts = msgspec.structs.asdict(file)
        del facts["path"]
        path = self._home(file.source_id, file.sha256) / f".{file.file_name}.kept"
        with replacing(path) as temporary:
            temporary.write_bytes(msgspec.json.format(msgspec.json.encode(facts)))

    def _latest(self, source_id: str) -> _LatestSet | None:
        path = self._folder(source_id) / "latest.json"
        try:
            return msgspec.json.decode(path.read_bytes(), type=_LatestSet)
        except FileNotFoundError:
            return None
        except msgspec.DecodeError as error:
            raise DamagedFileError(f"{path}: {error}. Fetch the source again") from error


def plain_name(name: str) -> str:
    """Return the publisher's file name: `name` without a .gz that storage added.

    Raises ValueError for anything that is not one plain, visible file name of at most 200 bytes.
    """
    plain = name.removesuffix(".gz")
    is_bad = (
        not plain
        or plain.startswith(".")
        or any(character in "/\\" or ord(character) < 32 for character in plain)
        or len(plain.encode()) > 200
    )
    if is_bad:
        raise ValueError(f"{name!r} is not a plain file name")
    return plain
