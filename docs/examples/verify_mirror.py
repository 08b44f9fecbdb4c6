"""Verify the release log of an instance, and the files of a mirror, without trusting its server.

    python docs/examples/verify_mirror.py https://larder.example mirror larder-release-key.pem

Needs `cryptography` and `rfc8785`. Prints what it verified; ends with status 1 and the first fault.
The log is kept in the mirror: a later log must begin with it.
"""

import base64
import hashlib
import json
import sys
import urllib.request
from pathlib import Path

import rfc8785
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.serialization import load_pem_public_key

END = b"-----END PUBLIC KEY-----\n"


def fetch(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=600) as answer:  # noqa: S310 - the caller's
        return answer.read()


def is_signed(entry: dict, keys: list) -> bool:
    signed = rfc8785.dumps({name: entry[name] for name in entry if name != "signature"})
    for key in keys:
        try:
            key.verify(base64.b64decode(entry["signature"]), signed)
        except InvalidSignature:
            continue
        return True
    return False


def verify(base: str, mirror: Path, key_file: Path) -> str:
    """Check the log, then each file in `mirror/releases/<id>/`; return what was verified."""
    keys = [load_pem_public_key(block + END) for block in key_file.read_bytes().split(END)[:-1]]
    log, known, before = (
        fetch(f"{base}/api/releases/log?format=ndjson"),
        mirror / "log.ndjson",
        None,
    )
    if known.exists() and not log.startswith(known.read_bytes()):
        raise SystemExit("BROKEN: the log does not continue the one that was verified earlier")
    entries = [json.loads(line) for line in log.splitlines()]
    for line, entry in zip(log.splitlines(), entries, strict=True):
        name = f"BROKEN: entry {entry['sequence']}"
        if entry["previous_sha256"] != before:
            raise SystemExit(f"{name} does not follow the entry before it")
        if entry["signature"] and not is_signed(entry, keys):
            raise SystemExit(f"{name} is not signed by a key of {key_file}")
        before = hashlib.sha256(line).hexdigest()
    # A signature covers all entries before it.
    if not entries or not entries[-1]["signature"]:
        raise SystemExit("BROKEN: the last entry is not signed")
    files = 0
    for release, digest in {e["release_id"]: e["manifest_sha256"] for e in entries}.items():
        manifest = json.loads(fetch(f"{base}/api/releases/{release}/manifest.json"))
        if hashlib.sha256(rfc8785.dumps(manifest)).hexdigest() != digest:
            raise SystemExit(f"BROKEN: the manifest of {release} is not the one in the log")
        for entry in manifest["files"]:
            path = mirror / "releases" / release / entry["path"]
            if path.is_file():
                if hashlib.sha256(path.read_bytes()).hexdigest() != entry["sha256"]:
                    raise SystemExit(f"BROKEN: {path} is not the file of the manifest")
                files += 1
    known.write_bytes(log)
    return f"{len(entries)} entries and {files} files are as signed"


if __name__ == "__main__":
    print(verify(sys.argv[1].rstrip("/"), Path(sys.argv[2]), Path(sys.argv[3])))
