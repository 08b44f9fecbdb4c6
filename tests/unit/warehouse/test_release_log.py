"""The release log: append-only, whole lines, chained, signed when there is a key, and mended after
a crash.
"""

import base64
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from tests.support.releases import resource, write_release
from tests.support.server import ROOT
from warehouse.release.log import LogDamagedError, ReleaseLog
from warehouse.release.signing import (
    KEY_VARIABLE,
    KeyFileError,
    key_id,
    public_keys,
    signing_key,
    write_new_key,
)
from warehouse.release.store import ReleaseError, ReleaseStore

OLD, NEW = (f"2026110{n}T060000Z-0000000{n}" for n in (1, 2))
SEED = base64.b64encode(bytes(range(32))).decode()


def _append(log: ReleaseLog, count: int) -> None:
    for _ in range(count):
        with log.lock():
            log.append("promote", OLD, "0" * 64, None)


def test_a_torn_last_line_is_ignored_and_replaced(tmp_path: Path) -> None:
    log = ReleaseLog(tmp_path)
    _append(log, 2)
    whole = log.path.read_bytes()
    second = whole.index(b"\n") + 1
    for length in range(second, len(whole)):
        log.path.write_bytes(whole[:length])
        assert [e.sequence for e in log.entries()] == [1], length
    log.path.write_bytes(whole[: len(whole) - 5])
    _append(log, 1)
    entries = log.entries()
    assert [e.sequence for e in entries] == [1, 2]
    assert log.path.read_bytes().endswith(b"\n")
    # A longer torn end than the entry that takes its place leaves nothing behind.
    log.path.write_bytes(whole + b"x" * 5_000)
    _append(log, 1)
    assert [e.sequence for e in log.entries()] == [1, 2, 3]


def test_nothing_is_chained_to_a_line_that_is_not_understood(tmp_path: Path) -> None:
    log = ReleaseLog(tmp_path)
    _append(log, 1)
    log.path.write_bytes(log.path.read_bytes() + b"{}\n")
    with pytest.raises(LogDamagedError, match="line 2 of the release log is no entry"):
        _append(log, 1)


_APPEND_FOR_EVER = """
import sys; from pathlib import Path; from warehouse.release.log import ReleaseLog
from warehouse.release.signing import signing_key
log, key = ReleaseLog(Path(sys.argv[1])), signing_key()
while True:
    with log.lock():
        log.append("promote", sys.argv[2], sys.argv[3], key)
    print("x", flush=True)
"""


@pytest.mark.slow
def test_kill_9_in_the_middle_of_appends_loses_nothing_that_was_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two writers at once, killed at random moments, again and again, on one log."""
    monkeypatch.setenv(KEY_VARIABLE, SEED)
    write_release(tmp_path, [resource(1)], release_id=OLD)
    store, moments, acknowledged = ReleaseStore(tmp_path), random.Random(4), 1
    digest = store.log.entries()[0].manifest_sha256
    command = [sys.executable, "-c", _APPEND_FOR_EVER, str(store.root), OLD, digest]
    for _ in range(4):
        writers = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) for _ in range(2)]
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.read(2) == b"x\n"
        acknowledged += 2
        time.sleep(moments.uniform(0.0, 0.2))
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
        for writer in writers:
            acknowledged += writer.communicate()[0].count(b"x")
        # What a crash of the machine may leave as well.
        with store.log.path.open("ab") as stream:
            stream.write(b'{"created_at":"2026-11-0')
    store.promote(OLD)
    entries = store.check_log(public_keys(_public_of(SEED)))
    assert all(entry.signature for entry in entries)
    assert len(entries) >= acknowledged + 1
    assert store.log.path.read_bytes() == store.log.content()


def _public_of(seed: str) -> str:
    key = Ed25519PrivateKey.from_private_bytes(base64.b64decode(seed))
    return base64.b64encode(key.public_key().public_bytes_raw()).decode()


def test_a_promotion_that_was_cut_short_is_entered_by_the_next_one(tmp_path: Path) -> None:
    """Killed between the pointer and the log: the pointer names a release that the log lacks."""
    write_release(tmp_path, [resource(1)], release_id=OLD)
    write_release(tmp_path, [resource(1)], release_id=NEW, promote=False)
    store = ReleaseStore(tmp_path)
    store.pointer.write_text(NEW + "\n")
    store.promote(OLD)
    assert [(e.event, e.release_id) for e in store.log.entries()] == [
        ("promote", OLD),
        ("recovered", NEW),
        ("promote", OLD),
    ]


def test_a_damaged_log_stops_a_promotion_before_the_pointer_moves(tmp_path: Path) -> None:
    write_release(tmp_path, [resource(1)], release_id=OLD)
    write_release(tmp_path, [resource(1)], release_id=NEW, promote=False)
    store = ReleaseStore(tmp_path)
    store.log.path.write_bytes(b"nonsense\n")
    with pytest.raises(ReleaseError, match="line 1 of the release log is no entry"):
        store.promote(NEW)
    assert store.current() == OLD


# ---------------------------------------------------------------- keys


def test_a_new_key_is_for_its_owner_only_and_replaces_none(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "log.pem"
    public = write_new_key(path)
    assert path.stat().st_mode & 0o077 == 0
    key = signing_key({KEY_VARIABLE: str(path)})
    assert key is not None
    assert list(public_keys(str(public))) == [key_id(key.public_key())]
    before = path.read_bytes()
    with pytest.raises(FileExistsError):
        write_new_key(path)
    assert path.read_bytes() == before


def test_the_key_id_is_the_thumbprint_of_rfc_8037() -> None:
    """Appendix A.3 of RFC 8037."""
    point = base64.urlsafe_b64decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo=")
    (key_id,) = public_keys(base64.b64encode(point).decode())
    assert key_id == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"


def test_several_keys_in_one_file(tmp_path: Path) -> None:
    parts = [write_new_key(tmp_path / name).read_bytes() for name in ("a", "b")]
    (tmp_path / "all.pem").write_bytes(b"".join(parts))
    assert len(public_keys(str(tmp_path / "all.pem"))) == 2


def _pem(tmp_path: Path, key: object, *, password: bytes | None = None) -> str:
    how = BestAvailableEncryption(password) if password else NoEncryption()
    (tmp_path / "x.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, how))  # type: ignore[attr-defined]
    return str(tmp_path / "x.pem")


@pytest.mark.parametrize(
    "kind", ["short seed", "no file", "not PEM", "encrypted", "another kind of key"]
)
def test_a_key_that_cannot_be_used_stops_the_promotion_and_is_never_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    (tmp_path / "text").write_text("SECRETSECRET")
    value = {
        "short seed": base64.b64encode(b"SECRET").decode(),
        "no file": str(tmp_path / "SECRET-none"),
        "not PEM": str(tmp_path / "text"),
        "encrypted": _pem(tmp_path, Ed25519PrivateKey.generate(), password=b"SECRET"),
        "another kind of key": _pem(tmp_path, generate_private_key(SECP256R1())),
    }[kind]
    if kind == "encrypted":
        value = _pem(tmp_path, Ed25519PrivateKey.generate(), password=b"SECRET")
    data = tmp_path / "data"
    write_release(data, [resource(1)], release_id=OLD, promote=False)
    monkeypatch.setenv(KEY_VARIABLE, value)
    with pytest.raises(ReleaseError, match=KEY_VARIABLE) as error:
        ReleaseStore(data).promote(OLD)
    assert value not in str(error.value)
    assert "SECRET" not in str(error.value)
    assert ReleaseStore(data).current() is None


@pytest.mark.parametrize(
    "content", [b"", b"x", b"-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----\n"]
)
def test_a_file_without_a_public_key_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "k").write_bytes(content)
    with pytest.raises(KeyFileError):
        public_keys(str(tmp_path / "k"))


def test_the_key_is_in_no_output_of_a_promotion(tmp_path: Path) -> None:
    write_release(tmp_path, [resource(1)], release_id=OLD, promote=False)
    process = subprocess.run(
        [sys.executable, "-m", "pipelines", "release", "promote", OLD, "--data", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, KEY_VARIABLE: SEED},
        capture_output=True,
        text=True,
        check=True,
    )
    log = ReleaseStore(tmp_path).log.path.read_text()
    assert SEED not in process.stdout + process.stderr + log
    assert '"signature":null' not in log
