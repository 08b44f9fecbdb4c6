"""Applies notes that contradict the opening hours of a place, or the need of an appointment.

A person wrote the note about the place ("Temporarily closed until further notice", "Hours vary",
"Pantry operates once a month"), while its hours often come from a column that nobody updates. So a
plain note wins, and any other makes the hours doubtful. `contradictions.yaml` has the words.
"""

import json
import re
from functools import cache
from pathlib import Path

import msgspec
import pandas as pd

from assets.attributes.clauses import clauses_of, pattern
from assets.hours.parse import parse_hours
from schemas.hours.opening import weekly_hours_json
from schemas.hours.recurrence import rule_of
from schemas.hours.schedule import (
    NOTES_DIFFER,
    SOME_WEEKS,
    Doubt,
    Schedule,
    doubt_of,
    is_doubtful_throughout,
    schedules_as_json,
    schedules_from_json,
)

NOTES = ("notes", "requirements_text", "eligibility_text", "services_text")
_BY_APPOINTMENT = "by appointment"
_LONGEST_NOTE = 160
_DAY_STEMS = (
    ("mon", "lunes"),
    ("tue", "martes"),
    ("wed", "miércoles", "miercoles"),
    ("thu", "jueves"),
    ("fri", "viernes"),
    ("sat", "sábado", "sabado"),
    ("sun", "domingo"),
)


class _Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    patterns: list[str]
    unless: list[str]


class _Lexicon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    parts: dict[str, str]
    closed: _Rule
    varies: _Rule
    rare: _Rule
    excepted: _Rule
    appointment: _Rule


_LEXICON = msgspec.yaml.decode(
    Path(__file__).with_name("contradictions.yaml").read_bytes(), type=_Lexicon
)
_PATTERNS = {
    name: (
        pattern(*(re.sub("<([A-Z]+)>", lambda m: _LEXICON.parts[m[1]], t) for t in rule.patterns)),
        pattern(*rule.unless),
    )
    for name, rule in msgspec.structs.asdict(_LEXICON).items()
    if name != "parts"
}


def apply_notes(resources: pd.DataFrame) -> pd.DataFrame:
    """Return the places with the hours, `requires_appointment` and `accepts_walkins` that their
    notes leave certain.

    A place that is both walk-in and by appointment is neither: some visitors need one.
    """
    output = resources.copy()
    appointment = output["requires_appointment"].astype("boolean")
    walk_in = output["accepts_walkins"].astype("boolean")
    notes = output[[name for name in NOTES if name in output]].astype(object)
    is_both = (appointment & walk_in).fillna(False)
    on_appointments = notes.apply(lambda text: text.str.contains("app|cita", case=False, na=False))
    may_contradict = output["schedules_json"].notna() | on_appointments.any(axis=1)
    has_notes = notes.notna().any(axis=1) & may_contradict
    for index in output.index[has_notes]:
        texts = tuple(text for text in notes.loc[index] if isinstance(text, str))
        stated = output.at[index, "schedules_json"]
        hours = _apply(stated if isinstance(stated, str) else None, texts)
        if hours.schedules_json != stated and isinstance(stated, str):
            output.at[index, "schedules_json"] = hours.schedules_json
            output.at[index, "hours_json"] = hours.hours_json
        if hours.requires_appointment and appointment[index] is not False:
            appointment[index], walk_in[index] = True, False
    for index in output.index[is_both]:
        hours_text = output.at[index, "hours_text"]
        clauses = clauses_of(hours_text) if isinstance(hours_text, str) else []
        if any(_says("appointment", clause) and not _days_in(clause) for _, clause in clauses):
            walk_in[index] = False
    is_both = (appointment & walk_in).fillna(False)
    output["requires_appointment"] = appointment.mask(is_both, pd.NA)
    output["accepts_walkins"] = walk_in.mask(is_both, pd.NA)
    return output


class _Outcome(msgspec.Struct, frozen=True):
    schedules_json: str | None
    hours_json: str | None
    requires_appointment: bool


@cache
def _apply(schedules_json: str | None, texts: tuple[str, ...]) -> _Outcome:
    """Return the hours that notes leave, and whether all of them need an appointment."""
    schedules = schedules_from_json(schedules_json)
    clauses = [clause for text in texts for _, clause in clauses_of(text)]
    needs_appointment = False
    for clause in clauses:
        if _says("closed", clause) or _says("varies", clause):
            if schedules and not is_doubtful_throughout(schedules):
                schedules = [*schedules, Schedule(description=NOTES_DIFFER)]
        elif _says("rare", clause):
            schedules = [_with_words(s, SOME_WEEKS) if _is_weekly(s) else s for s in schedules]
        elif _says("appointment", clause):
            days = _days_in(clause)
            open_days = {day for s in schedules for day in rule_of(s).weekdays if not s.is_closed}
            needs_appointment |= not days or bool(open_days and open_days <= days)
            schedules = [
                _with_words(s, _BY_APPOINTMENT)
                if _is_weekly(s) and rule_of(s).weekdays <= days
                else s
                for s in schedules
            ]
        elif len(clause) <= _LONGEST_NOTE:
            schedules = _limit_to_weeks_of(schedules, clause)
    weekly = weekly_hours_json(schedules)
    return _Outcome(
        schedules_as_json(schedules),
        json.dumps(weekly, separators=(",", ":")) if weekly else None,
        needs_appointment,
    )


def _limit_to_weeks_of(schedules: list[Schedule], clause: str) -> list[Schedule]:
    """Mark hours as those of some weeks if a clause names their weekday for some weeks only: "Open
    1st and 3rd Saturdays of the month", "Not on first Thursday".

    A clause with other times states other hours, and one with a name is about some visitors.
    """
    if not any(_is_weekly(s) and rule_of(s).weekdays & _days_in(clause) for s in schedules):
        return schedules
    if _says("excepted", clause):
        return [
            _with_words(s, SOME_WEEKS)
            if _is_weekly(s) and rule_of(s).weekdays & _days_in(clause)
            else s
            for s in schedules
        ]
    reading = parse_hours(clause)
    limits = [s for s in reading.schedules or [] if not reading.unread]
    if not limits or any(s.description not in (None, SOME_WEEKS) for s in limits):
        return schedules
    in_some_weeks = {
        day: limit.opens_at
        for limit in limits
        if limit.freq == "MONTHLY" or limit.interval > 1 or limit.description == SOME_WEEKS
        for day in (*rule_of(limit).weekdays, *(day for _, day in rule_of(limit).nth_weekdays))
    }
    return [
        _with_words(schedule, SOME_WEEKS)
        if _is_weekly(schedule)
        and any(
            in_some_weeks.get(day, "never") in (None, schedule.opens_at)
            for day in rule_of(schedule).weekdays
        )
        else schedule
        for schedule in schedules
    ]


def _is_weekly(schedule: Schedule) -> bool:
    is_every_week = schedule.freq == "WEEKLY" and schedule.interval == 1
    return is_every_week and not schedule.is_closed and doubt_of(schedule) is not Doubt.WEEKS


def _with_words(schedule: Schedule, words: str) -> Schedule:
    parts = [part for part in (schedule.description or "").split("; ") if part]
    parts += [] if words in parts else [words]
    return msgspec.structs.replace(schedule, description="; ".join(parts))


def _days_in(clause: str) -> frozenset[int]:
    """Return the weekdays that a clause names, Monday 0."""
    words = re.findall(r"\w+", clause.lower())
    return frozenset(
        day for day, stems in enumerate(_DAY_STEMS) if any(w.startswith(stems) for w in words)
    )


def _says(name: str, clause: str) -> bool:
    patterns, unless = _PATTERNS[name]
    return bool(patterns.search(clause)) and not unless.search(clause)
