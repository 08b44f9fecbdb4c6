"""Reads the last day of programs that run for some weeks, and of single events.

A summer site states its first and last day, a giveaway its date. Slots of a calendar ("2025-08-16
9 AM - 11 AM") do not count: the pantry goes on after the last one in its list.
"""

import calendar
import re
from datetime import date
from typing import NamedTuple

import pandas as pd

from assets.cleaning.text import map_unique
from schemas.sources.registry import Source

_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_NUMBERS = {month: number for number, month in enumerate(calendar.month_abbr)}
_YEAR = r"20\d\d"
_DATE = (
    rf"(?:\d{{1,2}}/\d{{1,2}}/(?:{_YEAR}|\d\d)|\d{{1,2}}-\d{{1,2}}-{_YEAR}|{_YEAR}-\d\d-\d\d"
    rf"|\b(?:{_MONTHS})\.? \d{{1,2}}(?:st|nd|rd|th)?\s?,? {_YEAR})(?!\d)"
)
# "07/07/2025 Ends:08/19/2025", "Start date 7/6/2025 / End date 7/30/2025".
_GAP = r"[^\dA-Za-z]*(?:[A-Za-z]+[^\dA-Za-z]*){0,2}"
_SPAN = re.compile(rf"{_DATE}(?:{_GAP}{_DATE})+", re.IGNORECASE)
_DATES = re.compile(_DATE, re.IGNORECASE)
# What has the dates is not a food program, or does not run then.
_OTHER = re.compile(
    r"\b(?:closed|clothing|coats?|toys?|dental|vaccin\w+|regist\w+|appl(?:y|ications?)|enroll\w*"
    r"|deliver\w*)\b[^.\n]{0,30}$",
    re.IGNORECASE,
)
# "Tuesday, June 8, 2021 from 5 p.m. to 7 p.m."
_EVENT = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day,? (?:\w+day,? )?(?P<day>(?:"
    + _MONTHS
    + rf")\.? \d{{1,2}}(?:st|nd|rd|th)?\s?,? {_YEAR})\b",
    re.IGNORECASE,
)
_RECURS = re.compile(
    r"\b(?:every|each|weekly|monthly|daily|first|second|third|fourth|last|[1-4](?:st|nd|rd|th)"
    r" (?:mon|tue|wed|thu|fri|sat|sun)\w*|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b",
    re.IGNORECASE,
)
_MAX_DAYS = 366
_TEXTS = ("notes", "services_text", "eligibility_text", "requirements_text")


class Program(NamedTuple):
    """First and last day of a program."""

    begins: date
    ends: date


def read_program(text: str) -> Program | None:
    """Return the first and last of dates that follow each other in a text; None without two.

    More dates next to a rule ("every first Saturday") are its next dates, not the end of a program.
    """
    days: list[date] = []
    for span in _SPAN.finditer(text):
        if not _OTHER.search(text[: span.start()]):
            days += (day for match in _DATES.findall(span[0]) if (day := _read_date(match)))
    if len(days) > 2 and _RECURS.search(text):
        return None
    if not days or not 0 < (max(days) - min(days)).days <= _MAX_DAYS:
        return None
    return Program(min(days), max(days))


def read_event(hours: str) -> Program | None:
    """Return the first and last date of hours that consist of single events; else None."""
    days = [_read_date(match["day"]) for match in _EVENT.finditer(hours)]
    known = [day for day in days if day]
    return Program(min(known), max(known)) if known and not _RECURS.search(hours) else None


def _read_date(text: str) -> date | None:
    """Return a date of `_DATE`; None for a day that does not exist."""
    digits = [int(part) for part in re.findall(r"\d+", text)]
    if text[0].isalpha():
        month, (day, year) = _NUMBERS[text[:3].title()], digits
    elif digits[0] > 31:
        year, month, day = digits
    else:
        month, day, year = digits
    year += 2000 if year < 100 else 0
    if not 1 <= month <= 12 or not 1 <= day <= calendar.monthrange(year, month)[1]:
        return None
    return date(year, month, day)


def date_programs(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Return places with `program_ends_date` from their texts, if their list has no such column.

    Dates in other texts than the hours count only if the place has no hours.
    """

    def last_day(program: Program | None) -> str | None:
        return program.ends.isoformat() if program else None

    hours = places["hours_text"]
    ends = map_unique(hours, lambda text: last_day(read_program(text) or read_event(text)))
    for name in _TEXTS:
        texts = places[name].where(hours.isna())
        ends = ends.fillna(map_unique(texts, lambda text: last_day(read_program(text))))
    if not ends.notna().any():
        return places
    known = places["program_ends_date"]
    days = [date.fromisoformat(text) if isinstance(text, str) else None for text in ends]
    own = pd.Series(days, index=places.index, dtype="object")
    return places.assign(program_ends_date=known.where(known.notna(), own))
