"""Aligns the words of two names: shared words, and words of one alone.

Spelling, initials, joined words, letters for words and saints in Spanish do not make words differ.
"""

from itertools import pairwise

from rapidfuzz.distance import OSA

from assets.matching.acronyms import acronyms_in, with_acronyms
from assets.matching.names import comparable_word
from assets.matching.words import WORDS, are_turned

_SAINTS = {comparable_word(es): comparable_word(en) for es, en in WORDS.saints.items()}


def in_one_language(words: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words with saints in English where the other name has it so: San Pedro."""
    saints = {after for word, after in pairwise(other) if word == "st"}
    english_words = list(words)
    for at, (word, after) in enumerate(pairwise(words)):
        if word in {"san", "santo", "santa"} and _SAINTS.get(after) in saints:
            english_words[at : at + 2] = "st", _SAINTS[after]
    return tuple(english_words)


# A word and another that stands for it, the shorter first. N is "and": Shop N Save.
_SHORT_FOR = {("bank", "pantry"), ("co", "county"), ("s", "south"), ("e", "east"), ("w", "west")}


def align(
    one: tuple[str, ...], other: tuple[str, ...]
) -> tuple[set[str], list[str], list[str], bool]:
    """Return shared words, words left on either side, and whether all shared ones are spelled the
    same.
    """
    one, other = _matches_joined(one, other), _matches_joined(other, one)
    # A name may give its letters behind the words; schools of one campus share them.
    if not (acronyms_in(one) or acronyms_in(other) or WORDS.school_words & {*one, *other}):
        one, other = with_acronyms(one, other), with_acronyms(other, one)
    shared_words = set(one) & set(other)
    left = [word for word in one if word not in shared_words]
    right = [word for word in other if word not in shared_words]
    if not left or not right:
        return shared_words, left, right, True
    if "".join(left) == "".join(right):
        return shared_words | set(left), [], [], True
    is_spelled_alike = True
    for word in list(left):
        twin = next((candidate for candidate in right if _is_one_word(word, candidate)), None)
        if twin is not None:
            left.remove(word)
            right.remove(twin)
            shared_words.add(word)
            is_spelled_alike = False
    return shared_words, left, right, is_spelled_alike


def _matches_joined(words: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """Join two words where the other name has them as one: "Casa Blanca" and "Casablanca"."""
    tokens = list(words)
    for at in range(len(words) - 2, -1, -1):
        compound = "".join(tokens[at : at + 2])
        if compound in others and "school" not in tokens[at : at + 2]:
            tokens[at : at + 2] = [compound]
    return tuple(tokens)


def _is_one_word(one: str, other: str) -> bool:
    """Check for a typing error, an initial or a food bank for a food pantry.

    Numbers and distinctive words are never close.
    """
    short, long = sorted((one, other), key=len)
    if (short, long) in _SHORT_FOR:
        return True
    special = WORDS.levels | WORDS.directions | WORDS.kinds.keys()
    is_apart = one.isdigit() or other.isdigit() or are_turned(one, other)
    if is_apart or one in special or other in special:
        return False
    if len(short) == 1 and long.startswith(short):
        return True
    max_distance = 2 if len(short) >= 8 else 1 if len(short) >= 5 else 0
    return max_distance > 0 and OSA.distance(short, long, score_cutoff=max_distance) <= max_distance
