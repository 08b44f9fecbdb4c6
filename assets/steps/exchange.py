"""Passes files between steps through object storage if steps run on several machines.

While a step runs, `Workspace` fetches on demand: at the first access to a table, product or file,
missing or differing local files are fetched. The step's outputs are sent after it succeeded. On one
machine it does nothing.
"""

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock

from assets.steps.products import FOLDERS_BY_STATE, PRODUCTS
from warehouse.files import lock
from warehouse.release.signing import public_keys
from warehouse.release.store import ReleaseError, ReleaseStore
from warehouse.storage.bucket import StorageError
from warehouse.storage.fetching import PullError
from warehouse.storage.publish import LogObject, push, read_pointer
from warehouse.storage.replica import Replica
from warehouse.storage.shared_files import SharedFiles, open_shared_storage

# The unit of releases, their log and history, stored in the layout that replicas follow.
RELEASES = "releases"
_FOLDERS = {product.asset: product.folder for product in PRODUCTS}


class _Exchange:
    """Files that a running step has already fetched."""

    def __init__(self, files: SharedFiles) -> None:
        self.files = files
        self._asked: set[str] = set()
        self._lock = RLock()

    def bring(self, unit: str) -> None:
        with self._lock:
            if unit not in self._asked:
                _follow(self.files) if unit == RELEASES else self.files.fetch(unit)
                self._asked.add(unit)

    def send(self, unit: str) -> None:
        _follow(self.files) if unit == RELEASES else self.files.send(unit)


# For the step of this process, which runs one at a time.
_running: list[_Exchange] = []


@contextmanager
def exchanging(root: Path, step: str, assets: Sequence[str]) -> Iterator[None]:
    """Fetch the inputs of a step that makes `assets`, and send its outputs if it succeeds.

    Raises StorageError naming step and object. The storage then has the assets of an earlier run.
    """
    bucket = open_shared_storage()
    if bucket is None:
        yield
        return
    exchange = _Exchange(SharedFiles(bucket, root))
    units = [unit for asset in assets for unit in _units_of(asset)]
    _running.append(exchange)
    try:
        for unit in units:
            exchange.bring(unit)
        yield
        for unit in units:
            exchange.send(unit)
    except (StorageError, ReleaseError, PullError) as error:
        raise StorageError(f"step {step}: {error}") from error
    finally:
        _running.remove(exchange)


def bring(unit: str) -> None:
    """Fetch a unit of files (`warehouse.storage.shared_files`) unless the step has it. Raises
    StorageError.
    """
    if _running:
        _running[-1].bring(unit)


def send(unit: str) -> None:
    """Send a unit of files that the step changed in addition to its assets. Raises StorageError."""
    if _running:
        _running[-1].send(unit)


def prune() -> None:
    """Delete units from the storage that no step has sent for a day. Raises StorageError."""
    if _running:
        _running[-1].files.prune()


def _units_of(asset: str) -> list[str]:
    """Return the units of files that the step of an asset writes."""
    units = [f"tables/{name}" for name in (asset, f"{asset}_rejects")]
    units += [f"tables/{name}" for name in FOLDERS_BY_STATE.get(asset, ()) if name != asset]
    if asset in _FOLDERS:
        units.append(f"products/{_FOLDERS[asset]}")
    if asset == "out_directory__release":
        units.append(RELEASES)
    return units


def _follow(files: SharedFiles) -> None:
    """Pull the release of the storage; push the locally served one if it is the next."""
    store = ReleaseStore(files.root)
    with lock(store.root / ".follow.lock", "following the storage's releases", waits=True):
        pointer = read_pointer(files.bucket)
        if store.current() and (pointer is None or _goes_on(store.log.content(), pointer[0].log)):
            push(store, files.bucket)
        elif pointer is not None:
            key = os.environ.get("LARDER_RELEASE_KEYS", "")
            Replica(files.bucket, files.root, public_keys(key) if key else {}).pull()


def _goes_on(log: bytes, remote: LogObject) -> bool:
    """Return whether a release log has entries after those in the storage."""
    start = log[: remote.size_bytes]
    return len(log) > len(start) and hashlib.sha256(start).hexdigest() == remote.sha256
