"""The digest of a table file is read once for as long as the file is the same, and never taken for
another's.
"""

import os
import time
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemas.tables.core import TYPE_COUNTS
from warehouse import parquet
from warehouse.parquet import content_digest, write_arrow, write_table

_COUNTS = pd.DataFrame({"state": ["AK"], "resource_type": ["food_pantry"], "resource_count": [1]})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_table(_COUNTS, TYPE_COUNTS, tmp_path / "counts.parquet")
    return tmp_path / "counts.parquet"


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that are opened for their digest."""
    paths: list[Path] = []
    whole = parquet._content_digest

    def noted(path: Path) -> str:
        paths.append(path)
        return whole(path)

    monkeypatch.setattr(parquet, "_content_digest", noted)
    parquet._read_content_digest.cache_clear()
    return paths


def _later(monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time_ns()
    monkeypatch.setattr(parquet.time, "time_ns", lambda: now + 10**10)


def test_a_file_that_stays_is_read_once(
    path: Path, reads: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    _later(monkeypatch)
    assert content_digest(path) == content_digest(path) is not None
    assert len(reads) == 1


def test_another_file_in_its_place_is_read(
    path: Path, reads: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    _later(monkeypatch)
    first = content_digest(path)
    write_table(_COUNTS.assign(resource_count=[2]), TYPE_COUNTS, path)
    assert content_digest(path) != first
    path.unlink()
    assert content_digest(path) is None


def test_a_file_that_is_written_to_is_read_again(
    path: Path, reads: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    _later(monkeypatch)
    content_digest(path)
    status = path.stat()
    time.sleep(0.02)  # the clock of files ticks a hundred times in a second, or more often
    with path.open("r+b") as file:
        file.write(file.read(1))
    # Whoever sets the times back cannot set back when they were set.
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    content_digest(path)
    assert len(reads) == 2


def test_a_file_that_has_just_been_written_is_read_each_time(path: Path, reads: list[Path]) -> None:
    """Within a tick of the clock it could change and look the same."""
    content_digest(path)
    content_digest(path)
    assert len(reads) == 2


def test_the_file_does_not_depend_on_memory_layout(tmp_path: Path) -> None:
    rows = 300_000
    whole = pa.table({"number": range(rows), "text": [f"{n:040}" for n in range(rows)]})
    torn = pa.concat_tables([whole.slice(start, 70_001) for start in range(0, rows, 70_001)])
    assert torn.column(0).num_chunks > 1
    for name, table in (("whole", whole), ("torn", torn), ("read", torn.to_reader(50_000))):
        assert write_arrow(table, tmp_path / name) == rows
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "torn").read_bytes()
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "read").read_bytes()
    assert pq.read_table(tmp_path / "torn").equals(whole)
