"""Mental health facilities of SAMHSA's treatment locator, as an academic repository kept them in 2020."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.reading import read_csv_text, with_rejects, without_sentinels
from assets.sources.samhsa_locator import COLUMNS, places_of
from schemas.sources.registry import Source

_REQUIRED = [*COLUMNS, "phone", "intake1", "intake2", "website", "type_facility"]


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yields the file's facilities in one frame. Raises UnreadableFileError when columns are missing."""
    rows = without_sentinels(read_csv_text(file, required=_REQUIRED), ["NA", "http://"])
    intake = rows["intake1"].str.cat(rows["intake2"], sep=", ", na_rep="").str.removesuffix(", ")
    places = places_of(rows).assign(
        phone=rows["phone"],
        website=rows["website"],
        notes="Intake: " + intake.where(rows["intake1"].notna()),
    )
    is_other = rows["type_facility"] != "MH"
    detail = "type_facility: " + rows["type_facility"].fillna("none")
    yield with_rejects(places, (("not_in_catalog", is_other, detail),))
