"""Opening hours as recurrence rules: the one structure that parser, release, service and HSDS feed
share.

Shape follows the HSDS 3.0 `schedule` object (itself RFC 5545 parts). All times are local to the
place.
"""

from __future__ import annotations

from typing import Literal

import msgspec

# Fixed words that the evaluator understands in the `description` of an `is_closed` schedule. Names
# of single federal holidays ("Christmas Day") are understood too; several are joined by ", ".
FEDERAL_HOLIDAYS = "federal holidays"
MAJOR_HOLIDAYS_ONLY = "major holidays"
# Fixed word in the `description` of a rule: its hours hold on holidays as well.
OPEN_ON_HOLIDAYS = "open on holidays"
# Fixed word in the `description` of a rule: hours of the office behind the service, not of the
# service.
OFFICE_HOURS = "office"
# First words of the `description` of a rule for something else than food, where a text names both.
OTHER_SERVICE = "other service"
# Fixed words in the `description` of a rule that holds in a part of the year without known dates.
SCHOOL_YEAR = "in the school year"
SUMMER = "in summer"
UNDATED_SEASONS = frozenset({SCHOOL_YEAR, SUMMER})


class Schedule(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One recurring span of opening. A place with two spans a day has two schedules.

    `freq` WEEKLY: `byday` is "MO,TU" (RFC 5545 codes in week order). MONTHLY: `byday` is "2TU,4TU"
    or "-1FR", or `bymonthday` is "1,15". `interval` 2 means every other week and needs `dtstart`.
    `opens_at` and `closes_at` are "HH:MM", 24-hour; a closing time at or before the opening time
    lies on the next day; open round the clock is "00:00" to "24:00". `valid_from` and `valid_to`
    bound a season or hold a single dated slot (then `freq` and `byday` are None): "YYYY-MM-DD", or
    "MM-DD" for a season that returns every year and may run over New Year ("11-01" to "03-31").
    `description` says in words what the rule cannot. `is_closed` marks a span of dates on which the
    place is closed whatever other rules say; without dates its `description` names holidays in the
    words above.

    What a schedule leaves open stays open: days without times mean "some time on these days", a
    description alone means "ask".
    """

    opens_at: str | None = None
    closes_at: str | None = None
    freq: Literal["WEEKLY", "MONTHLY"] | None = None
    byday: str | None = None
    bymonthday: str | None = None
    interval: int = 1
    dtstart: str | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    description: str | None = None
    is_closed: bool = False


def is_beside(schedule: Schedule) -> bool:
    """Return True for hours of an office, and of another service where a text names food as
    well."""
    return any(part == OFFICE_HOURS or part.startswith(OTHER_SERVICE) for part in _words(schedule))


def is_undated(schedule: Schedule) -> bool:
    """Return True for hours that hold in a part of the year whose dates nobody says."""
    return not UNDATED_SEASONS.isdisjoint(_words(schedule))


def _words(schedule: Schedule) -> list[str]:
    return (schedule.description or "").split("; ")


_decode = msgspec.json.Decoder(list[Schedule])


def schedules_from_json(text: str | bytes | None) -> list[Schedule]:
    """Parse a `schedules_json` field; an empty list when nothing is known.

    Raises msgspec.ValidationError when the text is not what `schedules_as_json` wrote.
    """
    return _decode.decode(text) if text else []


def schedules_as_json(schedules: list[Schedule]) -> str | None:
    """Return the `schedules_json` of a list of schedules; None for none."""
    return msgspec.json.encode(schedules).decode() if schedules else None
