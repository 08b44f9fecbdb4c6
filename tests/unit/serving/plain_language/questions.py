"""Read questions.txt, the table of questions."""

from pathlib import Path
from typing import NamedTuple

_ACTIONS = {"s": "search_results", "n": "need_location", "snap": "apply_snap", "wic": "apply_wic"}
TABLE = Path(__file__).with_name("questions.txt")


class Expected(NamedTuple):
    """A question, and the values that are accepted for each part of its meaning."""

    question: str
    language: str
    locations: frozenset[str | None]
    states: frozenset[str | None]
    modes: frozenset[str]
    urgent: frozenset[bool]
    intent: str
    actions: frozenset[str]


def read_table(path: Path = TABLE) -> list[Expected]:
    """Read every line except comments."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [_expected(line) for line in lines if line.strip() and not line.startswith("#")]


def _expected(line: str) -> Expected:
    language, question, location, state, modes, urgent, intent, actions = line.split(" | ")
    readings = location.split(" ~ ")
    locations = frozenset(None if r.startswith("-") else r for r in readings)
    actual = {None if s == "-" else s for s in state.split("/")} if state != "." else set()
    own = (
        {r[1:] or None if r.startswith("-") else r[-2:] for r in readings}
        if state == "."
        else set()
    )
    return Expected(
        question,
        language,
        locations,
        frozenset(actual | own),
        frozenset(modes.split("/")),
        frozenset({".": {False}, "now": {True}, "?": {True, False}}[urgent]),
        intent,
        frozenset(_ACTIONS[a] for a in actions.strip().split("/")),
    )
