"""Comparison keys: two spellings of one name or address give one key. Keys are never shown."""

import re
from pathlib import Path

import msgspec

from schemas.values.names import without_accents


class _Words(msgspec.Struct, forbid_unknown_fields=True):
    address_words: dict[str, str]
    name_words: dict[str, str]
    phrases: list[tuple[str, str]]


_WORDS = msgspec.yaml.decode(Path(__file__).with_name("keys.yaml").read_bytes(), type=_Words)
_PHRASES = tuple((re.compile(pattern), short) for pattern, short in _WORDS.phrases)
# The expansion of each short form, for streets written in two words: "oak hl" is Oakhill.
LONG_WORDS = {short: word for word, short in reversed(_WORDS.address_words.items())}
_LEGAL = frozenset({"inc", "incorporated", "llc", "llp", "lp", "ltd", "corp", "pllc"})

_SILENT = re.compile(r"[.'’‘ʻ`]")
_NOT_ADDRESS = re.compile(r"[^\w&#/]+|_")
_NOT_NAME = re.compile(r"[^\w&]+|_")
_JOINT = re.compile(r"\s(?:&|at|/)\s")
_HOUSE_NUMBER = re.compile(r"\d+[a-z]?(?:\s|$)")


def address_key(address: str) -> str:
    """Return the key of a street address with its unit: lower case, USPS abbreviations, ordinals as
    digits.

    "100 North Fifth Street, Suite B" and "100 N 5TH ST #B" give "100 n 5th st unit b". The streets
    of an intersection are sorted. An address of punctuation alone has an empty key.
    """
    plain = _NOT_ADDRESS.sub(" ", _fold(address)).replace("#", " unit ")
    words = " ".join(_WORDS.address_words.get(word, word) for word in plain.split())
    for pattern, short in _PHRASES:
        words = pattern.sub(short, words)
    if not _HOUSE_NUMBER.match(words):
        streets = _JOINT.split(words)
        if len(streets) == 2:
            return " & ".join(sorted(street.strip() for street in streets))
    return words.strip()


def name_key(name: str) -> str:
    """Return the key of a place name: lower case, no accents, punctuation, legal suffix or
    leading "the"."""
    plain = _NOT_NAME.sub(" ", _fold(name)).replace("&", " & ")
    words = [_WORDS.name_words.get(word, word) for word in plain.split()]
    while len(words) > 1 and words[-1] in _LEGAL:
        words.pop()
    if len(words) > 1 and words[0] == "the":
        words = words[1:]
    return " ".join(words)


def _fold(text: str) -> str:
    return _SILENT.sub("", without_accents(text).lower())
