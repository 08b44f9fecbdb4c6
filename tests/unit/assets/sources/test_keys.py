"""Keys of rows: one for each place, in any form, edition and letter case."""

import pandas as pd
import pytest

from tests.support.cases import labelled
from tests.support.source_files import fixture_rows, shared_rows


@labelled("source, file, keys")
def test_rows_share_a_key(source: str, file: str, keys: list[int]) -> None:
    """`keys`: for each row the first one that has its key, counted from 1."""
    source_keys = fixture_rows(source, file)["source_key"].tolist()
    assert [source_keys.index(key) + 1 for key in source_keys] == keys


MAINE = ("maine_pantries_2014", "pantries.csv", "pantries.geojson")


@labelled("source, one, other, count")
def test_files_share_keys(source: str, one: str, other: str, count: int) -> None:
    keys = [set(fixture_rows(source, name)["source_key"]) for name in (one, other)]
    assert len(keys[0] & keys[1]) == count


@pytest.mark.shared
@labelled("source, one, other, count")
def test_real_files_share_keys(source: str, one: str, other: str, count: int) -> None:
    keys = [set(shared_rows(source, source, name)["source_key"]) for name in (one, other)]
    assert len(keys[0] & keys[1]) == count


# A page of NCES has no points.
_OF_PAGE = ["file_name", "lat", "lng", "location_precision"]


@labelled("source, one, other, differing")
def test_forms_give_equal_rows(source: str, one: str, other: str, differing: list[str]) -> None:
    rows = [fixture_rows(source, name).drop(columns=differing) for name in (one, other)]
    pd.testing.assert_frame_equal(*rows)


@pytest.mark.shared
@labelled("source, folder, one, other, differing")
def test_real_forms_give_equal_rows(
    source: str, folder: str, one: str, other: str, differing: list[str]
) -> None:
    rows = [shared_rows(source, folder, name).drop(columns=differing) for name in (one, other)]
    pd.testing.assert_frame_equal(*rows)
