"""Tampering with every part of a log, and the messages about it."""

import base64
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.support.releases import resource, write_release
from warehouse.release.log import LOG_NAME, entry_sha256
from warehouse.release.signing import KEY_VARIABLE, canonical, key_id, public_keys, sign
from warehouse.release.store import ReleaseError, ReleaseStore

IDS = [f"2026110{n}T060000Z-0000000{n}" for n in (1, 2, 3)]
SEED, OTHER = (base64.b64encode(bytes([n]) * 32).decode() for n in (7, 8))
Lines = list[dict[str, Any]]


def _private(seed: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(base64.b64decode(seed))


def _keys(*seeds: str) -> dict[str, Any]:
    raw = [_private(seed).public_key().public_bytes_raw() for seed in seeds]
    return {i: k for r in raw for i, k in public_keys(base64.b64encode(r).decode()).items()}


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three releases: two promotions, a roll-back, a promotion; all signed."""
    folder = tmp_path_factory.mktemp("signed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY_VARIABLE, SEED)
        for number, release_id in enumerate(IDS[:2], start=1):
            write_release(
                folder, [resource(n) for n in range(1, number + 1)], release_id=release_id
            )
        ReleaseStore(folder).rollback()
        write_release(folder, [resource(9)], release_id=IDS[2])
    return folder


@pytest.fixture
def data(signed: Path, tmp_path: Path) -> Path:
    return shutil.copytree(signed, tmp_path / "data")


def _lines(data: Path) -> Lines:
    return [json.loads(line) for line in (data / "releases" / LOG_NAME).read_text().splitlines()]


def _write(data: Path, lines: Lines) -> None:
    (data / "releases" / LOG_NAME).write_bytes(b"".join(canonical(line) + b"\n" for line in lines))


def _rechained(lines: Lines, seed: str | None = None) -> Lines:
    """Rebuild the chain as a forger does, with another key or none."""
    before: str | None = None
    for number, line in enumerate(lines, start=1):
        line |= {"sequence": number, "previous_sha256": before, "key_id": None, "signature": None}
        if seed:
            line["key_id"] = key_id(_private(seed).public_key())
            unsigned = {k: v for k, v in line.items() if k != "signature"}
            line["signature"] = sign(_private(seed), unsigned)
        before = entry_sha256(canonical(line))
    return lines


def _set(number: int, **values: Any) -> Callable[[Path], None]:
    def tamper(data: Path) -> None:
        lines = _lines(data)
        lines[number - 1] |= values
        _write(data, lines)

    return tamper


def _rewrite(change: Callable[[Lines], Lines]) -> Callable[[Path], None]:
    return lambda data: _write(data, change(_lines(data)))


def _edit_manifest(folder: str) -> Callable[[Path], None]:
    def tamper(data: Path) -> None:
        path = data / "releases" / folder / "manifest.json"
        manifest = json.loads(path.read_text())
        manifest["files"][0]["sha256"] = "0" * 64
        path.write_text(json.dumps(manifest))

    return tamper


def _remove_manifests(data: Path) -> None:
    shutil.rmtree(data / "releases" / IDS[1])
    shutil.rmtree(data / "releases" / "history" / IDS[1])


def _raw(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def tamper(data: Path) -> None:
        path = data / "releases" / LOG_NAME
        path.write_bytes(change(path.read_bytes()))

    return tamper


@dataclass(frozen=True)
class Tampering:
    """A manipulation and the beginning or text of the complaint."""

    tamper: Callable[[Path], None]
    message: str


TAMPERINGS = {
    "time of an entry": Tampering(_set(2, created_at="2020-01-01T00:00:00Z"), r"^entry 2: the signature is not that of key"),
    "event": Tampering(_set(3, event="promote"), r"^entry 3: the signature"),
    "release of an entry": Tampering(_set(1, release_id=IDS[1]), r"^entry 1: the signature"),
    "hash of a manifest": Tampering(_set(2, manifest_sha256="0" * 64), r"^entry 2: the signature"),
    "signature": Tampering(_set(2, signature=base64.b64encode(b"x" * 64).decode()), r"^entry 2: the signature"),
    "signature that is no base64": Tampering(_set(2, signature="*"), r"^entry 2: the signature"),
    "signature taken away": Tampering(_set(2, signature=None), r"^entry 3: does not follow"),
    "signature and key id taken away": Tampering(_set(2, signature=None, key_id=None), r"^entry 3: does not follow"),
    "of the last entry too": Tampering(_set(4, signature=None, key_id=None), r"^the last entry is not signed"),
    "hash of the entry before": Tampering(_set(3, previous_sha256="0" * 64), r"^entry 3: does not follow the entry before"),
    "sequence number": Tampering(_set(3, sequence=7), r"^entry 3: does not follow"),
    "unknown member": Tampering(_set(2, note="x"), r"^line 2 of the release log is no entry"),
    "order": Tampering(_rewrite(lambda lines: [lines[0], lines[2], lines[1], lines[3]]), r"^entry 2: does not follow"),
    "an entry left out": Tampering(_rewrite(lambda lines: [lines[0], *lines[2:]]), r"^entry 2: does not follow"),
    "first entry left out": Tampering(_rewrite(lambda lines: lines[1:]), r"^entry 1: does not follow"),
    "everything left out": Tampering(_rewrite(lambda lines: []), r"^the last entry is not signed"),
    "rewritten without signatures": Tampering(_rewrite(lambda lines: _rechained(lines[:1] + lines[3:])), r"^the last entry is not signed"),
    "rewritten with another key": Tampering(_rewrite(lambda lines: _rechained(lines[:1] + lines[3:], OTHER)), r"^entry 1: is signed by key .* not a trusted key"),
    "layout of a line": Tampering(_raw(lambda log: log.replace(b'"event":', b'"event": ', 1)), r"^entry 1: not written as canonical"),
    "no JSON": Tampering(_raw(lambda log: b"x\n" + log), r"^line 1 of the release log is no entry"),
    "manifest beside the files": Tampering(_edit_manifest(IDS[1]), rf"^entry 2: the manifest of {IDS[1]} has another hash"),
    "manifest of nobody": Tampering(lambda data: (data / "releases" / IDS[0] / "manifest.json").write_text("{"), r"^entry 1: the manifest of .* cannot be read"),
    "manifests gone": Tampering(_remove_manifests, rf"^entry 2: the manifest of {IDS[1]} is missing"),
}  # fmt: skip


@pytest.mark.parametrize("case", TAMPERINGS.values(), ids=TAMPERINGS)
def test_the_first_broken_entry_is_named(data: Path, case: Tampering) -> None:
    case.tamper(data)
    with pytest.raises(ReleaseError, match=f"the release log is damaged: {case.message[1:]}"):
        ReleaseStore(data).check_log(_keys(SEED))


def test_a_whole_log_is_verified(data: Path) -> None:
    entries = ReleaseStore(data).check_log(_keys(SEED))
    assert [(e.event, e.release_id) for e in entries] == [
        ("promote", IDS[0]),
        ("promote", IDS[1]),
        ("rollback", IDS[0]),
        ("promote", IDS[2]),
    ]


def test_pruned_releases_stay_verifiable(data: Path) -> None:
    assert ReleaseStore(data).prune(1) == IDS[:2]
    assert len(ReleaseStore(data).check_log(_keys(SEED))) == 4


def test_a_torn_end_is_harmless(data: Path) -> None:
    _raw(lambda log: log + b'{"created')(data)
    assert len(ReleaseStore(data).check_log(_keys(SEED))) == 4


def test_the_layout_of_a_manifest_does_not_matter(data: Path) -> None:
    path = data / "releases" / IDS[0] / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()), sort_keys=True))
    assert len(ReleaseStore(data).check_log(_keys(SEED))) == 4


def test_a_new_key_verifies_together_with_the_old_one(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, OTHER)
    ReleaseStore(data).promote(IDS[1])
    assert len(ReleaseStore(data).check_log(_keys(SEED, OTHER))) == 5
    with pytest.raises(ReleaseError, match=r"entry 5: is signed by key"):
        ReleaseStore(data).check_log(_keys(SEED))


def test_unsigned_entries_are_covered_by_a_later_signature_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    write_release(tmp_path, [resource(1)], release_id=IDS[0])
    store = ReleaseStore(tmp_path)
    assert len(store.check_log({})) == 1
    with pytest.raises(ReleaseError, match="the last entry is not signed"):
        store.check_log(_keys(SEED))
    monkeypatch.setenv(KEY_VARIABLE, SEED)
    write_release(tmp_path, [resource(1)], release_id=IDS[1])
    assert [bool(entry.signature) for entry in store.check_log(_keys(SEED))] == [False, True]
    monkeypatch.delenv(KEY_VARIABLE)
    store.promote(IDS[0])
    with pytest.raises(ReleaseError, match="the last entry is not signed"):
        store.check_log(_keys(SEED))
