"""Removes past hours: dated slots and seasons of past years."""

import json
from datetime import date

import pandas as pd

from assets.hours.dated import without_past_slots
from schemas.hours.opening import has_ended, weekly_hours_json
from schemas.hours.schedule import schedules_as_json, schedules_from_json

Hours = tuple[str | None, str | None, str | None]
_NO_HOURS: Hours = (None, None, None)


def without_past(hours: pd.DataFrame, today: date) -> pd.DataFrame:
    """Drop rules that ended before a day from `hours_text`, `schedules_json` and `hours_json`.

    If every rule has ended, drop the text too: it says when the place was open, not when it is.
    Closures alone do not count as hours.
    """
    texts = hours["schedules_json"]
    candidates = hours[texts.str.contains('"valid_to":"\\d{4}-', na=False)]
    pairs = candidates[["hours_text", "schedules_json"]].astype(object)
    unique = set(pairs.itertuples(index=False, name=None))
    replacements = {(text, rules): _drop_past(text, rules, today) for text, rules in unique}
    output = hours.copy()
    rows = [replacements[pair] for pair in pairs.itertuples(index=False, name=None)]
    for place, name in enumerate(("hours_text", "schedules_json", "hours_json")):
        values = pd.Series([row[place] for row in rows], candidates.index, dtype=object)
        output[name] = (
            output[name]
            .astype(object)
            .where(~output.index.isin(candidates.index), values)
            .astype("str")
        )
    return output


def _drop_past(text: str, schedules_json: str, today: date) -> Hours:
    schedules = schedules_from_json(schedules_json)
    rest = [schedule for schedule in schedules if not has_ended(schedule, today)]
    if all(schedule.is_closed for schedule in rest) and len(rest) < len(schedules):
        return _NO_HOURS
    weekly = weekly_hours_json(rest)
    words = without_past_slots(text, today) if isinstance(text, str) else None
    return (
        words,
        schedules_as_json(rest),
        json.dumps(weekly, separators=(",", ":")) if weekly else None,
    )
