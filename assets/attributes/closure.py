"""Reads that nothing is given out for now, and until when: "Closed until September 9th"."""

import calendar
import re
from datetime import date, timedelta

from assets.attributes.clauses import Finding
from assets.attributes.lexicon import CLOSURES, CONDITIONS, PARTLY_CLOSED

_UNTIL = re.compile(
    r"\b(?:until|till?|through|re-?open(?:s|ing)?(?: on| in)?|back (?:on|in))\W*(?:\w+day,? )?"
    r"(?:(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
    r"(?: (?P<day>\d{1,2})(?:st|nd|rd|th)?\b)?)?,? ?(?P<year>20\d\d)?",
    re.IGNORECASE,
)
_FOR = re.compile(
    r"\bfor (?:the next )?(\d+|one|two|three|four|six) (day|week|month)s?\b", re.IGNORECASE
)
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "six": 6}
_DAYS = {"day": 1, "week": 7, "month": 31}
_MONTHS = [name.lower() for name in calendar.month_abbr]


def findings(clause: str) -> list[Finding]:
    """Return `closure` and `closure_text` if the clause says that the whole place is closed."""
    match = CLOSURES.search(clause)
    if match is None or CONDITIONS.search(clause[: match.start()]):
        return []
    rest = f"{clause[: match.start()]} {clause[match.end() :]}"
    if PARTLY_CLOSED.search(rest):
        return []
    return [Finding("closure", "closed", clause), Finding("closure_text", clause, clause)]


def last_day(text: str, said_on: date) -> date | None:
    """Return the last day of a closure, as of the day on which a list says so; None if unknown.

    A day without a year is the first one after `said_on`.
    """
    span = _FOR.search(text)
    if span:
        count = _NUMBERS.get(span[1].lower()) or int(span[1])
        return said_on + timedelta(days=count * _DAYS[span[2].lower()])
    for match in _UNTIL.finditer(text):
        month, day, year = match["month"], match["day"], match["year"]
        if not (month or year):
            continue
        number = _MONTHS.index(month.lower()) if month else 12
        years = [int(year)] if year else [said_on.year, said_on.year + 1]
        for one in years:
            last = calendar.monthrange(one, number)[1]
            end = date(one, number, min(int(day), last) if day and int(day) else last)
            if year or end >= said_on:
                return end
    return None
