"""Hours coverage by source."""

import pandas as pd

from assets.hours.columns import find_unread_patterns, hours_coverage
from schemas.hours.schedule import READ_IN_PART, Schedule, schedules_as_json

IN_PART = schedules_as_json([Schedule(description=READ_IN_PART)])
PLACES = pd.DataFrame(
    {
        "source_id": ["a", "a", "a", "b", "b", "c"],
        "hours_text": ["Tue 9-12", "ask", None, "Mon 9-12", "Mon 9-12", None],
        "schedules_json": [IN_PART, None, None, "[]", "[]", None],
    }
)


def test_coverage_counts_texts_and_schedules_by_source() -> None:
    found = hours_coverage(PLACES).to_dict("split")["data"]
    assert found == [
        ["a", 3, 2, 1, 1, 1, 0.5],
        ["b", 2, 2, 2, 0, 0, 1.0],
        ["total", 5, 4, 3, 1, 1, 0.75],
    ]


def test_sources_without_hours_give_an_empty_table_and_an_empty_total() -> None:
    found = hours_coverage(PLACES[PLACES["source_id"] == "c"])
    assert found["source_id"].tolist() == ["total"]
    assert found["with_text"].tolist() == [0]


def test_patterns_count_texts_that_differ_in_days_and_times_only() -> None:
    texts = ["Mon 9-5 (call bob by 4)", "Tue 9-12; ask", "Tue 8-4 (call bob by 3)", "bob at 7"]
    assert find_unread_patterns(pd.Series([*texts, None]), 2) == [
        ("( call bob by TIME )", 2, texts[0]),
        ("ask", 1, texts[1]),
    ]
