"""Expands short forms and corrects misspellings of the words that matter."""

from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from serving.search.language.tables import tables
from warehouse.index.fuzzy_names import errors_allowed

_SHORTEST, _FIVE, _LONG_WORD = 4, 5, 8


@lru_cache(maxsize=1 << 14)
def correct_word(word: str) -> tuple[str, int] | None:
    """Return the known word nearest to an unknown one and its distance in letters; None if none is
    near.

    One letter (or two neighbours swapped) in a word of four or more, two in a word of eight or
    more, the first letter unchanged; else a word of five or more letters that sounds the same.
    """
    lexicon = tables()
    if (
        word in lexicon.vocabulary
        or word in lexicon.common
        or len(word) < _SHORTEST
        or not word.isascii()
    ):
        return None
    most = 2 if len(word) >= _LONG_WORD else 1
    nearest = process.extract(
        word, _beginning(word[0]), scorer=OSA.distance, score_cutoff=most, limit=3
    )
    if not nearest:
        alike = _by_sound().get(sound_of(word))
        return (alike, most) if alike else None
    # Ties: the word of the same length, then alphabetical, so the result is stable.
    name, distance, _ = min(nearest, key=lambda f: (f[1], abs(len(f[0]) - len(word)), f[0]))
    return name, int(distance)


@lru_cache(maxsize=1 << 12)
def correct_organization_word(word: str) -> str:
    """Return the correct spelling of a word in an organization's name: "armey" of the Salvation
    Army; else the word."""
    lexicon = tables()
    if word in lexicon.vocabulary or word in lexicon.common:
        return word
    most = errors_allowed(word)
    nearest = process.extractOne(
        word, lexicon.organizations, scorer=OSA.distance, score_cutoff=most
    )
    return nearest[0] if nearest else word


def sound_of(text: str) -> str:
    """Return a phonetic key of a text, for spelling by ear: "fenix", "nesesito"; words that sound
    alike share it."""
    for letters, sound in tables().sounds:
        text = letters.sub(sound, text)
    return text


@lru_cache(maxsize=1)
def _by_sound() -> dict[str, str]:
    """Index words by phonetic key; of equal keys the alphabetically first word."""
    return {sound_of(word): word for word in reversed(tables().key_words) if len(word) >= _FIVE}


@lru_cache(maxsize=64)
def _beginning(letter: str) -> list[str]:
    return [word for word in tables().key_words if word[0] == letter]
