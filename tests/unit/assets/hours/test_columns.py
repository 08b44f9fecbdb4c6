"""Hours of whole columns."""

from datetime import date

import pandas as pd

from assets.hours.columns import read_hours, with_hours, without_past


def test_columns_keep_the_index_and_are_missing_where_unknown() -> None:
    texts = pd.Series(
        ["Tue 10-12", None, "ask", "2nd Tue 10-12", "Tue 10-12"], index=[7, 3, 9, 1, 2]
    )
    frame = read_hours(texts)
    assert list(frame.index) == [7, 3, 9, 1, 2]
    assert frame.loc[7, "hours_json"] == frame.loc[2, "hours_json"] == '{"tuesday":"10:00-12:00"}'
    assert frame["schedules_json"].isna().tolist() == [False, True, True, False, False]
    assert frame["hours_json"].isna().tolist() == [False, True, True, True, False]


def test_a_column_without_any_hours_stays_text() -> None:
    frame = with_hours(pd.DataFrame({"hours_text": pd.Series([None, None], dtype="str")}))
    assert frame["schedules_json"].isna().all()
    assert frame["hours_json"].dtype == "str"


def test_a_text_whose_slots_are_all_past_is_missing_and_not_empty() -> None:
    """A rule counts for a day longer than the slot that says it."""
    slots = "2026-11-27 12:00 - 14:00"
    rules = (
        '[{"opens_at":"12:00","closes_at":"14:00","valid_from":"2026-11-27",'
        '"valid_to":"2026-11-27"}]'
    )
    hours = pd.DataFrame(
        {"hours_text": [slots], "schedules_json": [rules], "hours_json": [None]}, dtype="str"
    )
    row = without_past(hours, date(2026, 11, 28)).iloc[0]
    assert pd.isna(row["hours_text"])
    assert row["schedules_json"] == rules
