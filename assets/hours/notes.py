"""Decides which remarks in words unknown to the lexicon can be skipped."""

import re

from assets.hours.lexicon import STEMS
from assets.hours.spelling import may_be_day

# "the full schedule can be found here" says nothing about the hours given
_POINTER = re.compile(
    r"\b(?:schedule|calendar|information|info|menu|details)\b.{0,30}\b(?:here|website|facebook)\b"
    r"|\bby calling\b|\bcall\b.{0,30}\b(?:information|info|details|questions|availability)\b"
    r"|\b(?:visit|see|check)\b.{0,20}\b(?:website|facebook)\b.{0,20}\b(?:info|information)\b"
)

_EVERYBODY = ("everyone", "everybody")


def is_harmless(words: list[str], *, in_group: bool) -> bool:
    """Return whether a run of unknown words certainly says nothing about time.

    Outside parentheses, three words without a dangerous one are enough. In parentheses, which may
    contain labels ("(Showers)"), one word must show the subject.
    """
    if _POINTER.search(" ".join(words)):
        return True
    letters = [word for word in words if word[0].isalpha()]
    if any(word[0] == "$" for word in words) and len(letters) <= 2:
        return True  # "$1 per person"
    if letters and len(letters[-1]) > 2 and may_be_day(letters[-1]):
        return False  # "YWCA clients: Wex., 1-2"
    terms = [word for text in letters for word in text.split() if word not in _EVERYBODY]
    if any(has_stem(word, STEMS.dangerous) for word in terms):
        return False
    if any(has_stem(word, STEMS.harmless) for text in letters for word in text.split()):
        return True
    return len(letters) >= 3 and not in_group


def has_stem(word: str, stems: tuple[str, ...]) -> bool:
    """Return whether a word equals a stem, or begins with a stem of four letters or more."""
    return any(word == stem or (len(stem) > 3 and word.startswith(stem)) for stem in stems)
