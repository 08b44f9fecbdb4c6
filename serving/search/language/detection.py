"""Detects whether a question is in English or Spanish."""

import re
from collections.abc import Iterable
from typing import Literal

from serving.search.language.tables import tables

Language = Literal["en", "es"]
_SPANISH_MARKS = re.compile(r"[ñ¿¡]")
_ACCENT = re.compile(r"[áéíóú]")
_SPANISH_END = re.compile(r"(?:cion|ciones|mente|ando|iendo|ito|ita|itos|itas|dad|amos|emos)$")
_ENGLISH_END = re.compile(r"(?:tion|tions|ing|ness|ight|ould)$")


def language_of(words: Iterable[str], text: str) -> Language:
    """Return the language of most words (place names excluded); English when undecided."""
    all_words = list(words)
    # "Meals on Wheels para mi abuela" is Spanish: such names count only without other evidence.
    own = tables().patterns["loan_names"].sub("#", f" {' '.join(all_words)} ").split()
    english, spanish = _count(own)
    if not (english or spanish):
        english, spanish = _count(all_words)
    lower = text.lower()
    spanish += 1.0 * bool(_SPANISH_MARKS.search(lower))
    # One accent may be part of a name.
    spanish += 0.4 * bool(_ACCENT.search(lower))
    return "es" if spanish > english else "en"


def _count(words: list[str]) -> tuple[float, float]:
    """Count English and Spanish words; an unknown word counts half by its ending."""
    lexicon = tables()
    english = spanish = 0.0
    for word in words:
        if word in lexicon.es:
            spanish += 1
        elif word in lexicon.en:
            english += 1
        elif word not in lexicon.vocabulary and len(word) > 5:
            spanish += 0.5 * bool(_SPANISH_END.search(word))
            english += 0.5 * bool(_ENGLISH_END.search(word))
    return english, spanish
