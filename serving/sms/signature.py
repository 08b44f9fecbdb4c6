"""Verifies that a webhook request comes from the provider.

The provider signs the full address followed by every form key and value, the keys in their order:

base64(HMAC-SHA1(token, address + key1 + value1 + key2 + value2 ...))      header X-Twilio-Signature

Values of a repeated key follow each other in order, each once, as in the provider's own library.
Accounts with shared keys name key and algorithm in `X-Twilio-Webhooks-Signature-Settings`; then the
same text is signed with HMAC-SHA256 under that key. The provider may or may not include the port in
the address: both are tried.
"""

import base64
import hashlib
import hmac
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit, urlunsplit

SIGNATURE_HEADER = b"x-twilio-signature"
SETTINGS_HEADER = b"x-twilio-webhooks-signature-settings"
_DEFAULT_PORTS = {"http": 80, "https": 443}
_ALGORITHMS = {"HMAC_SHA1": "sha1", "HMAC_SHA256": "sha256"}


def signature_of(
    secret: str, address: str, fields: Sequence[tuple[str, str]], algorithm: str = "sha1"
) -> str:
    """Return the signature of a form request, in base64."""
    by_key: dict[str, set[str]] = {}
    for key, value in fields:
        by_key.setdefault(key, set()).add(value)
    text = address + "".join(key + value for key in sorted(by_key) for value in sorted(by_key[key]))
    digest = hmac.new(secret.encode(), text.encode("utf-8", "surrogatepass"), algorithm).digest()
    return base64.b64encode(digest).decode()


def is_signed(
    token: str,
    shared_key: str,
    headers: Mapping[bytes, bytes],
    address: str,
    fields: Sequence[tuple[str, str]],
) -> bool:
    """Return whether the request carries a right signature. `shared_key` is the secret of the
    account's shared key, for requests that name one; the token when it is empty."""
    signature = headers.get(SIGNATURE_HEADER, b"")
    algorithm = _algorithm(headers.get(SETTINGS_HEADER, b""))
    if not signature or algorithm is None:
        return False
    secret = shared_key or token if SETTINGS_HEADER in headers else token
    expected_signatures = [
        signature_of(secret, form, fields, algorithm) for form in addresses(address)
    ]
    # No shortcut: every comparison takes its whole time.
    matches = [
        hmac.compare_digest(hashlib.sha256(signature).digest(), hashlib.sha256(w.encode()).digest())
        for w in expected_signatures
    ]
    return any(matches)


def _algorithm(settings: bytes) -> str | None:
    """Return the digest that `key=...,algorithm=HMAC_SHA256` names; SHA-1 without settings, None
    for an unknown one."""
    if not settings:
        return "sha1"
    pairs = dict(part.strip().partition("=")[::2] for part in settings.decode("latin-1").split(","))
    return _ALGORITHMS.get(pairs.get("algorithm", ""))


def addresses(address: str) -> list[str]:
    """Return the address as it is, without its port, and with the port of its scheme."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    port = parts.port or _DEFAULT_PORTS.get(parts.scheme)
    forms = [
        address,
        urlunsplit(parts._replace(netloc=host)),
        urlunsplit(parts._replace(netloc=f"{host}:{port}")),
    ]
    return list(dict.fromkeys(forms))
