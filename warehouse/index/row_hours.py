"""Opening states and ages of places at an instant, their JSON, and operators' reports overlaid.

Each timetable is evaluated once until its next change.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from operator import attrgetter
from sys import intern
from threading import Lock
from typing import NamedTuple, get_args
from zoneinfo import ZoneInfo

import msgspec
import numpy as np
from numpy.typing import NDArray

from schemas.hours.hours_words import hours_in_words
from schemas.hours.opening import LONGEST_ANSWER, OpenState, OpenStatus, open_state
from schemas.hours.schedule import Schedule, schedules_from_json
from schemas.sources.registry import sources
from schemas.tables.serving import ORIGINS, TIMETABLES
from schemas.values.usual_hours import Advice, UsualHours, origin_words, usual_words
from schemas.vocab.statuses import DateKind
from warehouse.duckdb import Connection
from warehouse.index.live_overlay import LiveEntry, LiveTable, Reading, overlaid
from warehouse.index.points import MODE_JSON, PointColumns
from warehouse.index.records import RecordFile

_EPOCH = date(1970, 1, 1).toordinal()
STATUSES: tuple[OpenStatus, ...] = get_args(OpenStatus)


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
        # The same as columns: from when until when each state is valid, its status and opening.
        self._valid = np.full((2, len(schedules)), np.inf)
        self._statuses = np.zeros(len(schedules), dtype=np.uint8)
        self._openings = np.full(len(schedules), np.inf)
        self._lock = Lock()

    def state(self, hours_code: int, now: datetime) -> OpenState:
        """Return the state of one timetable at an aware instant, regardless of its age."""
        entry = self._states[hours_code]
        if entry is not None and entry[0] <= now < entry[1].changes_at:
            return entry[1]
        schedules, timezone = self.timetable(hours_code)
        fresh = _one_state_of_equals(open_state(schedules, timezone, now), timezone)
        self._states[hours_code] = (now, fresh)
        return fresh

    def states(
        self, hours_codes: NDArray[np.integer], now: datetime
    ) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """Return for each of many timetables the position of its status in `STATUSES`, and its next
        certain opening in seconds since 1970, infinite without one."""
        at = now.timestamp()
        with self._lock:
            since, until = self._valid.take(hours_codes, 1)
            for code in np.unique(hours_codes[(at < since) | (at >= until)]).tolist():
                state = self.state(code, now)
                self._valid[:, code] = at, state.changes_at.timestamp()
                self._statuses[code] = STATUSES.index(state.status)
                self._openings[code] = state.opens_at.timestamp() if state.opens_at else np.inf
            return self._statuses.take(hours_codes), self._openings.take(hours_codes)

    def timetable(self, hours_code: int) -> tuple[list[Schedule], str]:
        """Return the schedules of a timetable and its time zone."""
        text, timezone = self.timetable_text(hours_code)
        return schedules_from_json(text), timezone

    def timetable_text(self, hours_code: int) -> tuple[str, str]:
        """Return the schedules of a timetable as JSON and its time zone."""
        return self._schedules[hours_code], self._timezones[hours_code]

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
def _one_state_of_equals(state: OpenState, timezone: str) -> OpenState:
    """Return one shared object for equal states: on average ten timetables share one. Equal
    instants may have different offsets in different time zones."""
    return state


def day_number(now: datetime) -> int:
    """Return days since 1970-01-01 (UTC)."""
    return now.astimezone(UTC).toordinal() - _EPOCH


# Reports with a cached reading.
_MAX_READINGS = 20_000
NO_REPORT = b'null,"doubt":null'
_USUAL, _LIVE = b',"usual_hours":', b',"live_status":' + NO_REPORT
_NO_USUAL_HOURS = "null"
_USUAL_HOURS = msgspec.json.Decoder(UsualHours)


class Moment(NamedTuple):
    """The time-dependent members of a record.

    `age_days`: age of its newest date of any kind. `head`: the live members of the record as JSON
    up to the distance, each after a comma, without reports.
    """

    hours_status: OpenStatus
    days_since_confirmed: int | None
    age_days: int | None
    head: bytes

    @property
    def usual_hours(self) -> str:
        """Return hours too old to be asserted as JSON; they are in `head` only."""
        begin = self.head.index(_USUAL) + len(_USUAL)
        return self.head[begin : -len(_LIVE)].decode()


class _Known(NamedTuple):
    """A moment valid from one instant until another (UTC)."""

    begins_at: datetime
    until: datetime
    moment: Moment


class _Zoned(msgspec.Struct):
    timezone: str


# Compiled here: threads that meet a new class at once end the process (`serving.app`).
_ZONED = msgspec.json.Decoder(_Zoned)


class RowHours(PointColumns):
    """Opening state, ages and time zone by row. Safe for threads.

    Rows with the same inputs share a moment, in a national directory fourteen places on average: it
    is evaluated once until it can change, at the first of these rows.
    """

    def __init__(self, db: Connection, records: RecordFile) -> None:
        super().__init__(db)
        self._records = records
        query = f"SELECT timezone, schedules_json FROM {TIMETABLES} ORDER BY hours_code"
        timetables = db.execute(query).fetchall()
        self._clock = HoursClock([zone for zone, _ in timetables], [text for _, text in timetables])
        self.time_zones, self.timetable_zones = self._clock.time_zones, self._clock.timetable_zones
        query = (
            f"SELECT hours_date, hours_date_basis, hours_source FROM {ORIGINS}"
            " ORDER BY hours_origin_code"
        )
        self._origins = [HoursOrigin(*row) for row in db.execute(query).fetchall()]
        # By the first row of those that share a moment.
        self._moments: dict[int, _Known] = {}
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
        moment = self._moment_by_hours(row, now)
        if self.live.entries and (state := self._reported_state(row, now)) is not None:
            usual = moment.usual_hours if state.status == "unknown" else _NO_USUAL_HOURS
            mode, days = MODE_JSON[self._type_at[row]], moment.days_since_confirmed
            return _moment(mode, state.status, days, moment.age_days, usual)
        return moment

    def _moment_by_hours(self, row: int, now: datetime) -> Moment:
        """Return the opening state by the timetable, and ages, at an aware instant."""
        first = self._live_row_at[row]
        known = self._moments.get(first)
        if known is not None and known.begins_at <= now < known.until:
            return known.moment
        today, code = day_number(now), self._hours_at[first]
        until = _end_of_day(today)
        status: OpenStatus = "unknown"
        usual = _NO_USUAL_HOURS
        if self.closed_until_days[first] >= today:
            status = "closed"
        elif code >= 0:
            state = self._clock.state(code, now)
            until = min(until, state.changes_at)
            if self._until_at[first] >= today:
                status = state.status
            elif self._origin_at[first] >= 0 and not self.is_confidential[first]:
                usual = msgspec.json.encode(self._usual_hours(first, now)).decode()
        confirmed, dated = int(self.confirmed_days[first]), int(self.dated_days[first])
        moment = _moment(
            MODE_JSON[self._type_at[first]],
            status,
            None if confirmed < 0 else max(0, today - confirmed),
            None if dated < 0 else max(0, today - dated),
            usual,
        )
        self._moments[first] = _Known(now, until, moment)
        return moment

    def _usual_hours(self, row: int, now: datetime) -> UsualHours | None:
        origin = self._origins[self._origin_at[row]]
        return self._clock.usual_hours(self._hours_at[row], origin, self.advice(row), now)

    def hours_status(self, row: int, now: datetime) -> OpenStatus:
        return self.moment(row, now).hours_status

    def usual_hours(self, row: int, now: datetime) -> UsualHours | None:
        """Return a row's hours that are too old to be asserted; None without any, or if a report
        settles the state."""
        state = self.reported_state(row, now)
        if state is not None and state.status != "unknown":
            return None
        text = self._moment_by_hours(row, now).usual_hours
        if text == _NO_USUAL_HOURS:
            return None
        usual = _USUAL_HOURS.decode(text)
        # The JSON has only these languages; others are computed on request.
        for name in ("summary", "hours"):
            words = attrgetter(name)
            words(usual).render_with(lambda lang, of=words: of(self._usual_hours(row, now))[lang])
        return usual

    def hours_change_at(self, row: int, now: datetime) -> datetime | None:
        """Return when the opening state or report can change next (UTC), or None."""
        entry = self.live.entries.get(self._id_at[row]) if self.live.entries else None
        # Hours too old to be asserted still count for their usual times.
        code = self._hours_at[row]
        by_hours = None if code < 0 else self._clock.state(code, now).changes_at
        if entry is None:
            return by_hours
        ends = self._reading(row, entry, now).ends_at
        return ends if by_hours is None else min(ends, by_hours)

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
            record = _ZONED.decode(self._records.record(row) + b"}")
            zone = self._zones[row] = ZoneInfo(record.timezone)
        return zone

    def timetable_state(self, hours_code: int, now: datetime) -> OpenState:
        """Return the state of one timetable (`hours_codes`), regardless of place and age."""
        return self._clock.state(hours_code, now)

    def timetable_states(
        self, hours_codes: NDArray[np.integer], now: datetime
    ) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """Return the same for many timetables: positions in `STATUSES`, and next certain openings
        in seconds since 1970, infinite without one."""
        return self._clock.states(hours_codes, now)

    def timetable_of(self, hours_code: int) -> tuple[list[Schedule], str]:
        """Return schedules and time zone of a timetable (`hours_codes`)."""
        return self._clock.timetable(hours_code)

    def timetable(self, row: int) -> tuple[list[Schedule], str] | None:
        """Return schedules and time zone of a row, regardless of age; None without parsed hours."""
        code = self._hours_at[row]
        return None if code < 0 else self._clock.timetable(code)

    def timetable_text(self, row: int) -> tuple[str, str] | None:
        """Return the schedules of a row as JSON and its time zone; None without parsed hours."""
        code = self._hours_at[row]
        return None if code < 0 else self._clock.timetable_text(code)

    def shows_hours(self, row: int, now: datetime) -> bool:
        """Return whether a row's hours may be asserted today (`schemas.vocab.statuses`)."""
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


def _moment(
    mode: str, status: OpenStatus, days: int | None, age_days: int | None, usual: str
) -> Moment:
    head = (
        f',"mode":{mode},"hours_status":"{status}"'
        f',"days_since_confirmed":{"null" if days is None else days}'
    )
    whole = b"".join((head.encode(), _USUAL, usual.encode(), _LIVE))
    return _one_of_equals(Moment(status, days, age_days, whole))


@lru_cache(maxsize=16_384)
def _one_of_equals(moment: Moment) -> Moment:
    """Return one shared object for equal moments."""
    return moment


@lru_cache(maxsize=4)
def _end_of_day(day: int) -> datetime:
    """Return the end (UTC) of a day given by `day_number`."""
    return datetime.fromtimestamp((day + 1) * 86_400, UTC)
