"""SNAP offices: the city's directory, and lists in HSDS names."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from assets.sources.contract import UnreadableFileError
from schemas.sources.registry import sources
from tests.support.cases import cases
from tests.support.source_files import FIXTURES, fixture_rows, fixture_value, rows_of

SOURCE = "snap_offices"
NYC = "nyc_snap_centers.test.json"
LIST = "snap_offices.test.csv"


@cases(
    "file, row, field, expected",
    {
        "the state is known": (NYC, 1, "state", "NY"),
        "comments say when": (NYC, 1, "hours_text", "Monday - Friday 8:30 AM - 5:00 PM"),
        "and nothing else": (NYC, 1, "notes", None),
        "numbers as text": (NYC, 1, "lat", 40.85),
        "phone": (NYC, 1, "phone", "718-555-0150"),
        "type": (NYC, 1, "resource_type", "snap_office"),
        "borough for a missing city": (NYC, 2, "city", "Queens"),
        "the other name of the ZIP": (NYC, 2, "zip", "11499"),
        "a remark is no hours": (NYC, 2, "hours_text", None),
        "no e-mail address": (NYC, 2, "notes", "Residents of Queens"),
        "the list's own id": (LIST, 1, "source_key", "id:44"),
        "two address lines": (LIST, 1, "address", "12 Heron Road, Suite 2"),
        "schedule": (LIST, 1, "hours_text", "Mon-Fri 8am-4pm"),
        "remark without e-mail address": (LIST, 1, "notes", "Interpreters on request."),
        "who": (LIST, 1, "eligibility_text", "Residents of Larch County"),
        "what to bring": (LIST, 1, "requirements_text", "Photo ID"),
        "assured": (LIST, 1, "source_updated_date", date(2026, 5, 2)),
        "active": (LIST, 1, "reject_reason", None),
        "inactive": (LIST, 2, "reject_reason", "closed_by_source"),
        "no point": (LIST, 2, "lat", None),
    },
)
def test_fixture(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


def test_keys_differ_and_no_email_is_given_on() -> None:
    rows = fixture_rows(SOURCE, NYC, LIST)
    assert rows["source_key"].notna().all()
    assert rows["source_key"].is_unique
    assert "@" not in rows.to_csv()


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    text = (FIXTURES / SOURCE / LIST).read_text("utf-8")
    (tmp_path / LIST).write_text(text.replace("postal_code", "another"), "utf-8")
    with pytest.raises(UnreadableFileError, match="postal_code"):
        rows_of(SOURCE, tmp_path / LIST)


def test_the_live_feed_has_a_layout() -> None:
    source = sources()[SOURCE]
    layout = source.layout_of(source.live[0].file_name)
    assert layout is not None
    assert layout.layout == "nyc_json"
