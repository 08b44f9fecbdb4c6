"""Opening states of timetables, each evaluated once until its next change, and usual hours."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from sys import intern
from typing import NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from schemas.hours.hours_words import hours_in_words
from schemas.hours.opening import OpenState, open_state
from schemas.hours.schedule import Schedule, schedules_from_json
from schemas.sources.registry import sources
from schemas.values.advice import Advice
from schemas.values.usual_hours import UsualHours, origin_words, usual_words
from schemas.vocab.statuses import DateKind

_EPOCH = date(1970, 1, 1).toordinal()


class HoursOrigin(NamedTuple):
    """Date of opening hours, the kind of that date, and their source."""

    day: date
    basis: DateKind
    source_id: str


class HoursClock:
    """Evaluates the timetables of a release, and caches each state until it can change.

    Many rows share a timetable (same hours, same zone). Safe for threads: a state is stored and
    read together with its time.
    """

    def __init__(self, timezones: list[str], schedules: Sequence[str]) -> None:
        self._timezones = [*map(intern, timezones)]
        self._schedules = schedules
        names = sorted(set(timezones))
        # Parsed before threads start: msgspec prepares a class in one thread only.
        self._publishers = {source.id: source.publisher for source in sources().values()}
        # Time zones, and the zone position of each timetable.
        self.time_zones = [ZoneInfo(name) for name in names]
        numbers = {name: number for number, name in enumerate(names)}
        self.timetable_zones = np.array([numbers[name] for name in timezones], dtype=np.int16)
        self._states: list[tuple[datetime, OpenState] | None] = [None] * len(schedules)

    def state(self, hours_code: int, now: datetime) -> OpenState:
        """Return the state of one timetable at an aware instant, regardless of its age."""
        entry = self._states[hours_code]
        if entry is not None and entry[0] <= now < entry[1].changes_at:
            return entry[1]
        schedules, timezone = self.timetable(hours_code)
        fresh = _one_of_equals(open_state(schedules, timezone, now), timezone)
        self._states[hours_code] = (now, fresh)
        return fresh

    def timetable(self, hours_code: int) -> tuple[list[Schedule], str]:
        """Return the schedules of a timetable and its time zone."""
        return schedules_from_json(self._schedules[hours_code]), self._timezones[hours_code]

    def usual_hours(
        self, hours_code: int, origin: HoursOrigin, advice: Advice, now: datetime
    ) -> UsualHours | None:
        """Return the hours of a timetable as too old to be asserted, with their age, at an aware
        instant; None without any hours."""
        schedules, timezone = self.timetable(hours_code)
        state = self.state(hours_code, now)
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


@lru_cache(maxsize=8192)
def _one_of_equals(state: OpenState, timezone: str) -> OpenState:
    """Return one shared object for equal states: on average ten timetables share one. Equal
    instants may have different offsets in different time zones."""
    return state


def day_number(now: datetime) -> int:
    """Return days since 1970-01-01 (UTC)."""
    return now.astimezone(UTC).toordinal() - _EPOCH
