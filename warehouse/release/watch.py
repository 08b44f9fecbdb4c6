"""Follows the pointer `current` and swaps in the next release without dropping a request.

A request takes one reference to `ReleaseWatch.release`; the old release is freed after the last
request. A release that cannot be opened, or whose files differ from its manifest, is refused, and
the previous one stays. A served release found damaged is replaced by the newest good older one;
without one, it stays and is reported. A refused release is retried until it is whole or the pointer
moves.
"""

import asyncio
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import msgspec

from warehouse.files import write_bytes
from warehouse.index.preload import inherit
from warehouse.index.reader import OpenRelease
from warehouse.release.integrity import (
    Faults,
    checksum_mismatches,
    in_words,
    list_open_files,
    size_mismatches,
)
from warehouse.release.manifest import FileEntry, Manifest, read_manifest
from warehouse.release.store import ReleaseError, ReleaseStore

# Seconds before a refused release is retried.
RETRY_SECONDS = 30.0
# Minimum time between full verifications that unexpected errors trigger.
_SUSPECT_SECONDS = 10.0
# Damage found by one process, for the others: release id -> path -> fault.
DAMAGE_NAME = ".damage.json"
Report = Callable[[str, dict[str, object]], None]


class DamageError(ReleaseError):
    """A release's files do not match its manifest."""

    def __init__(self, release_id: str, faults: Faults) -> None:
        super().__init__(f"release {release_id} is damaged: {in_words(faults)}")
        self.faults = faults


@dataclass(frozen=True)
class Refusal:
    """Reason not to serve a release. `files` are its damaged files."""

    fault: str
    retry_at: float
    files: Faults = field(default_factory=dict)


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
        self._is_suspect = False
        self._suspect_at = 0.0
        self._note = self.store.root / DAMAGE_NAME
        self._report = report
        self._prepare = prepare

    def close(self) -> None:
        """Drop the releases at the end of the process."""
        if self.release is not None:
            self.release.close()
            self.release = None

    @property
    def refusal(self) -> tuple[str, str] | None:
        """The promoted release and the reason for its refusal; None if it is served as intended."""
        refusal = self._refused.get(self._promoted or "")
        return (self._promoted or "", refusal.fault) if refusal else None

    @property
    def damage(self) -> dict[str, Faults]:
        """Damaged files by release: the promoted one, the served one, and skipped ones."""
        return {i: refusal.files for i, refusal in list(self._refused.items()) if refusal.files}

    @property
    def is_damaged(self) -> bool:
        """Return whether a damaged release is served for lack of another."""
        return self.release is not None and self.release.release_id in self.damage

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
        """Open the pointer's release if it moved; leave damaged ones. Raises ReleaseError."""
        release_id = self.find_wanted()
        if release_id is not None:
            opening = partial(
                self._open, release_id, is_checked=True, is_gentle=self.release is not None
            )
            self._take(await asyncio.to_thread(opening))
        if self.release is not None and self.release.release_id != self._promoted:
            await self._leave_withdrawn(self.release)
        release = self.release
        if release is not None and release.release_id not in self._refused:
            paths = self._suspect_paths(release)
            if paths:
                await self._look(release, paths)

    async def _leave_withdrawn(self, release: OpenRelease) -> None:
        """Serve no withdrawn release for lack of the promoted one; rather an older one, or none."""
        if release.release_id in self.store.log.withdrawn():
            self._refuse(release.release_id, ReleaseError(f"{release.release_id} was withdrawn"))
            self.release = await asyncio.to_thread(self._open_earlier, None)

    async def follow(self, every_seconds: float) -> None:
        """Check the pointer and for damage repeatedly. Raises ReleaseError."""
        while True:
            await self.step()
            await asyncio.sleep(every_seconds)

    # ------------------------------------------------------------ damage

    def suspect(self) -> None:
        """Have all open files verified soon, after a read failed."""
        self._is_suspect = True

    def report_damage(self, release_id: str, faults: Faults) -> None:
        """Tell every process that serves this release to verify its files."""
        self._is_suspect = True
        self._add_note(release_id, faults)

    def _add_note(self, release_id: str, faults: Faults) -> None:
        with suppress(OSError):  # this process knows already
            noted = self._read_faults()
            noted[release_id] = noted.get(release_id, {}) | faults
            write_bytes(self._note, msgspec.json.encode(noted))

    def _read_faults(self) -> dict[str, Faults]:
        with suppress(OSError, msgspec.DecodeError):
            return msgspec.json.decode(self._note.read_bytes(), type=dict[str, Faults])
        return {}

    def _forget_note(self, release_id: str, found_whole: Collection[str]) -> None:
        """Remove files of a release from the note. Entries added by other processes since it was
        read stay: this process has not verified them."""
        noted = self._read_faults()
        faults = noted.pop(release_id, {})
        remaining = {name: fault for name, fault in faults.items() if name not in found_whole}
        if remaining != faults:
            noted |= {release_id: remaining} if remaining else {}
            with suppress(OSError):
                write_bytes(self._note, msgspec.json.encode(noted))

    def _suspect_paths(self, release: OpenRelease) -> list[FileEntry]:
        """Return served files to verify: noted ones, and after an error all open ones."""
        noted = self._read_faults().get(release.release_id, {})
        is_due = self._is_suspect and time.monotonic() >= self._suspect_at
        if is_due:
            self._is_suspect, self._suspect_at = False, time.monotonic() + _SUSPECT_SECONDS
        return _to_verify(release.manifest, noted) if noted or is_due else []

    async def _look(self, release: OpenRelease, entries: list[FileEntry]) -> None:
        """Verify files of the served release; leave it if they are damaged."""
        noted = self._read_faults().get(release.release_id, {})
        faults = await asyncio.to_thread(checksum_mismatches, release.folder, entries)
        if self.release is not release:
            return
        if not faults:
            self._forget_note(release.release_id, noted)
            return
        self.report_damage(release.release_id, faults)
        self._is_suspect = False
        self._refuse(release.release_id, DamageError(release.release_id, faults))
        self._take(await asyncio.to_thread(self._open_earlier, release.release_id))

    # ------------------------------------------------------------ opening

    def _open_earlier(self, release_id: str | None) -> OpenRelease | None:
        """Return the newest intact older release that was fit to be served; None without one.

        Without an id: the newest of all.
        """
        for older in reversed(
            [i for i in self.store.ids() if release_id is None or i < release_id]
        ):
            if (
                self.release is not None
                and self.release.release_id == older
                and older not in self._refused
            ):
                return self.release
            try:
                is_fit = all(check.passed for check in self.store.manifest(older).checks)
            except Exception as error:
                self._refuse(older, error)
                continue
            release = self._open(older, is_checked=True) if is_fit else None
            if release is not None:
                return release
        return None

    def _open(
        self, release_id: str, *, is_checked: bool = False, is_gentle: bool = False
    ) -> OpenRelease | None:
        """Open a release unless refused; `is_checked` reads every byte, `is_gentle` slowly."""
        started = time.perf_counter()
        try:
            folder = self.store.folder(release_id)
            self._check(folder, every_byte=is_checked, is_gentle=is_gentle)
            release = inherit(folder) or OpenRelease(folder)
        except Exception as error:
            self._refuse(release_id, error)
            if isinstance(error, DamageError):
                # Another process may serve it: opened before the damage, or without reading every
                # byte.
                self._add_note(release_id, error.faults)
            return None
        self._run_prepare(release)
        seconds = round(time.perf_counter() - started, 3)
        self._report(
            "release_opened",
            {"release_id": release_id, "resources": len(release), "seconds": seconds},
        )
        return release

    def _check(self, folder: Path, *, every_byte: bool, is_gentle: bool) -> None:
        """Raise DamageError naming the files that differ from the manifest.

        Known damaged files are read first: while they are damaged, the others need not be read.
        """
        manifest = read_manifest(folder)
        refusal = self._refused.get(folder.name)
        noted = (refusal.files if refusal else {}) | self._read_faults().get(folder.name, {})
        entries = list_open_files(manifest)
        faults = size_mismatches(folder, entries)
        if not faults and noted:
            faults = checksum_mismatches(folder, [f for f in manifest.files if f.path in noted])
        if not faults and every_byte:
            faults = checksum_mismatches(folder, entries, is_gentle=is_gentle)
        if faults:
            raise DamageError(folder.name, faults)

    def _run_prepare(self, release: OpenRelease) -> None:
        if self._prepare is None:
            return
        try:
            self._prepare(release)
        except Exception as error:
            # Requests that need the failed part see the fault; the rest of the release is served.
            fault = f"{type(error).__name__}: {error}"
            self._report("release_not_prepared", {"release_id": release.release_id, "fault": fault})

    def _take(self, release: OpenRelease | None) -> None:
        """Serve a verified release. Does nothing without one."""
        if release is None:
            return
        refusal = self._refused.pop(release.release_id, None)
        if refusal:
            self._forget_note(release.release_id, refusal.files)
        if self.release is not None and self.release is not release:
            self.swaps += 1
        self.release = release

    def _refuse(self, release_id: str, error: Exception) -> None:
        self.failures += 1
        fault = f"{type(error).__name__}: {error}"
        refusal = self._refused.get(release_id)
        files = error.faults if isinstance(error, DamageError) else refusal.files if refusal else {}
        self._refused[release_id] = Refusal(fault, time.monotonic() + RETRY_SECONDS, files)
        serving = self.release.release_id if self.release else None
        self._report(
            "release_refused", {"release_id": release_id, "fault": fault, "still_serving": serving}
        )


def _to_verify(manifest: Manifest, noted: Faults) -> list[FileEntry]:
    """Return the noted files; all open ones if none is noted."""
    return [f for f in manifest.files if f.path in noted] or list_open_files(manifest)
