"""Store releases on disk: built apart, verified, then the pointer `current` moves in one atomic
step.

    <data>/releases/<release_id>/     immutable once it has this name
    <data>/releases/.building-<id>/   a running build, or leftovers of a killed one
    <data>/releases/current           text file: the id of the release that is served
    <data>/releases/log.ndjson        promotions and roll-backs, signed: `warehouse.release.log`
    <data>/releases/history/          manifests and reports, which stay: `warehouse.release.log`

A release id is `YYYYMMDDTHHMMSSZ-<first 8 of the content digest>`, so names sort by time. A path is
never used twice: DuckDB caches open databases by path.
"""

import os
import re
import shutil
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb
import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from schemas.api.history import LogEntry
from warehouse.files import (
    lock,
    sha256_of_all,
    sync_file,
    sync_files,
    sync_folder,
    write_text,
)
from warehouse.gzip_files import GZIP_ENDING, measure_gzip
from warehouse.release.log import (
    WITHDRAW,
    History,
    Keys,
    LogDamagedError,
    ReleaseLog,
    check_log,
    last_served,
    manifest_sha256,
)
from warehouse.release.manifest import (
    MANIFEST_NAME,
    FileEntry,
    Manifest,
    check_format,
    read_manifest,
    write_manifest,
)
from warehouse.release.signing import KeyFileError, signing_key

_ID = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{8}")
_BUILDING = ".building-"


class ReleaseError(RuntimeError):
    """A release is missing, damaged or not promotable; the message names it and the reason."""


def is_release_id(text: str) -> bool:
    """Return whether a text has the form of a release id."""
    return _ID.fullmatch(text) is not None


class ReleaseStore:
    """All releases below one data directory."""

    def __init__(self, data_dir: Path) -> None:
        self.root = data_dir / "releases"
        self.pointer = self.root / "current"
        self.log = ReleaseLog(self.root)
        self.history = History(self.root)

    def folder(self, release_id: str) -> Path:
        """Return the path of a release. Raises ReleaseError for an invalid, unknown or withdrawn
        id."""
        if not _ID.fullmatch(release_id):
            raise ReleaseError(f"{release_id!r} is not a release id (YYYYMMDDTHHMMSSZ-xxxxxxxx)")
        why = self.log.withdrawn().get(release_id)
        if why is not None:
            raise ReleaseError(f"release {release_id} was withdrawn: {why}")
        folder = self.root / release_id
        if not (folder / MANIFEST_NAME).is_file():
            raise ReleaseError(f"there is no release {release_id} in {self.root}")
        return folder

    def ids(self) -> list[str]:
        """Return the ids of all complete releases that were not withdrawn, oldest first."""
        if not self.root.is_dir():
            return []
        withdrawn = self.log.withdrawn()
        return sorted(
            entry.name
            for entry in self.root.iterdir()
            if _ID.fullmatch(entry.name)
            and entry.name not in withdrawn
            and (entry / MANIFEST_NAME).is_file()
        )

    def current(self) -> str | None:
        """Return the served release's id, None before the first. ReleaseError."""
        try:
            return self.pointer.read_text(encoding="utf-8").strip() or None
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise ReleaseError(f"{self.pointer} cannot be read: {error}") from error

    def manifest(self, release_id: str) -> Manifest:
        """Return the manifest of a release. Raises ReleaseError."""
        return read_manifest(self.folder(release_id))

    @contextmanager
    def building(self) -> Iterator[Path]:
        """Yield a fresh folder to build a release in; one build at a time.

        Leftovers of a killed build are removed first. The folder is deleted at the end of the block
        unless `seal` renamed it. Raises BusyError while another build runs.
        """
        self.root.mkdir(parents=True, exist_ok=True)
        with lock(self.root / ".lock", "building a release"):
            for leftover in self._leftovers():
                shutil.rmtree(leftover)
            staging = self.root / f"{_BUILDING}{os.getpid()}"
            staging.mkdir()
            try:
                yield staging
            finally:
                shutil.rmtree(staging, ignore_errors=True)

    def _leftovers(self) -> list[Path]:
        """Return folders of killed builds and of half-deleted releases."""
        return [
            entry
            for entry in self.root.iterdir()
            if entry.name.startswith(_BUILDING)
            or (_ID.fullmatch(entry.name) and not (entry / MANIFEST_NAME).is_file())
        ]

    def seal(self, staging: Path, manifest: Manifest) -> Manifest:
        """Seal a finished build: digests, fsync, manifest last, one rename. Returns the manifest.

        The content of a gzip file is listed as a separate file, stored in it. Entries of
        `manifest.files` are retained. Raises ReleaseError naming the files whose digest differs
        from their entry.
        """
        paths = [path for path in sorted(staging.rglob("*")) if path.is_file()]
        # The disk writes during hashing.
        with ThreadPoolExecutor(1) as pool:
            syncing = pool.submit(sync_files, paths)
            files = _file_entries(staging, paths, {entry.path: entry for entry in manifest.files})
            syncing.result()
        digests = {entry.path: entry.sha256 for entry in manifest.files}
        faults = [e.path for e in files if digests.get(e.path) not in {None, "", e.sha256}]
        if faults:
            raise ReleaseError(
                f"release {manifest.release_id} is damaged: "
                f"{'; '.join(f'{path} has another content' for path in faults)}"
            )
        complete = Manifest(
            **{f: getattr(manifest, f) for f in Manifest.__struct_fields__}
            | {"files": [*files, *_list_held(staging, paths, manifest.files)]}
        )
        write_manifest(staging, complete)
        sync_file(staging / MANIFEST_NAME)
        for folder in [*(p for p in staging.rglob("*") if p.is_dir()), staging]:
            sync_folder(folder)
        os.rename(staging, self.root / complete.release_id)
        sync_folder(self.root)
        return complete

    def verify(self, release_id: str) -> Manifest:
        """Check every file of a release against its manifest, and its parts for consistency; return
        the manifest.

        Raises ReleaseError naming missing, changed or unlisted files, checks of other content,
        unreadable parts, and parts with differing totals.
        """
        from warehouse.checks.release_totals import total_faults  # noqa: PLC0415 - see `check_faults`

        folder = self.folder(release_id)
        manifest = read_manifest(folder)
        try:
            check_format(manifest, release_id)
        except ValueError as error:
            raise ReleaseError(str(error)) from error
        faults = file_faults(folder, manifest)
        if faults:
            raise ReleaseError(f"release {release_id} is damaged: {'; '.join(faults)}")
        try:
            faults = check_faults(folder, manifest) + total_faults(folder, manifest.tables)
        except (OSError, ValueError, msgspec.DecodeError, duckdb.Error) as error:
            raise ReleaseError(f"release {release_id} cannot be read: {error}") from error
        if faults:
            raise ReleaseError(f"release {release_id} is a mixture: {'; '.join(faults)}")
        return manifest

    def check_log(self, keys: Keys) -> list[LogEntry]:
        """Check the release log and the manifests that it names; return its entries.

        Without keys, signatures are not checked. Raises ReleaseError.
        """
        try:
            return check_log(self.log.content(), self.history.manifest_bytes, keys)
        except LogDamagedError as error:
            raise ReleaseError(f"the release log is damaged: {error}") from error

    def promote(
        self, release_id: str, *, reason: str = "promote", sealed: Manifest | None = None
    ) -> None:
        """Verify a release and make it the served one.

        `sealed` is the manifest just returned by `seal`, which read the files: they are not read
        again.

        The pointer moves first and the log follows: a log never names a release that was not
        served. The next promotion adds an entry missing because of a killed process.

        Raises ReleaseError if it is damaged, one of its checks failed, or the log cannot be
        continued.
        """
        manifest = sealed if sealed and sealed.release_id == release_id else self.verify(release_id)
        failures = [c for c in manifest.checks if not c.passed]
        if failures:
            raise ReleaseError(
                f"release {release_id} is not promoted: "
                + "; ".join(f"{c.name}: {c.detail}" for c in failures)
            )
        try:
            key = signing_key()
            with self.log.lock():
                self.history.keep(release_id)
                self._recover_entries(key)
                write_text(self.pointer, release_id + "\n")
                self._log(reason, release_id, key)
        except (KeyFileError, LogDamagedError) as error:
            raise ReleaseError(f"release {release_id} is not promoted: {error}") from error

    def withdraw(self, release_id: str, why: str) -> str:
        """Have no process serve a release again: no fallback, rollback, promotion or replica.
        Return the id of the served one.

        If it is served now, the release before it is served first. Its files stay until `prune`
        deletes them, since a service may still read them. Raises ReleaseError, also if no other
        release can be served: the ids of the next one continue those of the served one.
        """
        self.folder(release_id)
        if self.current() == release_id:
            self.rollback()
        try:
            key = signing_key()
            with self.log.lock():
                self.history.keep(release_id)
                self._recover_entries(key)
                self._log(WITHDRAW, release_id, key, why)
        except (KeyFileError, LogDamagedError) as error:
            raise ReleaseError(f"release {release_id} is not withdrawn: {error}") from error
        return self.current() or ""

    def _log(
        self, event: str, release_id: str, key: Ed25519PrivateKey | None, why: str | None = None
    ) -> None:
        manifest = self.history.manifest_bytes(release_id)
        if manifest is not None:
            self.log.append(event, release_id, manifest_sha256(manifest), key, why)

    def _recover_entries(self, key: Ed25519PrivateKey | None) -> None:
        """Log the current release if its promotion is missing: before the log, or interrupted."""
        served = last_served(self.log.entries())
        last = served.release_id if served else None
        current = None
        with suppress(ReleaseError):  # promotion must repair an unreadable pointer
            current = self.current()
        if current in {None, last}:
            return
        if (self.root / current / MANIFEST_NAME).is_file():
            self.history.keep(current)
            self._log("recovered", current, key)

    def rollback(self) -> str:
        """Serve the newest promotable release older than the current one; return its id.

        Raises ReleaseError if there is no such release.
        """
        current = self.current()
        if current is None:
            raise ReleaseError("nothing is served yet, so there is nothing to roll back from")
        for release_id in reversed([i for i in self.ids() if i < current]):
            if all(check.passed for check in self.manifest(release_id).checks):
                self.promote(release_id, reason="rollback")
                return release_id
        raise ReleaseError(f"no release older than {current} is left to roll back to")

    def prune(self, keep: int) -> list[str]:
        """Delete withdrawn releases, and all but the served and newest `keep` others; history
        stays. Return the deleted ids."""
        if keep < 1:
            raise ReleaseError("--keep must be at least 1")
        current = self.current()
        doomed = [i for i in self.ids()[:-keep] if i != current]
        for release_id in doomed:
            self.remove(release_id)
        return self.remove_withdrawn({current}) + doomed

    def remove_withdrawn(self, needed: Collection[str | None]) -> list[str]:
        """Delete the files of withdrawn releases that are not `needed`; return their ids."""
        doomed = [
            i
            for i in self.log.withdrawn()
            if i not in needed and (self.root / i / MANIFEST_NAME).is_file()
        ]
        for release_id in doomed:
            self.remove(release_id)
        return doomed

    def remove(self, release_id: str) -> None:
        """Delete the files of a complete release; manifest and report stay."""
        self.history.keep(release_id)
        # The manifest first, so that a half-deleted folder is no longer a release.
        (self.root / release_id / MANIFEST_NAME).unlink()
        shutil.rmtree(self.root / release_id)


def file_faults(folder: Path, manifest: Manifest) -> list[str]:
    """Return the faults of a release's files; empty if all match the manifest."""
    entries = {entry.path: entry for entry in manifest.files}
    present = {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()} - {
        MANIFEST_NAME
    }
    expected_paths = {entry.path for entry in manifest.stored_files}
    faults = [f"{path} is missing" for path in sorted(expected_paths - present)]
    faults += [f"{path} is not in the manifest" for path in sorted(present - entries.keys())]
    both = sorted(entries.keys() & present)
    is_sized = {path: (folder / path).stat().st_size == entries[path].size_bytes for path in both}
    hashed = [path for path in both if is_sized[path]]
    digests = dict(zip(hashed, sha256_of_all([folder / path for path in hashed]), strict=True))
    for path in both:
        if not is_sized[path]:
            faults.append(f"{path} has another size")
        elif digests[path] != entries[path].sha256:
            faults.append(f"{path} has another content")
    return faults


def check_faults(folder: Path, manifest: Manifest) -> list[str]:
    """Return, in words, checks of the manifest that read another table than the release has."""
    # Parquet takes 9 MB of memory; the service verifies no whole release.
    from warehouse.parquet import content_digest  # noqa: PLC0415

    return [
        f"check {check.name} of {check.asset} saw another {name}"
        for check in manifest.checks
        for name, digest in {check.asset: check.digest, **check.seen}.items()
        if content_digest(folder / "exports" / f"{name}.parquet") not in {None, digest}
    ]


def _file_entries(
    folder: Path, paths: Sequence[Path], earlier: dict[str, FileEntry]
) -> list[FileEntry]:
    """Return an entry for each file of a folder, by path."""
    entries = {str(p.relative_to(folder)): p for p in paths}
    digests = sha256_of_all(list(entries.values()))
    return [
        msgspec.structs.replace(
            earlier.get(name, FileEntry(name, 0, "")), size_bytes=path.stat().st_size, sha256=digest
        )
        for (name, path), digest in zip(entries.items(), digests, strict=True)
    ]


def _list_held(
    folder: Path, paths: Sequence[Path], earlier: Sequence[FileEntry]
) -> list[FileEntry]:
    """Return an entry for each file inside a gzip file; `earlier` entries save decoding it."""
    described = {entry.stored_in: entry for entry in earlier if entry.stored_in}
    packed = {str(p.relative_to(folder)): p for p in paths if p.name.endswith(GZIP_ENDING)}
    plain = {str(p.relative_to(folder)) for p in paths}
    unlisted = [
        name
        for name in packed
        if name not in described and name.removesuffix(GZIP_ENDING) not in plain
    ]
    with ThreadPoolExecutor(2) as pool:
        measures = pool.map(measure_gzip, [packed[name] for name in unlisted])
        for name, (size, digest) in zip(unlisted, measures, strict=True):
            described[name] = FileEntry(
                name.removesuffix(GZIP_ENDING), size, digest, stored_in=name
            )
    return list(described.values())
