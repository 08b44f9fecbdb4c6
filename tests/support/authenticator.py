"""A software authenticator: creates ES256 passkeys and signs as security keys do."""

import base64
import hashlib
import json
import secrets
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import encode_cbor

_PRESENT, _VERIFIED, _HAS_KEY = 0x01, 0x04, 0x40


def encode(raw: bytes) -> str:
    """Return base64url without padding."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


@dataclass
class Authenticator:
    """One passkey. Tests can falsify `host`, `origin` and `is_verified`."""

    origin: str
    host: str
    count: int = 1
    is_verified: bool = True
    handle: str = ""
    key_id: bytes = field(default_factory=lambda: secrets.token_bytes(32))

    def __post_init__(self) -> None:
        self._key = generate_private_key(SECP256R1())

    def create(self, options: str) -> str:
        """Return the answer to a request for a new passkey."""
        request = json.loads(options)
        self.handle = request["user"]["id"]
        point = self._key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32), -3: point.y.to_bytes(32)}
        own = bytes(16) + len(self.key_id).to_bytes(2) + self.key_id + encode_cbor(cose)
        attestation = {"fmt": "none", "attStmt": {}, "authData": self._data(_HAS_KEY) + own}
        return self._answer(
            self._client("webauthn.create", request["challenge"]),
            attestationObject=encode(encode_cbor(attestation)),
        )

    def get(self, options: str) -> str:
        """Return the answer to a sign-in request and increase the counter."""
        client = self._client("webauthn.get", json.loads(options)["challenge"])
        self.count += 1
        data = self._data()
        signature = self._key.sign(data + hashlib.sha256(client).digest(), ECDSA(SHA256()))
        return self._answer(
            client,
            authenticatorData=encode(data),
            signature=encode(signature),
            userHandle=self.handle,
        )

    def _data(self, flags: int = 0) -> bytes:
        flags |= _PRESENT | (_VERIFIED if self.is_verified else 0)
        host = hashlib.sha256(self.host.encode()).digest()
        return host + bytes([flags]) + self.count.to_bytes(4)

    def _client(self, kind: str, challenge: str) -> bytes:
        actual = {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return json.dumps(actual).encode()

    def _answer(self, client: bytes, **response: str) -> str:
        own = encode(self.key_id)
        actual = {"clientDataJSON": encode(client), **response}
        whole = {"id": own, "rawId": own, "type": "public-key", "response": actual}
        return json.dumps(whole, separators=(",", ":"))
