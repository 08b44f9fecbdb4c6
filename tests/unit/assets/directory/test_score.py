"""Completeness of a place, weighted by the risk of a wasted trip."""

from typing import Any

import pandas as pd

from assets.directory.scores import PARTS, completeness
from tests.support.cases import labelled

COLUMNS = [
    "schedules_json",
    "hours_text",
    "address",
    "phone",
    "location_precision",
    "website",
    "services_text",
    "requirements_text",
    "eligibility_text",
]
ALL = ["hours", "address", "phone", "exact_point", "website", "services_or_requirements"]
FULL = {
    "hours_text": "Mon 9-12",
    "address": "1 Elm St",
    "phone": "503-555-0100",
    "location_precision": "rooftop",
    "website": "https://larkspur.example",
    "services_text": "boxes",
}


def _without(*names: str) -> list[str]:
    return [name for name in ALL if name not in names]


def test_weights_add_up_to_100() -> None:
    assert [name for name, _, _ in PARTS] == ALL
    assert sum(weight for _, weight, _ in PARTS) == 100


@labelled("row, score, missing")
def test_completeness(row: dict[str, Any], score: int, missing: list[str]) -> None:
    rows = pd.DataFrame([row], index=[7]).reindex(columns=COLUMNS)
    scores, lacking = completeness(rows)
    assert scores.to_dict() == {7: score}
    assert lacking.to_dict() == {7: missing}


def test_scores_are_per_row_and_empty_for_no_rows() -> None:
    rows = pd.DataFrame([FULL, {}, FULL]).reindex(columns=COLUMNS)
    assert completeness(rows)[0].tolist() == [100, 0, 100]
    score, missing = completeness(rows.iloc[:0])
    assert score.empty
    assert missing.empty
