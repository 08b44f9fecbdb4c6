"""Decides which digits of a question are a ZIP code: not telephones, house numbers, money, ages,
EINs or years."""

import re
from typing import NamedTuple

from serving.search.language.tables import number_patterns
from serving.search.language.text import fold

_FIVE = re.compile(r"\d{5}")
# The sentence before says nothing about a number: "tell me the password. 98118". Abbreviations do
# not end a sentence.
_SENTENCE_END = re.compile(r"(?<=[a-z]{5})[.!?]+\s+|(?<=[a-z])[!?]+\s+")


class Code(NamedTuple):
    """Five digits that may be a ZIP code, and their position."""

    zip: str
    start: int
    end: int


def zip_codes(text: str) -> list[Code]:
    """Return the ZIP codes of a cleaned text, chosen by form and context."""
    if not _FIVE.search(text):
        return []
    patterns = number_patterns()
    # Letter by letter, so that positions in the text do not change.
    plain = text if text.isascii() else "".join(fold(c)[:1] or c for c in text)
    folded = plain.lower()
    for other in (patterns["phone"], patterns["other_number"]):
        folded = other.sub(lambda m: "x" * len(m[0]), folded)
    return [
        Code(match[1], match.start(), match.end())
        for match in patterns["zip"].finditer(folded)
        if _is_zip(folded, match)
    ]


def _is_zip(text: str, match: re.Match[str]) -> bool:
    patterns = number_patterns()
    before = _SENTENCE_END.split(text[max(0, match.start() - 60) : match.start()])[-1]
    after = text[match.end() : match.end() + 60]
    if patterns["called_zip"].search(before) or patterns["unasked"].search(before):
        return True
    if patterns["no_zip_before"].search(before) or patterns["no_zip_after"].match(after):
        return False
    return not patterns["street"].match(after.replace(",", " , "))
