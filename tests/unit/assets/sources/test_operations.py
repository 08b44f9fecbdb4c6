"""Approved submissions and edits as sources, from the bytes of the store to the contract."""

from pathlib import Path

import pandas as pd
import pytest

from assets.sources.assemble import assemble
from schemas.sources.registry import sources
from tests.support.source_files import raw_file

FIXTURES = Path(__file__).parent / "fixtures"


def accepted(source_id: str, name: str) -> pd.DataFrame:
    source = sources()[source_id]
    rows = assemble(source, [raw_file(source, FIXTURES / source_id / name)])
    assert rows.rejects.empty
    return rows.accepted.set_index("source_key")


@pytest.mark.parametrize(
    ("key", "field", "expected"),
    [
        ("submission-1", "name", "Zebra Finch Pantry"),
        ("submission-1", "city", "Philadelphia"),
        ("submission-1", "phone_e164", "+12025550143"),
        ("submission-1", "services_text", "groceries; write to"),
        ("submission-1", "is_public", True),
        ("submission-2", "phone", None),
        ("submission-2", "website", None),
    ],
)
def test_submissions(key: str, field: str, expected: object) -> None:
    value = accepted("operations", "submissions.json").loc[key, field]
    assert (None if pd.isna(value) else value) == expected


@pytest.mark.parametrize(
    ("key", "field", "expected"),
    [
        ("edit-1", "resource_id", 101),
        ("edit-1", "phone", "(202) 555-0177"),
        ("edit-1", "phone_e164", "+12025550177"),
        ("edit-1", "services_text", "groceries; diapers"),
        ("edit-1", "cleared_fields", ["website"]),
        ("edit-1", "edit_authority", "operator"),
        ("submission-1-confirmed", "target_key", "submission-1"),
        ("submission-1-confirmed", "is_confirmed", True),
        ("feedback-1", "evidence", "closed for good, confirmed after review"),
        ("edit-2", "is_active", False),
    ],
)
def test_edits(key: str, field: str, expected: object) -> None:
    assert accepted("operations_edits", "edits.json").loc[key, field] == expected


@pytest.mark.parametrize("source_id", ["operations", "operations_edits"])
def test_nothing_approved_gives_no_row(source_id: str) -> None:
    assert assemble(sources()[source_id], []).rows_read == 0
