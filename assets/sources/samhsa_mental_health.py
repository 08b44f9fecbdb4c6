"""Mental health facilities of SAMHSA's treatment locator, as an academic repository kept them in
2020.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.reading import with_columns, with_rejects, without_sentinels
from assets.sources.reading_table import read_table
from assets.sources.samhsa_locator import OPTIONAL, REQUIRED, places_of
from schemas.sources.registry import Source

_REQUIRED = [*REQUIRED, "phone", "type_facility"]
_OPTIONAL = [*OPTIONAL, "intake1", "intake2", "website"]


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's facilities in one frame. Raises UnreadableFileError when columns are
    missing."""
    rows = read_table(file, required=_REQUIRED, optional=_OPTIONAL)
    rows = without_sentinels(with_columns(rows, _OPTIONAL), ["NA", "http://"])
    intake = rows["intake1"].str.cat(rows["intake2"], sep=", ", na_rep="").str.removesuffix(", ")
    places = places_of(rows).assign(
        phone=rows["phone"],
        website=rows["website"],
        notes="Intake: " + intake.where(rows["intake1"].notna()),
    )
    is_other = rows["type_facility"] != "MH"
    detail = "type_facility: " + rows["type_facility"].fillna("none")
    yield with_rejects(places, (("not_in_catalog", is_other, detail),))
