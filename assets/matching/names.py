"""Reads names of places for comparison: spelling, numbers, levels, kinds, former names."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from assets.cleaning.keys import name_key
from assets.matching.words import FILLERS, TENS, TRANSLATED, WEAK, WORDS
from schemas.vocab.states import STATES


class NameParts(NamedTuple):
    """A name read for comparison. `words` keep their order; `numbers` have no leading zeros.

    `aliases` are the names in a name that states two: "Alda Table (formerly Birch Kitchen)".
    """

    words: tuple[str, ...]
    numbers: frozenset[str]
    levels: frozenset[str]
    directions: frozenset[str]
    kinds: frozenset[str]
    is_school: bool
    aliases: tuple[NameParts, ...] = ()


_NUMBER = re.compile(r"0*(\d+)(?:st|nd|rd|th)?")
# A store number with the letter of its owner or section: 36145H.
_LETTERED = re.compile(r"0*(\d{4,})[a-z]")
# Letters that some lists write apart: "A M E", "V.E.T.S. Inc.", "R.C. Church".
_SPACED = re.compile(r"\b[a-z](?: [a-z]){2,}\b|\br c\b")
# "St.Mary" and "A.M.E.Zion"; not "example.com".
_GLUED = re.compile(r"(?<=[A-Za-z])\.(?=[A-Za-z]{2})(?!(?:com|net|org)\b)", re.IGNORECASE)
# "James's" is "James"; the apostrophe is gone from a key.
_POSSESSIVE = re.compile(r"(?<=s)['’]s\b", re.IGNORECASE)
# "Birch Cares, now Alda Table"; "Help Now Pantry" is one name.
_NOW = re.compile(
    r"[(,;–-]\s*now\s+(?!known\b|called\b|at\b|in\b|on\b|located\b|open\b|closed\b)", re.IGNORECASE
)
# Part of an address, not of a name.
_ELSEWHERE = re.compile(
    r"(?<=\w) (?:(?:formerly|previously) (?:at|in|on|located)|now (?:located )?at)\b.*"
)
# "Aspen Dental - Sandusky, OH"; a title before a name. MD is a doctor more often than Maryland.
_TITLE_OR_STATE = re.compile(rf"^Dr\.? (?=\w)|, *(?:{'|'.join(STATES.keys() - {'MD'})})\W*$")
_FORMERLY = re.compile(
    r"\b(?:(?:formerly|previously|now)(?: known as| called)|formerly|previously|also known as|fka"
    r"|dba)\b"
)
# Elsewhere N is "and": Shop N Save.
_NORTH = re.compile(r"^N\.? (?=\w)", re.IGNORECASE)
# "No. 10" is #10.
_NUMBER_WORD = re.compile(r"\b(?:no|nr|number) (?=\d)")
# El is an article in "El Buen Pastor".
_ELEMENTARY = re.compile(r"(?<=\w )el(?= school\b|$)")
_FIRST_OF_TWO = re.compile(r"(?<=[a-z] )i\b")
_TENS = re.compile(rf"\b({'|'.join(TENS)}) ([a-z]+)\b")
# Separates the names of a place that has more than one.
_ALIAS = "aka"


# The longest phrase that fits counts.
_PHRASE, _SPANISH = (
    re.compile(rf"\b(?:{'|'.join(sorted(phrases, key=len, reverse=True))})\b")
    for phrases in (WORDS.phrases, WORDS.spanish)
)


def comparable_name(name: str) -> str:
    """Return a name's words in one spelling, separated by spaces; TRANSLATED ends a translation."""
    plain = _TITLE_OR_STATE.sub("", _POSSESSIVE.sub("", _GLUED.sub(". ", name)))
    plain = _NORTH.sub("north ", plain)
    text = name_key(_NOW.sub(" formerly ", plain))
    text = _SPACED.sub(lambda match: match[0].replace(" ", ""), text)
    text = _NUMBER_WORD.sub("", _FORMERLY.sub(_ALIAS, _ELSEWHERE.sub("", text)))
    text = _FIRST_OF_TWO.sub("1", _ELEMENTARY.sub("elementary", _TENS.sub(_compound_number, text)))
    text, translations = _SPANISH.subn(lambda match: WORDS.spanish[match[0]], text)
    text = _PHRASE.sub(lambda match: WORDS.phrases[match[0]], text)
    return " ".join([*map(comparable_word, text.split()), *([TRANSLATED] if translations else [])])


def _compound_number(match: re.Match[str]) -> str:
    """Return "twenty first" as "21", and "twenty churches" unchanged."""
    unit = WORDS.spellings.get(match[2], "")
    return TENS[match[1]] + unit if unit.isdigit() and len(unit) == 1 else match[0]


@lru_cache(maxsize=500_000)
def comparable_word(word: str) -> str:
    """Return one word in the spelling of `comparable_name`."""
    if match := _NUMBER.fullmatch(word) or _LETTERED.fullmatch(word):
        return match[1]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = WORDS.spellings.get(word, word[:-1])
    return WORDS.spellings.get(word, word)


def content_of(comparable: str) -> str:
    """Return a comparable name without fillers; all of its words if it has only fillers."""
    words = comparable.split()
    return " ".join(word for word in words if word not in FILLERS) or comparable


def telling_words_of(comparable: str) -> str:
    """Return the distinctive words of a comparable name; all of its words if it has none."""
    words = comparable.split()
    return " ".join(word for word in words if word not in WEAK) or comparable


def parts_of(comparable: str) -> NameParts:
    """Return the parts of a comparable name."""
    words = tuple(comparable.split())
    names = [name.strip() for name in f" {comparable} ".split(f" {_ALIAS} ")]
    is_bank = "bank" in words and "food" not in words
    # A letter used as a number ("Shelter B"), not one of an abbreviation ("C&S").
    letters = {
        word
        for at, (before, word) in enumerate(pairwise(words), start=2)
        if len(word) == 1
        and word.isalpha()
        and len(before) > 1
        and before != "and"
        and (at == len(words) or before in WORDS.lettered_parts)
    }
    return NameParts(
        words,
        frozenset(word for word in words if word[0].isdigit()) | letters,
        WORDS.levels.intersection(words),
        WORDS.directions.intersection(words),
        # Only a food bank is a pantry.
        frozenset(
            WORDS.kinds[w] for w in words if w in WORDS.kinds and not (w == "bank" and is_bank)
        ),
        not (WORDS.levels | WORDS.school_words).isdisjoint(words),
        tuple(map(parts_of, names)) if len(names) > 1 and all(names) else (),
    )
