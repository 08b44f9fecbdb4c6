"""`larder hours`: texts in, schedules out, and the unread texts of a build."""

from pathlib import Path

import pandas as pd
from click.testing import CliRunner

from pipelines.cli import main
from schemas.tables.core import LOCATED


def test_one_line_of_output_for_each_line_of_input(tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_bytes(b"Tue 9-12\n\xff\xfe Mon\n\nS\xc3\xa1bados 9 a 11am\n")
    result = CliRunner().invoke(main, ["hours", str(texts)])
    assert result.exit_code == 0
    assert [line[:16] for line in result.output.splitlines()] == [
        '[{"opens_at":"09',
        "null",
        "null",
        '[{"opens_at":"09',
    ]


def test_unread_clauses_of_the_last_build(tmp_path: Path) -> None:
    texts = dict.fromkeys(("services_text", "requirements_text", "eligibility_text"))
    rows = [
        {
            **texts,
            "notes": "Photo ID required. Use the side door",
            "hours_text": "Tue 9-12; side door",
        },
        {**texts, "notes": "Halal food available. Ring the bell", "hours_text": "Tue 9-12"},
    ]
    (tmp_path / "tables").mkdir()
    places = pd.DataFrame(rows).assign(source_id="a", name=None)
    places.to_parquet(tmp_path / "tables" / f"{LOCATED.name}.parquet")
    result = CliRunner().invoke(main, ["hours", "--unread", "--data", str(tmp_path)])
    assert result.exit_code == 0
    counts = [line.split() for line in result.output.splitlines() if line.startswith("a ")]
    assert [(row[1], *row[2:5]) for row in counts] == [
        ("notes", "2", "4", "2"),
        ("hours_text", "2", "3", "1"),
    ]


def test_unread_texts_before_the_first_build(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["hours", "--unread", "--data", str(tmp_path)])
    assert result.exit_code == 1
    assert "nothing was built" in result.output
