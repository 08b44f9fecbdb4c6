"""Opening states and ages of places at an instant, and the JSON of both.

Places with the same inputs share a profile (`profiles.arrow`): a national directory has one for
fourteen places. A profile is evaluated once until it can change.
"""

from datetime import UTC, datetime
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

import msgspec
import pyarrow as pa

from schemas.hours.opening import OpenStatus
from schemas.values.advice import advice_for
from schemas.values.usual_hours import UsualHours
from warehouse.index.columns import numbers
from warehouse.index.hours_clock import HoursClock, day_number
from warehouse.index.points import MODE_JSON
from warehouse.index.usual_hours import HoursOrigin, UsualTexts

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


class Profiles:
    """Evaluates the profiles of a release. Safe for threads."""

    def __init__(self, table: pa.Table, clock: HoursClock, origins: list[HoursOrigin]) -> None:
        columns = {name: numbers(table[name]).data for name in table.column_names}
        self._type, self._is_confidential = columns["type_code"], columns["is_confidential"]
        self._hours, self._origin = columns["hours_code"], columns["hours_origin_code"]
        self._until, self._closed_until = columns["hours_until_day"], columns["closed_until_day"]
        self._confirmed, self._dated = columns["confirmed_day"], columns["dated_day"]
        self._has_phone, self._has_website = columns["has_phone"], columns["has_website"]
        self._clock, self._origins, self._usual_texts = clock, origins, UsualTexts(clock)
        self._known: list[_Known | None] = [None] * table.num_rows

    def moment(self, profile: int, now: datetime) -> Moment:
        """Return opening state by the timetable, and ages, at an aware instant."""
        entry = self._known[profile]
        if entry is None or not entry[0] <= now < entry[1]:
            entry = self._evaluate(profile, now)
        return entry[2]

    def usual_hours(self, profile: int, now: datetime) -> UsualHours | None:
        """Return the hours too old to be asserted; None without any."""
        text = self.moment(profile, now).usual_hours
        if text == _NO_USUAL_HOURS:
            return None
        usual = _USUAL_HOURS.decode(text)
        # The JSON has only these languages; others are computed on request.
        for name in ("summary", "hours"):
            words = attrgetter(name)
            words(usual).render_with(lambda lang, of=words: of(self._usual_of(profile, now))[lang])
        return usual

    def report(self, profile: int, moment: Moment, status: OpenStatus) -> Moment:
        """Return a moment of a profile with an operator's reported opening state."""
        usual = moment.usual_hours if status == "unknown" else _NO_USUAL_HOURS
        mode, days = MODE_JSON[self._type[profile]], moment.days_since_confirmed
        return _moment(mode, status, days, moment.age_days, usual)

    def _evaluate(self, profile: int, now: datetime) -> _Known:
        today, code = day_number(now), self._hours[profile]
        until = _end_of_day(today)
        status: OpenStatus = "unknown"
        usual = _NO_USUAL_HOURS
        if self._closed_until[profile] >= today:
            status = "closed"
        elif code >= 0:
            state = self._clock.state(code, now)
            until = min(until, state.changes_at)
            if self._until[profile] >= today:
                status = state.status
            elif self._origin[profile] >= 0 and not self._is_confidential[profile]:
                usual = msgspec.json.encode(self._usual_of(profile, now)).decode()
        confirmed, dated = self._confirmed[profile], self._dated[profile]
        moment = _moment(
            MODE_JSON[self._type[profile]],
            status,
            None if confirmed < 0 else max(0, today - confirmed),
            None if dated < 0 else max(0, today - dated),
            usual,
        )
        entry = self._known[profile] = _Known(now, until, moment)
        return entry

    def _usual_of(self, profile: int, now: datetime) -> UsualHours | None:
        advice = advice_for(
            has_phone=bool(self._has_phone[profile]), has_website=bool(self._has_website[profile])
        )
        origin = self._origins[self._origin[profile]]
        return self._usual_texts.of(self._hours[profile], origin, advice, now)


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
    """Return one shared object for equal moments: on average seven profiles share one."""
    return moment


@lru_cache(maxsize=4)
def _end_of_day(day: int) -> datetime:
    """Return the end (UTC) of a day given by `day_number`."""
    return datetime.fromtimestamp((day + 1) * 86_400, UTC)
