"""The meaning of questions: a table of every kind, and the development questions if present."""

import json
from pathlib import Path
from typing import Any

import pytest

from schemas.values.names import fold_name
from serving.search.language.place_names import PlaceNames
from serving.search.language.reading import Reading, read_question
from serving.search.plain_language import action_of
from tests.unit.serving.plain_language.questions import Expected, read_table

_DEVELOPMENT = Path(__file__).resolve().parents[5] / "shared" / "corpora" / "llm_queries_dev.jsonl"
_TABLE = read_table()


def _folded(location: str | None) -> str | None:
    return None if location is None else fold_name(location)


def _faults(reading: Reading, expected: Expected) -> list[str]:
    """Return every part of the meaning outside the accepted values."""
    where, wants = reading.where, reading.wants
    parts: dict[str, tuple[object, Any]] = {
        "location": (
            _folded(where.location),
            {_folded(accepted) for accepted in expected.locations},
        ),
        "state": (where.state, expected.states),
        "mode": (wants.mode, expected.modes),
        "urgent": (wants.is_urgent, expected.urgent),
        "intent": (wants.intent, {expected.intent}),
        "action": (action_of(reading), expected.actions),
    }
    if expected.language != "mixed":
        parts["language"] = (reading.language, {expected.language})
    return [
        f"{name}: {value!r}, not {accepted}"
        for name, (value, accepted) in parts.items()
        if value not in accepted
    ]


def test_the_table_is_varied():
    assert len(_TABLE) >= 200
    assert len({e.question for e in _TABLE}) == len(_TABLE)
    states = {state for e in _TABLE for state in e.states if state}
    assert len(states) >= 53, sorted(states)
    assert sum(e.language == "es" for e in _TABLE) >= 60


def test_every_question_of_the_table_is_read(names: PlaceNames):
    faults = {e.question: _faults(read_question(e.question, names), e) for e in _TABLE}
    assert {question: differences for question, differences in faults.items() if differences} == {}


def _accepted(value: Any) -> frozenset[Any]:
    return frozenset(value) if isinstance(value, list) else frozenset([value])


def _development(row: dict[str, Any]) -> Expected:
    intent = row["intent"]
    return Expected(
        row["q"],
        row["lang"],
        _accepted(intent["location"]),
        _accepted(intent["state"]),
        _accepted(intent["mode"]),
        _accepted(intent["urgent"]),
        intent["intent"],
        _accepted(row["action"]),
    )


@pytest.mark.shared
@pytest.mark.skipif(not _DEVELOPMENT.exists(), reason="the development questions are not here")
def test_the_development_questions(names: PlaceNames):
    rows = [json.loads(line) for line in _DEVELOPMENT.read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= 60
    faults = {row["q"]: _faults(read_question(row["q"], names), _development(row)) for row in rows}
    assert {q: differences for q, differences in faults.items() if differences} == {}
