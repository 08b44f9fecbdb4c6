"""Reads initials in names of places: EAM for "Emergency Assistance Ministry"."""

import re
from collections.abc import Iterable
from itertools import combinations

from assets.matching.words import EXTRAS, FILLERS, WEAK

_SMALL = frozenset({"a", "and", "at", "de", "for", "in", "of", "on", "the", "to"})


def initials_of(words: Iterable[str]) -> frozenset[str]:
    """Return the initials of words, with and without small words and fillers: "emergency assistance
    of alda" by "eaoa" and "eaa"."""
    full = [word for word in words if word[0].isalpha()]
    parts = (
        full,
        [word for word in full if word not in _SMALL],
        [word for word in full if word not in FILLERS],
    )
    return frozenset("".join(word[0] for word in part) for part in parts)


def acronyms_in(words: tuple[str, ...]) -> frozenset[str]:
    """Return initials among a name's words: EAM of "Emergency Assistance Ministry (EAM)"."""
    acronyms = set()
    for at, word in enumerate(words):
        if 3 <= len(word) <= 6 and word.isalpha():
            rest = words[:at] + words[at + 1 :]
            is_spelled = at == len(words) - 1 and _is_short_for(word, rest)
            if is_spelled or any(word in letters for letters in initials_of(rest)):
                acronyms.add(word)
    return frozenset(acronyms)


def _is_short_for(word: str, words: tuple[str, ...]) -> bool:
    """Check for initials with further letters of their words: CORA, "Chatham OutReach Alliance"."""
    full = [other for other in words if other.isalpha() and other not in FILLERS]
    parts = (f"{other[0]}[{other}]{{0,2}}" for other in full)
    return len(full) >= 3 and re.fullmatch("".join(parts), word) is not None


def is_acronym(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Check for a name that is the initials of the other: "EAM" for "Emergency Alda Ministry"."""
    if len(one) != 1 or len(other) < 3 or not is_acronym_long(one[0]):
        return False
    # A comparable word has lost its s.
    return not initials_of(other).isdisjoint({one[0], f"{one[0]}s"})


def is_acronym_long(name: str) -> bool:
    """Check for one word of letters of which no two are chance."""
    return 3 <= len(name) <= 8 and name.isalpha()


def with_acronyms(words: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """Return words with a run of three or more as the letters by which the other name has it: CCCS
    for "Catholic Charities Community Services"."""
    for letters in others:
        if letters in words or letters in WEAK or letters in EXTRAS or not is_acronym_long(letters):
            continue
        # A comparable word has lost its s.
        spellings = {letters, f"{letters}s"}
        for begin, end in combinations(range(len(words) + 1), 2):
            if end - begin >= 3 and not initials_of(words[begin:end]).isdisjoint(spellings):
                return (*words[:begin], letters, *words[end:])
    return words
