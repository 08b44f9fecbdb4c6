"""The wishes of questions: all rows of a tuned table, and a share of a held-out one."""

from pathlib import Path

import pytest

from serving.search.constraints import time_of_wishes
from serving.search.language.place_names import PlaceNames
from serving.search.language.reading import read_question
from serving.search.language.wishes import Wish

_HERE = Path(__file__).parent
Row = tuple[str, str, frozenset[Wish]]


def read_wishes(name: str) -> list[Row]:
    """Return the rows of a table: language, question, wishes."""
    lines = (_HERE / name).read_text(encoding="utf-8").splitlines()
    return [_row(line) for line in lines if line.strip() and not line.startswith("#")]


def _row(line: str) -> Row:
    language, question, wishes = line.split(" | ")
    parts = [] if wishes == "-" else [part.split("=") for part in wishes.split("; ")]
    return language, question, frozenset(Wish(kind, _value(kind, value)) for kind, value in parts)


def _value(kind: str, value: str) -> str | bool | float:
    if kind == "distance":
        return float(value)
    return True if value == "true" else value


_TUNED, _HELD_OUT = read_wishes("wishes_tuned.txt"), read_wishes("wishes_held_out.txt")


def test_the_held_out_half_is_large():
    assert len(_HELD_OUT) >= 150
    assert {kind for _, _, wishes in _HELD_OUT for kind, _ in wishes} >= {"diet", "papers", "day"}


def test_reads_every_wish_and_no_other(names: PlaceNames):
    readings = [
        (question, set(read_question(question, names).wishes), w) for _, question, w in _TUNED
    ]
    assert [
        (question, wishes_read, wishes)
        for question, wishes_read, wishes in readings
        if wishes_read != wishes
    ] == []


@pytest.mark.parametrize(("question", "wishes"), [row[1:] for row in read_wishes("times.txt")])
def test_reads_days_and_hours(names: PlaceNames, question: str, wishes: frozenset[Wish]):
    reading = read_question(question, names)
    assert set(reading.wishes) == wishes
    assert time_of_wishes(reading.wishes) == reading.time


def test_reads_wishes_it_was_never_tuned_on(names: PlaceNames):
    total = missed = more = 0
    for _, question, wishes in _HELD_OUT:
        wishes_read = set(read_question(question, names).wishes)
        total, missed, more = (
            total + len(wishes),
            missed + len(wishes - wishes_read),
            more + len(wishes_read - wishes),
        )
    assert missed / total <= 0.03, f"{missed} of {total} missed"
    assert more / total <= 0.05, f"{more} read that are none"
