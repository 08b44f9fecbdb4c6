"""Mental health facilities of SAMHSA's treatment locator: the live list, and one that an academic
repository kept in 2020.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.reading import with_rejects
from assets.sources.samhsa_locator import places_of, read_locator
from schemas.sources.registry import Source


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's facilities in one frame. Raises UnreadableFileError when columns are
    missing."""
    rows = read_locator(file, ["type_facility"])
    is_other = rows["type_facility"] != "MH"
    detail = "type_facility: " + rows["type_facility"].fillna("none")
    yield with_rejects(places_of(rows), (("not_in_catalog", is_other, detail),))
