"""Doubts hours that are too long for a place that gives food.

A pantry that is open for more than ten hours is rare, and a wrong am or pm makes one: "9:00 AM -
11:00 PM" for "11:00 AM". The parser doubts what it can tell from the text alone; here the type of
place and other lists decide.
"""

import json
from collections.abc import Iterable

import msgspec
import pandas as pd

from schemas.hours.opening import weekly_hours_json
from schemas.hours.recurrence import DAY_MINUTES, rule_of
from schemas.hours.schedule import (
    LONG_HOURS,
    Schedule,
    is_beside,
    schedules_as_json,
    schedules_from_json,
)

# Longest usual spans: of a place that gives food, and of any place on a clock of twelve hours.
FOOD_MINUTES = 10 * 60
DIAL_MINUTES = 12 * 60
# A community fridge may be open all day.
FOOD_TYPES = frozenset({"food_pantry", "food_bank", "soup_kitchen", "mobile_pantry", "emergency"})


def doubt_long_hours(schedules: Iterable[Schedule], longest: int | None) -> list[Schedule]:
    """Return the schedules with a doubt about spans of more than `longest` minutes, but not about
    round the clock, offices and other services. None: no span is doubtful for its length.
    """
    doubted: list[Schedule] = []
    for schedule in schedules:
        start, end, has_times = rule_of(schedule).minutes()
        is_long = longest is not None and has_times and longest < end - start < DAY_MINUTES
        is_long &= not (schedule.is_closed or is_beside(schedule))
        words = [word for word in (schedule.description or "").split("; ") if word != LONG_HOURS]
        words += [LONG_HOURS] if is_long else []
        description = "; ".join(filter(None, words)) or None
        doubted.append(msgspec.structs.replace(schedule, description=description))
    return doubted


def confirm_long_hours(rows: pd.DataFrame, publishers: dict[str, str]) -> pd.DataFrame:
    """Return `schedules_json` and `hours_json` of records, without the doubt about spans that a
    list of another publisher also gives for the place.

    `rows` has `resource_id`, `source_id` and both columns; `publishers` has each source's.
    """
    hours = rows[["schedules_json", "hours_json"]].astype(object)
    is_doubted = rows["schedules_json"].str.contains(LONG_HOURS, regex=False, na=False)
    is_known = rows["schedules_json"].notna()
    places = rows[is_known & rows["resource_id"].isin(rows.loc[is_doubted, "resource_id"])]
    for _, records in places.groupby("resource_id"):
        schedules = records["schedules_json"].map(schedules_from_json)
        by = records["source_id"].map(publishers)
        for index in records.index[is_doubted.loc[records.index]]:
            others = doubt_long_hours(schedules[by != by[index]].explode().dropna(), None)
            spans = {(other.byday, other.opens_at, other.closes_at) for other in others}
            settled = [
                doubt_long_hours([s], None)[0] if (s.byday, s.opens_at, s.closes_at) in spans else s
                for s in schedules[index]
            ]
            weekly = weekly_hours_json(settled)
            hours.loc[index, "schedules_json"] = schedules_as_json(settled)
            hours.loc[index, "hours_json"] = (
                json.dumps(weekly, separators=(",", ":")) if weekly else None
            )
    return hours.astype("str")
