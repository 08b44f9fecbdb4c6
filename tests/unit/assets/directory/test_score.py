"""Completeness of a place, weighted by the risk of a wasted trip."""

from typing import Any

import pandas as pd

from assets.directory.scores import PARTS, completeness
from tests.support.cases import cases

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


@cases(
    "row, score, missing",
    {
        "nothing": ({}, 0, ALL),
        "everything": (FULL, 100, []),
        "hours as text": ({"hours_text": "call"}, 30, _without("hours")),
        "hours that were read": ({"schedules_json": "[]"}, 30, _without("hours")),
        "street": ({"location_precision": "street"}, 10, _without("exact_point")),
        "the ZIP's point is not exact": ({"location_precision": "zip"}, 0, ALL),
        "nor is the town's": ({"location_precision": "city"}, 0, ALL),
        "who may come": ({"eligibility_text": "all"}, 10, _without("services_or_requirements")),
        "two of one part count once": (
            {"requirements_text": "ID", "services_text": "boxes"},
            10,
            _without("services_or_requirements"),
        ),
        "all but the phone": ({**FULL, "phone": None}, 80, ["phone"]),
    },
)
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
