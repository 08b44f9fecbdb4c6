"""Follows the pointer `current` and swaps in the next release without dropping a request.

A request takes one reference to `ReleaseWatch.release`; the old release is freed after the last
request. Before a release is served, at the start and after a promotion, every file that requests
read is compared with the manifest. A release that differs or cannot be opened is refused: the
previous one stays, or at the start the newest good older one is served. A refused release is
retried until it is whole or the pointer moves.
"""

import asyncio
import errno
import gc
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb
import msgspec

from warehouse.files import sha256_of
from warehouse.gzip_files import GZIP_FAULTS
from warehouse.index.reader import OpenRelease
from warehouse.release.manifest import FileEntry, read_manifest
from warehouse.release.store import ReleaseError, ReleaseStore
from warehouse.release.tables import SERVING_FOLDER

# Faults of a file, not of the reading process (too many open files, no memory).
_LOST = (errno.EIO, errno.EBADMSG, errno.EUCLEAN, errno.ENOENT)
Faults = dict[str, str]


def is_read_fault(error: BaseException) -> bool:
    """Return whether an error comes from unreadable bytes of the release."""
    if isinstance(error, GZIP_FAULTS):
        return True
    if isinstance(error, OSError):
        return error.errno in _LOST
    # DuckDB reports a damaged file as invalid input it cannot decompress. Its other errors are
    # faults of a query. The rest are stored records that are no longer valid JSON or text.
    faults = (
        duckdb.IOException,
        duckdb.InvalidInputException,
        duckdb.FatalException,
        duckdb.InternalException,
        duckdb.SerializationException,
        msgspec.DecodeError,
        UnicodeDecodeError,
    )
    return isinstance(error, faults) or type(error) is duckdb.Error


def size_mismatches(folder: Path, entries: Collection[FileEntry]) -> Faults:
    """Return faults, in words by path, of files that are missing or have another size. Reads no
    file."""
    fault_of_path = ((entry.path, _size_fault(folder / entry.path, entry)) for entry in entries)
    return {path: fault for path, fault in fault_of_path if fault}


def checksum_mismatches(folder: Path, entries: Collection[FileEntry]) -> Faults:
    """Return faults, in words by path, of files that differ from the manifest. Reads them one by
    one, unless a size is wrong already.

    Raises OSError if this process cannot read now.
    """
    faults = size_mismatches(folder, entries)
    if faults:
        return faults
    for entry in entries:
        try:
            digest = sha256_of(folder / entry.path)
        except OSError as error:
            if error.errno not in _LOST:
                raise
            faults[entry.path] = f"cannot be read: {error.strerror}"
        else:
            if entry.sha256 and digest != entry.sha256:
                faults[entry.path] = "has another content"
    return faults


def in_words(faults: Faults) -> str:
    """Return faults as one text, such as "serving/records.arrow has another size"."""
    return "; ".join(f"{path} {fault}" for path, fault in sorted(faults.items()))


def _size_fault(path: Path, entry: FileEntry) -> str:
    if not path.is_file():
        return "is missing"
    return "" if path.stat().st_size == entry.size_bytes else "has another size"


# Seconds before a refused release is retried.
RETRY_SECONDS = 30.0
Report = Callable[[str, dict[str, object]], None]


@contextmanager
def keep_uncollected() -> Iterator[None]:
    """Exempt the objects made in the block from garbage collection.

    A release and an application are hundreds of thousands of objects that live for long and have no
    cycles. A collection that looks through them stops every thread for a quarter of a second;
    without this, several do during the block, and others at any time after it.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


@dataclass(frozen=True)
class Refusal:
    """Reason not to serve a release."""

    fault: str
    retry_at: float


class ReleaseWatch:
    """The served release, and its changes. `report` gets an event name and its details.

    `prepare` runs before a release is served, so that the first request need not wait.
    """

    def __init__(
        self, data_dir: Path, report: Report, prepare: Callable[[OpenRelease], None] | None = None
    ) -> None:
        self.store = ReleaseStore(data_dir)
        self.release: OpenRelease | None = None
        self.swaps = 0
        self.failures = 0
        self._refused: dict[str, Refusal] = {}
        self._promoted: str | None = None
        self._report = report
        self._prepare = prepare

    def close(self) -> None:
        """Drop the release at the end of the process."""
        if self.release is not None:
            self.release.close()
            self.release = None

    @property
    def refusal(self) -> tuple[str, str] | None:
        """The promoted release and the reason for its refusal; None if it is served as intended."""
        refusal = self._refused.get(self._promoted or "")
        return (self._promoted or "", refusal.fault) if refusal else None

    def find_wanted(self) -> str | None:
        """Return the id of the release to open now, or None if there is nothing to do. Raises
        ReleaseError."""
        current = self._promoted = self.store.current()
        refusal = self._refused.get(current or "")
        if refusal is not None:
            return current if time.monotonic() >= refusal.retry_at else None
        open_release_id = None if self.release is None else self.release.release_id
        return None if open_release_id == current else current

    def open_now(self) -> None:
        """Open the pointer's release in this thread, else the newest good one."""
        try:
            release_id = self.find_wanted()
        except ReleaseError as error:
            self._report("pointer_unreadable", {"fault": str(error)})
            self._take(self._open_earlier(None))
            return
        if release_id is not None:
            # Not `or`: a release without places is false.
            release = self._open(release_id)
            self._take(self._open_earlier(release_id) if release is None else release)

    async def step(self) -> None:
        """Open the pointer's release if it moved. Raises ReleaseError."""
        release_id = self.find_wanted()
        if release_id is not None:
            self._take(await asyncio.to_thread(self._open, release_id))
        # Without the promoted release, an older one or none is served, but no withdrawn one.
        served_id = None if self.release is None else self.release.release_id
        if served_id not in (None, self._promoted) and served_id in self.store.log.withdrawn():
            self._refuse(served_id, ReleaseError(f"{served_id} was withdrawn"))
            self.release = await asyncio.to_thread(self._open_earlier, None)

    async def follow(self, every_seconds: float) -> None:
        """Check the pointer repeatedly. Raises ReleaseError."""
        while True:
            await self.step()
            await asyncio.sleep(every_seconds)

    def _open_earlier(self, release_id: str | None) -> OpenRelease | None:
        """Return the newest intact older release that was fit to be served; None without one.

        Without an id: the newest of all.
        """
        for older in reversed(
            [i for i in self.store.ids() if release_id is None or i < release_id]
        ):
            try:
                is_fit = all(check.passed for check in self.store.manifest(older).checks)
            except Exception as error:
                self._refuse(older, error)
                continue
            release = self._open(older) if is_fit else None
            if release is not None:
                return release
        return None

    def _open(self, release_id: str) -> OpenRelease | None:
        """Verify and open a release; None if it is refused."""
        with keep_uncollected():
            return self._verify_and_open(release_id)

    def _verify_and_open(self, release_id: str) -> OpenRelease | None:
        started = time.perf_counter()
        try:
            folder = self.store.folder(release_id)
            manifest = read_manifest(folder)
            # Files that any request may read.
            read = [f for f in manifest.files if f.path.startswith(f"{SERVING_FOLDER}/")]
            if faults := checksum_mismatches(folder, read):
                raise ReleaseError(f"release {release_id} is damaged: {in_words(faults)}")
            release = OpenRelease(folder)
        except Exception as error:
            self._refuse(release_id, error)
            return None
        if self._prepare is not None:
            try:
                self._prepare(release)
            except Exception as error:
                # Requests that need the failed part see the fault; the rest is served.
                fault = f"{type(error).__name__}: {error}"
                self._report("release_not_prepared", {"release_id": release_id, "fault": fault})
        seconds = round(time.perf_counter() - started, 3)
        self._report(
            "release_opened",
            {"release_id": release_id, "resources": len(release), "seconds": seconds},
        )
        return release

    def _take(self, release: OpenRelease | None) -> None:
        """Serve a verified release. Does nothing without one."""
        if release is None:
            return
        self._refused.pop(release.release_id, None)
        if self.release is not None and self.release is not release:
            self.swaps += 1
        self.release = release

    def _refuse(self, release_id: str, error: Exception) -> None:
        self.failures += 1
        fault = f"{type(error).__name__}: {error}"
        self._refused[release_id] = Refusal(fault, time.monotonic() + RETRY_SECONDS)
        serving = self.release.release_id if self.release else None
        self._report(
            "release_refused", {"release_id": release_id, "fault": fault, "still_serving": serving}
        )
