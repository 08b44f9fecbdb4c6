"""Signed checkpoint of the release log (https://c2sp.org/tlog-checkpoint, c2sp.org/signed-note):
the number of entries, and the root of their Merkle tree."""

import base64
import hashlib
import os
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from warehouse.release.merkle import leaf_hash, root_hash
from warehouse.release.signing import KeyFileError, key_id

ORIGIN_VARIABLE = "LARDER_LOG_ORIGIN"
_ORIGIN = re.compile(r"[!-*,-~]{1,200}")
_ED25519 = b"\x01"
_NOTE = re.compile(rb"([!-*,-~]+)\n(0|[1-9][0-9]*)\n([A-Za-z0-9+/]{43}=)\n\n((?:[^\n]+\n)+)")
_SIGNATURE = re.compile(r"— (\S+) ([A-Za-z0-9+/]+={0,2})")


class Checkpoint(NamedTuple):
    """A parsed checkpoint. `signatures`: key name and bytes, the key's hash first."""

    origin: str
    size: int
    root: bytes
    body: bytes
    signatures: tuple[tuple[str, bytes], ...]


class ForkError(RuntimeError):
    """The log does not extend an earlier checkpoint."""


def covers(checkpoint: Checkpoint, entries: Sequence[bytes]) -> bool:
    """Return whether a log begins with the entries of a checkpoint."""
    return checkpoint.size <= len(entries) and (
        root_of(entries[: checkpoint.size]) == checkpoint.root
    )


def root_of(entries: Iterable[bytes]) -> bytes:
    """Return root of the tree of these entries."""
    return root_hash([leaf_hash(entry) for entry in entries])


def sign_checkpoint(
    entries: Sequence[bytes], key: Ed25519PrivateKey, before: bytes | None
) -> bytes:
    """Return the checkpoint of a log. Its origin is always that of the previous checkpoint
    `before`.

    Raises ForkError instead of signing two histories, KeyFileError for an invalid origin.
    """
    earlier = read_checkpoint(before) if before else None
    if before and (earlier is None or not covers(earlier, entries)):
        raise ForkError("the log does not continue the one that its checkpoint signs")
    origin = earlier.origin if earlier else first_origin(key.public_key())
    root = base64.b64encode(root_of(entries)).decode()
    body = f"{origin}\n{len(entries)}\n{root}\n".encode()
    signature = _key_hash(origin, key.public_key()) + key.sign(body)
    return body + f"\n— {origin} {base64.b64encode(signature).decode()}\n".encode()


def first_origin(key: Ed25519PublicKey) -> str:
    """Return the name of a new log: `LARDER_LOG_ORIGIN`, else one derived from its first key."""
    origin = os.environ.get(ORIGIN_VARIABLE, "").strip() or f"open-larder/{key_id(key)}"
    if not _ORIGIN.fullmatch(origin):
        raise KeyFileError(f"{ORIGIN_VARIABLE} has no spaces, no plus sign and ASCII alone")
    return origin


def verifier_key(origin: str, key: Ed25519PublicKey) -> str:
    """Return the key in the format of signed-note tools: `<origin>+<hash>+<key>`."""
    raw = base64.b64encode(_ED25519 + key.public_bytes_raw()).decode()
    return f"{origin}+{_key_hash(origin, key).hex()}+{raw}"


def read_checkpoint(content: bytes) -> Checkpoint | None:
    """Parse a checkpoint; None for bytes that are not one."""
    note = _NOTE.fullmatch(content)
    if note is None:
        return None
    try:
        lines = note[4].decode().splitlines()
        signatures = tuple(
            (match[1], base64.b64decode(match[2], validate=True))
            for match in map(_SIGNATURE.fullmatch, lines)
            if match
        )
    except ValueError:
        return None
    body = content[: note.end(3) + 1]
    return Checkpoint(note[1].decode(), int(note[2]), base64.b64decode(note[3]), body, signatures)


def is_signed_by(checkpoint: Checkpoint, key: Ed25519PublicKey) -> bool:
    """Return whether a key has signed a checkpoint under its origin."""
    expected_hash = _key_hash(checkpoint.origin, key)
    for name, signature in checkpoint.signatures:
        if name == checkpoint.origin and signature[:4] == expected_hash:
            try:
                key.verify(signature[4:], checkpoint.body)
            except InvalidSignature:
                return False
            return True
    return False


def _key_hash(origin: str, key: Ed25519PublicKey) -> bytes:
    text = origin.encode() + b"\n" + _ED25519 + key.public_bytes_raw()
    return hashlib.sha256(text).digest()[:4]
