"""Shapes of values: how many of a column's texts look like a ZIP code, a telephone number,
hours."""

from collections.abc import Callable

import pandas as pd

from assets.sources.free_text import contains, says_when
from assets.sources.whole_addresses import split_address
from schemas.vocab.states import STATES

# A share of the filled cells that have the shape; weaker shapes need a heading as well.
_STREET = (
    r"^\d+[A-Za-z]?(?:-\d+)?(?: 1/2)? +\S.*|^(?:P\.? ?O\.? Box|One|Corner|US|State|Hwy|Highway)\b"
)
_URL = r"^(?:https?://|www\.)\S+$|^[\w-]+(?:\.[\w-]+)*\.(?:org|com|net|gov|edu|us)(?:/\S*)?$"
_PHONE = r"^\+?1?[\s.(-]*\d{3}[\s.)/-]*\d{3}[\s.-]*\d{4}\b"
_ZIP = r"^\d{5}(?:-?\d{4})?$"
_STAMP = r"^\[\{|^\d{4}[-/]\d|^\d{1,2}/\d{1,2}/\d{2,4}"
# "Agency No." numbers an agency and does not name it.
NUMBERED = r"\b(?:no|num|number|id|code|count|#)\b\.?"
PAIR = r"^\W*(?i:lat[a-z]*\W*)?-?\d{1,2}\.\d+[\s,;/]+(?i:lon?n?g?[a-z]*\W*?)?-?\d{2,3}\.\d+\W*$"
PAIR_LAT = r"^[^-\d]*(-?\d{1,2}\.\d+)"
PAIR_LNG = r"(-?\d{2,3}\.\d+)\W*$"
# Well-known text (OGC 06-103r4): longitude first.
POINT = r"^POINT ?\(-?\d+(?:\.\d+)? -?\d+(?:\.\d+)?\)$"
POINT_LAT = r" (-?\d+(?:\.\d+)?)\)$"
POINT_LNG = r"\((-?\d+(?:\.\d+)?) "
DAY = r"\b(?:mon|tue|wed|thu|fri|sat|sun)"
_PLAIN_NAME = r"^[A-Z][A-Za-z .'-]+$"
_STATE_WORDS = {*STATES, *(state.name.upper() for state in STATES.values())}


def share(values: pd.Series, pattern: str) -> float:
    present = values.dropna()
    return float(contains(present, pattern).mean()) if len(present) else 0.0


def _is_in(low: float, high: float) -> Callable[[pd.Series], pd.Series]:
    def check(values: pd.Series) -> pd.Series:
        number = pd.to_numeric(values, errors="coerce")
        return number.between(low, high) & contains(values, r"\.\d")

    return check


def _is_whole(values: pd.Series) -> pd.Series:
    parts = [split_address(text) for text in values]
    results = [bool(p.zip or p.state) and bool(p.city or p.address) for p in parts]
    return pd.Series(results, index=values.index, dtype="bool")


def _is_date(values: pd.Series) -> pd.Series:
    return contains(values, r"^\d{4}-\d{2}-\d{2}|^\d{1,2}/\d{1,2}/\d{2,4}|^\d{12,13}$")


SHAPES: dict[str, Callable[[pd.Series], pd.Series]] = {
    "zip": lambda v: contains(v, _ZIP),
    "state": lambda v: v.str.strip().str.upper().isin(_STATE_WORDS),
    "phone": lambda v: contains(v, _PHONE),
    "lat": _is_in(13.0, 72.0),
    "lng": _is_in(-180.0, -64.0),
    "website": lambda v: contains(v, _URL),
    "hours_text": lambda v: says_when(v) & contains(v, r"\d|noon") & ~contains(v, _STAMP),
    "address": lambda v: contains(v, _STREET) & ~contains(v, r"\b\d{5}(?:-\d{4})?$"),
    "whole_address": _is_whole,
    "city": lambda v: contains(v, _PLAIN_NAME),
    "county_name": lambda v: contains(v, _PLAIN_NAME),
    "source_updated_date": _is_date,
}
