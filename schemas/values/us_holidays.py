"""The federal holidays of the United States by rule (5 U.S.C. 6103), from 2021 on.

Written out because the service needs them at its first request and the `holidays` package takes 0.4
s to load; the tests compare both.
"""

from datetime import date, timedelta
from functools import lru_cache

_MONDAY, _THURSDAY, _FRIDAY, _SATURDAY, _SUNDAY = 0, 3, 4, 5, 6

# On these nearly every place changes its hours, whether or not it says so.
MAJOR_HOLIDAYS: frozenset[str] = frozenset(
    {"New Year's Day", "Independence Day", "Thanksgiving Day", "Christmas Day"}
)


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    """Return a month's nth weekday (Monday is 0); -1 is the last."""
    if nth > 0:
        first = date(year, month, 1)
        return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))
    last = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
    return last - timedelta(days=(last.weekday() - weekday) % 7)


@lru_cache(maxsize=64)
def federal_holidays(year: int) -> dict[date, str]:
    """Return date to name of the eleven federal holidays of a year, without observed days."""
    return {
        date(year, 1, 1): "New Year's Day",
        nth_weekday(year, 1, _MONDAY, 3): "Martin Luther King Jr. Day",
        nth_weekday(year, 2, _MONDAY, 3): "Washington's Birthday",
        nth_weekday(year, 5, _MONDAY, -1): "Memorial Day",
        date(year, 6, 19): "Juneteenth National Independence Day",
        date(year, 7, 4): "Independence Day",
        nth_weekday(year, 9, _MONDAY, 1): "Labor Day",
        nth_weekday(year, 10, _MONDAY, 2): "Columbus Day",
        date(year, 11, 11): "Veterans Day",
        nth_weekday(year, 11, _THURSDAY, 4): "Thanksgiving Day",
        date(year, 12, 25): "Christmas Day",
    }


def holiday_name(day: date) -> str | None:
    """Return name of the federal holiday on this very date."""
    return federal_holidays(day.year).get(day)


def name_observed_holiday(day: date) -> str | None:
    """Return the name of the weekend holiday that offices observe on this date, if any."""
    if day.weekday() == _FRIDAY:
        return _weekend_holiday(day + timedelta(days=1))
    if day.weekday() == _MONDAY:
        return _weekend_holiday(day - timedelta(days=1))
    return None


def _weekend_holiday(day: date) -> str | None:
    return holiday_name(day) if day.weekday() in (_SATURDAY, _SUNDAY) else None
