"""Hours of a release that are too old to be asserted, with their age.

Places that share timetable, origin and advice share a profile, which holds the text until it says
something else (`warehouse.index.profiles`).
"""

from datetime import date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from schemas.hours.hours_words import hours_in_words
from schemas.sources.registry import sources
from schemas.values.advice import Advice
from schemas.values.usual_hours import UsualHours, origin_words, usual_words
from schemas.vocab.dates import DateKind
from warehouse.index.hours_clock import HoursClock


class HoursOrigin(NamedTuple):
    """The day of opening hours, the event on it, and their source."""

    day: date
    basis: DateKind
    source_id: str


class UsualTexts:
    """Makes `usual_hours` of timetables. Safe for threads."""

    def __init__(self, clock: HoursClock) -> None:
        self._clock = clock
        # Read before there are threads: msgspec prepares a class in one thread only.
        self._publishers = {source.id: source.publisher for source in sources().values()}

    def of(
        self, hours_code: int, origin: HoursOrigin, advice: Advice, now: datetime
    ) -> UsualHours | None:
        """Return them at an aware instant; None where no hours are left."""
        schedules, timezone = self._clock.timetable(hours_code)
        state = self._clock.state(hours_code, now)
        words = hours_in_words(schedules, now.astimezone(ZoneInfo(timezone)).date())
        if words is None:
            return None
        return UsualHours(
            summary=usual_words(words, origin_words(origin.basis, origin.day), advice),
            hours=words,
            as_of_date=origin.day.isoformat(),
            basis=origin.basis,
            source_id=origin.source_id,
            publisher=self._publishers.get(origin.source_id),
            status=state.status,
            opens_at=state.opens_at.isoformat() if state.opens_at else None,
            closes_at=state.closes_at.isoformat() if state.closes_at else None,
        )
