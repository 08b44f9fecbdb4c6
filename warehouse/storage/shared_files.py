"""Passes files between the machines of one build through object storage.

    <url>/build/files/<sha256>       bytes, written once
    <url>/build/units/<unit>.json    path and SHA-256 of each file of a unit, written after them

A unit is the output of one step that others read together: a table with its lineage records, a
product, the stored files of a source. Its list is replaced atomically, so that readers find every
file it names, all from one step.
"""

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path, PurePosixPath

import msgspec

from warehouse.files import replacing, sha256_of
from warehouse.parquet import notes_path
from warehouse.storage.bucket import Bucket, StorageError
from warehouse.storage.publish import storage_of

FOLDER = "build"
_LIST_BYTES = 16 << 20
# A step may be sending files that its list will name later.
_UNLISTED_FOR = timedelta(days=1)
# Files local to one machine: downloads in progress, temporary files, locks.
_OWN_SUFFIXES = (".tmp", ".lock")
_OWN_FOLDERS = {".incoming", ".parts"}


def open_shared_storage() -> Bucket | None:
    """Return the storage that steps share; None if all run on one machine.

    Other machines in `LARDER_EXECUTOR` use `LARDER_STORAGE_URL`; without it they must share a
    folder. Raises StorageError.
    """
    is_here = os.environ.get("LARDER_EXECUTOR", "").strip() in ("", "processes")
    return None if is_here else storage_of()


class SharedFiles:
    """The units below `root` and their copies in the storage."""

    def __init__(self, bucket: Bucket, root: Path) -> None:
        self.bucket, self.root = bucket, root

    def fetch(self, unit: str) -> None:
        """Make the local files of a unit equal to the storage's; only differing ones are fetched.

        A unit that was never sent stays unchanged. Raises StorageError.
        """
        digests = self._list(unit)
        if digests is None:
            return
        here = self._digests(unit)
        for path, digest in digests.items():
            if here.get(path) != digest:
                self._fetch_file(path, digest)
        for path in here.keys() - digests.keys():
            (self.root / path).unlink(missing_ok=True)

    def send(self, unit: str) -> None:
        """Replace a unit in the storage by its local files. Raises StorageError."""
        here, there = self._digests(unit), self._list(unit)
        if here == (there or {}):
            return
        stored_digests = set((there or {}).values())
        for path, digest in here.items():
            if digest not in stored_digests:
                self.bucket.write_file(f"{FOLDER}/files/{digest}", self.root / path)
                stored_digests.add(digest)
        self.bucket.write(_list_path(unit), msgspec.json.encode(here, order="sorted"))

    def prune(self) -> int:
        """Delete objects that no list has named for a day; return their number. Raises
        StorageError."""
        base, latest = f"{FOLDER}/files/", datetime.now(UTC) - _UNLISTED_FOR
        old = [p for p, when in self.bucket.write_times(base).items() if when < latest]
        if not old:
            return 0
        lists = f"{FOLDER}/units/"
        units = (p.removeprefix(lists).removesuffix(".json") for p in self.bucket.sizes(lists))
        listed_digests = {digest for unit in units for digest in (self._list(unit) or {}).values()}
        unlisted = [path for path in old if path.removeprefix(base) not in listed_digests]
        self.bucket.delete(unlisted)
        return len(unlisted)

    def _list(self, unit: str) -> dict[str, str] | None:
        """Return the path and SHA-256 of a unit's stored files; None if it was never sent."""
        try:
            content, _ = self.bucket.read(_list_path(unit), _LIST_BYTES)
        except FileNotFoundError:
            return None
        try:
            digests = msgspec.json.decode(content, type=dict[str, str])
        except msgspec.DecodeError as error:
            raise StorageError(f"{self.bucket.url}/{_list_path(unit)}: {error}") from None
        if any(PurePosixPath(path).is_absolute() or ".." in path.split("/") for path in digests):
            raise StorageError(f"{self.bucket.url}/{_list_path(unit)} names files elsewhere")
        return digests

    def _fetch_file(self, path: str, digest: str) -> None:
        name = f"{FOLDER}/files/{digest}"
        with replacing(self.root / path, durably=False) as temporary:
            try:
                with temporary.open("wb") as file:
                    for piece in self.bucket.pieces(name):
                        file.write(piece)
            except FileNotFoundError as error:
                raise StorageError(f"{error}, and {path} is that file") from None
            if sha256_of(temporary) != digest:
                raise StorageError(f"{self.bucket.url}/{name} is damaged; it should be {path}")

    def _digests(self, unit: str) -> dict[str, str]:
        """Return the relative path and SHA-256 of a unit's local files."""
        paths = sorted(path for path in files_of(self.root, unit) if path.is_file())
        return {path.relative_to(self.root).as_posix(): _digest(path) for path in paths}


def files_of(root: Path, unit: str) -> Iterator[Path]:
    """Yield the files and folders of a unit below a data folder.

    `tables/NAME`, `products/NAME` and `raw/SOURCE` are units of many files; `one/PATH` is one file.
    """
    kind, _, name = unit.partition("/")
    if kind == "one":
        yield root / name
        return
    folder = root / kind
    if kind == "tables":
        yield folder / f"{name}.parquet"
        yield notes_path(folder / f"{name}.parquet")
        yield folder / ".lineage" / f"{name}.json"
        yield from (folder / ".lineage" / "checks").glob(f"{name}.*.json")
    if kind == "products":
        yield folder / f".{name}.json"
    for path in (folder / name).rglob("*"):
        inner = path.relative_to(folder / name)
        if not path.name.endswith(_OWN_SUFFIXES) and _OWN_FOLDERS.isdisjoint(inner.parts):
            yield path


def _list_path(unit: str) -> str:
    return f"{FOLDER}/units/{unit}.json"


def _digest(path: Path) -> str:
    stat = path.stat()
    return _read_digest(path, stat.st_ino, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=16_384)
def _read_digest(path: Path, *_which: int) -> str:
    return sha256_of(path)
