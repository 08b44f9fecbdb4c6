"""Diaper banks and pantries: lists that their keepers gave to the directory, in HSDS names."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.reading import with_rejects
from assets.sources.reading_flat_hsds import inactive, read_flat_hsds
from schemas.sources.registry import Source


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's banks in one frame. Raises UnreadableFileError when columns are missing."""
    rows = read_flat_hsds(file)
    yield with_rejects(rows.drop(columns="status"), (inactive(rows),))
