"""Hours coverage by source."""

from __future__ import annotations

import pandas as pd

from assets.hours.coverage import hours_coverage, reasons_not_read

PLACES = pd.DataFrame(
    {
        "source_id": ["a", "a", "a", "b", "b", "c"],
        "hours_text": ["Tue 9-12", "ask", None, "Mon 9-12", "Mon 9-12", None],
        "schedules_json": ["[]", None, None, "[]", "[]", None],
    }
)


def test_coverage_counts_texts_and_schedules_by_source() -> None:
    found = hours_coverage(PLACES).to_dict("split")["data"]
    assert found == [
        ["a", 3, 2, 1, 1, 0.5],
        ["b", 2, 2, 2, 0, 1.0],
        ["total", 5, 4, 3, 1, 0.75],
    ]


def test_sources_without_hours_give_an_empty_table_and_an_empty_total() -> None:
    found = hours_coverage(PLACES[PLACES["source_id"] == "c"])
    assert found["source_id"].tolist() == ["total"]
    assert found["with_text"].tolist() == [0]


def test_reasons_count_each_text_once_the_commonest_first() -> None:
    texts = pd.Series(["Tuesdays", "Tuesdays", "Mondays", "9-12", None, "Tue 9-12"])
    assert reasons_not_read(texts) == [("days without times", 2), ("times without days", 1)]
