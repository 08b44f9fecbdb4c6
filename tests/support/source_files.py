"""Reads publishers' files: fixtures, and real files if present."""

from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from assets.sources.contract import BY_COLUMNS, RawFile, rows_of_files
from schemas.sources.registry import ExpectedRows, License, Source, sources

_ROOT = Path(__file__).resolve().parents[2]
FIXTURES = _ROOT / "tests" / "unit" / "assets" / "sources" / "fixtures"
SHARED_SOURCES = _ROOT.parent / "shared" / "sources"


RETRIEVED = datetime(2026, 11, 1, 6, tzinfo=UTC)


def make_source(**facts: Any) -> Source:
    """Return an invented source."""
    return Source(
        **{
            "id": "agency_list",
            "title": "Invented list",
            "publisher": "Invented agency",
            "homepage": "https://agency.example/",
            "license": License("none", "none", False),
            "cadence": "monthly",
            "cron": "0 6 1 * *",
            "freshness_days": 40,
            "authority": "registry",
            "plural": "sites",
            "description": "For tests.",
            "files": [],
            "folders": [],
            "expected_rows": ExpectedRows(1, 10),
            **facts,
        }
    )


def raw_file(
    source: Source, path: Path, vintage: date | None = None, retrieved_at: datetime = RETRIEVED
) -> RawFile:
    """Return the file as the raw store passes it to a source module, with any layout."""
    layout = source.layout_of(path.name)
    return RawFile(
        source_id=source.id,
        name=path.name.removesuffix(".gz"),
        path=path,
        sha256="0" * 64,
        layout=layout.layout if layout else BY_COLUMNS,
        retrieved_at=retrieved_at,
        vintage=vintage or source.vintage_of(path.name),
    )


def file_of(
    path: Path, content: str | bytes | None = None, source: str = "agency_list", **facts: Any
) -> RawFile:
    """Return a file of an invented source, after writing any content to it."""
    if content is not None:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    facts = {"layout": "list", "retrieved_at": RETRIEVED, **facts}
    return RawFile(source, path.name, path, "0" * 64, **facts)


def rows_of(source_id: str, *paths: Path, retrieved_at: datetime = RETRIEVED) -> pd.DataFrame:
    """Return the rows of files in the columns of the contract."""
    source = sources()[source_id]
    files = [raw_file(source, path, retrieved_at=retrieved_at) for path in paths]
    return rows_of_files(source, files)


def fixture_rows(source_id: str, *names: str, retrieved_at: datetime = RETRIEVED) -> pd.DataFrame:
    """Return the rows of fixtures, cached in the process."""
    return _fixture_rows(source_id, names, retrieved_at).copy()


@cache
def _fixture_rows(source_id: str, names: tuple[str, ...], retrieved_at: datetime) -> pd.DataFrame:
    paths = (FIXTURES / source_id / name for name in names)
    return rows_of(source_id, *paths, retrieved_at=retrieved_at)


@cache
def _fixture_by(column: str, source_id: str, files: str, retrieved_at: datetime) -> pd.DataFrame:
    rows = fixture_rows(source_id, *files.split(" + "), retrieved_at=retrieved_at)
    return rows.set_index(column)


def fixture_value(
    source_id: str, files: str, row: int | str, field: str, retrieved_at: datetime = RETRIEVED
) -> object:
    """Return a field of a row, by number or key, of fixtures joined by " + "; None if missing."""
    column = "source_row" if isinstance(row, int) else "source_key"
    return plain(_fixture_by(column, source_id, files, retrieved_at).loc[row, field])


def plain(value: object) -> object:
    """Return a cell of a frame, None where it is missing."""
    return value if isinstance(value, list) or pd.notna(value) else None


def shared_rows(
    source_id: str, folder: str, *names: str, retrieved_at: datetime = RETRIEVED
) -> pd.DataFrame:
    """Return rows of the real files; skip the test if they are missing."""
    paths = [SHARED_SOURCES / folder / f"{name}.gz" for name in names]
    if not all(path.exists() for path in paths):
        pytest.skip("the publishers' files are not in ../shared")
    return rows_of(source_id, *paths, retrieved_at=retrieved_at)
