"""Cleans names of places and organizations, and the case of upper-case names and streets.

Unknown words are capitalized; letters are never added or removed.
"""

import re
from functools import lru_cache
from itertools import pairwise
from typing import Literal

import pandas as pd

from assets.cleaning.text import MOJIBAKE, contains, is_one_case, map_where, reject, says_something
from schemas.sources.registry import Source
from schemas.vocab.states import STATE_CODES

# Left over from joining two fields with the second missing. A run of signs is matched only at its
# start: otherwise long runs would take quadratic time.
_TRAILING_NA = re.compile(r"(?<![\s,;/–-])(?:[\s,;/–-]+(?:N/?A|n/a|NULL|null|<Null>))+$")
_LEGAL = (
    (re.compile(r"(?<![,\s])[,\s]+L\.?\s?L\.?\s?C\.?$", re.IGNORECASE), " LLC"),
    (re.compile(r"(?<![,\s])[,\s]+L\.?L\.?P\.?$", re.IGNORECASE), " LLP"),
    (re.compile(r"(?<![,\s])[,\s]+(?:Inc|Incorporated)\.?,?$", re.IGNORECASE), " Inc."),
    (re.compile(r"(?<![,\s])[,\s]+Corp\.?$", re.IGNORECASE), " Corp."),
    (re.compile(r"(?<![,\s])[,\s]+Ltd\.?$", re.IGNORECASE), " Ltd."),
)
_SIGNS = (
    r"(?i)\b(?:l\.?\s?l\.?\s?[cp]|inc|incorporated|corp|ltd)\.?,?$|[\s,;/–-](?:n/?a|null|<null>)$"
)


def clean_names(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Clean `name` and `organization`; rows without a name are rejected (`no_name`)."""
    result = places.copy(deep=False)
    for field in ("name", "organization"):
        column = places[field]
        needs_repair = is_one_case(column) | contains(column, _SIGNS)
        result[field] = map_where(column, needs_repair, display_name)
    nameless = ~contains(result["name"], r"[\pL\pN]")
    return reject(result, nameless, "no_name", places["name"])


def display_name(text: str) -> str | None:
    """Return a name with its legal suffix in one form, in title case if it was in one case."""
    text = _TRAILING_NA.sub("", text).strip()
    if text.isupper() or text.islower():
        text = title_case(text, "name")
    for pattern, suffix in _LEGAL:
        text = pattern.sub(suffix, text)
    text = text.strip()
    return text if says_something(text) else None


Style = Literal["name", "address"]

_WORD = re.compile(r"[^\W_]+(?:['’`][^\W_]+)*")
_ORDINAL = re.compile(r"(\d+)(st|nd|rd|th)", re.IGNORECASE)
_NUMBER_WORD = re.compile(r"(\d+)([^\W\d_]{3,})|([^\W\d_]{3,})(\d+)")
# VT-22A, I-35, US-1: a road by its number.
_ROAD_NUMBER = re.compile(r"[^\W\d_]{1,3}-\d+[^\W\d_]?[,.]?")
_HAS_DIGIT = re.compile(r"\d")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ALWAYS_UPPER = _words(
    "II III IV VI VII VIII IX XI XII XIII USA US UK NYC NAACP NASA MLK JFK FDR LBJ VFW AMVETS PTA"
)
_NAME_UPPER = _words(
    "YMCA YWCA YMHA WIC SNAP EBT LLC LLP PLLC PC NY NJ DC VA HUD HIV AIDS USDA FNS CSFP TEFAP "
    "FDPIR SFSP CACFP FQHC UMC AME CME SDA COGIC UCC ELCA LDS COG IGA BP AM PM IHOP KFC BJ HEB "
    "UCLA UCSF USC SUNY CUNY ISD USD JCC CAC ATM GED ESL EMS OEO CEO AA NA"
)
_ADDRESS_UPPER = _words("N S E W NE NW SE SW PO RR HC SR CR FM SH PSC APO FPO DPO CMR")
_FIXED = {
    "dba": "dba",
    "dekalb": "DeKalb",
    "desoto": "DeSoto",
    "dupage": "DuPage",
    "lasalle": "LaSalle",
    "laporte": "LaPorte",
}
# Abbreviations without a vowel; other short words without a vowel are initials (CVS, TJ).
_SHORT_WORDS = _words(
    "st dr mr mrs jr sr mt ft rd ln blvd ctr hts pkwy hwy twp mkt mgmt svc svcs ntl dst schl sq "
    "ct ltd brd cntr crk spgs grp fdn cmty trng bldg plz bch prk twn lk mtn vly frst hlth clnc "
    "hsp ch rm flr trl th pl br nth sth dpt stn shpg mrkt mrt str mkts ppl crp"
)
_VOWELS = frozenset("AEIOUYÁÉÍÓÚÜÀÈÌÒÙÂÊÎÔÛÄËÏÖ")
_AFTER_APOSTROPHE = frozenset({"s", "t", "re", "ve", "ll", "d", "m", "n", "nt"})

# Lower case inside a name or street, never at its ends.
_PARTICLES = frozenset({"of", "the", "and", "at", "in", "on", "for", "to", "by", "with", "or"})
_SPANISH_PARTICLES = frozenset({"de", "del", "y"})
_ARTICLES_AFTER_DE = frozenset({"la", "las", "los", "el"})
_STATES = frozenset(code.lower() for code in STATE_CODES)
_CONTEXTUAL = _PARTICLES | _SPANISH_PARTICLES | _ARTICLES_AFTER_DE


def title_case(text: str, style: Style) -> str:
    """Return a text in title case, with initials, Mc and O', ordinals, unit codes and particles in
    their usual case."""
    tokens = text.split(" ")
    cased = [_token(token, style) for token in tokens]
    small = [token.lower() for token in tokens]
    if not _CONTEXTUAL.isdisjoint(small):
        for place in range(1, len(tokens) - 1):
            if _is_particle(small, place, style):
                cased[place] = small[place]
    if style == "address" and not _STATES.isdisjoint(small):
        # A state before a road number: NC in "15199 NC 96", not Fl in "12 Oak St Fl 2".
        for place, (word, after) in enumerate(pairwise(small)):
            is_behind_number = place == 0 or small[place - 1].isdigit()
            if word in _STATES and is_behind_number and after[:1].isdigit():
                cased[place] = word.upper()
    return " ".join(cased)


def _is_particle(small: list[str], place: int, style: Style) -> bool:
    word, previous = small[place], small[place - 1]
    if word in _ARTICLES_AFTER_DE:
        return previous == "de"
    if word in _SPANISH_PARTICLES:
        # "100 N De Soto St": a name begins after a number or direction.
        return style == "name" or not (
            _HAS_DIGIT.search(previous) or previous.strip(".").upper() in _ADDRESS_UPPER
        )
    return word in _PARTICLES


@lru_cache(maxsize=200_000)
def _token(token: str, style: Style) -> str:
    if style == "address" and _ROAD_NUMBER.fullmatch(token):
        return token.upper()
    if MOJIBAKE.search(token) or MOJIBAKE.search(token.upper()):
        # A change of case would turn noise ("â€") into a plausible sign ("Â€").
        return token
    return _WORD.sub(lambda match: _word(match[0], style), token)


def _word(word: str, style: Style) -> str:
    if _HAS_DIGIT.search(word):
        return _case_ordinal(word, style)
    for mark in "'’`":
        head, separator, tail = word.partition(mark)
        if separator:
            # O'Brien; but Joe's, Don't, Kapa'a.
            if len(head) == 1 and tail.lower() not in _AFTER_APOSTROPHE:
                return f"{head.upper()}{mark}{_word(tail, style)}"
            return f"{_word(head, style)}{mark}{tail.lower()}"
    upper = _upper(word)
    upper_words = _NAME_UPPER if style == "name" else _ADDRESS_UPPER
    # Single letters are initials; in names, so are short words without a vowel.
    is_initials = len(upper) == 1 or (
        style == "name"
        and len(upper) <= 4
        and _VOWELS.isdisjoint(upper)
        and upper.lower() not in _SHORT_WORDS
    )
    if upper in _ALWAYS_UPPER or upper in upper_words or is_initials:
        return upper
    lower = word.lower()
    if len(lower) > 4 and lower.startswith("mc"):
        return f"Mc{lower[2].title()}{lower[3:]}"
    return _FIXED.get(lower) or f"{lower[0].title()}{lower[1:]}"


def _upper(word: str) -> str:
    """Return upper case, except for words with letters that have none (ß)."""
    upper = word.upper()
    return upper if len(upper) == len(word) else word


def _case_ordinal(word: str, style: Style) -> str:
    """Case words with digits: "7th" stays lower case, unit and store codes are upper case,
    "24Hour"."""
    if ordinal := _ORDINAL.fullmatch(word):
        return f"{ordinal[1]}{ordinal[2].lower()}"
    if match := _NUMBER_WORD.fullmatch(word):
        if match[1]:
            return f"{match[1]}{_word(match[2], style)}"
        return f"{_word(match[3], style)}{match[4]}"
    return _upper(word)
