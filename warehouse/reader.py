"""A release opened for reading: everything the service answers from.

The hot path touches memory only: columns, arenas, spatial indexes. DuckDB is for the cold paths,
each
with a cursor of its own.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import duckdb
import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from schemas.api.record import Doubt
from schemas.values.advice import Advice, advice_for
from schemas.values.coordinates import chord_to_miles, round_in_order
from schemas.values.hours import Schedule
from schemas.values.opening import OpenState
from schemas.values.usual_hours import UsualHours
from schemas.vocab.dates import DATE_KINDS, MAX_HOURS_DAYS, DateKind
from schemas.vocab.resource_types import MODES, RESOURCE_TYPES, TYPE_IDS, TYPES_BY_MODE
from schemas.vocab.states import STATE_CODES
from schemas.vocab.statuses import LOCATION_PRECISIONS, VERIFICATION_STATUSES
from warehouse.arena import Arena
from warehouse.build import DATABASE_NAME
from warehouse.columns import counts, numbers, read_arrow
from warehouse.duck import connect
from warehouse.facts import Facts
from warehouse.food_banks import read_food_banks
from warehouse.gazetteer import read_gazetteer
from warehouse.gone import GoneIds
from warehouse.hours_clock import HoursClock, day_number
from warehouse.live import Closure, LiveEntry, LiveTable, Reading, overlaid
from warehouse.manifest import read_manifest
from warehouse.spatial import Hit, SpatialIndex
from warehouse.usual_hours import NO_USUAL_HOURS, HoursOrigin, UsualTexts

TYPE_CODES = {type_id: code for code, type_id in enumerate(TYPE_IDS)}
MODE_TYPES: dict[str, frozenset[int]] = {
    mode: frozenset(TYPE_CODES[t] for t in TYPES_BY_MODE[mode]) for mode in MODES
}
_MOST_LIVE_HEADS = 50_000
# Reports whose meaning is kept.
_MOST_READINGS = 20_000
_NOTHING = b"null"
_NO_DOUBT = b',"doubt":' + _NOTHING
_NO_NEWS = _NOTHING + _NO_DOUBT
_MODE_JSON = [f'"{t.mode}"' if t.mode else "null" for t in RESOURCE_TYPES.values()]


class Moment(NamedTuple):
    """The members of a record that depend on the instant.

    `age_days`: of its newest date of any kind. `usual_hours`: hours too old to be asserted, as
    JSON.
    """

    hours_status: str
    days_since_confirmed: int | None
    age_days: int | None
    usual_hours: str = NO_USUAL_HOURS


class Columns(NamedTuple):
    """Columns of a release's rows for reading one at a time: single values are plain Python
    numbers.
    """

    ids: memoryview
    types: memoryview
    hours: memoryview
    precisions: memoryview


class _Zoned(msgspec.Struct):
    timezone: str


class OpenRelease:
    """One release, read whole at construction. Raises when any part of it is missing or damaged.

    Rows are positions of active resources in id order. Query it from one thread only; see
    `warehouse.spatial`. It is closed when the last reference goes.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = read_manifest(folder)
        self.release_id = self.manifest.release_id
        self.is_synthetic = self.manifest.is_synthetic
        serving = folder / "serving"
        self._records = Arena(serving / "records.arrow")
        self._details = Arena(serving / "details.arrow")
        lines = serving / "lines.arrow"  # releases of earlier versions have none
        self._lines = Arena(lines) if lines.exists() else None
        self._read_points(read_arrow(serving / "points.arrow"))
        self.facts = self._read_facts(serving / "facts.arrow")
        hours = read_arrow(serving / "hours.arrow")
        self._clock = HoursClock(hours["timezone"].to_pylist(), hours["schedules_json"].to_pylist())
        self._usual_texts = UsualTexts(self._clock)
        self._origins = _read_origins(serving / "hours_origins.arrow")
        if not len(self._records) == len(self._details) == len(self):
            raise ValueError(
                f"{folder.name}: {len(self)} points, {len(self._records)} records,"
                f" {len(self._details)} details"
            )
        self._db = connect(folder / DATABASE_NAME, read_only=True)
        with ThreadPoolExecutor(1) as beside:
            # The trees are built without the interpreter, which the gazetteer needs: both at once.
            spatial = beside.submit(SpatialIndex, self.lats, self.lngs, self.type_codes, MODE_TYPES)
            self.gazetteer = read_gazetteer(self._db)
            self._spatial = spatial.result()
        self.food_banks = read_food_banks(folder)
        self._gone = GoneIds(self._db)
        self._live_heads: dict[tuple[int, Moment], bytes] = {}
        self._readings: dict[int, Reading] = {}
        # Values that others compute from the release and that are dropped with it.
        self.derived: dict[Hashable, Any] = {}
        # What operators report is no part of a release: the service lays its own table over every
        # one.
        self.live = LiveTable()
        self._closed: dict[int, Closure] = self.live.closed
        self._hidden: dict[int, int] = {}
        self._zones: dict[int, ZoneInfo] = {}

    def __len__(self) -> int:
        return len(self.ids)

    def _read_points(self, points: pa.Table) -> None:
        columns = {name: numbers(points[name]) for name in points.column_names}
        self.ids = columns["resource_id"]
        self.type_codes = columns["type_code"]
        self.state_codes = columns["state_code"]
        self.verification_codes = columns["verification_code"]
        self._read_dates(columns)
        self.completeness_scores = columns["completeness_score"]
        # Single values of a memoryview are plain Python numbers: a third of the price of NumPy's.
        self._id_at = self.ids.data
        self.lats, self.lngs = columns["lat"], columns["lng"]
        self._lat_at, self._lng_at = columns["lat"].data, columns["lng"].data
        self._type_at, self._verification_at = self.type_codes.data, self.verification_codes.data
        self._hours_at, self._day_at = columns["hours_code"].data, self.confirmed_days.data
        self._until_at, self._dated_at = self.hours_until_days.data, self.dated_days.data
        self._precision_at = columns["precision_code"].data
        self.hours_codes = columns["hours_code"]
        self.columns = Columns(self._id_at, self._type_at, self._hours_at, self._precision_at)
        nothing = np.zeros(
            len(self.ids), dtype=np.uint8
        )  # releases of earlier versions tell neither
        self.has_phone = columns.get("has_phone", nothing)
        self.has_website = columns.get("has_website", nothing)
        self.is_confidential = columns.get("is_confidential", nothing)
        self.count_by_type = counts(self.type_codes, TYPE_IDS)
        self.count_by_state = counts(self.state_codes, STATE_CODES)
        self.count_by_verification = counts(self.verification_codes, VERIFICATION_STATUSES)

    def _read_dates(self, columns: dict[str, np.ndarray]) -> None:
        """Days since 1970-01-01, -1 for none."""
        self.confirmed_days = columns["confirmed_day"]
        if "dated_day" not in columns:
            # Releases of earlier versions tell the newest date only, and call it a confirmation,
            # which it
            # may not be: it carries the hours as it did then.
            self.dated_days = self.confirmed_days
            self.hours_until_days = np.where(
                self.dated_days < 0, -1, self.dated_days + MAX_HOURS_DAYS
            )
            self.confirmed_days = np.full_like(self.dated_days, -1)
            self._dated_kinds = np.full(
                len(self.dated_days), len(DATE_KINDS) - 1, dtype=np.uint8
            ).data
            self._origin_at = self.confirmed_days.data
            return
        self.dated_days, self.hours_until_days = columns["dated_day"], columns["hours_until_day"]
        self._dated_kinds, self._origin_at = (
            columns["dated_code"].data,
            columns["hours_origin_code"].data,
        )

    def _read_facts(self, path: Path) -> Facts:
        if not path.exists():  # releases of earlier versions have none
            return Facts(None, len(self))
        table = read_arrow(path)
        facts = Facts({name: numbers(table[name]) for name in table.column_names}, len(self))
        if len(facts) != len(self):
            raise ValueError(f"{self.folder.name}: {len(self)} points, {len(facts)} facts")
        return facts

    # ------------------------------------------------------------ what was closed since

    @property
    def spatial(self) -> SpatialIndex:
        """Who is near, without the places that were closed for good since the release was made."""
        if self._closed is not self.live.closed:
            self._hide_closed()
        return self._spatial

    def _hide_closed(self) -> None:
        self._closed = self.live.closed
        # A closing that was told while the release was made may be missing in it: hide it all the
        # same.
        made = datetime.fromisoformat(self.manifest.created_at) - timedelta(days=1)
        later = (i for i, closure in self._closed.items() if closure.closed_at > made)
        self._hidden = {i: row for i in later if (row := self._listed_row(i)) is not None}
        self._spatial.hide(self._hidden.values())

    def is_hidden(self, resource_id: int) -> bool:
        """Whether the place is in the release but was closed for good since."""
        if self._closed is not self.live.closed:
            self._hide_closed()
        return resource_id in self._hidden

    # ------------------------------------------------------------ rows

    def row_of(self, resource_id: int) -> int | None:
        """Row of an active resource that was not closed since."""
        if self.live.closed and self.is_hidden(resource_id):
            return None
        return self._listed_row(resource_id)

    def _listed_row(self, resource_id: int) -> int | None:
        row = bisect_left(self._id_at, resource_id)
        return row if row < len(self._id_at) and self._id_at[row] == resource_id else None

    def gone(self, resource_id: int) -> tuple[bool, int | None]:
        """Whether an id was once published, and the active id that took over, if any."""
        if self.live.closed and self.is_hidden(resource_id):
            return True, None
        if resource_id not in self._gone:
            return False, None
        return True, self._gone.successor(resource_id, lambda i: self.row_of(i) is not None)

    def gone_reason(self, resource_id: int) -> str | None:
        """Why the listing was retired, or what a behaviour rule saw; None for ids that ended
        otherwise.
        """
        if self.live.closed and self.is_hidden(resource_id):
            return self._closed[resource_id].reason
        return self._gone.reason(resource_id)

    def id_of(self, row: int) -> int:
        return int(self._id_at[row])

    def point_of(self, row: int) -> tuple[float, float]:
        """Latitude and longitude."""
        return self._lat_at[row], self._lng_at[row]

    def type_of(self, row: int) -> int:
        """Type code."""
        return self._type_at[row]

    def precision_of(self, row: int) -> str:
        return LOCATION_PRECISIONS[self._precision_at[row]]

    def verification_of(self, row: int) -> str:
        return VERIFICATION_STATUSES[self._verification_at[row]]

    # ------------------------------------------------------------ the moment

    def moment(self, row: int, now: datetime, today: int | None = None) -> Moment:
        """Opening state, and ages of the newest confirmation and date, at an aware instant.

        `today` (days since 1970-01-01) spares working it out again for every row of a list.
        """
        today = day_number(now) if today is None else today
        confirmed, dated, code = self._day_at[row], self._dated_at[row], self._hours_at[row]
        status = "unknown"
        if self.live.entries and (state := self._reported(row, now)) is not None:
            status = state.status
        elif code >= 0 and self._until_at[row] >= today:
            status = self._clock.state(code, now).status
        return Moment(
            status,
            None if confirmed < 0 else max(0, today - confirmed),
            None if dated < 0 else max(0, today - dated),
            self._usual(row, now, today)[1]
            if code >= 0 and status == "unknown"
            else NO_USUAL_HOURS,
        )

    def usual_hours(self, row: int, now: datetime) -> UsualHours | None:
        """The hours of a row that are too old to be asserted; None where they may be, and without
        any.

        Nor where an operator's report of today says more.
        """
        state = self.reported_state(row, now)
        if state is not None and state.status != "unknown":
            return None
        return self._usual(row, now, day_number(now))[0]

    def _usual(self, row: int, now: datetime, today: int) -> tuple[UsualHours | None, str]:
        code, origin = self._hours_at[row], self._origin_at[row]
        if code < 0 or origin < 0 or self._until_at[row] >= today or self.is_confidential[row]:
            return None, NO_USUAL_HOURS
        return self._usual_texts.of(code, self._origins[origin], self.advice(row), now)

    def advice(self, row: int) -> Advice:
        """What to do before a trip to the place in a row, where it is not known whether it is open."""
        return advice_for(
            has_phone=bool(self.has_phone[row]), has_website=bool(self.has_website[row])
        )

    def hours_status(self, row: int, now: datetime) -> str:
        return self.moment(row, now).hours_status

    def hours_change_at(self, row: int, now: datetime) -> datetime | None:
        """When the opening state, or the report shown with it, can change next (UTC); None for
        never.
        """
        entry = self.live.entries.get(self._id_at[row]) if self.live.entries else None
        by_hours = self._timetable_change_at(row, now)
        if entry is None:
            return by_hours
        ends = self._reading(row, entry, now).ends_at
        return ends if by_hours is None else min(ends, by_hours)

    def _timetable_change_at(self, row: int, now: datetime) -> datetime | None:
        """Hours that are too old to be asserted still say what they usually are."""
        code = self._hours_at[row]
        return None if code < 0 else self._clock.state(code, now).changes_at

    def open_state(self, row: int, now: datetime) -> OpenState | None:
        """Opening state with its times; None without hours that are shown."""
        if self.live.entries and (state := self._reported(row, now)) is not None:
            return state
        if not self.shows_hours(row, now):
            return None
        return self._clock.state(self._hours_at[row], now)

    def reported_state(self, row: int, now: datetime) -> OpenState | None:
        """Opening state by what a confirmed operator reported of today; None without such a report."""
        return self._reported(row, now) if self.live.entries else None

    def _reported(self, row: int, now: datetime) -> OpenState | None:
        entry = self.live.entries.get(self._id_at[row])
        return None if entry is None else self._reading(row, entry, now).state

    def _reading(self, row: int, entry: LiveEntry, now: datetime) -> Reading:
        """What a report says at an instant: worked out once, until it says something else."""
        known = self._readings.get(row)
        if known is None or known.entry is not entry or not known.begins_at <= now < known.until:
            if len(self._readings) >= _MOST_READINGS:
                self._readings.clear()
            known = self._readings[row] = self._read(row, entry, now)
        return known

    def _read(self, row: int, entry: LiveEntry, now: datetime) -> Reading:
        zone = self.zone_of(row)
        ends, effect = entry.ends_at(zone, now), entry.effect(zone, now)
        # A new day (UTC) may make hours too old to be shown.
        until = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
        if effect is None:
            return Reading(entry, now, until, None, ends)
        code, by_hours = self._hours_at[row], None
        # "Open today" says that the hours of today hold, however old they are.
        if code >= 0 and (effect == "open" or self.shows_hours(row, now)):
            schedules, timezone = self._clock.timetable(code)
            if effect == "closed" or self.live.has_certain_hours(schedules, timezone, now):
                by_hours = self._clock.state(code, now)
                until = min(until, by_hours.changes_at)
        state = overlaid(effect, zone, now, ends, by_hours)
        return Reading(entry, now, min(until, ends), state, ends)

    def local_day(self, row: int, now: datetime) -> date:
        """The day of an instant on a row's own calendar."""
        return now.astimezone(self.zone_of(row)).date()

    def zone_of(self, row: int) -> ZoneInfo:
        """Time zone of a row. Few are asked for: they are read from the records."""
        zone = self._zones.get(row)
        if zone is None:
            record = msgspec.json.decode(bytes(self._records.view(row)) + b"}", type=_Zoned)
            zone = self._zones[row] = ZoneInfo(record.timezone)
        return zone

    def timetable_state(self, hours_code: int, now: datetime) -> OpenState:
        """State of one timetable (`hours_codes`), whoever keeps it and however old it is."""
        return self._clock.state(hours_code, now)

    def timetable_of(self, hours_code: int) -> tuple[list[Schedule], str]:
        """Schedules and time zone of a timetable (`hours_codes`)."""
        return self._clock.timetable(hours_code)

    def timetable(self, row: int) -> tuple[list[Schedule], str] | None:
        """Schedules and time zone of a row, however old; None when no hours could be read."""
        code = self._hours_at[row]
        return None if code < 0 else self._clock.timetable(code)

    def shows_hours(self, row: int, now: datetime) -> bool:
        """Whether a row has hours that may be asserted today: `schemas.vocab.dates` says for how
        long.
        """
        return self._hours_at[row] >= 0 and self._until_at[row] >= day_number(now)

    def are_hours_shown(self, rows: NDArray[np.int64], now: datetime) -> NDArray[np.bool_]:
        """`shows_hours` of many rows."""
        shown: NDArray[np.bool_] = (self.hours_codes[rows] >= 0) & (
            self.hours_until_days[rows] >= day_number(now)
        )
        return shown

    def hours_origin(self, row: int) -> HoursOrigin | None:
        """Where the hours of a row come from; None without hours, or with none that are dated."""
        code = self._origin_at[row]
        return None if code < 0 else self._origins[code]

    def dated_kind(self, row: int) -> DateKind:
        """What happened on the newest date of a row that has one."""
        return DATE_KINDS[self._dated_kinds[row]]

    def shown_miles(self, hits: Sequence[Hit]) -> list[float]:
        """Distances of a list as they are shown: rounded by precision, and never out of order."""
        miles = [chord_to_miles(math.sqrt(square)) for square, _ in hits]
        return round_in_order(miles, [self.precision_of(row) for _, row in hits])

    # ------------------------------------------------------------ records

    def stored_record(self, row: int) -> memoryview:
        """The stored part of a record: JSON text without its last brace."""
        return self._records.view(row)

    def record(self, row: int, now: datetime, distance: float | None = None) -> bytes:
        """A record as JSON: the stored text and the live members. `distance` in miles, rounded."""
        live = self.live_members(row, self.moment(row, now), distance)
        return b"".join((self._records.view(row), live))

    def detail(self, row: int, moment: Moment, told: bytes = b"") -> bytes:
        """The single record as JSON, with its sources. `told`: more members, each after a comma."""
        live = self.live_members(row, moment)
        return b"".join((self._records.view(row), self._details.view(row), told, live))

    def csv_cells(self, row: int) -> memoryview | None:
        """The stored part of a record as cells of a CSV line; None in releases of earlier versions."""
        return None if self._lines is None else self._lines.view(row)

    def mode_of(self, row: int) -> str:
        """Search mode of a row's type as JSON: a text or null."""
        return _MODE_JSON[self._type_at[row]]

    def live_members(self, row: int, moment: Moment, distance: float | None = None) -> bytes:
        """`schemas.api.record.LIVE_MEMBERS` in their order, with the last brace, to follow a stored
        text.
        """
        miles = b"null" if distance is None else repr(distance).encode()
        return b'%b,"distance":%b,"distance_miles":%b,"relevance_score":null}' % (
            self.live_head(row, moment),
            miles,
            miles,
        )

    def live_head(self, row: int, moment: Moment) -> bytes:
        """The live members up to the distance, each after a comma."""
        key = (self._type_at[row], moment)
        head = self._live_heads.get(key) or self._live_head(*key)
        live = self.live
        if live.entries and (report := live.text_of(self._id_at[row])) is not None:
            head = b"%b%b%b" % (head[: -len(_NO_NEWS)], report.encode(), _NO_DOUBT)
        if live.doubts and (doubt := self.doubt(row)) is not None:
            head = head[: -len(_NOTHING)] + msgspec.json.encode(doubt)
        return head

    def doubt(self, row: int) -> Doubt | None:
        """What visitors reported against the listing in a row, as every surface shows it."""
        told = self.live.doubts.get(self._id_at[row]) if self.live.doubts else None
        return told and told.shown(self.zone_of(row), has_phone=bool(self.has_phone[row]))

    def is_doubted(self, row: int) -> bool:
        """Whether visitors reported something against the listing in a row."""
        return bool(self.live.doubts) and self._id_at[row] in self.live.doubts

    def _live_head(self, type_code: int, moment: Moment) -> bytes:
        """The live members that many rows share: a few hundred texts on any one day."""
        status, days, _, usual = moment
        if len(self._live_heads) >= _MOST_LIVE_HEADS:
            self._live_heads.clear()
        head = self._live_heads[type_code, moment] = (
            f',"mode":{_MODE_JSON[type_code]},"hours_status":"{status}"'
            f',"days_since_confirmed":{"null" if days is None else days},"usual_hours":{usual},"live_status":{_NO_NEWS.decode()}'
        ).encode()
        return head

    # ------------------------------------------------------------ the cold path

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A read-only cursor; each thread needs its own, and closes it."""
        return self._db.cursor()

    def close(self) -> None:
        """Close the database. Not needed before the last reference goes."""
        self._db.close()

    def reopen(self) -> None:
        """Open the database again, after `close`. Raises duckdb.Error."""
        self._db = connect(self.folder / DATABASE_NAME, read_only=True)

    def arena_rows(self) -> tuple[int, int]:
        """Rows in the two arenas, for the health check."""
        return len(self._records), len(self._details)


def _read_origins(path: Path) -> list[HoursOrigin]:
    if not path.exists():  # releases of earlier versions have none
        return []
    table = read_arrow(path)
    columns = (
        table[name].to_pylist() for name in ("hours_date", "hours_date_basis", "hours_source")
    )
    return [HoursOrigin(*row) for row in zip(*columns, strict=True)]
