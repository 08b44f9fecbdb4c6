"""Splits texts into clauses, and compiles the patterns of lexicon.yaml.

Patterns must match within one clause without a negating word.
"""

import re
from pathlib import Path
from typing import NamedTuple

import msgspec


class Finding(NamedTuple):
    """A plain statement: `field`, its value, and the clause as evidence.

    `value` is a code for list fields, else True, False, a number or a text. The clause begins at
    `start` of its text.
    """

    field: str
    value: str | bool | int
    clause: str
    start: int = 0

    @property
    def span(self) -> tuple[int, int]:
        """Return the start and end of the clause in its text."""
        return self.start, self.start + len(self.clause)


_CLAUSE = re.compile(r"[.;!\n]+\s+|[;\n|•]+")
_AROUND = " \t-*–"


def pattern(*parts: str) -> re.Pattern[str]:
    """Compile alternatives as one pattern, ignoring case."""
    return re.compile("|".join(f"(?:{part})" for part in parts), re.IGNORECASE)


def clauses_of(text: str) -> list[tuple[int, str]]:
    """Return the start of each clause of a text, and the clause without bullets and blanks."""
    ends = [*(match.span() for match in _CLAUSE.finditer(text)), (len(text), len(text))]
    clauses, at = [], 0
    for end, after in ends:
        part = text[at:end]
        clause = part.strip(_AROUND).rstrip(".")
        if clause:
            clauses.append((at + len(part) - len(part.lstrip(_AROUND)), clause))
        at = after
    return clauses


class _Visit(msgspec.Struct, forbid_unknown_fields=True):
    field: str
    value: bool
    patterns: list[str]
    unless: list[str]


class _Closures(msgspec.Struct, forbid_unknown_fields=True):
    patterns: list[str]
    unless: str
    conditions: str


class _Lexicon(msgspec.Struct, forbid_unknown_fields=True):
    parts: dict[str, str]
    closures: _Closures
    visits: list[_Visit]
    papers: dict[str, str]
    food: dict[str, list[str]]
    plain_words: str


_LEXICON = msgspec.yaml.decode(Path(__file__).with_name("lexicon.yaml").read_bytes(), type=_Lexicon)
_PART = re.compile("<([A-Z]+)>")


def _compile(*patterns: str) -> re.Pattern[str]:
    return pattern(*map(_fill, patterns))


def _fill(text: str) -> str:
    """Return a pattern with its parts expanded. Raises KeyError for an unknown one."""
    return _PART.sub(lambda part: _fill(_LEXICON.parts[part[1]]), text)


DAYS = _LEXICON.parts["DAYS"]
# Patterns for a place that is closed for now, for only a part of it, and for a condition.
CLOSURES = _compile(*_LEXICON.closures.patterns)
PARTLY_CLOSED = _compile(_LEXICON.closures.unless)
CONDITIONS = _compile(_LEXICON.closures.conditions)
# Field, value, patterns that state it and patterns that make it doubtful.
VISITS: tuple[tuple[str, bool, re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (rule.field, rule.value, _compile(*rule.patterns), _compile(*rule.unless))
    for rule in _LEXICON.visits
)
PAPERS: dict[str, re.Pattern[str]] = {
    code: _compile(words) for code, words in _LEXICON.papers.items()
}
FOOD: dict[str, re.Pattern[str]] = {code: _compile(*words) for code, words in _LEXICON.food.items()}
PLAIN_WORDS = frozenset(_LEXICON.plain_words.split())
