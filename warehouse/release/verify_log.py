"""Verifies a release log without trusting its server: chain, signatures, manifests, files.

All inputs are parameters, so that one function verifies both a folder on disk and an instance over
HTTP. The first fault ends the check: entries after a broken one prove nothing.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from schemas.api.history import LogEntry
from warehouse.release.checkpoint import covers, is_signed_by, read_checkpoint
from warehouse.release.history import manifest_sha256
from warehouse.release.log import entry_sha256, whole_lines
from warehouse.release.manifest import Manifest
from warehouse.release.signing import canonical, is_signed
from warehouse.release.store import file_faults

Keys = Mapping[str, Ed25519PublicKey]


class LogBrokenError(Exception):
    """The log is broken; the message names the first broken entry and its fault."""


@dataclass(frozen=True)
class LogSource:
    """Source of a log. `manifests` returns every available copy of a release's manifest.

    `current` is the release claimed to be served, or None if unknown. `checkpoint` is the signed
    head of the Merkle tree, if any.
    """

    content: bytes
    manifests: Callable[[str], Iterable[bytes]]
    current: str | None
    checkpoint: bytes | None = None


@dataclass
class LogReport:
    """Result of a verification. `unsigned` has sequences; without keys `signed_unchecked` counts
    unchecked signatures."""

    entries: list[LogEntry] = field(default_factory=list)
    head_sha256: str | None = None
    checked_signatures: int = 0
    signed_unchecked: int = 0
    unsigned: list[int] = field(default_factory=list)
    torn_bytes: int = 0
    checkpoint_size: int = 0


def verify_log(source: LogSource, keys: Keys, verified_hash: str | None = None) -> LogReport:
    """Check a whole log, oldest entry first.

    `keys` are the trusted public keys by key id; without any, signatures are not checked and the
    report says so. `verified_hash` is the hash of an entry verified earlier, which must still be
    present. Raises LogBrokenError.
    """
    lines, torn = whole_lines(source.content)
    report = LogReport(torn_bytes=len(torn))
    hashes: list[str] = []
    for number, line in enumerate(lines, start=1):
        entry = _read(number, line)
        _check_place(number, entry, hashes[-1] if hashes else None)
        _check_signature(entry, keys, report)
        _check_manifest(entry, source.manifests(entry.release_id))
        report.entries.append(entry)
        hashes.append(entry_sha256(line))
    report.head_sha256 = hashes[-1] if hashes else None
    _check_end(report, keys, source.current)
    if source.checkpoint is not None:
        report.checkpoint_size = _check_checkpoint(source.checkpoint, lines, keys)
    if verified_hash is not None and verified_hash not in hashes:
        raise LogBrokenError(
            f"the entry {verified_hash}, which was verified earlier, is no longer in the log: "
            "history was rewritten or cut"
        )
    return report


def _read(number: int, line: bytes) -> LogEntry:
    try:
        entry = msgspec.json.decode(line, type=LogEntry)
    except msgspec.DecodeError as error:
        raise LogBrokenError(f"entry {number}: not an entry: {error}") from error
    if canonical(msgspec.to_builtins(entry)) != line:
        raise LogBrokenError(f"entry {number}: not written as canonical JSON")
    return entry


def _check_place(number: int, entry: LogEntry, before: str | None) -> None:
    if entry.sequence != number:
        raise LogBrokenError(
            f"entry {number}: has the sequence number {entry.sequence}: entries are missing, "
            "doubled or out of order"
        )
    if entry.previous_sha256 != before:
        raise LogBrokenError(
            f"entry {number}: does not follow the entry before it, which was changed or exchanged "
            "(previous_sha256)"
        )


def _check_signature(entry: LogEntry, keys: Keys, report: LogReport) -> None:
    name = f"entry {entry.sequence}"
    if (entry.signature is None) != (entry.key_id is None):
        raise LogBrokenError(
            f"{name}: has a signature without a key id, or a key id without a signature"
        )
    if entry.signature is None or entry.key_id is None:
        report.unsigned.append(entry.sequence)
        return
    if not keys:
        report.signed_unchecked += 1
        return
    key = keys.get(entry.key_id)
    if key is None:
        raise LogBrokenError(
            f"{name}: is signed by key {entry.key_id}, which is not a trusted key (--key)"
        )
    signed: dict[str, Any] = msgspec.to_builtins(entry)
    del signed["signature"]
    if not is_signed(key, entry.signature, signed):
        raise LogBrokenError(f"{name}: the signature is not that of key {entry.key_id}")
    report.checked_signatures += 1


def _check_manifest(entry: LogEntry, copies: Iterable[bytes]) -> None:
    name = f"entry {entry.sequence}"
    copy_count = 0
    for content in copies:
        copy_count += 1
        try:
            digest = manifest_sha256(content)
        except ValueError as error:
            raise LogBrokenError(
                f"{name}: the manifest of {entry.release_id} cannot be read: {error}"
            ) from error
        if digest != entry.manifest_sha256:
            raise LogBrokenError(
                f"{name}: the manifest of {entry.release_id} has another hash than the entry"
            )
        if msgspec.json.decode(content, type=Manifest).release_id != entry.release_id:
            raise LogBrokenError(
                f"{name}: the manifest is of another release than {entry.release_id}"
            )
    if not copy_count:
        raise LogBrokenError(f"{name}: the manifest of {entry.release_id} is missing")


def _check_end(report: LogReport, keys: Keys, current: str | None) -> None:
    last = report.entries[-1] if report.entries else None
    if keys and last is None:
        raise LogBrokenError("the log is empty, so that nothing in it can be trusted")
    # Through the chain, a signature covers all earlier entries; later ones are unsigned.
    if keys and last is not None and last.signature is None:
        newest = max((e.sequence for e in report.entries if e.signature), default=0)
        raise LogBrokenError(
            f"entry {newest + 1}: is not signed, and no signed entry follows that would cover it"
        )
    if current is not None and (last is None or last.release_id != current):
        last_release = last.release_id if last else "nothing"
        raise LogBrokenError(
            f"entry {report.entries[-1].sequence if last else 0}: the log ends with "
            f"{last_release}, but {current} is served: entries at the end are missing"
        )


def _check_checkpoint(content: bytes, lines: list[bytes], keys: Keys) -> int:
    """Return the number of entries that the checkpoint covers."""
    checkpoint = read_checkpoint(content)
    if checkpoint is None:
        raise LogBrokenError("the checkpoint is invalid")
    if not covers(checkpoint, lines):
        raise LogBrokenError(
            f"the checkpoint is of other entries: it signs {checkpoint.size}, the log has "
            f"{len(lines)}"
        )
    if keys and not any(is_signed_by(checkpoint, key) for key in keys.values()):
        raise LogBrokenError("the checkpoint is signed by none of the trusted keys (--key)")
    return checkpoint.size


def verify_files(source: LogSource, report: LogReport, mirror: Path) -> dict[str, int]:
    """Check a mirror's files, `<mirror>/<release_id>/<path>`, against the verified manifests.

    Returns the number of correct files per release; a mirror need not have all. Raises
    LogBrokenError naming entry and files, FileNotFoundError without any release of the log.
    """
    file_counts: dict[str, int] = {}
    for entry in report.entries:
        folder = mirror / entry.release_id
        if entry.release_id in file_counts or not folder.is_dir():
            continue
        manifest = msgspec.json.decode(
            next(iter(source.manifests(entry.release_id))), type=Manifest
        )
        faults = file_faults(folder, manifest, is_partial=True)
        if faults:
            raise LogBrokenError(
                f"entry {entry.sequence}: files of {entry.release_id}: {'; '.join(faults)}"
            )
        file_counts[entry.release_id] = sum(
            1 for f in manifest.files if (folder / f.path).is_file()
        )
    if not file_counts:
        raise FileNotFoundError(f"there is no folder of a release of the log in {mirror}")
    return file_counts
