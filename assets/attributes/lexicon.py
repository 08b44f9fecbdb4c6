"""Words and patterns of clauses, compiled from lexicon.yaml."""

import re
from pathlib import Path

import msgspec

from assets.attributes.clauses import pattern


class _Visit(msgspec.Struct, forbid_unknown_fields=True):
    field: str
    value: bool
    says: list[str]
    unless: list[str]


class _Closures(msgspec.Struct, forbid_unknown_fields=True):
    says: list[str]
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
# Patterns that say a place is closed for now, that limit this to a part of it, and conditions.
CLOSURES = _compile(*_LEXICON.closures.says)
PARTLY_CLOSED = _compile(_LEXICON.closures.unless)
CONDITIONS = _compile(_LEXICON.closures.conditions)
# Field, value, patterns that assert it and patterns that make it doubtful.
VISITS: tuple[tuple[str, bool, re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (rule.field, rule.value, _compile(*rule.says), _compile(*rule.unless))
    for rule in _LEXICON.visits
)
PAPERS: dict[str, re.Pattern[str]] = {
    code: _compile(words) for code, words in _LEXICON.papers.items()
}
FOOD: dict[str, re.Pattern[str]] = {code: _compile(*words) for code, words in _LEXICON.food.items()}
PLAIN_WORDS = frozenset(_LEXICON.plain_words.split())
