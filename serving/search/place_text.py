"""Splits a text about a place into ZIP code, state, and the parts before them. Looks nothing up."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from schemas.values.names import fold_name
from schemas.vocab.states import MAX_WORDS, military_by_words, state_by_words
from serving.search.language.tables import tables

_BLANKS = re.compile(r"\s+")
_COUNTRY = re.compile(
    r"[\s,]+(?:u\.?s\.?a\.?|u\.s\.?|united states(?: of america)?|ee\.? ?uu\.?|estados unidos)$",
    re.IGNORECASE,
)
# Nine digits are a ZIP+4 without its hyphen. The number of a post office box is no ZIP code.
_ZIP_LAST = re.compile(
    r"^(?P<rest>|.*(?<!\bbox)(?<!\bapartado)[\s,.])(?P<zip>[0-9]{5})(?:[- ]?[0-9]{4})?$",
    re.IGNORECASE,
)
_ZIP_FIRST = re.compile(r"^(?P<zip>[0-9]{5})(?:-[0-9]{4})?[\s,]+(?P<rest>.*[^\W\d].*)$")
_DIGIT = re.compile(r"[0-9]")
_MAX_NAME_WORDS = 5


class Naming(NamedTuple):
    """A parsed text: the parts before the state, the nearest to it last, and the state's code."""

    parts: tuple[str, ...]
    state: str | None


def tidy(text: str) -> str:
    """Collapse blanks; remove the country and punctuation at the ends."""
    plain = _BLANKS.sub(" ", text).strip(" ,;.")
    return _COUNTRY.sub("", plain).strip(" ,;") or plain


def zip_at_end(text: str) -> tuple[str, str] | None:
    """Return (text before, ZIP code) of a text that ends in a ZIP code or ZIP+4."""
    match = _ZIP_LAST.match(text)
    return (match["rest"].strip(" ,."), match["zip"]) if match else None


def zip_at_start(text: str) -> tuple[str, str] | None:
    """Return (text after, ZIP code) of a text that begins with five digits; they may be a house
    number."""
    match = _ZIP_FIRST.match(text)
    return (match["rest"].strip(" ,."), match["zip"]) if match else None


def after_comma(text: str) -> Naming | None:
    """Return the reading with the state after the last comma: "Salem, OR"."""
    head, comma, tail = text.rpartition(",")
    state = state_by_words(tail) if comma and head.strip(" ,") else None
    return Naming(_parts(head), state) if state else None


def last_words(text: str) -> Iterator[Naming]:
    """Yield readings whose last words are the state, the longest state first: "Fargo North
    Dakota"."""
    words = text.split(" ")
    for count in range(min(MAX_WORDS, len(words) - 1), 0, -1):
        state = state_by_words(" ".join(words[-count:]))
        if state:
            yield Naming(_parts(" ".join(words[:-count])), state)


def without_state(text: str) -> Naming:
    """Return the reading without a state."""
    return Naming(_parts(text), None)


def is_military(text: str) -> bool:
    """Return whether a text ends in the "state" of military post offices: "APO AE"."""
    words = text.replace(",", " ").split()
    is_post_office = any(word.upper() in {"APO", "FPO", "DPO"} for word in words)
    return is_post_office and (len(words) == 1 or military_by_words(words[-1]) is not None)


def names_at_end(part: str, *, is_alone: bool) -> Iterator[str]:
    """Yield names that may end an address line, the longest first: "12 Main St Paul" may end in "St
    Paul".

    Nothing for a line without a number: that is a whole name. A line alone needs three words before
    the name: "45 Washington" is a street. A street type ends none: "43rd Street" is not in Street,
    Maryland.
    """
    if not _DIGIT.search(part):
        return
    words = part.split(" ")
    least = 3 if is_alone else 1
    for count in range(min(_MAX_NAME_WORDS, len(words) - least), 0, -1):
        name = " ".join(words[-count:])
        if not _DIGIT.search(name) and fold_name(name) not in tables().places.street_words:
            yield name


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip(" .") for part in text.split(",") if part.strip(" ."))
