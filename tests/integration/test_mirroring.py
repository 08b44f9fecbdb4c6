"""Test the commands of docs/mirroring.md, word for word, with a running service."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.processes import comes_true
from tests.support.releases import resource, write_release
from tests.support.server import CLIENT, ROOT, running_service
from warehouse.release.signing import KEY_VARIABLE, write_new_key
from warehouse.release.store import ReleaseStore

pytestmark = pytest.mark.slow
IDS = [f"2026110{n}T060000Z-0000000{n}" for n in (1, 2, 3, 4)]
FIRST = [resource(n, name=f"Place {n}") for n in range(1, 30)]
SECOND = [
    *(
        resource(n, name=f"Place {n}", phone="(212) 555-0101" if n % 5 == 0 else None)
        for n in range(3, 30)
    ),
    resource(99, notes='two\nlines, "quoted" ñ'),
]


def read_commands() -> list[str]:
    """Return the commands of the document's first block."""
    text = (ROOT / "docs" / "mirroring.md").read_text(encoding="utf-8")
    block = re.search(r"## In short\n\n((?:    .+\n)+)", text)
    assert block
    commands = [line.strip() for line in block[1].splitlines()]
    assert [c.split()[0] for c in commands] == ["python", "curl", "python"]
    return commands


class Mirror:
    """A reader's folder, with the project's documents."""

    def __init__(self, folder: Path, address: str) -> None:
        self.folder = folder
        self.address = address
        (folder / "docs").symlink_to(ROOT / "docs")
        self.follow_command, self.key_command, self.verify_command = read_commands()

    def run(self, command: str, *more: str) -> subprocess.CompletedProcess[str]:
        words = command.replace("https://larder.example", self.address).split()
        program = {
            "python": [sys.executable],
            "curl": ["curl"],
        }[words[0]]
        return subprocess.run(
            [*program, *words[1:], *more],
            cwd=self.folder,
            env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    def follow(self) -> str:
        process = self.run(self.follow_command)
        assert process.returncode == 0, process.stderr
        return process.stdout

    def fetch_key(self) -> None:
        if shutil.which("curl", path="/usr/bin:/bin"):
            assert self.run(self.key_command).returncode == 0
            return
        address, _, name = (self.key_command.split()[i] for i in (3, 1, 2))
        (self.folder / name).write_bytes(
            CLIENT.get(address.replace("https://larder.example", self.address)).content
        )

    def records(self) -> list[dict[str, object]]:
        release = (self.folder / "mirror" / "release").read_text()
        lines = (self.folder / "mirror" / f"directory-{release}.ndjson").read_text().splitlines()
        return [json.loads(line) for line in lines]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    write_new_key(tmp_path / "log.pem")
    monkeypatch.setenv(KEY_VARIABLE, str(tmp_path / "log.pem"))
    write_release(folder, FIRST, release_id=IDS[0], bulk=True, history=True)
    return folder


@pytest.fixture
def mirror(data: Path, tmp_path: Path) -> Iterator[Mirror]:
    folder = tmp_path / "somewhere"
    folder.mkdir()
    public = str(tmp_path / "log.pem.pub")
    with running_service(data, LARDER_POLL_SECONDS="0.05", LARDER_RELEASE_KEYS=public) as address:
        yield Mirror(folder, address)


def export_records(address: str, release_id: str) -> list[dict[str, object]]:
    """Return the full export of a release, without times of retrieval."""
    lines = CLIENT.get(f"{address}/exports/{release_id}/resources.ndjson").text.splitlines()
    records = [json.loads(line) for line in lines]
    return [{k: v for k, v in record.items() if k != "retrieved_at"} for record in records]


def wait_for(address: str, release_id: str) -> None:
    def is_served() -> bool:
        return CLIENT.get(f"{address}/api/health").headers.get("x-release") == release_id

    assert comes_true(is_served), f"{release_id} is not served"


def test_a_mirror_follows_verifies_and_restarts_if_too_late(data: Path, mirror: Mirror) -> None:
    assert "29 places, full export" in mirror.follow()
    assert mirror.records() == export_records(mirror.address, IDS[0])
    assert "changes since" in mirror.follow()
    mirror.fetch_key()
    check = mirror.run(mirror.verify_command)
    assert check.returncode == 0, check.stderr
    assert "1 entries and 1 files are as signed" in check.stdout

    write_release(data, SECOND, release_id=IDS[1], bulk=True, history=True)
    wait_for(mirror.address, IDS[1])
    output = mirror.follow()
    assert f"{IDS[1]}: 28 places, changes since {IDS[0]}" in output
    assert mirror.records() == export_records(mirror.address, IDS[1])
    # Roll back to a release older than the mirror's.
    ReleaseStore(data).rollback()
    wait_for(mirror.address, IDS[0])
    mirror.follow()
    assert mirror.records() == export_records(mirror.address, IDS[0])

    for release_id, rows in ((IDS[2], SECOND[:5]), (IDS[3], SECOND)):
        write_release(data, rows, release_id=release_id, bulk=True, history=True)
    ReleaseStore(data).prune(1)
    wait_for(mirror.address, IDS[3])
    assert "28 places, full export" in mirror.follow()
    assert mirror.records() == export_records(mirror.address, IDS[3])
    again = mirror.run(mirror.verify_command)
    assert again.returncode == 0, again.stderr
    assert "5 entries and 2 files are as signed" in again.stdout
    log = ReleaseStore(data).log.path
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:1]))
    cut = mirror.run(mirror.verify_command)
    assert cut.returncode == 1
    assert "does not continue the one that was verified earlier" in cut.stderr


def test_the_documented_command_finds_tampering(data: Path, mirror: Mirror) -> None:
    mirror.follow()
    mirror.fetch_key()
    path = mirror.folder / "mirror" / "releases" / IDS[0] / "bulk" / "resources.ndjson"
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"Place 7", b"Place 8"))
    process = mirror.run(mirror.verify_command)
    assert process.returncode == 1
    assert f"{IDS[0]}/bulk/resources.ndjson is not the file of the manifest" in process.stderr
    path.write_bytes(whole)
    log = ReleaseStore(data).log.path
    log.write_bytes(log.read_bytes().replace(b'"promote"', b'"rollback"'))
    process = mirror.run(mirror.verify_command)
    assert process.returncode == 1
    assert "BROKEN: entry 1 is not signed by a key of" in process.stderr
