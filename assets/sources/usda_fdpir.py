"""Tribal organizations and state agencies that run the Food Distribution Program on Indian
Reservations.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.reading_fns_agencies import read_agencies
from schemas.sources.registry import Source


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the layer's agencies in one frame. Raises UnreadableFileError when columns are
    missing."""
    yield read_agencies(file, "FDPIR")
