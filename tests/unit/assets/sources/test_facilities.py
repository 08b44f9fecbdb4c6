"""Registers with their own table, cleaned like places, and packages of several files."""

import json

import numpy as np
import pandas as pd
import pytest

from assets.sources.assemble import assemble
from assets.sources.contract import RawFile, rows_as_json
from schemas.sources.registry import sources
from schemas.tables.core import FACILITIES, PLACES
from tests.support.source_files import FIXTURES, raw_file


def _files(source_id: str) -> list[RawFile]:
    folder = FIXTURES / source_id
    return [raw_file(sources()[source_id], path) for path in sorted(folder.iterdir())]


def test_facilities_are_places_without_a_type_of_the_catalog() -> None:
    extra_fields = {"facility_type", "facility_subtype"}
    assert set(FACILITIES.field_names) - set(PLACES.field_names) == extra_fields
    assert set(PLACES.field_names) - set(FACILITIES.field_names) == {"resource_type"}


@pytest.mark.parametrize(
    ("source_id", "rows_read", "accepted"), [("va_facilities", 9, 8), ("hifld_hospitals", 2, 1)]
)
def test_every_facility_is_accounted_for(source_id: str, rows_read: int, accepted: int) -> None:
    result = assemble(sources()[source_id], _files(source_id))
    assert result.rows_read == rows_read == len(result.accepted) + len(result.rejects)
    assert len(result.accepted) == accepted
    assert list(result.accepted.columns) == FACILITIES.field_names
    assert not result.accepted["is_public"].any()


def test_a_package_without_its_companions_still_gives_its_rows() -> None:
    vast = [file for file in _files("va_facilities") if file.layout == "vast_csv"]
    result = assemble(sources()["va_facilities"], vast)
    assert result.rows_read == 5
    assert result.accepted["website"].isna().all()
    assert result.accepted["phone_e164"].notna().any()


@pytest.mark.parametrize("languages", [["en", "es"], np.array(["en", "es"], dtype=object)])
def test_lists_of_a_rejected_row_are_stored(languages: object) -> None:
    row = {"name": "Heron", "languages": languages, "lat": float("nan"), "phone": None}
    (text,) = rows_as_json(pd.DataFrame([row]))
    assert json.loads(text) == {"name": "Heron", "languages": ["en", "es"]}
