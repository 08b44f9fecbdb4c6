"""Open or closed, for every row, at the price of one evaluation per distinct timetable and change."""

from __future__ import annotations

from datetime import UTC, date, datetime

from schemas.values.hours import schedules_from_json
from schemas.values.opening import OpenState, open_state

_EPOCH = date(1970, 1, 1).toordinal()


class HoursClock:
    """Evaluates the timetables of a release, and keeps each answer until it can change.

    Many rows share a timetable (same hours, same zone): `hours.arrow` holds each once.
    """

    def __init__(self, timezones: list[str], schedules: list[str]) -> None:
        self._timezones = timezones
        self._schedules = schedules
        self._asked_at: list[datetime | None] = [None] * len(schedules)
        self._states: list[OpenState | None] = [None] * len(schedules)

    def state(self, hours_code: int, now: datetime) -> OpenState:
        """State of one timetable at an aware instant, staleness not considered."""
        kept, asked_at = self._states[hours_code], self._asked_at[hours_code]
        if kept is not None and asked_at is not None and asked_at <= now < kept.changes_at:
            return kept
        schedules = schedules_from_json(self._schedules[hours_code])
        fresh = open_state(schedules, self._timezones[hours_code], now)
        self._states[hours_code], self._asked_at[hours_code] = fresh, now
        return fresh


def day_number(now: datetime) -> int:
    """Days since 1970-01-01 (UTC)."""
    return now.astimezone(UTC).toordinal() - _EPOCH
