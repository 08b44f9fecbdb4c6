"""Approved submissions and edits as sources, from the bytes of the store to the contract."""

from pathlib import Path

import pandas as pd
import pytest

from assets.sources.assemble import assemble
from schemas.sources.registry import sources
from tests.support.cases import labelled
from tests.support.source_files import raw_file

FIXTURES = Path(__file__).parent / "fixtures"


def accepted(source_id: str, name: str) -> pd.DataFrame:
    source = sources()[source_id]
    rows = assemble(source, [raw_file(source, FIXTURES / source_id / name)])
    assert rows.rejects.empty
    return rows.accepted.set_index("source_key")


@labelled("key, field, expected")
def test_submissions(key: str, field: str, expected: object) -> None:
    value = accepted("operations", "submissions.json").loc[key, field]
    assert (None if pd.isna(value) else value) == expected


@labelled("key, field, expected")
def test_edits(key: str, field: str, expected: object) -> None:
    assert accepted("operations_edits", "edits.json").loc[key, field] == expected


@pytest.mark.parametrize("source_id", ["operations", "operations_edits"])
def test_nothing_approved_gives_no_row(source_id: str) -> None:
    assert assemble(sources()[source_id], []).rows_read == 0
