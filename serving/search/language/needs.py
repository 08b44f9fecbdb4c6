"""Needs that a place with food does not meet: a person in danger, a donor, a question on benefits.

They are defined in content/needs.yaml: how people ask, the answer with its facts, and whether
places with food follow.
"""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from importlib import resources
from typing import Literal, NamedTuple

import msgspec
from rapidfuzz import process
from rapidfuzz.distance import OSA

from schemas.languages import Language
from serving.reference.policy import FactsOn, FactValue
from serving.search.language.tables import (
    Phrases,
    compile_phrases,
    source_of,
    tables,
    words_in,
)
from serving.search.language.text import Token, correct_word

_LETTERS = re.compile(r"[a-z]{5,}(?![\[(a-z])")
# The beginning of words with any ending.
_STEM = re.compile(r"([a-z]{4,})[\[(]")
_SHORTEST, _LONG_WORD = 5, 9
# More than two answers are not read; a danger is never left out.
_MAX_ANSWERS = 2


class _Need(msgspec.Struct, forbid_unknown_fields=True):
    asks: Phrases
    unless: Phrases
    food: Literal["always", "asked", "never"]
    facts: dict[str, str]
    page: str | None
    en: str
    es: str
    danger: bool = False
    adds: list[Literal["state", "bank"]] = []
    search: Literal["health"] | None = None
    sms: dict[str, str] | None = None


class _File(msgspec.Struct, forbid_unknown_fields=True):
    lists: dict[str, Phrases]
    food: Phrases
    hungry: Phrases
    needs: dict[str, _Need]


class Need(NamedTuple):
    """A need with its compiled patterns; `definition` holds its texts."""

    id: str
    asks: re.Pattern[str]
    unless: re.Pattern[str] | None
    definition: _Need

    @property
    def is_danger(self) -> bool:
        return self.definition.danger


class Answer(NamedTuple):
    """The answer to a need in one language, and the fact that it rests on."""

    text: str
    short: str
    fact: FactValue


class _Needs(NamedTuple):
    needs: tuple[Need, ...]
    food: re.Pattern[str]
    hungry: re.Pattern[str]
    words: tuple[str, ...]
    stems: tuple[str, ...]


@lru_cache(maxsize=1)
def needs() -> _Needs:
    """Return every need, the most pressing first. Raises msgspec.ValidationError for a damaged
    file."""
    file = msgspec.yaml.decode((resources.files("content") / "needs.yaml").read_bytes(), type=_File)

    def compiled(phrases: Phrases) -> re.Pattern[str]:
        return compile_phrases(phrases, file.lists)

    every = tuple(
        Need(name, compiled(one.asks), compiled(one.unless) if one.unless else None, one)
        for name, one in file.needs.items()
    )
    sources = " ".join(source_of(one.asks, file.lists) for one in file.needs.values())
    words, stems = set(_LETTERS.findall(sources)), set(_STEM.findall(sources))
    words |= {word for word in words_in(sources.replace("?:", "")) if len(word) >= _SHORTEST}
    return _Needs(
        every,
        compiled(file.food),
        compiled(file.hungry),
        tuple(sorted(words)),
        tuple(sorted(stems)),
    )


def words_of_needs(tokens: Sequence[Token], place_tokens: frozenset[int]) -> str:
    """Return the correctly spelt words of a question without punctuation, with single blanks
    between and around them. Names of places stay as they are written."""
    words, abroad = list[str](), tables().abroad
    for at, token in enumerate(tokens):
        if token.is_break:
            continue
        if token.is_number:
            words.append(token.raw.lower())
        elif at in place_tokens or token.word in abroad:
            words.append(token.word)
        else:
            words += _correct(token.word)
    return f" {' '.join(words)} "


def find_needs(words: str) -> tuple[tuple[Need, ...], bool]:
    """Return the needs of a question (`words_of_needs`), and whether places with food follow."""
    found, rest = list[Need](), words
    for need in needs().needs:
        if not need.asks.search(words):
            continue
        if need.unless and not need.asks.search(need.unless.sub("#", words)):
            continue
        if need.definition.food == "never" and needs().hungry.search(words):
            continue  # "I used to donate, now I need help"
        found.append(need)
        rest = need.asks.sub("#", rest)
    dangers = [need for need in found if need.is_danger]
    others = [need for need in found if not need.is_danger][: max(1, _MAX_ANSWERS - len(dangers))]
    shown = (*dangers, *others)
    wants = {need.definition.food for need in shown}
    if "never" in wants and not dangers:
        return shown, False
    return shown, not shown or "always" in wants or needs().food.search(rest) is not None


def answer_need(need: Need, language: Language, today: date | None = None) -> Answer | None:
    """Return the answer with its facts in force; None if one of them is not."""
    figures, one = FactsOn(today or datetime.now(UTC).date()), need.definition
    values = dict[str, str]()
    first: FactValue | None = None
    for name, path in one.facts.items():
        family, fact, *keys = path.split(".")
        fact_id = f"{family}.{fact}"
        if fact_id not in figures:
            return None
        value = figures.find(fact_id, *keys)
        first = first or value
        values[name] = str(value.value)
    assert first is not None, "every need names a fact"
    text = str(getattr(one, language))
    short = one.sms[language] if one.sms else text
    # Filled by the answer to a question, where there is a place.
    later = {"health": "{health}", "nation": ""}
    return Answer(text.format(**values, **later), short.format(**values, **later), first)


def answer_dangers(language: Language) -> list[tuple[Need, Answer]]:
    """Return the lines that help in each danger, for surfaces without a question."""
    answers = ((need, answer_need(need, language)) for need in needs().needs if need.is_danger)
    return [(need, answer) for need, answer in answers if answer]


@lru_cache(maxsize=1 << 14)
def _correct(word: str) -> tuple[str, ...]:
    """Return a word as the needs spell it: expanded, corrected, or unchanged."""
    lexicon, known = tables(), needs().words
    expanded = lexicon.spellings.get(word)
    if expanded is not None:
        return expanded
    if (
        word in lexicon.vocabulary
        or word in lexicon.common
        or word in known
        or word.startswith(needs().stems)
        or len(word) < _SHORTEST
        or not word.isascii()
    ):
        return (word,)
    most = 2 if len(word) >= _LONG_WORD else 1
    nearest = process.extractOne(
        word,
        [one for one in known if one[0] == word[0]],
        scorer=OSA.distance,
        score_cutoff=most,
    )
    if nearest:
        return (nearest[0],)
    other = correct_word(word)
    return (other[0] if other else word,)
