"""Crash-safe file operations: a named file is whole or does not exist."""

import fcntl
import hashlib
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from socket import gethostname
from typing import IO

_AT_ONCE = min(4, os.cpu_count() or 2)
# No single file or folder takes longer to write.
_ABANDONED_AFTER_SECONDS = 86_400


class BusyError(RuntimeError):
    """Another process holds the lock."""


def sha256_of(path: Path) -> str:
    """Return SHA-256 of a file, hexadecimal, in constant memory."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def sha256_of_all(paths: Sequence[Path]) -> list[str]:
    """Return SHA-256 of several files in parallel: hashing releases the lock."""
    # The largest first: otherwise one of them would run last, alone.
    order = sorted(range(len(paths)), key=lambda n: -paths[n].stat().st_size)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        digests = dict(zip(order, pool.map(sha256_of, (paths[n] for n in order)), strict=True))
    return [digests[n] for n in range(len(paths))]


def sync_files(paths: Sequence[Path]) -> None:
    """Force several files' bytes to disk."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(sync_file, paths))


def sync_file(path: Path) -> None:
    """Force a file's bytes to disk."""
    with path.open("rb") as stream:
        os.fsync(stream.fileno())


def sync_folder(path: Path) -> None:
    """Force a folder's entries (renames, new names) to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def replacing(path: Path, *, durably: bool = True) -> Iterator[Path]:
    """Yield a temporary path next to `path`, which replaces it if the block succeeds and is removed
    otherwise.

    Not `durably`: a machine crash may lose the whole file, and there is no wait for the disk.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = _temporary_name(path)
    # An earlier process with our id may have left it, as a link to a file that must not change.
    temporary.unlink(missing_ok=True)
    try:
        yield temporary
        if durably:
            sync_file(temporary)
        os.replace(temporary, path)
        if durably:
            sync_folder(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """Yield a fresh folder, which replaces `path` if the block succeeds and is removed otherwise.

    Its files are new: readers of the old ones and links to them see no change.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = _temporary_name(path)
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()
    try:
        yield fresh
        replace_folder(fresh, path)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def replace_folder(fresh: Path, path: Path) -> None:
    """Move a folder to the place of another one, which is deleted. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        shutil.rmtree(path)
    os.rename(fresh, path)
    sync_folder(path.parent)


def _temporary_name(path: Path) -> Path:
    """Return the temporary name of `path`: hidden, with the id of the writing process."""
    return path.with_name(f".{path.name}.{gethostname()}.{os.getpid()}.tmp")


def remove_abandoned(folder: Path) -> list[Path]:
    """Remove and return unfinished files and folders of killed processes anywhere below a folder.

    Files of a living process of this host stay, and those of another host unless they are a day
    old.
    """
    paths = [path for path in sorted(folder.rglob(".*.tmp")) if _is_abandoned(path)]
    for path in paths:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return paths


def _is_abandoned(path: Path) -> bool:
    target, _, pid = path.stem.rpartition(".")
    try:
        if time.time() - path.stat().st_mtime > _ABANDONED_AFTER_SECONDS:
            return True
        if not target.endswith(f".{gethostname()}"):
            return False
        os.kill(int(pid), 0)
    except (ProcessLookupError, ValueError):
        return True
    except (FileNotFoundError, PermissionError):  # finished by now; another user's process
        return False
    return False


def link_tree(source: Path, target: Path) -> None:
    """Link a folder's files at a second place, or copy where links are impossible."""
    for path in sorted(source.rglob("*")):
        if not path.is_dir():
            link_file(path, target / path.relative_to(source))


def link_file(path: Path, place: Path) -> None:
    """Link a file at a new place, or copy it where links are impossible."""
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(path, place)
    except OSError:
        shutil.copyfile(path, place)


def write_bytes(path: Path, content: bytes) -> None:
    """Replace a small file atomically."""
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def write_text(path: Path, text: str) -> None:
    """Replace a small text file atomically."""
    write_bytes(path, text.encode())


class Lease:
    """A file lock that one process holds until it ends or releases it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handle: IO[str] | None = None

    def is_ours(self) -> bool:
        """Return whether this process holds the lock, acquiring it if free. Raises OSError."""
        if self._handle is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle = self._path.open("a")
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                handle.close()
                return False
            self._handle = handle
        return True

    def release(self) -> None:
        """Release the lock for other processes."""
        if self._handle is not None:
            self._handle.close()
            self._handle = None


@contextmanager
def lock(path: Path, purpose: str, *, waits: bool = False) -> Iterator[None]:
    """Hold an exclusive lock on `path`; the operating system frees it even if this process is
    killed.

    Raises BusyError when another process holds it, unless `waits` is set.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX if waits else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            handle.seek(0)
            holder = handle.read().strip() or "another process"
            raise BusyError(f"{purpose}: {holder} is at work here ({path})") from error
        handle.truncate(0)
        handle.write(f"{purpose}, process {os.getpid()}")
        handle.flush()
        yield
