"""Needs other than a place with food: two tables of questions, and how the needs are defined."""

from datetime import date
from pathlib import Path

import pytest

from serving.search.language.needs import answer_need, needs
from serving.search.language.place_names import PlaceNames
from serving.search.language.reading import read_question

_HERE = Path(__file__).parent


def _rows(name: str) -> list[list[str]]:
    lines = (_HERE / name).read_text("utf-8").splitlines()
    return [line.split(" | ") for line in lines if line and not line.startswith("#")]


def _faults(names: PlaceNames, row: list[str]) -> list[str]:
    question, need, urgent, food = row
    reading = read_question(question, names)
    first = reading.needs[0].id if reading.needs else "-"
    expected = {
        "need": (first, need),
        "urgent": ("yes" if reading.wants.is_urgent else "no", urgent),
        "food": ("yes" if reading.seeks_food else "no", food),
    }
    return [
        f"{part}: {value}, not {right}"
        for part, (value, right) in expected.items()
        if right not in ("?", value) and not (part == "urgent" and right == "no")
    ]


def test_every_tuned_question_is_read(names: PlaceNames):
    faults = {row[0]: _faults(names, row) for row in _rows("needs_tuned.txt")}
    assert {question: found for question, found in faults.items() if found} == {}


def test_most_held_out_questions_are_read(names: PlaceNames):
    rows = _rows("needs_held_out.txt")
    faults = {row[0]: found for row in rows if (found := _faults(names, row))}
    assert len(faults) <= len(rows) * 0.1, faults


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_need_has_an_answer_with_source_and_date(language):
    for need in needs().needs:
        answer = answer_need(need, language)
        assert answer, need.id
        assert answer.fact.source_url, need.id
        assert "{" not in answer.short.replace("{health}", ""), need.id


def test_a_danger_is_answered_in_ten_years_too():
    dangers = [need for need in needs().needs if need.is_danger]
    assert len(dangers) == 7
    assert all(answer_need(need, "en", date(2033, 1, 1)) for need in dangers)
