"""Signs canonical JSON (RFC 8785) with Ed25519 keys of the release log."""

import base64
import binascii
import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import rfc8785
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

KEY_VARIABLE = "LARDER_SIGNING_KEY"
_END = b"-----END PUBLIC KEY-----"


class KeyFileError(ValueError):
    """A key cannot be used. The message never contains key material."""


def canonical(value: Any) -> bytes:
    """Return canonical JSON (RFC 8785) of a value of JSON types."""
    return rfc8785.dumps(value)


# ---------------------------------------------------------------- the key that signs


def signing_key(environment: Mapping[str, str] = os.environ) -> Ed25519PrivateKey | None:
    """Return the key of `LARDER_SIGNING_KEY`: the path of a PEM file, or a 32-byte seed as base64.

    None when the variable is not set. Raises KeyFileError.
    """
    text = environment.get(KEY_VARIABLE, "").strip()
    if not text:
        return None
    seed = _raw(text)
    if seed is not None:
        return Ed25519PrivateKey.from_private_bytes(seed)
    try:
        key = load_pem_private_key(Path(text).read_bytes(), password=None)
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm):
        # The value may be a mistyped seed, so neither it nor the library's message is repeated.
        raise KeyFileError(
            f"{KEY_VARIABLE} is neither a readable, unencrypted PEM file nor a 32-byte seed in "
            "base64"
        ) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyFileError(f"the key of {KEY_VARIABLE} is not an Ed25519 key")
    return key


def sign(key: Ed25519PrivateKey, value: Any) -> str:
    """Return the signature of a value's canonical JSON, base64."""
    return base64.b64encode(key.sign(canonical(value))).decode()


def write_new_key(path: Path) -> Path:
    """Write a fresh key pair: the private half at `path` (readable by its owner only), the public
    half next to it as `.pub`.

    Returns the path of the public half. Raises FileExistsError rather than replace a key.
    """
    key = Ed25519PrivateKey.generate()
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as stream:
        stream.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public = path.with_name(path.name + ".pub")
    public.write_bytes(public_pem(key.public_key()))
    return public


# ---------------------------------------------------------------- public keys


def public_keys(text: str) -> dict[str, Ed25519PublicKey]:
    """Return public keys by key id, from the path of a file with one or more PEM blocks, or from 32
    bytes as base64.

    A file with several keys supports key rotation: the old key verifies old signatures. Raises
    KeyFileError.
    """
    raw = _raw(text.strip())
    keys = _pem_keys(Path(text)) if raw is None else [Ed25519PublicKey.from_public_bytes(raw)]
    return {key_id(key): key for key in keys}


def _pem_keys(path: Path) -> list[Ed25519PublicKey]:
    try:
        blocks = [part + _END for part in path.read_bytes().split(_END)[:-1]]
        keys = [load_pem_public_key(block[block.index(b"-----BEGIN") :]) for block in blocks]
    except (OSError, ValueError, UnsupportedAlgorithm) as error:
        raise KeyFileError(f"{path} cannot be read as public keys in PEM: {error}") from error
    ed25519_keys = [key for key in keys if isinstance(key, Ed25519PublicKey)]
    if not ed25519_keys or len(ed25519_keys) != len(keys):
        raise KeyFileError(f"{path} has no Ed25519 public key, or also other keys")
    return ed25519_keys


def is_signed(key: Ed25519PublicKey, signature: str, value: Any) -> bool:
    """Return whether `signature` (base64) is the key's signature of the value's canonical JSON."""
    try:
        key.verify(base64.b64decode(signature, validate=True), canonical(value))
    except (InvalidSignature, binascii.Error):
        return False
    return True


def public_pem(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def key_id(key: Ed25519PublicKey) -> str:
    """Return the thumbprint of the key (RFC 7638, SHA-256, base64url)."""
    point = base64.urlsafe_b64encode(key.public_bytes_raw()).rstrip(b"=").decode()
    members = canonical({"crv": "Ed25519", "kty": "OKP", "x": point})
    return base64.urlsafe_b64encode(hashlib.sha256(members).digest()).rstrip(b"=").decode()


def _raw(text: str) -> bytes | None:
    """Return the 32 bytes of a base64 text, or None."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw if len(raw) == 32 else None
