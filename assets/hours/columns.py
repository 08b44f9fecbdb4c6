"""Hours of many rows or lines at once."""

import json
from collections.abc import Iterable, Iterator

import pandas as pd

from assets.hours.long_hours import FOOD_MINUTES, FOOD_TYPES, doubt_long_hours
from assets.hours.parse import parse_hours
from schemas.hours.opening import weekly_hours_json
from schemas.hours.schedule import schedules_as_json


def with_hours(places: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with `schedules_json` and `hours_json` read from `hours_text`; empty
    where unsure."""
    hours = read_hours(places["hours_text"], places.get("resource_type"))
    return pd.concat([places, hours], axis=1)


def read_hours(texts: pd.Series, types: pd.Series | None = None) -> pd.DataFrame:
    """Read a column of texts into `schedules_json` and `hours_json`, on its index; missing where
    unknown. `types` are the types of the places; without them, none gives food by itself."""
    gives_food = texts.notna() & (False if types is None else types.isin(FOOD_TYPES))
    pairs = pd.Series(list(zip(texts, gives_food, strict=True)), texts.index, dtype=object)
    readings = {pair: _as_json(*pair) for pair in pairs[texts.notna()].unique()}
    frame = pd.DataFrame(index=texts.index)
    for place, name in enumerate(("schedules_json", "hours_json")):
        values = {key: pair[place] for key, pair in readings.items() if pair[place] is not None}
        frame[name] = pairs.map(values).astype("str")
    return frame


def _as_json(text: str, gives_food: bool) -> tuple[str | None, str | None]:
    schedules = parse_hours(text).schedules
    if schedules is None:
        return None, None
    schedules = doubt_long_hours(schedules, FOOD_MINUTES if gives_food else None)
    hours = weekly_hours_json(schedules)
    return schedules_as_json(schedules), json.dumps(hours, separators=(",", ":")) if hours else None


def hours_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield for each text a JSON array of schedules, or `null` where it cannot be read; no line
    ends.
    """
    for line in lines:
        schedules = parse_hours(line.rstrip("\r\n")).schedules
        yield (schedules_as_json(schedules) if schedules else None) or "null"
