"""Reads files of the demo as a build does."""

from dataclasses import replace
from pathlib import Path

import pytest

from assets.geography.model import Geography
from assets.sources.assemble import SourceRows, assemble
from schemas.sources.registry import sources
from tests.support.geography import packaged_geography
from tests.support.source_files import raw_file


@pytest.fixture(scope="module")
def geography() -> Geography:
    return packaged_geography()


def assemble_demo(folder: Path, source_id: str) -> SourceRows:
    """Return the rows of a source of a demo."""
    source = sources()[source_id]
    paths = sorted(p for name in source.folders for p in (folder / name).glob("*"))
    assert paths, source_id
    files = [raw_file(source, path, source.vintage_of(path.name)) for path in paths]
    return assemble(source, [replace(file, is_synthetic=True) for file in files])
