"""Addresses written in one cell: "945 W 69th St, Chicago, IL 60621", also without the commas."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

import pandas as pd

from assets.matching.streets import records_by_zip
from schemas.vocab.states import STATES

_ZIP = re.compile(r"[\s,-]*\b(\d{5})(?:-\d{4})?[\s,]*$", re.ASCII)
# "bangorME": the capitals show where the state begins.
_STATE = re.compile(r"(?:[\s,.]+|(?<=[a-z]))([A-Z]{2})\.?[\s,-]*$")
_COUNTRY = re.compile(r"[\s,]+(?:U\.?S\.?A?\.?|United States(?: of America)?)\.?$", re.IGNORECASE)
_STATE_NAMES = {state.name.casefold(): code for code, state in STATES.items()}
# In small letters or written out, a state is believed only between a comma and a ZIP code.
_OTHER_STATE = re.compile(r",\s*([A-Za-z][A-Za-z. ]+?)\.?[\s,]*$")
_SPACES = re.compile(r"\s+")
_COMMAS = re.compile(r"\s*,[\s,]*")
_NO_CITY = re.compile(
    r"\d|^[a-z]{2}$|^(?:suite|ste|apt|unit|bldg|building|room|rm|floor)\b", re.IGNORECASE
)
# "First Parish Church York" is a building and a city: the city is found by its ZIP.
_LONGEST_CITY = 3
# A city without a comma before it is accepted only after a street type.
_STREET_END = re.compile(
    r"\b(?:st|street|rd|road|ave?|avenue|dr|drive|ln|lane|blvd|boulevard|hwy|highway|way|ct|court|cir|circle"
    r"|pl|place|pkwy|parkway|sq|square|ter|terrace|pike|trail|turnpike)\.?(?: [nsew]\.?)?$",
    re.IGNORECASE,
)


class Parts(NamedTuple):
    address: str | None
    city: str | None
    state: str | None
    zip: str | None


def address_parts(column: pd.Series, state: str | None = None) -> pd.DataFrame:
    """Split whole addresses into columns address, city, state, zip; `state` is the default.

    A city needs a comma before it or has to be one of the ZIP's own (of the state's, after a word
    such as "St"); else it stays in the address. No part of a text is lost.
    """
    unique = {text: split_address(text, state) for text in column.dropna().unique()}
    nothing = Parts(None, None, None, None)
    rows = [nothing if pd.isna(text) else unique[text] for text in column]
    frame = pd.DataFrame(rows, columns=list(Parts._fields), index=column.index)
    return frame.astype("str")


def split_address(text: str, state: str | None = None) -> Parts:
    """Return the parts of one whole address; see `address_parts`."""
    rest = _COMMAS.sub(", ", text.replace("\r", "\n").replace("\n", ", "))
    rest = _COUNTRY.sub("", _SPACES.sub(" ", rest).strip(" ,-"))
    zip_code, rest = _tail(_ZIP, rest)
    own_state, rest = _own_state(rest)
    if own_state is None and zip_code is None:
        # "Charlotte, NC, Mecklenburg": a county behind the state.
        before, comma, county = rest.rpartition(", ")
        code, head = _own_state(before)
        is_plain = ", " in head or not re.search(r"\d", head)
        if comma and code is not None and is_plain and not re.search(r"\d", county):
            own_state, rest = code, head
    if own_state is None and zip_code is not None:
        own_state, rest = _find_state(rest)
    name = STATES[state].name if state else ""
    if own_state is None and name and rest.casefold().endswith(f" {name.casefold()}"):
        rest = rest[: -len(name)].strip(" ,-")
    street, city = _street_and_city(rest, own_state or state, zip_code)
    return Parts(street or None, city, own_state or state, zip_code)


def _tail(pattern: re.Pattern[str], text: str) -> tuple[str | None, str]:
    match = pattern.search(text)
    return (match[1], text[: match.start()].strip(" ,-")) if match else (None, text)


def _own_state(text: str) -> tuple[str | None, str]:
    code, rest = _tail(_STATE, text)
    return (code, rest) if code in STATES else (None, text)


def _find_state(text: str) -> tuple[str | None, str]:
    """Return the code of a state after a comma ("Illinois", "il") and the text before it."""
    name, rest = _tail(_OTHER_STATE, text)
    plain = (name or "").casefold().strip()
    code = _STATE_NAMES.get(plain) or (plain.upper() if plain.upper() in STATES else None)
    return (code, rest) if code else (None, text)


def _street_and_city(text: str, state: str | None, zip_code: str | None) -> tuple[str, str | None]:
    street, comma, last = text.rpartition(", ")
    if comma and not _NO_CITY.search(last) and len(last.split()) <= _LONGEST_CITY:
        return street, last
    if text.casefold() in {*_cities_of_zip(zip_code or ""), *_cities_of_state(state or "")}:
        return "", text
    for name in _cities_of_zip(zip_code or ""):
        if text.casefold().endswith(f" {name}"):
            return text[: -len(name)].strip(" ,-"), text[-len(name) :]
    for name in _cities_of_state(state or ""):
        head = text[: -len(name)].strip(" ,-")
        if text.casefold().endswith(f" {name}") and _STREET_END.search(head):
            return head, text[-len(name) :]
    return text, None


@cache
def _cities_of_zip(zip_code: str) -> tuple[str, ...]:
    """Return the city names of a ZIP, the longest first, in lower case."""
    return _longest_first(_names_of(records_by_zip().get(zip_code)))


@cache
def _cities_of_state(state: str) -> tuple[str, ...]:
    own = (record for record in records_by_zip().values() if record["state"] == state)
    return _longest_first(name for record in own for name in _names_of(record))


def _names_of(record: Mapping[str, Any] | None) -> list[str]:
    names = [record["city"], *record["acceptable_cities"]] if record else []
    return [name.casefold() for name in names]


def _longest_first(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(names), key=lambda name: (-len(name), name)))
