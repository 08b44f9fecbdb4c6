"""Schedules as HSDS rows: sound rules or words only."""

from datetime import date
from typing import Any

from assets.hsds.readings import schedule_spans, zone_offsets
from schemas.hours.schedule import Schedule, schedules_as_json
from tests.support.cases import labelled
from warehouse.hsds.inputs import SPANS_SCHEMA

AS_OF = date(2026, 11, 1)
D = date.fromisoformat


def rows(*schedules: Schedule, as_of: date = AS_OF) -> list[dict[str, Any]]:
    """Return the known members of every row, without key and source text."""
    text = schedules_as_json(list(schedules))
    assert text is not None
    frame = schedule_spans([text], as_of)
    assert list(frame.columns) == SPANS_SCHEMA.names
    return [
        {k: v for k, v in row.items() if v is not None and k not in {"schedules_json", "span_key"}}
        for row in frame.to_dict("records")
    ]


WEEKLY = Schedule("09:00", "12:00", "WEEKLY", "MO,WE")


@labelled("schedule, expected")
def test_a_schedule_as_a_row(schedule: Schedule, expected: dict[str, Any]) -> None:
    assert rows(schedule) == [expected]


def test_the_keys_of_spans_do_not_depend_on_other_spans_or_on_the_year() -> None:
    season = Schedule("09:00", "12:00", "WEEKLY", "TU", valid_from="06-01", valid_to="08-31")

    def keys(*schedules: Schedule, as_of: date = AS_OF) -> set[str]:
        return set(schedule_spans([schedules_as_json(list(schedules)) or ""], as_of)["span_key"])

    alone = keys(season)
    assert alone < keys(season, WEEKLY)
    assert alone == keys(season, as_of=date(2031, 1, 1))
    twice = keys(WEEKLY, Schedule("09:00", "17:00", "WEEKLY", "MO,WE"))
    assert len(twice) == 2


def test_offsets_are_those_of_the_day() -> None:
    winter = zone_offsets(["America/New_York", "Pacific/Guam"], date(2026, 11, 2))
    assert winter.to_dict("list") == {
        "tzid": ["America/New_York", "Pacific/Guam"],
        "offset_text": ["-05:00", "+10:00"],
        "offset_hours": [-5, 10],
    }
    assert zone_offsets(["America/New_York"], date(2026, 7, 1))["offset_text"].tolist() == [
        "-04:00"
    ]
