"""Repairs texts: entities, mojibake, control characters, spaces, words for "missing", misspellings.

The helpers of all cleaning steps are here too: they map distinct values, and reject rows with a
reason.
"""

import html
import re
import unicodedata
from collections.abc import Callable
from functools import partial

import ftfy
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from schemas.sources.registry import Source
from schemas.values.names import INVISIBLE_CHARACTERS, without_invisible

Repair = Callable[[str], str | None]

# Multi-line free text; its line breaks are significant.
MULTI_LINE_FIELDS = (
    "hours_text",
    "services_text",
    "requirements_text",
    "eligibility_text",
    "notes",
)
TEXT_FIELDS = (
    "name",
    "organization",
    "address",
    "city",
    "state",
    "zip",
    "county_name",
    "phone",
    "website",
    *MULTI_LINE_FIELDS,
)


def map_unique(column: pd.Series, repair: Repair) -> pd.Series:
    """Return a text column mapped by `repair`, called once per distinct value; missing stays
    missing."""
    codes, uniques = pd.factorize(column)
    # A missing value has code -1, which selects the last entry.
    values = pd.array([*map(repair, np.asarray(uniques, dtype=object)), None], dtype="str")
    return pd.Series(values.take(codes), index=column.index, name=column.name)


def map_where(column: pd.Series, where: pd.Series, repair: Repair) -> pd.Series:
    """Return a text column with only the marked values mapped by `repair`."""
    if not where.any():
        return column
    result = column.copy()
    result[where] = map_unique(column[where], repair)
    return result


def contains(column: pd.Series, pattern: str) -> pd.Series:
    """Return whether each text contains the pattern (RE2 syntax, run by Arrow; missing is False).

    pandas runs patterns with flags, escapes or non-ASCII letters in Python, ten times slower.
    """
    matches = pc.match_substring_regex(pa.array(column, pa.large_string()), pattern)
    return pd.Series(matches.fill_null(False).to_numpy(zero_copy_only=False), index=column.index)


def is_one_case(column: pd.Series) -> pd.Series:
    """Return whether the letters of each text are all upper or all lower case.

    A text without plain Latin letters has no case to repair: a change could turn transport damage
    into a plausible sign ("â€" would become "Â€", which reads as a broken euro sign).
    """
    return (column.str.isupper() | column.str.islower()) & contains(column, "[A-Za-z]")


def reject(
    places: pd.DataFrame, where: pd.Series, reason: str, detail: pd.Series | str
) -> pd.DataFrame:
    """Return the frame with `reason` on marked rows; a row's first reason stays."""
    target = where & places["reject_reason"].isna()
    if not target.any():
        return places
    marked = places.copy(deep=False)
    marked["reject_reason"] = places["reject_reason"].mask(target, reason)
    marked["reject_detail"] = places["reject_detail"].mask(target, detail)
    return marked


_SENTINELS = (
    r"n/?a|n\.a\.?|#n/a|not available|not applicable|null|<null>|\(null\)|none|nil|nan|undefined"
    r"|unknown"
    r"|tbd|\[object object\]"
)
_SENTINEL = re.compile(rf"(?:{_SENTINELS})[.]?|[-–—†.*_/\\\s,;:]*", re.IGNORECASE)
# Values without these signs, nearly all, are skipped.
_SIGNS = rf"(?i)^\s|\s$|\s\s|[^\x20-\x7e]|&\S+;|</?[a-z]|^(?:{_SENTINELS})[.]?$|^[-.*_/\\\s,;:]*$"
# Only with the semicolon: "?id=5&section=3" contains no entity.
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_BREAK = re.compile(r"<br\s*/?>|</(?:p|div|li|tr)\s*>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:a|b|i|u|p|em|br|li|ul|ol|tr|td|div|span|font|strong)(?:\s[^<>]*)?/?>", re.IGNORECASE
)
# UTF-8 decoded as a one-byte encoding: a lead byte and a continuation byte.
MOJIBAKE = re.compile("[ÃÂÅâðï][\u0080-\uffff]")
_LINE_SEPARATOR = re.compile("[\r\u2028\u2029]")
# A soft hyphen after another sign may be a byte of it that `repair_text` restores: "MarÃ\u00ada".
_PART_OF_SIGN = re.compile("(?<=[^\x00-\x7f])\u00ad")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_ROUNDS = 8


def remove_invisible(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows without invisible characters in their texts, before any rule reads them:
    "confi\\u200bdential" is a withheld address."""

    def make_visible(text: str) -> str | None:
        return "\u00ad".join(map(without_invisible, _PART_OF_SIGN.split(text))) or None

    visible = rows.copy(deep=False)
    for name, column in rows.items():
        if isinstance(column.dtype, pd.StringDtype):
            hidden = contains(column, f"[{INVISIBLE_CHARACTERS}]")
            visible[name] = map_where(column, hidden, make_visible)
    return visible


def clean_text(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Return places with all text fields repaired, and the source's replacements of bad values."""
    result = places.copy(deep=False)
    for name in TEXT_FIELDS:
        column = result[name]
        separator = "\n" if name in MULTI_LINE_FIELDS else ", " if name == "address" else " "
        repair = partial(repair_text, separator=separator)
        result[name] = map_where(column, contains(column, _SIGNS), repair)
    for name, fixes in source.fixes.items():
        # Known bad values in any case; an empty replacement means missing.
        replacements = {bad.casefold(): good or None for bad, good in fixes.items()}
        folded = result[name].str.casefold()
        result[name] = result[name].mask(
            folded.isin(replacements), folded.map(replacements).astype("str")
        )
    return result


def repair_text(text: str, separator: str = " ") -> str | None:
    """Return a text without transport damage; None for a word that means "missing".

    Lines are joined by `separator`. Entities may be encoded more than once.
    """
    for _ in range(_ROUNDS):
        before, text = text, _repair_once(text, separator)
        if text == before:
            break
    return text if says_something(text) else None


def says_something(text: str) -> bool:
    """Return False for a word that means "missing", or for punctuation alone."""
    return _SENTINEL.fullmatch(text) is None


def _repair_once(text: str, separator: str) -> str:
    text = _ENTITY.sub(lambda match: html.unescape(match[0]), text)
    if MOJIBAKE.search(text):
        text = ftfy.fix_encoding(text)
    text = ftfy.fixes.fix_c1_controls(text)
    if "<" in text:
        text = _TAG.sub("", _BREAK.sub("\n", text))
    text = _LINE_SEPARATOR.sub("\n", unicodedata.normalize("NFC", text))
    text = _CONTROL.sub(" ", without_invisible(text))
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return separator.join(line for line in lines if line)
