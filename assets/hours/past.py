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
    dated = hours[texts.str.contains('"valid_to":"\\d{4}-', na=False)]
    pairs = dated[["hours_text", "schedules_json"]].astype(object)
    unique = set(pairs.itertuples(index=False, name=None))
    found = {(text, rules): _drop_past(text, rules, today) for text, rules in unique}
    left = hours.copy()
    rows = [found[pair] for pair in pairs.itertuples(index=False, name=None)]
    for place, name in enumerate(("hours_text", "schedules_json", "hours_json")):
        values = pd.Series([row[place] for row in rows], dated.index, dtype=object)
        left[name] = (
            left[name].astype(object).where(~left.index.isin(dated.index), values).astype("str")
        )
    return left


def _drop_past(text: str, schedules_json: str, today: date) -> Hours:
    schedules = schedules_from_json(schedules_json)
    left = [schedule for schedule in schedules if not has_ended(schedule, today)]
    if all(schedule.is_closed for schedule in left) and len(left) < len(schedules):
        return _NO_HOURS
    weekly = weekly_hours_json(left)
    words = without_past_slots(text, today) if isinstance(text, str) else None
    return (
        words,
        schedules_as_json(left),
        json.dumps(weekly, separators=(",", ":")) if weekly else None,
    )
