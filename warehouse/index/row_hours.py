"""Opening hours of a release's places at an instant, with operators' reports overlaid."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec
import numpy as np
from numpy.typing import NDArray

from schemas.hours.opening import LONGEST_ANSWER, OpenState, OpenStatus
from schemas.hours.schedule import Schedule
from schemas.values.usual_hours import UsualHours
from warehouse.index.arena import Arena
from warehouse.index.columns import read_arrow
from warehouse.index.hours_clock import HoursClock, day_number
from warehouse.index.live_overlay import LiveEntry, LiveTable, Reading, overlaid
from warehouse.index.points import PointColumns
from warehouse.index.profiles import Moment, Profiles
from warehouse.index.usual_hours import HoursOrigin

# Reports with a cached reading.
_MAX_READINGS = 20_000


class _Zoned(msgspec.Struct):
    timezone: str


class RowHours(PointColumns):
    """Opening state, ages and time zone by row."""

    def __init__(self, serving: Path) -> None:
        super().__init__(read_arrow(serving / "points.arrow"))
        self._records = Arena(serving / "records.arrow")
        hours = read_arrow(serving / "hours.arrow")
        self._clock = HoursClock(hours["timezone"].to_pylist(), hours["schedules_json"])
        self.time_zones, self.timetable_zones = self._clock.time_zones, self._clock.timetable_zones
        self._origins = _read_origins(serving / "hours_origins.arrow")
        self._profiles = Profiles(
            read_arrow(serving / "profiles.arrow"), self._clock, self._origins
        )
        self._readings: dict[int, Reading] = {}
        self._zones: dict[int, ZoneInfo] = {}
        # Operators' reports are not part of a release: `show_reports` overlays the service's table.
        self.live = LiveTable()

    def show_reports(self, live: LiveTable) -> None:
        """Overlay a table of reports on the rows."""
        self.live = live
        self._readings.clear()

    def moment(self, row: int, now: datetime) -> Moment:
        """Return the opening state, and ages of the newest confirmation and date, at an aware
        instant."""
        profile = self._profile_at[row]
        moment = self._profiles.moment(profile, now)
        if self.live.entries and (state := self._reported_state(row, now)) is not None:
            return self._profiles.report(profile, moment, state.status)
        return moment

    def hours_status(self, row: int, now: datetime) -> OpenStatus:
        return self.moment(row, now).hours_status

    def usual_hours(self, row: int, now: datetime) -> UsualHours | None:
        """Return a row's hours that are too old to be asserted; None without any, or if a report
        settles the state."""
        state = self.reported_state(row, now)
        if state is not None and state.status != "unknown":
            return None
        return self._profiles.usual_hours(self._profile_at[row], now)

    def hours_change_at(self, row: int, now: datetime) -> datetime | None:
        """Return when the opening state or report can change next (UTC), or None."""
        entry = self.live.entries.get(self._id_at[row]) if self.live.entries else None
        by_hours = self._timetable_change_at(row, now)
        if entry is None:
            return by_hours
        ends = self._reading(row, entry, now).ends_at
        return ends if by_hours is None else min(ends, by_hours)

    def _timetable_change_at(self, row: int, now: datetime) -> datetime | None:
        """Return the next change; hours too old to be asserted still count for their usual
        times."""
        code = self._hours_at[row]
        return None if code < 0 else self._clock.state(code, now).changes_at

    def open_state(self, row: int, now: datetime) -> OpenState | None:
        """Return the opening state with its times; None without shown hours."""
        if self.live.entries and (state := self._reported_state(row, now)) is not None:
            return state
        if self.is_closed_for_now(row, now):
            return OpenState("closed", now.astimezone(UTC) + LONGEST_ANSWER)
        if not self.shows_hours(row, now):
            return None
        return self._clock.state(self._hours_at[row], now)

    def is_closed_for_now(self, row: int, now: datetime) -> bool:
        """Return whether nothing is given out for now, whatever the hours."""
        return bool(self.closed_until_days[row] >= day_number(now))

    def reported_state(self, row: int, now: datetime) -> OpenState | None:
        """Return the opening state from a confirmed operator's report of today; None without
        one."""
        return self._reported_state(row, now) if self.live.entries else None

    def _reported_state(self, row: int, now: datetime) -> OpenState | None:
        entry = self.live.entries.get(self._id_at[row])
        return None if entry is None else self._reading(row, entry, now).state

    def _reading(self, row: int, entry: LiveEntry, now: datetime) -> Reading:
        """Return the reported state at an instant, computed once until it changes."""
        reading = self._readings.get(row)
        if (
            reading is None
            or reading.entry is not entry
            or not reading.begins_at <= now < reading.until
        ):
            if len(self._readings) >= _MAX_READINGS:
                self._readings.clear()
            reading = self._readings[row] = self._read(row, entry, now)
        return reading

    def _read(self, row: int, entry: LiveEntry, now: datetime) -> Reading:
        zone = self.zone_of(row)
        ends, effect = entry.ends_at(zone, now), entry.effect(zone, now)
        # From the next day (UTC) the hours may be too old to be shown.
        until = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
        if effect is None:
            return Reading(entry, now, until, None, ends)
        code, by_hours = self._hours_at[row], None
        # "Open today" confirms the hours of today, regardless of their age.
        if code >= 0 and (effect == "open" or self.shows_hours(row, now)):
            schedules, timezone = self._clock.timetable(code)
            if effect == "closed" or self.live.has_certain_hours(schedules, timezone, now):
                by_hours = self._clock.state(code, now)
                until = min(until, by_hours.changes_at)
        state = overlaid(effect, zone, now, ends, by_hours)
        return Reading(entry, now, min(until, ends), state, ends)

    def local_day(self, row: int, now: datetime) -> date:
        """Return the date of an instant by a row's calendar."""
        return now.astimezone(self.zone_of(row)).date()

    def zone_of(self, row: int) -> ZoneInfo:
        """Return the time zone of a row. Rarely needed, so it is read from the record."""
        zone = self._zones.get(row)
        if zone is None:
            record = msgspec.json.decode(self._records[row] + b"}", type=_Zoned)
            zone = self._zones[row] = ZoneInfo(record.timezone)
        return zone

    def timetable_state(self, hours_code: int, now: datetime) -> OpenState:
        """Return the state of one timetable (`hours_codes`), regardless of place and age."""
        return self._clock.state(hours_code, now)

    def timetable_of(self, hours_code: int) -> tuple[list[Schedule], str]:
        """Return schedules and time zone of a timetable (`hours_codes`)."""
        return self._clock.timetable(hours_code)

    def timetable(self, row: int) -> tuple[list[Schedule], str] | None:
        """Return schedules and time zone of a row, regardless of age; None without parsed hours."""
        code = self._hours_at[row]
        return None if code < 0 else self._clock.timetable(code)

    def shows_hours(self, row: int, now: datetime) -> bool:
        """Return whether a row's hours may be asserted today (`schemas.vocab.dates`)."""
        return self._hours_at[row] >= 0 and self._until_at[row] >= day_number(now)

    def are_hours_shown(self, rows: NDArray[np.int64], now: datetime) -> NDArray[np.bool_]:
        """Return `shows_hours` for many rows."""
        is_shown: NDArray[np.bool_] = self.hours_until_days.take(rows) >= day_number(now)
        is_shown &= self.hours_codes.take(rows) >= 0
        return is_shown

    def hours_origin(self, row: int) -> HoursOrigin | None:
        """Return the origin of a row's hours; None without dated hours."""
        code = self._origin_at[row]
        return None if code < 0 else self._origins[code]


def _read_origins(path: Path) -> list[HoursOrigin]:
    if not path.exists():  # releases of earlier versions have none
        return []
    table = read_arrow(path)
    columns = (
        table[name].to_pylist() for name in ("hours_date", "hours_date_basis", "hours_source")
    )
    return [HoursOrigin(*row) for row in zip(*columns, strict=True)]
