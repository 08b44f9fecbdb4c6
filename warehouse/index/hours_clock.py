"""Opening states of all rows, evaluated once per distinct timetable and change."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from sys import intern
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa

from schemas.hours.opening import OpenState, open_state
from schemas.hours.schedule import Schedule, schedules_from_json

_EPOCH = date(1970, 1, 1).toordinal()


class HoursClock:
    """Evaluates the timetables of a release, and caches each state until it can change.

    Many rows share a timetable (same hours, same zone): `hours.arrow` stores each once. Safe for
    threads: a state is stored and read together with its time.
    """

    def __init__(self, timezones: list[str], schedules: Sequence[str] | pa.ChunkedArray) -> None:
        self._timezones = [*map(intern, timezones)]
        # The column stays in the file; as Python texts it would take 4 MB.
        self._schedules = schedules
        names = sorted(set(timezones))
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
        return schedules_from_json(str(self._schedules[hours_code])), self._timezones[hours_code]


@lru_cache(maxsize=8192)
def _one_of_equals(state: OpenState, timezone: str) -> OpenState:
    """Return one shared object for equal states: on average ten timetables share one. Equal
    instants may have different offsets in different time zones."""
    return state


def day_number(now: datetime) -> int:
    """Return days since 1970-01-01 (UTC)."""
    return now.astimezone(UTC).toordinal() - _EPOCH
