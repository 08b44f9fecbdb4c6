"""The tree of the release log: known roots, tiles, the signed checkpoint."""

import base64
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from tests.support.cases import cases
from warehouse.release.checkpoint import (
    ORIGIN_VARIABLE,
    is_signed_by,
    read_checkpoint,
    root_of,
    sign_checkpoint,
    verifier_key,
)
from warehouse.release.log import LogDamagedError, ReleaseLog
from warehouse.release.merkle import leaf_hash, read_tile, root_hash, tile_path
from warehouse.release.signing import KeyFileError

KEY, OTHER = (Ed25519PrivateKey.from_private_bytes(bytes([n]) * 32) for n in (7, 8))
# Leaves and roots of the reference tests of Certificate Transparency (RFC 6962, 2.1).
LEAVES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
ENTRIES = [f"entry {number}".encode() for number in range(600)]


@pytest.mark.parametrize("size", range(9))
def test_roots_are_those_of_the_standard(size: int) -> None:
    assert root_of(LEAVES[:size]).hex() == ROOTS[size]


@cases(
    "number, width, path",
    {
        "first": (0, 256, "0/000"),
        "partial": (5, 7, "0/005.p/7"),
        "of the standard": (1234067, 256, "0/x001/x234/067"),
    },
)
def test_paths_are_those_of_the_standard(number: int, width: int, path: str) -> None:
    assert tile_path(0, number, width) == path


def test_tiles_of_two_levels_rebuild_the_tree() -> None:
    whole = [read_tile(ENTRIES, f"0/{n:03d}") for n in (0, 1)]
    rest = read_tile(ENTRIES, "0/002.p/88")
    assert all(whole)
    assert rest is not None
    hashes = b"".join([whole[0] or b"", whole[1] or b"", rest])
    assert hashes == b"".join(map(leaf_hash, ENTRIES))
    upper = read_tile(ENTRIES, "1/000.p/2")
    assert upper == b"".join(root_of(ENTRIES[at : at + 256]) for at in (0, 256))
    last = root_hash([leaf_hash(entry) for entry in ENTRIES[512:]])
    assert root_hash([root_hash([upper[:32], upper[32:]]), last]) == root_of(ENTRIES)


def test_entries_come_with_their_lengths() -> None:
    assert read_tile(ENTRIES, "entries/002.p/1") == b"\x00\x09entry 512"


@cases(
    "path",
    {
        path: path
        for path in [
            "0/002",
            "0/003",
            "1/000",
            "1/000.p/3",
            "2/000.p/1",
            "0/002.p/89",
            "0/002.p/0",
            "0/000.p/256",
            "0/000.p/257",
            "0/0",
            "0/x000/000",
            "0/000.p/01",
            "64/000",
            "entries/003",
            "-1/000",
            "0/../000",
            "0/000/",
            "checkpoint",
            "0/٠٠٠",
        ]
    },
)
def test_unknown_tiles(path: str) -> None:
    assert read_tile(ENTRIES, path) is None


def test_a_checkpoint_is_read_and_verified() -> None:
    checkpoint = read_checkpoint(sign_checkpoint(ENTRIES, KEY, None))
    assert checkpoint is not None
    assert (checkpoint.size, checkpoint.root) == (600, root_of(ENTRIES))
    assert is_signed_by(checkpoint, KEY.public_key())
    assert not is_signed_by(checkpoint, OTHER.public_key())
    assert not is_signed_by(checkpoint._replace(body=checkpoint.body + b" "), KEY.public_key())
    # As https://c2sp.org/signed-note has it: name, hash of name and key, kind and key.
    name, hashed, raw = verifier_key(checkpoint.origin, KEY.public_key()).split("+", 2)
    assert (name, len(hashed)) == (checkpoint.origin, 8)
    assert base64.b64decode(raw) == b"\x01" + KEY.public_key().public_bytes_raw()


def test_the_verifier_key_is_that_of_the_standard() -> None:
    raw = base64.b64decode("ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")[1:]
    key = Ed25519PublicKey.from_public_bytes(raw)
    expected = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    assert verifier_key("PeterNeumann", key) == expected


def test_the_name_of_a_log_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ORIGIN_VARIABLE, "larder.example/log")
    first = sign_checkpoint(ENTRIES[:3], KEY, None)
    monkeypatch.setenv(ORIGIN_VARIABLE, "other.example")
    later = read_checkpoint(sign_checkpoint(ENTRIES[:4], OTHER, first))
    assert later is not None
    assert later.origin == "larder.example/log"
    monkeypatch.setenv(ORIGIN_VARIABLE, "a b+c")
    with pytest.raises(KeyFileError, match=ORIGIN_VARIABLE):
        sign_checkpoint(ENTRIES, KEY, None)


@cases(
    "content",
    {
        "empty": b"",
        "no signature": b"o\n1\n" + b"A" * 43 + b"=\n\n",
        "no size": b"o\nx\n" + b"A" * 43 + b"=\n\n\xe2\x80\x94 o AAAA\n",
        "not UTF-8": b"o\n1\n" + b"A" * 43 + b"=\n\n\xff\n",
        "size with zeros": b"o\n01\n" + b"A" * 43 + b"=\n\n\xe2\x80\x94 o AAAA\n",
    },
)
def test_invalid_checkpoints(content: bytes) -> None:
    assert read_checkpoint(content) is None


def test_two_histories_are_never_signed(tmp_path: Path) -> None:
    log = ReleaseLog(tmp_path)
    with log.lock():
        for _ in range(3):
            log.append("promote", "20261101T060000Z-1c2d3e4f", "0" * 64, KEY)
    content, signed = log.content(), log.checkpoint()
    log.path.write_bytes(b"".join(content.splitlines(keepends=True)[:2]))
    with log.lock(), pytest.raises(LogDamagedError, match="does not continue"):
        log.append("promote", "20261101T060000Z-1c2d3e4f", "1" * 64, KEY)
    assert (len(log.lines()), log.checkpoint()) == (2, signed)
    # An append that was cut short before its checkpoint is covered by the next one.
    log.path.write_bytes(content)
    with log.lock():
        log.append("rollback", "20261101T060000Z-1c2d3e4f", "0" * 64, None)
        assert log.checkpoint() == signed
        log.append("promote", "20261101T060000Z-1c2d3e4f", "0" * 64, KEY)
    newest = read_checkpoint(log.checkpoint() or b"")
    assert newest is not None
    assert newest.size == 5
