"""Read the release log as a tile log with Go's client packages over HTTP."""

import base64
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.releases import resource, write_release
from tests.support.server import ROOT, running_service
from warehouse.release.log_sources import log_of_instance
from warehouse.release.signing import KEY_VARIABLE, public_keys, signing_key
from warehouse.release.store import ReleaseStore
from warehouse.release.verify_log import verify_log

PACKAGES = Path("/usr/share/gocode")  # of Debian
SEED = base64.b64encode(bytes([7]) * 32).decode()
# More than two tiles of entries need a tile of the next level.
ENTRIES = 600


@pytest.fixture(scope="module")
def public() -> Iterator[str]:
    """Public key of the log; sets the signing key of this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY_VARIABLE, SEED)
        key = signing_key()
        assert key is not None
        yield base64.b64encode(key.public_key().public_bytes_raw()).decode()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, public: str) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("tiles")
    write_release(folder, [resource(1)])
    log = ReleaseStore(folder).log
    (first,) = log.entries()
    with log.lock():
        for _ in range(ENTRIES - 1):
            log.append("promote", first.release_id, first.manifest_sha256, signing_key())
    with running_service(folder, LARDER_RELEASE_KEYS=public) as address:
        yield address


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("go") is None or not (PACKAGES / "src/golang.org/x/mod").exists():
        pytest.skip("no Go: apt-get install golang-go golang-golang-x-mod-dev")
    folder = tmp_path_factory.mktemp("go")
    go = {"GO111MODULE": "off", "GOPATH": str(PACKAGES), "GOCACHE": str(folder / "cache")}
    subprocess.run(
        ["go", "build", "-o", folder / "client", ROOT / "tests/support/tlog_client.go"],
        env={**os.environ, **go},
        check=True,
    )
    return folder / "client"


def _run(client: Path, base: str, key: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([client, f"{base}/log", key], capture_output=True, text=True, check=False)


def test_a_foreign_client_proves_every_entry(service: str, client: Path) -> None:
    (key,) = httpx.get(f"{service}/log/key").text.splitlines()
    process = _run(client, service, key)
    assert (process.stdout, process.stderr) == (f"{ENTRIES} entries of {ENTRIES}\n", "")


def test_a_foreign_client_refuses_another_key(service: str, client: Path) -> None:
    name = httpx.get(f"{service}/log/key").text.partition("+")[0]
    # The key of another log, from the documentation of the Go package.
    stranger = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    process = _run(client, service, stranger)
    assert name not in stranger
    assert process.returncode == 1
    assert "note has no verifiable signatures" in process.stderr


def test_our_own_client_checks_the_same_tree(service: str, public: str) -> None:
    report = verify_log(log_of_instance(service), public_keys(public))
    assert (report.checkpoint_size, report.checked_signatures) == (ENTRIES, ENTRIES)
