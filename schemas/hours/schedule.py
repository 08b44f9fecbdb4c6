"""Opening hours as recurrence rules: the structure shared by parser, release, service and HSDS
feed.

Shape follows the HSDS 3.0 `schedule` object (itself RFC 5545 parts). All times are local to the
place.
"""

from collections.abc import Iterable
from enum import StrEnum, auto
from functools import lru_cache
from typing import Annotated, Literal

import msgspec

from schemas.descriptions import describe

# Fixed words known to the evaluator in the `description` of an `is_closed` schedule. Names
# of single federal holidays ("Christmas Day") are also known; ", " joins several.
FEDERAL_HOLIDAYS = "federal holidays"
MAJOR_HOLIDAYS_ONLY = "major holidays"
# Fixed words in the `description` of an `is_closed` schedule: closures or other hours on those days
# are possible, never certain.
SOME_HOLIDAYS = "some holidays"
HOLIDAY_HOURS = "holidays with other hours"
# First words before the name of a holiday: its week, Monday to Saturday.
WEEK_OF = "the week of "
# Fixed word in the `description` of a rule: its hours also apply on holidays.
OPEN_ON_HOLIDAYS = "open on holidays"
# Fixed word in the `description` of a rule: hours of the service's office, not of the service.
OFFICE_HOURS = "office"
# First words of the `description` of a rule for a service other than food.
OTHER_SERVICE = "other service"
# Fixed word in the `description` of a rule whose service the text names, but not as food.
SERVICE_UNKNOWN = "may be another service"
# Fixed words in the `description` of a rule for part of the year without known dates.
SCHOOL_YEAR = "in the school year"
SUMMER = "in summer"
OUTSIDE_SEASON = "in the rest of the year"
UNDATED_SEASONS = frozenset(
    {SCHOOL_YEAR, SUMMER, "in fall", "in winter", "in spring", OUTSIDE_SEASON}
)
# Fixed word in the `description` of a rule: weeks unspecified ("twice a month on Saturday").
SOME_WEEKS = "some weeks only"
# Fixed word in the `description` of a rule that may not apply in other months the text names.
SOME_MONTHS = "some months may differ"
# Fixed word in the `description` of times whose days are unknown, such as within a season.
SOME_DAYS = "days not known"
# Fixed word in the `description` of rules for one day that contradict each other.
TIMES_DIFFER = "times may differ"
# Fixed word in the `description` of a span that is too long for a place that gives food.
LONG_HOURS = "unusually long hours"
# Fixed word in the `description` of a rule for visitors who cannot wait for the usual hours.
EMERGENCIES = "emergencies only"
# Fixed words in the `description` of a rule without a closing time that say when it ends.
UNTIL_GONE = "while supplies last"
UNTIL_DUSK = "until dusk"
# `description` of a separate rule that makes all other rules, and all other hours, doubtful: the
# publisher says that the hours vary, or part of the text could not be read.
HOURS_VARY = "hours may vary"
ASK_FOR_HOURS = "call for hours"
SEASONAL = "seasonal"
READ_IN_PART = "part of the text could not be read"
YEAR_NOT_SAID = "the year is not said"
NOTES_DIFFER = "the notes say otherwise"
DOUBTS_OF_ALL = frozenset(
    {HOURS_VARY, ASK_FOR_HOURS, SEASONAL, READ_IN_PART, YEAR_NOT_SAID, NOTES_DIFFER}
)


class Doubt(StrEnum):
    """Reason why a place may not be open at an instant that a rule covers."""

    DAYS = auto()  # times without days, or neither
    TIMES = auto()  # days without times, or with two sets of times
    END = auto()  # an opening without a closing time
    WEEKS = auto()  # some weeks, unspecified
    SEASON = auto()  # a part of the year without dates
    NEED = auto()  # for emergencies
    SERVICE = auto()  # for food or for another service
    ALL = auto()  # all hours of the place


_DOUBT_WORDS = {
    **dict.fromkeys(UNDATED_SEASONS, Doubt.SEASON),
    SOME_WEEKS: Doubt.WEEKS,
    SOME_DAYS: Doubt.DAYS,
    SOME_MONTHS: Doubt.SEASON,
    TIMES_DIFFER: Doubt.TIMES,
    LONG_HOURS: Doubt.TIMES,
    EMERGENCIES: Doubt.NEED,
    SERVICE_UNKNOWN: Doubt.SERVICE,
}


class Schedule(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One recurring span of opening. A place with two spans a day has two schedules.

    `freq` WEEKLY: `byday` is "MO,TU" (RFC 5545 codes in week order). MONTHLY: `byday` is "2TU,4TU"
    or "-1FR", or `bymonthday` is "1,15". `interval` 2 means every other week and needs `dtstart`.
    `opens_at` and `closes_at` are "HH:MM", 24-hour; a closing time at or before the opening time is
    on the next day; open round the clock is "00:00" to "24:00". `valid_from` and `valid_to` bound a
    season or give a single dated slot (then `freq` and `byday` are None): "YYYY-MM-DD", or "MM-DD"
    for a season that recurs every year and may span New Year ("11-01" to "03-31"). `description`
    says in words what the rule cannot express. `is_closed` marks a span of dates when the place is
    closed regardless of other rules; without dates, `description` names holidays in the words
    above.

    Unknowns stay unknown: days without times mean "some time on these days", an opening without a
    closing time "from then on", times without days "on some days", a description alone means "ask".
    `doubt_of` names the unknown.
    """

    opens_at: Annotated[
        str | None,
        describe("Local time at which it opens, 24-hour; null where no time is said.", "09:00"),
    ] = None
    closes_at: Annotated[
        str | None,
        describe(
            "Local time at which it closes, on the next day where it is not after the opening; "
            "`24:00` for round the clock.",
            "12:30",
        ),
    ] = None
    freq: Annotated[
        Literal["WEEKLY", "MONTHLY"] | None,
        describe("How often it recurs (RFC 5545); null for a single span of dates."),
    ] = None
    byday: Annotated[
        str | None, describe("Weekdays (RFC 5545): `MO,TU`; of a month `2TU` or `-1FR`.", "TU,TH")
    ] = None
    bymonthday: Annotated[str | None, describe("Days of the month.", "1,15")] = None
    interval: Annotated[int, describe("2: every other week, counted from `dtstart`.")] = 1
    dtstart: Annotated[str | None, describe("Day from which `interval` counts.")] = None
    valid_from: Annotated[
        str | None, describe("First day of the season: `YYYY-MM-DD`, or `MM-DD` every year.")
    ] = None
    valid_to: Annotated[str | None, describe("Last day of the season.")] = None
    description: Annotated[
        str | None, describe("In words: limits that the other members cannot say.")
    ] = None
    is_closed: Annotated[
        bool, describe("True for dates or holidays on which the place is closed.")
    ] = False


def is_beside(schedule: Schedule) -> bool:
    """Return True for hours of an office or of a service other than food."""
    return any(part == OFFICE_HOURS or part.startswith(OTHER_SERVICE) for part in _words(schedule))


@lru_cache(maxsize=65536)
def doubt_of(schedule: Schedule) -> Doubt | None:
    """Return the doubt of a rule; None for a certain rule and for closures."""
    if schedule.is_closed:
        return None
    words = _words(schedule)
    if not (schedule.freq or schedule.opens_at or DOUBTS_OF_ALL.isdisjoint(words)):
        return Doubt.ALL
    doubt = next((_DOUBT_WORDS[word] for word in words if word in _DOUBT_WORDS), None)
    return doubt or _structural_doubt(schedule)


def _structural_doubt(schedule: Schedule) -> Doubt | None:
    if not (schedule.freq or (schedule.valid_from and schedule.valid_to)):
        return Doubt.DAYS
    if schedule.interval > 1 and not schedule.dtstart:
        return Doubt.WEEKS
    if schedule.opens_at is None:
        return Doubt.TIMES
    return Doubt.END if schedule.closes_at is None else None


def is_doubtful_throughout(schedules: Iterable[Schedule]) -> bool:
    """Return whether a rule makes all hours doubtful: no hour is certainly open or closed."""
    return any(doubt_of(schedule) is Doubt.ALL for schedule in schedules)


def _words(schedule: Schedule) -> list[str]:
    return (schedule.description or "").split("; ")


_decode = msgspec.json.Decoder(list[Schedule])


def schedules_from_json(text: str | bytes | None) -> list[Schedule]:
    """Parse a `schedules_json` field; an empty list when nothing is known.

    Raises msgspec.ValidationError when the text does not come from `schedules_as_json`.
    """
    return _decode.decode(text) if text else []


def schedules_as_json(schedules: list[Schedule]) -> str | None:
    """Return the `schedules_json` of a list of schedules; None for none."""
    return msgspec.json.encode(schedules).decode() if schedules else None
