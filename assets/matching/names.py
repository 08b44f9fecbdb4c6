"""Compares two names: the same, alike, one inside the other, or apart.

Names are compared word by word, since a single word decides: "Elementary" and "Middle", "8406" and
"8407", "Pantry" and "WIC" make two places of names that are otherwise letter for letter the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum
from functools import lru_cache
from itertools import pairwise, product, starmap
from typing import NamedTuple

from rapidfuzz.distance import OSA

from assets.cleaning.keys import name_key
from assets.matching.words import (
    APART,
    AUDIENCES,
    CREEDS,
    DIRECTIONS,
    EXTRAS,
    FILLERS,
    HOSTS,
    KINDS,
    LETTERED,
    LETTERED_PARTS,
    LEVELS,
    NUMBERED_BODIES,
    PHRASES,
    SAINTS,
    SCHOOL_WORDS,
    SPANISH,
    SPELLINGS,
    STREET_WORDS,
    TENS,
    TRANSLATED,
    WEAK,
    are_turned,
)


class NameRelation(IntEnum):
    """Relation of names, from "proves two places" to "the same words". Larger is closer."""

    CONFLICT = 0  # both say who they are, and differ: store number, school level, north and south
    KIND = 1  # the same name, another service or school level
    OTHER = 2
    CONTAINED = 3  # one name has words the other lacks
    ALIKE = 4  # the same words but for spelling, fillers and the town
    EXACT = 5


class NameParts(NamedTuple):
    """A name read for comparison. `words` keep their order; `numbers` are canonical ("0093" is
    "93").

    `aliases` are the names of a place that says it had another: "Alda Table (formerly Birch
    Kitchen)".
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
_SPACED = re.compile(r"\b[a-z](?: [a-z])+\b")
# "James's" is "James"; the apostrophe is gone from a key.
_POSSESSIVE = re.compile(r"(?<=s)['’]s\b", re.IGNORECASE)
# "Birch Cares, now Alda Table"; "Help Now Pantry" is one name.
_NOW = re.compile(
    r"[(,;–-]\s*now\s+(?!known\b|called\b|at\b|in\b|on\b|located\b|open\b|closed\b)", re.IGNORECASE
)
# Tells an address, not a name.
_ELSEWHERE = re.compile(
    r"(?<=\w) (?:(?:formerly|previously) (?:at|in|on|located)|now (?:located )?at)\b.*"
)
_FORMERLY = re.compile(
    r"\b(?:(?:formerly|previously|now)(?: known as| called)|formerly|previously|also known as|fka)\b"
)
# El is an article in "El Buen Pastor".
_ELEMENTARY = re.compile(r"(?<=\w )el(?= school\b|$)")
_FIRST_OF_TWO = re.compile(r"(?<=[a-z] )i\b")
_TENS = re.compile(rf"\b({'|'.join(TENS)}) ([a-z]+)\b")
_PHRASES = dict(PHRASES)
# Stands between the names of a place that tells more than one.
_ALIAS = "aka"


def _any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of whole words that prefers the longest phrase."""
    return re.compile(rf"\b(?:{'|'.join(sorted(phrases, key=len, reverse=True))})\b")


_PHRASE, _SPANISH = _any_of(_PHRASES), _any_of(SPANISH)


def comparable_name(name: str) -> str:
    """Return the words of a name in one spelling, blank-separated: plural s, abbreviations,
    figures, phrases.

    A name put into English says so in its last word, TRANSLATED.
    """
    text = _SPACED.sub(_joined_letters, name_key(_NOW.sub(" formerly ", _POSSESSIVE.sub("", name))))
    text = _FORMERLY.sub(_ALIAS, _ELSEWHERE.sub("", text))
    text = _FIRST_OF_TWO.sub("1", _ELEMENTARY.sub("elementary", _TENS.sub(_compound_number, text)))
    text, translations = _SPANISH.subn(lambda match: SPANISH[match[0]], text)
    text = _PHRASE.sub(lambda match: _PHRASES[match[0]], text)
    return " ".join([*map(comparable_word, text.split()), *([TRANSLATED] if translations else [])])


def _joined_letters(match: re.Match[str]) -> str:
    joined = match[0].replace(" ", "")
    return joined if joined in LETTERED else match[0]


def _compound_number(match: re.Match[str]) -> str:
    """Parse a compound number: "Twenty first" is 21; "twenty churches" are not."""
    unit = SPELLINGS.get(match[2], "")
    return TENS[match[1]] + unit if unit.isdigit() and len(unit) == 1 else match[0]


@lru_cache(maxsize=500_000)
def comparable_word(word: str) -> str:
    """Return one word in the spelling of `comparable_name`."""
    if match := _NUMBER.fullmatch(word) or _LETTERED.fullmatch(word):
        return match[1]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = SPELLINGS.get(word, word[:-1])
    return SPELLINGS.get(word, word)


def content_of(comparable: str) -> str:
    """Return a comparable name without fillers: the key under which equal names meet."""
    words = comparable.split()
    return " ".join(word for word in words if word not in FILLERS) or comparable


def telling_words_of(comparable: str) -> str:
    """Return the words of a comparable name that not every second name has; all of them if there
    are none."""
    words = comparable.split()
    return " ".join(word for word in words if word not in WEAK) or comparable


def parts_of(comparable: str) -> NameParts:
    """Return a comparable name taken apart."""
    words = tuple(comparable.split())
    names = [name.strip() for name in f" {comparable} ".split(f" {_ALIAS} ")]
    return NameParts(
        words,
        frozenset(word for word in words if word.isdigit()) | _letter_of(words),
        LEVELS.intersection(words),
        DIRECTIONS.intersection(words),
        frozenset(KINDS[word] for word in words if word in KINDS),
        not (LEVELS | SCHOOL_WORDS).isdisjoint(words),
        tuple(map(parts_of, names)) if len(names) > 1 and all(names) else (),
    )


def _letter_of(words: tuple[str, ...]) -> frozenset[str]:
    """Return the letter that counts as a number: "Shelter B". A letter behind a letter is an
    abbreviation's."""
    return frozenset(
        word
        for at, (before, word) in enumerate(pairwise(words), start=2)
        if len(word) == 1
        and word.isalpha()
        and len(before) > 1
        and (at == len(words) or before in LETTERED_PARTS)
    )


_SAINTS = {comparable_word(es): comparable_word(en) for es, en in SAINTS.items()}


def _in_one_language(words: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words, a saint by the English name where the other name has it so: San Pedro
    next to St. Peter."""
    saints = {after for word, after in pairwise(other) if word == "st"}
    found = list(words)
    for at, (word, after) in enumerate(pairwise(words)):
        if word in {"san", "santo", "santa"} and _SAINTS.get(after) in saints:
            found[at : at + 2] = "st", _SAINTS[after]
    return tuple(found)


# A word and another that stands for it, the shorter first. N is "and": Shop N Save.
_SHORT_FOR = {("bank", "pantry"), ("co", "county"), ("s", "south"), ("e", "east"), ("w", "west")}


class NameComparison(NamedTuple):
    """Relation of two names, whether their shared words are distinctive here, whether both state
    the same service, and whether one has a number that the other lacks."""

    relation: NameRelation
    is_specific: bool = False
    is_same_kind: bool = False
    is_numbered_apart: bool = False


_CONFLICT = NameComparison(NameRelation.CONFLICT)


def compare_names(
    one: NameParts,
    other: NameParts,
    place_words: frozenset[str],
    idle_kinds: frozenset[str],
    *,
    are_stores: bool = True,
    is_typed: bool = False,
) -> NameComparison:
    """Return how two names relate; one that tells a former name relates by the closer of its names.

    `place_words` are words of both records' city and street: "Kuhn's Market Bellevue" in Bellevue
    is "Kuhn's Market". `idle_kinds` are kinds that say nothing between these two types;
    `are_stores` if a number may be a store's; `is_typed` if a type tells what is done there, names
    apart.
    """

    def compared(mine: NameParts, theirs: NameParts) -> NameComparison:
        return _compared(mine, theirs, place_words, idle_kinds, are_stores, is_typed)

    found = compared(one, other)
    if one.aliases or other.aliases:
        pairs = product(one.aliases or (one,), other.aliases or (other,))
        closest = max(starmap(compared, pairs), key=lambda names: names.relation)
        if closest.relation > found.relation:
            # A name given up may be another's by now: alike, not the same.
            found = closest._replace(relation=min(closest.relation, NameRelation.ALIKE))
    return found


def _compared(
    one: NameParts,
    other: NameParts,
    place_words: frozenset[str],
    idle_kinds: frozenset[str],
    are_stores: bool,
    is_typed: bool,
) -> NameComparison:
    if _are_in_conflict(one, other, place_words):
        return _CONFLICT
    mine = _in_one_language(one.words, other.words)
    theirs = _in_one_language(other.words, one.words)
    is_saint_translated = mine != one.words or theirs != other.words
    shared, left, right, is_spelled_alike = _aligned(mine, theirs)
    is_specific = any(word not in WEAK and not word.isdigit() for word in shared)
    # A level that one name leaves out is another school or all of them: as doubtful as another
    # service.
    kinds = ((one.kinds ^ other.kinds) - idle_kinds) | (one.levels ^ other.levels)
    idle = FILLERS | place_words | kinds | idle_kinds
    if one.levels or other.levels:
        idle |= {"school"}
    left = _telling(left, idle | _initials_of(one.words))
    right = _telling(right, idle | _initials_of(other.words))
    if kinds & APART:
        return _CONFLICT
    is_pantry_untold = kinds == {"pantry"} and not is_typed and _is_pantry_left_out(one, other)
    # "Alda Pantry" and "Alda Farm": who leaves out the pantry names something else.
    is_pantry_untold &= EXTRAS.issuperset(left if other.kinds else right)
    if kinds and not is_pantry_untold:
        is_name_shared = bool(shared - WEAK) and not (left and right)
        relation = NameRelation.KIND if is_name_shared else NameRelation.OTHER
        return NameComparison(relation, is_specific)
    has_number = are_stores and _share_store_number(one, other)
    relation = _relation(left, right, shared - FILLERS, is_spelled_alike, has_number)
    if relation >= NameRelation.ALIKE and (
        is_pantry_untold or is_saint_translated or _is_congregation(one, other, shared)
    ):
        # A house may lend a room to a pantry, or to a congregation of the same name in Spanish.
        relation, is_specific = NameRelation.CONTAINED, len(shared - FILLERS) > 1
    is_same_kind = bool(one.kinds - AUDIENCES) and one.kinds == other.kinds
    is_settled = any(len(number) >= 3 for number in one.numbers & other.numbers)
    is_numbered_apart = bool((one.numbers ^ other.numbers) - place_words) and not is_settled
    return NameComparison(relation, is_specific, is_same_kind, is_numbered_apart)


def _is_pantry_left_out(one: NameParts, other: NameParts) -> bool:
    """Check for one name that leaves out the service: "Hope Mission" and "Hope Mission Food
    Pantry"."""
    is_host = one.is_school or other.is_school or HOSTS.intersection(one.words + other.words)
    return not (one.kinds and other.kinds) and not is_host


def _is_congregation(one: NameParts, other: NameParts, shared: set[str]) -> bool:
    """Check for a Spanish name where both only state the faith: "Primera Iglesia Bautista"."""
    is_translated = (TRANSLATED in one.words) != (TRANSLATED in other.words)
    return is_translated and all(word.isdigit() for word in shared - WEAK - CREEDS)


def _initials_of(words: tuple[str, ...]) -> frozenset[str]:
    """Return words of a name that are the initials of its others: "Emergency Assistance Ministry
    (EAM)"."""
    found = set()
    for at, word in enumerate(words):
        if 3 <= len(word) <= 6 and word.isalpha():
            rest = words[:at] + words[at + 1 :]
            full = "".join(part[0] for part in rest)
            short = "".join(part[0] for part in rest if part not in FILLERS)
            if word in full or word in short:
                found.add(word)
    return frozenset(found)


def _share_store_number(one: NameParts, other: NameParts) -> bool:
    is_other_number = (
        one.is_school or other.is_school or NUMBERED_BODIES.intersection(one.words + other.words)
    )
    return bool(one.numbers & other.numbers) and not is_other_number


def _are_in_conflict(one: NameParts, other: NameParts, place_words: frozenset[str]) -> bool:
    if one.levels and other.levels and one.levels != other.levels:
        return True
    return _differs(
        one.numbers - _street_numbers(one.words, place_words),
        other.numbers - _street_numbers(other.words, place_words),
    ) or _differs(one.directions - place_words, other.directions - place_words)


def _street_numbers(words: tuple[str, ...], place_words: frozenset[str]) -> frozenset[str]:
    """Return numbers of a name that are the street's or town's: of Fifth Avenue, not of a First
    Church on 1st St."""
    found = set()
    for before, word, after in zip(("", *words), words, (*words[1:], ""), strict=False):
        if word in place_words and (STREET_WORDS | place_words) & {before, after}:
            found.add(word)
    return frozenset(found)


def _differs(one: frozenset[str], other: frozenset[str]) -> bool:
    """Check whether each name has something the other lacks."""
    return bool(one - other) and bool(other - one)


def _telling(words: list[str], idle: frozenset[str]) -> list[str]:
    return [
        word
        for word in words
        if word not in idle and not word.isdigit() and KINDS.get(word) not in idle
    ]


def _relation(
    left: list[str], right: list[str], shared: set[str], is_spelled_alike: bool, has_number: bool
) -> NameRelation:
    if not shared or (left and right):
        return NameRelation.OTHER
    extra = left or right
    if not extra:
        return NameRelation.EXACT if is_spelled_alike else NameRelation.ALIKE
    if DIRECTIONS.intersection(extra):
        return NameRelation.CONTAINED
    # A shared store number settles what an extra word leaves open.
    if has_number or EXTRAS.issuperset(extra):
        return NameRelation.ALIKE
    return NameRelation.CONTAINED


def _aligned(
    one: tuple[str, ...], other: tuple[str, ...]
) -> tuple[set[str], list[str], list[str], bool]:
    """Shared words, words left on either side, and whether all shared ones are spelled the same."""
    shared = set(one) & set(other)
    left = [word for word in one if word not in shared]
    right = [word for word in other if word not in shared]
    if not left or not right:
        return shared, left, right, True
    if "".join(left) == "".join(right):
        return shared | set(left), [], [], True
    is_spelled_alike = True
    for word in list(left):
        twin = next((candidate for candidate in right if _is_one_word(word, candidate)), None)
        if twin is not None:
            left.remove(word)
            right.remove(twin)
            shared.add(word)
            is_spelled_alike = False
    return shared, left, right, is_spelled_alike


def _is_one_word(one: str, other: str) -> bool:
    """Check for a typing error, an initial or a food bank for a food pantry.

    Numbers and distinctive words are never close.
    """
    short, long = sorted((one, other), key=len)
    if (short, long) in _SHORT_FOR:
        return True
    special = LEVELS | DIRECTIONS | KINDS.keys()
    is_apart = one.isdigit() or other.isdigit() or are_turned(one, other)
    if is_apart or one in special or other in special:
        return False
    if len(short) == 1 and long.startswith(short):
        return True
    allowed = 2 if len(short) >= 8 else 1 if len(short) >= 5 else 0
    return allowed > 0 and OSA.distance(short, long, score_cutoff=allowed) <= allowed
