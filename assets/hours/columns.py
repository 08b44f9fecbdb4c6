"""Hours of many rows at once: every distinct text is read once."""

import json

import pandas as pd

from assets.hours.parse import parse_hours
from schemas.hours.opening import weekly_hours_json
from schemas.hours.schedule import schedules_as_json


def with_hours(places: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with `schedules_json` and `hours_json` read from `hours_text`; empty
    where unsure."""
    return pd.concat([places, read_hours(places["hours_text"])], axis=1)


def read_hours(texts: pd.Series) -> pd.DataFrame:
    """Read a column of texts into `schedules_json` and `hours_json`, on its index; missing where
    unknown."""
    readings = {text: _as_json(text) for text in texts.dropna().unique()}
    frame = pd.DataFrame(index=texts.index)
    for place, name in enumerate(("schedules_json", "hours_json")):
        values = {text: pair[place] for text, pair in readings.items() if pair[place] is not None}
        frame[name] = texts.map(values).astype("str")
    return frame


def _as_json(text: str) -> tuple[str | None, str | None]:
    schedules = parse_hours(text).schedules
    if schedules is None:
        return None, None
    hours = weekly_hours_json(schedules)
    return schedules_as_json(schedules), json.dumps(hours, separators=(",", ":")) if hours else None
