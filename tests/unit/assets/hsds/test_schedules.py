"""Schedules as HSDS rows: sound rules or words only."""

from datetime import date
from typing import Any

import pytest

from assets.hsds.readings import schedule_spans, zone_offsets
from schemas.hours.schedule import Schedule, schedules_as_json
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
CASES: list[tuple[str, Schedule, dict[str, Any]]] = [
    ("weekly", WEEKLY,
     {"freq": "WEEKLY", "interval": 1, "byday": "MO,WE", "opens_at": "09:00:00", "closes_at": "12:00:00"}),
    ("round the clock ends at 23:59", Schedule("00:00", "24:00", "WEEKLY", "SU"),
     {"freq": "WEEKLY", "interval": 1, "byday": "SU", "opens_at": "00:00:00", "closes_at": "23:59:00"}),
    ("ordinals are monthly", Schedule("10:00", "11:00", "MONTHLY", "2TU,-1FR"),
     {"freq": "MONTHLY", "interval": 1, "byday": "2TU,-1FR", "opens_at": "10:00:00", "closes_at": "11:00:00"}),
    ("day of the month", Schedule("10:00", "11:00", "MONTHLY", bymonthday="1,15"),
     {"freq": "MONTHLY", "interval": 1, "bymonthday": "1,15", "opens_at": "10:00:00", "closes_at": "11:00:00"}),
    ("every other week with a start", Schedule("10:00", "11:00", "WEEKLY", "TU", interval=2, dtstart="2026-11-03"),
     {"freq": "WEEKLY", "interval": 2, "byday": "TU", "dtstart": D("2026-11-03"), "opens_at": "10:00:00", "closes_at": "11:00:00"}),
    ("an opening without an end is words", Schedule("10:00", None, "MONTHLY", "1SA", description="while supplies last"),
     {"description": "first Saturday of the month, from 10:00, while supplies last"}),
    ("some weeks are words", Schedule("10:00", "11:00", "WEEKLY", "TU", description="some weeks only"),
     {"description": "Tuesday, 10:00 to 11:00, some weeks only"}),
    ("every other week without a start is words", Schedule("10:00", "11:00", "WEEKLY", "TU", interval=2),
     {"description": "every 2 weeks on Tuesday; the source does not say which weeks, 10:00 to 11:00"}),
    ("hours of the office are words", Schedule("09:00", "17:00", "WEEKLY", "MO", description="office"),
     {"description": "Monday, 09:00 to 17:00, office"}),
    ("hours of another service are words", Schedule("09:00", "17:00", "WEEKLY", "MO", description="other service: clinic"),
     {"description": "Monday, 09:00 to 17:00, other service: clinic"}),
    ("a season without dates is words", Schedule("09:00", "12:00", "WEEKLY", "MO", description="in summer"),
     {"description": "Monday, 09:00 to 12:00, in summer"}),
    ("one dated slot occurs once", Schedule("10:00", "13:00", valid_from="2026-11-08", valid_to="2026-11-08"),
     {"freq": "WEEKLY", "interval": 1, "byday": "SU", "count": 1, "dtstart": D("2026-11-08"), "valid_from": D("2026-11-08"),
      "opens_at": "10:00:00", "closes_at": "13:00:00"}),
    ("several dated days are every day", Schedule("10:00", "13:00", valid_from="2026-11-08", valid_to="2026-11-10"),
     {"freq": "WEEKLY", "interval": 1, "byday": "MO,TU,WE,TH,FR,SA,SU", "dtstart": D("2026-11-08"), "valid_from": D("2026-11-08"),
      "until": D("2026-11-10"), "opens_at": "10:00:00", "closes_at": "13:00:00"}),
    ("a season begins with its first day", Schedule("09:00", "12:00", "WEEKLY", "TU", valid_from="2026-11-05", valid_to="2026-12-20"),
     {"freq": "WEEKLY", "interval": 1, "byday": "TU", "dtstart": D("2026-11-10"), "valid_from": D("2026-11-05"),
      "until": D("2026-12-20"), "opens_at": "09:00:00", "closes_at": "12:00:00"}),
    ("a yearly season that is over is the next one", Schedule("09:00", "12:00", "WEEKLY", "TU", valid_from="06-01", valid_to="08-31"),
     {"freq": "WEEKLY", "interval": 1, "byday": "TU", "dtstart": D("2027-06-01"), "valid_from": D("2027-06-01"), "until": D("2027-08-31"),
      "opens_at": "09:00:00", "closes_at": "12:00:00", "description": "every year from June 1 to August 31"}),
    ("a yearly season over New Year that is on", Schedule("09:00", "12:00", "WEEKLY", "SU", valid_from="11-01", valid_to="03-31"),
     {"freq": "WEEKLY", "interval": 1, "byday": "SU", "dtstart": D("2026-11-01"), "valid_from": D("2026-11-01"), "until": D("2027-03-31"),
      "opens_at": "09:00:00", "closes_at": "12:00:00", "description": "every year from November 1 to March 31"}),
    ("a season without its weekday is words", Schedule("09:00", "12:00", "WEEKLY", "TU", valid_from="2026-11-04", valid_to="2026-11-06"),
     {"description": "Tuesday, 09:00 to 12:00, from November 4, 2026 to November 6, 2026"}),
    ("half a yearly season is words", Schedule("09:00", "12:00", "WEEKLY", "TU", valid_from="06-01"),
     {"description": "Tuesday, 09:00 to 12:00, every year from June 1"}),
    ("a closure is never a rule", Schedule(freq="MONTHLY", byday="5WE", is_closed=True),
     {"description": "Closed: fifth Wednesday of the month", "is_closed": True}),
    ("holidays", Schedule(description="federal holidays", is_closed=True),
     {"description": "Closed: federal holidays", "is_closed": True}),
    ("words alone", Schedule(description="by appointment"), {"description": "by appointment"}),
    ("days without times keep no times", Schedule(freq="WEEKLY", byday="FR", description="call first"),
     {"freq": "WEEKLY", "interval": 1, "byday": "FR", "description": "call first"}),
    ("an ordinal in a weekly rule is words", Schedule("09:00", "10:00", "WEEKLY", "2TU"),
     {"description": "second Tuesday, 09:00 to 10:00"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("schedule", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
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
