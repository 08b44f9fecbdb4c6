"""Three dates, three words: which of them vouches for opening hours, and until when."""

from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd

from assets.directory.record_dates import hours_date
from schemas.vocab.statuses import AUTHORITIES, HOURS_HOLD_FOR_DAYS, MAX_HOURS_DAYS
from tests.support.cases import labelled
from tests.unit.assets.records import day, known, located, merged, source

AS_OF = pd.Timestamp("2026-11-22")
SOURCES = known(
    source("compiled"),
    source("osm", "osm"),
    source("registry", "registry", verified_for_days=90),
    source("community", "community"),
)
TUESDAYS = {
    "hours_text": "Tu 9-12",
    "schedules_json": '[{"freq":"WEEKLY","byday":"TU","opens_at":"09:00","closes_at":"12:00"}]',
}


def place_of(*records: dict[str, Any]) -> dict[str, Any]:
    row = merged(located(*records), SOURCES, AS_OF).resources.iloc[0]
    return {
        name: None if pd.isna(row[name]) else row[name]
        for name in row.index
        if row[name] is None or not hasattr(row[name], "__len__") or isinstance(row[name], str)
    }


@labelled("authority, days, basis, until")
def test_which_date_carries_hours_and_until_when(
    authority: str, days: dict[str, str], basis: str, until: str
) -> None:
    date_and_limit = hours_date(
        authority, {kind: date.fromisoformat(text) for kind, text in days.items()}
    )  # type: ignore[misc]
    assert date_and_limit is not None
    assert (date_and_limit.basis, date_and_limit.until) == (basis, date.fromisoformat(until))


def test_every_kind_of_source_has_its_line_and_a_weaker_date_never_holds_longer() -> None:
    assert HOURS_HOLD_FOR_DAYS.keys() == {*AUTHORITIES, "visitor"}
    for holding in HOURS_HOLD_FOR_DAYS.values():
        assert MAX_HOURS_DAYS >= holding.confirmed >= holding.updated >= holding.listed >= 0


def test_a_listing_confirms_nothing() -> None:
    record = place_of(
        {
            "source_id": "registry",
            "listed_date": day("2026-11-01"),
            "source_updated_date": day("2026-11-01"),
            "updated_date": None,
        }
    )
    assert (record["listed_date"], record["confirmed_date"]) == (day("2026-11-01"), None)
    assert record["last_verified_date"] == day("2026-11-01"), "the register vouches for it"


def test_hours_are_as_old_as_their_own_record() -> None:
    """A register that knows no hours, read yesterday, makes a scrape's hours of 2024 no younger."""
    record = place_of(
        {"source_id": "registry", "listed_date": day("2026-11-21")},
        {"source_id": "compiled", "updated_date": day("2024-05-01"), **TUESDAYS},
    )
    assert (record["hours_source"], record["hours_date"], record["hours_date_basis"]) == (
        "compiled",
        day("2024-05-01"),
        "updated",
    )
    assert not record["is_hours_current"]


def test_future_dates_are_ignored() -> None:
    record = place_of({"source_id": "compiled", "updated_date": day("2027-11-01"), **TUESDAYS})
    assert (record["updated_date"], record["hours_date"], record["is_hours_current"]) == (
        None,
        None,
        False,
    )


PAST = {
    "hours_text": "2023-07-18 11:00AM-01:00PM\n2023-07-25 11:00AM-01:00PM",
    "schedules_json": '[{"opens_at":"11:00","closes_at":"13:00","valid_from":"2023-07-18","valid_to":"2023-07-18"},'
    '{"opens_at":"11:00","closes_at":"13:00","valid_from":"2023-07-25","valid_to":"2023-07-25"}]',
}


def test_slots_of_past_years_are_ignored() -> None:
    record = place_of({"source_id": "compiled", "updated_date": day("2026-11-01"), **PAST})
    assert (record["hours_text"], record["schedules_json"], record["hours_date"]) == (
        None,
        None,
        None,
    )


def test_another_record_supplies_the_hours_where_those_of_the_first_are_over() -> None:
    record = place_of(
        {"source_id": "compiled", "updated_date": day("2026-11-01"), **PAST},
        {"source_id": "community", "updated_date": day("2026-10-01"), **TUESDAYS},
    )
    assert (record["hours_text"], record["hours_source"]) == ("Tu 9-12", "community")


def test_coming_slots_stay_without_the_past_ones() -> None:
    text = "2023-07-18 11:00AM-01:00PM\n2026-12-25 11:00AM-01:00PM"
    rules = PAST["schedules_json"].replace("2023-07-25", "2026-12-25")
    record = place_of(
        {
            "source_id": "compiled",
            "updated_date": day("2026-11-01"),
            "hours_text": text,
            "schedules_json": rules,
        }
    )
    assert record["hours_text"] == "2026-12-25 11:00AM-01:00PM"
    assert "2023" not in record["schedules_json"]


def test_the_documents_show_the_table() -> None:
    page = (Path(__file__).parents[4] / "docs" / "hours.md").read_text(encoding="utf-8")
    for kind, days in HOURS_HOLD_FOR_DAYS.items():
        cells = " | ".join(str(n or "-") for n in days[:3])
        assert f"| {kind} | {cells} | {days.why} |" in page
