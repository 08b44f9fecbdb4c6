"""Places that are closed for now: by their lists' words, or between two seasons."""

from datetime import date
from typing import Any

import pandas as pd

from schemas.vocab.resource_types import RESOURCE_TYPES
from tests.support.cases import labelled
from tests.unit.assets.directory.test_places import EXACT, merge
from tests.unit.assets.records import day, located

CLOSED = {"notes": "Temporarily closed until further notice.", "hours_text": "Tue 9-12"}
OPEN = {"hours_text": "Wed 10-12"}
RULES = '[{"opens_at":"09:00","closes_at":"12:00","freq":"WEEKLY","byday":"TU"}]'


def one(*records: dict[str, Any]) -> dict[str, Any]:
    rows = located(*({**EXACT, "schedules_json": RULES, **record} for record in records))
    return dict(merge(rows).resources.iloc[0].to_dict())


def test_a_closed_place_has_no_rules_of_hours() -> None:
    place = one({"source_id": "compiled", "listed_date": day("2026-10-01"), **CLOSED})
    assert place["closure"] == "closed"
    assert place["closure_text"] == "Temporarily closed until further notice"
    assert place["hours_text"] == "Tue 9-12"
    assert pd.isna(place["schedules_json"])
    assert not place["is_hours_current"]


@labelled("records, expected")
def test_until_stated_otherwise(records: list[dict[str, Any]], expected: str | None) -> None:
    closure = one(*records)["closure"]
    assert (None if pd.isna(closure) else closure) == expected


def test_a_summer_site_is_closed_between_two_summers() -> None:
    site = one({"source_id": "compiled", "resource_type": "summer_meal", **OPEN})
    assert (site["closure"], site["closure_until_date"]) == ("season", date(2027, 4, 30))
    assert pd.isna(site["schedules_json"])


@labelled("today, expected")
def test_days_between_seasons(today: date, expected: date | None) -> None:
    assert RESOURCE_TYPES["summer_meal"].last_day_between_seasons(today) == expected
    assert RESOURCE_TYPES["food_pantry"].last_day_between_seasons(today) is None
