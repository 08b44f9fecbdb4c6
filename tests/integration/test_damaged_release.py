"""A disk loses a byte of the served release: the next build never seals it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.dated_builds import (
    FIRST,
    SECOND,
    build_on,
    changed_since_release,
    digests,
    tried_on,
)
from warehouse.release.store import ReleaseStore

# Tables on disk are also these very files.
REFUSED = ("exports/core_fema_declarations__areas.parquet", "exports/core_geography__zips.parquet")


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("before")
    yield changed_since_release(root / "data")
    shutil.rmtree(root)


@pytest.fixture(scope="module")
def sound(before: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The files of the next release when nothing is damaged."""
    data = _copy(before, tmp_path_factory.mktemp("sound"))
    build_on(data, SECOND, 2)
    yield digests(data, SECOND)
    shutil.rmtree(data)


def _copy(data: Path, folder: Path) -> Path:
    """What are two names of one file there are so here: damage strikes both."""
    subprocess.run(["cp", "-a", str(data), str(folder / "data")], check=True)
    return folder / "data"


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_linked_and_damaged_is_not_sealed(
    before: Path, sound: dict[str, str], tmp_path: Path, name: str
) -> None:
    data = _copy(before, tmp_path)
    store = ReleaseStore(data)
    _flip(store.folder(FIRST) / name)
    outcome = tried_on(data, SECOND, 2)
    assert name.rpartition("/")[2] in " ".join(outcome.failures)
    assert store.current() == FIRST
    # What the documents advise: what the stopped build made of it must go as well.
    shutil.rmtree(data / "tables" / ".notes")
    for note in (data / "products").glob(".*.json"):
        note.unlink()
    build_on(data, SECOND, 2)
    assert digests(data, SECOND) == sound
    shutil.rmtree(data)
