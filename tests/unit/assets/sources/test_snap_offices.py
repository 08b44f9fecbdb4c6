"""SNAP offices: the city's directory, and lists in HSDS names."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from assets.sources.contract import UnreadableFileError
from schemas.sources.registry import sources
from tests.support.source_files import FIXTURES, fixture_rows, fixture_value, rows_of

SOURCE = "snap_offices"
NYC = "nyc_snap_centers.test.json"
LIST = "snap_offices.test.csv"


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(NYC, 1, "state", "NY", id="the state is known"),
        pytest.param(
            NYC, 1, "hours_text", "Monday - Friday 8:30 AM - 5:00 PM", id="comments say when"
        ),
        pytest.param(NYC, 1, "notes", None, id="and nothing else"),
        pytest.param(NYC, 1, "lat", 40.85, id="numbers as text"),
        pytest.param(NYC, 1, "phone", "718-555-0150", id="phone"),
        pytest.param(NYC, 1, "resource_type", "snap_office", id="type"),
        pytest.param(NYC, 2, "city", "Queens", id="borough for a missing city"),
        pytest.param(NYC, 2, "zip", "11499", id="the other name of the ZIP"),
        pytest.param(NYC, 2, "hours_text", None, id="a remark is no hours"),
        pytest.param(NYC, 2, "notes", "Residents of Queens", id="no e-mail address"),
        pytest.param(LIST, 1, "source_key", "id:44", id="the list's own id"),
        pytest.param(LIST, 1, "address", "12 Heron Road, Suite 2", id="two address lines"),
        pytest.param(LIST, 1, "hours_text", "Mon-Fri 8am-4pm", id="schedule"),
        pytest.param(
            LIST, 1, "notes", "Interpreters on request.", id="remark without e-mail address"
        ),
        pytest.param(LIST, 1, "eligibility_text", "Residents of Larch County", id="who"),
        pytest.param(LIST, 1, "requirements_text", "Photo ID", id="what to bring"),
        pytest.param(LIST, 1, "source_updated_date", date(2026, 5, 2), id="assured"),
        pytest.param(LIST, 1, "reject_reason", None, id="active"),
        pytest.param(LIST, 2, "reject_reason", "closed_by_source", id="inactive"),
        pytest.param(LIST, 2, "lat", None, id="no point"),
    ],
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
