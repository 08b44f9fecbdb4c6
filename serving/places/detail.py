"""One place in full: hours in words, next openings, freshness, alternatives when closed, the area
it serves, what each source states, and why its facts are believed."""

import math
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

import msgspec

from schemas.api.history import ResourceStatements, Statement
from schemas.api.record import Alternative, NextOpening, RecordFreshness
from schemas.api.reports import HoursCheck, PhoneCheck, ResourceStatus, VerificationCheck
from schemas.bulk import BULK_FOLDER
from schemas.hours.clock_words import list_words, month_year, opening_words
from schemas.hours.hours_words import hours_in_words
from schemas.hours.opening import OpenStatus, next_openings
from schemas.hours.schedule import Schedule
from schemas.languages import Language
from schemas.values.coordinates import chord_to_miles, ecef_point, miles_to_chord, round_miles
from schemas.values.instants import instant_text
from schemas.values.usual_hours import with_advice
from schemas.vocab.states import STATES
from schemas.vocab.statuses import MAX_HOURS_DAYS, VERIFICATION_REASONS, DateKind
from schemas.words import Words, messages, say
from serving.context import Context
from serving.http.caching import of_minute, of_place
from serving.http.errors import ServiceProblem
from serving.render.words import words
from warehouse.index.points import MODE_TYPES
from warehouse.index.reader import OpenRelease
from warehouse.index.row_hours import Moment
from warehouse.index.spatial import Hit

OPENINGS, OPENING_DAYS = 3, 60
ALTERNATIVES, ALTERNATIVE_MILES = 3, 25.0
# Openings are looked for in ever longer spans: most places open within the week.
_HORIZONS = (8, 22, OPENING_DAYS)
_NO_OTHERS = b',"nearby_alternatives":[]'
# Older dates are named by their month.
_RELATIVE_DAYS = 60
_HELPFUL = frozenset({"open", "closes_soon", "opens_soon"})
_DOUBT = Words(
    " These hours are too old to rely on.",
    " Este horario es demasiado viejo para confiar en él.",
)


async def build_detail(context: Context, release: OpenRelease, row: int, now: datetime) -> bytes:
    """Return the single record as JSON; its computed members are made in another thread."""
    moment, responses = release.moment(row, now), context.responses
    members, others = members_without_hours(release, row, moment, now), _NO_OTHERS
    if members is None:
        key = of_place(release, now, row, "resource")
        members = await responses.find_or_compute(key, lambda: encode_members(release, row, now))
    if _names_others(release, row, moment):
        # Reports about any of them may change these.
        key = of_minute(release, now, "alternatives", row)
        others = await responses.find_or_compute(
            key, lambda: encode_alternatives(release, row, now)
        )
    return release.detail(row, moment, members + others)


def members_without_hours(
    release: OpenRelease, row: int, moment: Moment, now: datetime
) -> bytes | None:
    """Return the computed members of a row without hours, at no cost; None when more must be
    computed."""
    if release.hours_codes[row] >= 0 or release.reported_state(row, now) is not None:
        return None
    return _members_by_age(freshness_of(release, row, moment, now))


@lru_cache(maxsize=8192)
def _members_by_age(fresh: RecordFreshness) -> bytes:
    return _as_members(None, [], fresh)


def encode_members(release: OpenRelease, row: int, now: datetime) -> bytes:
    """Return the computed members of a row, without its alternatives, as JSON, each after a comma.
    Safe for threads."""
    moment, state = release.moment(row, now), release.open_state(row, now)
    words, openings = None, []
    timetable = release.timetable(row)
    if timetable is not None:
        schedules, timezone = timetable
        today = now.astimezone(ZoneInfo(timezone)).date()
        words = hours_in_words(schedules, today)
        if words is not None and state is None:
            words = Words(words.en + _DOUBT.en, words.es + _DOUBT.es)
        if state is not None:
            openings = openings_of(release, row, now)
    fresh = freshness_of(release, row, moment, now)
    return _as_members(words, openings, fresh)


def openings_of(release: OpenRelease, row: int, now: datetime) -> list[NextOpening]:
    """Return the next openings of a row whose hours may be asserted; after today if its operator
    reports it closed."""
    timetable = release.timetable(row)
    if timetable is None or release.open_state(row, now) is None:
        return []
    schedules, timezone = timetable
    report = release.reported_state(row, now)
    if report is not None and report.status == "closed":
        today = now.astimezone(ZoneInfo(timezone)).date().isoformat()
        coming = coming_openings(schedules, timezone, now, 3 * OPENINGS)
        return [one for one in coming if not one.opens_at.startswith(today)][:OPENINGS]
    return coming_openings(schedules, timezone, now)


def _as_members(
    words: Words | None,
    openings: list[NextOpening],
    fresh: RecordFreshness,
) -> bytes:
    members = {
        "hours_in_words": words,
        "next_openings": openings,
        "freshness": fresh,
    }
    return b"," + msgspec.json.encode(members)[1:-1]


# ---------------------------------------------------------------- openings


def coming_openings(
    schedules: list[Schedule], timezone: str, now: datetime, count: int = OPENINGS
) -> list[NextOpening]:
    """Return the certain openings that begin after an instant, at most `count`, within 60 days."""
    spans: list[tuple[datetime, datetime]] = []
    after = now + timedelta(microseconds=1)
    for days in _HORIZONS:
        spans = next_openings(schedules, timezone, after, count, days)
        if len(spans) == count:
            break
    openings = []
    for start, end in spans:
        words = opening_words(start, end, now)
        opening = NextOpening(start.isoformat(), end.isoformat(), words.en, words.es)
        openings.append(opening.render_with(words.__getitem__))
    return openings


# ---------------------------------------------------------------- age


def freshness_of(
    release: OpenRelease, row: int, moment: Moment, now: datetime, of: Literal["", "hours_"] = ""
) -> RecordFreshness:
    """Return the age of a row's facts: of its hours if it has any, else of its newest date. `of`:
    whether the words name the hours."""
    origin = release.hours_origin(row)
    if origin is not None and release.hours_codes[row] >= 0:
        days = max(0, (now.astimezone(UTC).date() - origin.day).days)
        is_stale = not release.shows_hours(row, now)
        return freshness(origin.basis, days, origin.day, is_stale=is_stale, of=of)
    if moment.age_days is None:
        return freshness(None, None, None, of=of)
    newest = date(1970, 1, 1) + timedelta(days=int(release.dated_days[row]))
    return freshness(release.find_date_kind(row), moment.age_days, newest, of=of)


def hours_age(release: OpenRelease, row: int, now: datetime) -> Words:
    """Return the age of the hours of a row as a clause: "updated by the publisher 3 weeks ago"."""
    age = freshness_of(release, row, release.moment(row, now), now)
    return say(lambda language: age[language][:1].lower() + age[language][1:])


@lru_cache(maxsize=8192)
def freshness(
    kind: DateKind | None,
    days: int | None,
    on: date | None,
    *,
    is_stale: bool | None = None,
    of: Literal["", "hours_"] = "",
) -> RecordFreshness:
    """Return the event on the date of a record or its hours, and its age in days, in words."""

    def render(language: Language) -> str:
        w = messages("hours", language)
        if kind is None or days is None or on is None:
            return str(w[f"{of}not_dated"])
        if days >= _RELATIVE_DAYS:
            return str(w[f"{of}dated_month"][kind].format(month=month_year(on, language)))
        return str(w[f"{of}dated"][kind].format(age=_age(days, language)))

    if kind is None or days is None or on is None:
        kind, days, is_old = None, None, True
    else:
        is_old = days > MAX_HOURS_DAYS if is_stale is None else is_stale
    return RecordFreshness(days, kind, is_old, render("en"), render("es")).render_with(render)


def _age(days: int, language: Language) -> str:
    """Return "13 days ago", "3 weeks ago": rounded as in speech."""
    w = messages("hours", language)
    if days < 2:
        return str(w.age_today if days < 1 else w.age_yesterday)
    if days < 14:
        return str(w.days_ago(days))
    return str(w.weeks_ago(round(days / 7)))


# ---------------------------------------------------------------- alternatives


def _names_others(release: OpenRelease, row: int, moment: Moment) -> bool:
    """Return whether others are named in place of a row: free food that is closed now."""
    return moment.hours_status == "closed" and release.type_of(row) in MODE_TYPES["free"]


def encode_alternatives(release: OpenRelease, row: int, now: datetime) -> bytes:
    """Return the nearest places of the type that are open or opening, while a row is closed, as a
    member in JSON after a comma. Safe for threads."""
    if not _names_others(release, row, release.moment(row, now)):
        return _NO_OTHERS
    at = ecef_point(*release.point_of(row))
    selection = release.spatial.select(frozenset({release.type_of(row)}))
    alternatives: list[Alternative] = []
    for square, other in selection.within(at, miles_to_chord(ALTERNATIVE_MILES)).hits():
        status = release.hours_status(other, now)
        if status in _HELPFUL and other != row and not release.is_confidential[other]:
            alternatives.append(_alternative(release, row, (square, other), status))
        if len(alternatives) == ALTERNATIVES:
            break
    return b',"nearby_alternatives":' + msgspec.json.encode(alternatives)


def _alternative(release: OpenRelease, row: int, hit: Hit, status: OpenStatus) -> Alternative:
    square, other = hit
    record = read_record(release, other)
    miles = chord_to_miles(math.sqrt(square))
    # As rough as the rougher of both points.
    away = max(round_miles(miles, release.precision_of(r)) for r in (row, other))
    return Alternative(
        record["id"],
        record["name"],
        record["resource_type"],
        status,
        away,
        record["address"],
        record["city"],
        record["phone"],
        f"/api/resources/{record['id']}",
    )


def address_line(record: dict[str, Any]) -> str:
    """Return the address of a record in one line, without unknown parts."""
    town = " ".join(part for part in (record["state"], record["zip"]) if part)
    return ", ".join(part for part in (record["address"], record["city"], town) if part)


def read_record(release: OpenRelease, row: int) -> dict[str, Any]:
    """Return the stored members of a record, decoded."""
    record: dict[str, Any] = msgspec.json.decode(release.read_record(row) + b"}")
    return record


# ---------------------------------------------------------------- area


def area_sentence(
    release: OpenRelease, row: int, text: str | None, language: Language
) -> str | None:
    """Return the sentence; None if the list names no area. `text`: the list's own sentence."""
    w = words("site", language).area
    area = release.service_areas.area(row)
    if area is None:
        return w.unread.format(text=text) if text else None
    zips = [code.removeprefix("zip:") for code in area.codes if code.startswith("zip:")]
    parts = []
    if zips:
        label = w.zip if len(zips) == 1 else w.zips
        parts.append(label.format(names=list_words(zips, language)))
    parts += [
        area_name(release, code, language) for code in area.codes if not code.startswith("zip:")
    ]
    sentence = w.only if area.is_exclusive else w.also
    return str(sentence.format(areas=list_words(parts, language)))


def area_name(release: OpenRelease, code: str, language: Language) -> str:
    """Return the name of an area of `service_areas`; of a state in the language."""
    kind, _, value = code.partition(":")
    if kind == "state":
        return STATES[value].names[language]
    return release.service_areas.name(code)


# ---------------------------------------------------------------- statements


_RULE = (
    "The value of the record that ranks first among those that know the field: by "
    "authority of the source, then"
    " the newer date, then the more exact point. Fields that belong together come from "
    "one record. An approved edit"
    " goes first. Of hours, days that are over are left out. Of a confidential place "
    "only published values are listed, without its whereabouts."
)
_COLUMNS = """field_name, value, source_id, source_key, stated_date::VARCHAR, file_name, source_row,
    is_published, is_contradicted"""
_ORDER = "field_name, is_published DESC, source_id, source_key"


def statements_of(release: OpenRelease, resource_id: int) -> ResourceStatements:
    """Return the statements of a place that is listed. Reads a file: call it in a thread.

    Raises ServiceProblem (503) for a release without bulk files.
    """
    path = _path(release)
    if not path.is_file():
        raise ServiceProblem("not-in-release", f"Release {release.release_id} has no statements.")
    query = f"SELECT {_COLUMNS} FROM read_parquet(?) WHERE resource_id = ? ORDER BY {_ORDER}"  # noqa: S608 - names of our own
    with release.cursor() as db:
        rows = db.execute(query, [str(path), resource_id]).fetchall()
    statements = [Statement(*row) for row in rows]
    return ResourceStatements(
        id=resource_id,
        rule=_RULE,
        total=len(statements),
        contradicted_fields=sorted({s.field for s in statements if s.is_contradicted}),
        statements=statements,
        release_id=release.release_id,
    )


def contradictions(
    release: OpenRelease,
    first: int,
    limit: int,
    resource_type: str | None = None,
    state: str | None = None,
) -> dict[int, list[Statement]]:
    """Return contradicted statements by place, those with most contradicted fields first; of places
    of a type and state only, if given.

    `first` places are passed over, at most `limit` returned; none for a release without bulk
    files. Reads a file: call it in a thread.
    """
    path = _path(release)
    if not path.is_file():
        return {}
    query = f"""
    WITH contradicted AS (FROM read_parquet(?1) WHERE is_contradicted),
    sought AS (SELECT resource_id FROM core_directory__resources
               WHERE (?4 IS NULL OR resource_type = ?4) AND (?5 IS NULL OR state = ?5)),
    places AS (SELECT resource_id, count(DISTINCT field_name) AS fields FROM contradicted
               WHERE resource_id IN (FROM sought)
               GROUP BY resource_id ORDER BY fields DESC, resource_id LIMIT ?2 OFFSET ?3)
    SELECT resource_id, {_COLUMNS} FROM contradicted JOIN places USING (resource_id)
    ORDER BY fields DESC, resource_id, {_ORDER}"""  # noqa: S608 - names of our own
    by_place: dict[int, list[Statement]] = {}
    with release.cursor() as db:
        values = [str(path), limit, first, resource_type, state]
        for resource_id, *row in db.execute(query, values).fetchall():
            by_place.setdefault(resource_id, []).append(Statement(*row))
    return by_place


def contradiction_count(release: OpenRelease) -> int:
    """Return how many places have sources that contradict each other; see `contradictions`."""
    path = _path(release)
    if not path.is_file():
        return 0
    query = "SELECT count(DISTINCT resource_id) FROM read_parquet(?) WHERE is_contradicted"
    with release.cursor() as db:
        row = db.execute(query, [str(path)]).fetchone()
    return int(row[0]) if row else 0


def _path(release: OpenRelease) -> Path:
    return release.folder / BULK_FOLDER / "statements.parquet"


# ---------------------------------------------------------------- facts


_NO_HOURS = Words(
    "No opening hours that can be read with certainty are known",
    "No se conoce un horario que se pueda leer con certeza",
)
_DOUBTFUL = Words(
    "The published hours do not say whether it is open now",
    "El horario publicado no dice si está abierto ahora",
)
_REPORTED = Words("The operator reported it today.", "Lo avisó hoy el propio lugar.")
_TOLL_FREE = ("800", "888", "877", "866", "855", "844", "833")


def resource_status(release: OpenRelease, row: int, now: datetime) -> ResourceStatus:
    """Return status of the resource in a row at an aware instant."""
    moment = release.moment(row, now)
    record: dict[str, Any] = msgspec.json.decode(release.detail(row, moment))
    return ResourceStatus(
        success=True,
        id=record["id"],
        name=record["name"],
        phone=_phone(record),
        hours=_hours(release, row, record, now),
        verification=_verification(record),
        freshness=freshness_of(release, row, moment, now),
        live_status=record["live_status"],
        doubt=release.doubt(row),
        is_synthetic=record["is_synthetic"],
        release_id=release.release_id,
    )


def _phone(record: dict[str, Any]) -> PhoneCheck:
    phone, e164 = record["phone"], record["phone_e164"]
    return PhoneCheck(
        phone=phone,
        phone_e164=e164,
        is_valid=bool(e164) if phone or e164 else None,
        is_toll_free=e164[2:5] in _TOLL_FREE if e164 else None,
    )


def _hours(release: OpenRelease, row: int, record: dict[str, Any], now: datetime) -> HoursCheck:
    changes, state = release.hours_change_at(row, now), release.open_state(row, now)
    is_reported = release.reported_state(row, now) is not None
    reason = _REPORTED if is_reported else _reason(release, row, now)
    timetable = release.timetable(row)
    today = release.local_day(row, now)
    return HoursCheck(
        status=record["hours_status"],
        reason=reason.en,
        timezone=record["timezone"],
        days_since_confirmed=record["days_since_confirmed"],
        changes_at=instant_text(changes) if changes and (state or record["live_status"]) else None,
        reason_es=reason.es,
        opens_at=state.opens_at.isoformat() if state and state.opens_at else None,
        closes_at=state.closes_at.isoformat() if state and state.closes_at else None,
        in_words=hours_in_words(timetable[0], today) if timetable else None,
    )


def _reason(release: OpenRelease, row: int, now: datetime) -> Words:
    advice = release.advice(row)
    if release.hours_codes[row] < 0:
        return with_advice(_NO_HOURS, advice)
    age = hours_age(release, row, now)
    if not release.shows_hours(row, now):
        return with_advice(
            Words(
                f"The hours are too old to rely on ({age.en})",
                f"El horario es demasiado viejo para confiar en él ({age.es})",
            ),
            advice,
        )
    if release.hours_status(row, now) == "unknown":
        return with_advice(_DOUBTFUL, advice)
    return Words(f"By the published hours ({age.en}).", f"Según el horario publicado ({age.es}).")


def _verification(record: dict[str, Any]) -> VerificationCheck:
    reasons = [VERIFICATION_REASONS[code].label for code in record["verification_reasons"]]
    return VerificationCheck(
        record["verification_status"],
        record["verification_confidence"],
        reasons,
        record["last_verified_date"],
    )
