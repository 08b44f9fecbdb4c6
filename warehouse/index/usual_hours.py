"""Hours of a release that are too old to be asserted, with their age.

Places with the same timetable, origin and advice share a profile, which caches the text until it
changes (`warehouse.index.profiles`).
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
    """Date of opening hours, the kind of that date, and their source."""

    day: date
    basis: DateKind
    source_id: str


class UsualTexts:
    """Builds `usual_hours` of timetables. Safe for threads."""

    def __init__(self, clock: HoursClock) -> None:
        self._clock = clock
        # Parsed before threads start: msgspec prepares a class in one thread only.
        self._publishers = {source.id: source.publisher for source in sources().values()}

    def of(
        self, hours_code: int, origin: HoursOrigin, advice: Advice, now: datetime
    ) -> UsualHours | None:
        """Return them at an aware instant; None without any hours."""
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
