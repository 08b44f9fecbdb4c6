"""Finds the words of a question that ask for something and had no effect, so that the answer can
name them.

A content word is one that the vocabulary does not list as silent. It was used if it is part of the
place or matched a deciding pattern. Of the others only those that somebody says they need are
named: "i need cribs".
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from serving.search.language.constraints import deciding_wishes
from serving.search.language.intent import deciding_patterns
from serving.search.language.location import Where
from serving.search.language.stop_phrases import former_ends
from serving.search.language.tables import tables
from serving.search.language.text import Token, join_tokens
from serving.search.language.times import words_of_time

_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_NO_WORD = re.compile(r"[^a-z0-9]+")
_SHORTEST = 3
# Words between "need" and what is needed.
_FARTHEST = 4
# A pattern is tried for a word only if it contains its beginning.
_BEGINNING = 3


def unused_words(
    text: str,
    tokens: list[Token],
    spelled: list[list[str]],
    where: Where,
    words: str,
    folded: str,
) -> list[str]:
    """Return runs of content words without effect, as written in `text`.

    `words` are the correctly spelt words of the question, `folded` the folded question.
    """
    candidates = {
        i: (token.word,) if token.is_number else group
        for i, (token, group) in enumerate(zip(tokens, spelled, strict=True))
        if _is_content(token, group) and not _is_place(i, token, where)
    }
    if not candidates:
        return []
    question_words = frozenset(word for group in candidates.values() for word in group)
    # In `words` a number is `#`.
    effective = _find_effective(question_words, f"{words}{_NO_WORD.sub(' ', folded)} ")
    effective |= words_of_time(question_words, words, folded)
    runs, end = list[list[int]](), -1
    for i, group in candidates.items():
        if effective.intersection(group):
            continue
        if end != i:
            runs.append([i, i])
        runs[-1][1] = end = i + 1
    former = former_ends(join_tokens(tokens)) if runs else ()
    return [
        text[tokens[start].start : tokens[stop - 1].end]
        for start, stop in runs
        if start not in former and _is_asked_for(tokens, start)
    ]


def _is_asked_for(tokens: Sequence[Token], start: int) -> bool:
    """Return whether the words before say that somebody needs what follows."""
    before = " ".join(token.word for token in tokens[max(0, start - _FARTHEST) : start])
    return tables().patterns["asked_for"].search(f" {before} ") is not None


def _is_content(token: Token, group: Sequence[str]) -> bool:
    lexicon = tables()
    is_word = token.word.isalpha() or _ORDINAL.fullmatch(token.word) is not None
    return (
        len(token.word) >= _SHORTEST
        and is_word
        and not any(word in lexicon.silent for word in (token.word, *group))
    )


def _is_place(at: int, token: Token, where: Where) -> bool:
    is_named = at in where.place_tokens or at in where.streets or token.word in tables().abroad
    return is_named or where.span[0] <= token.start < where.span[1]


def _find_effective(question_words: Collection[str], words: str) -> set[str]:
    """Return the words that a pattern of wishes, programs or kinds matched."""
    return {
        word
        for word in question_words
        if any(
            f" {word} " in f" {match[0]} "
            for pattern in _patterns_with(word[:_BEGINNING])
            for match in pattern.finditer(words)
        )
    }


@lru_cache(maxsize=1 << 12)
def _patterns_with(beginning: str) -> tuple[re.Pattern[str], ...]:
    every = (*deciding_wishes(), *deciding_patterns())
    return tuple(pattern for pattern in every if beginning in pattern.pattern)
