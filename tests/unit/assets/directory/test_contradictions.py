"""Notes that contradict the opening hours."""

import pandas as pd

from assets.directory.contradictions import apply_notes
from assets.hours.columns import read_hours
from tests.support.cases import labelled


def _place(
    hours: str, notes: str, *, walk_in: bool | None = None, needs: bool | None = None
) -> pd.Series:
    texts = pd.Series([hours], dtype="str")
    place = pd.DataFrame(
        {
            "resource_id": [9007199254740993],
            "hours_text": texts,
            "notes": pd.Series([notes], dtype="str"),
            "accepts_walkins": pd.array([walk_in], dtype="boolean"),
            "requires_appointment": pd.array([needs], dtype="boolean"),
        }
    ).join(read_hours(texts))
    return apply_notes(place).iloc[0]


@labelled("note")
def test_a_note_makes_the_hours_doubtful(note: str) -> None:
    place = _place("Tue 9-12", note)
    assert pd.isna(place["hours_json"]), place["schedules_json"]
    assert '"opens_at":"09:00"' in place["schedules_json"]


@labelled("note")
def test_a_note_about_something_else_leaves_the_hours(note: str) -> None:
    place = _place("Tue 9-12", note)
    assert place["hours_json"] == '{"tuesday":"09:00-12:00"}', place["schedules_json"]
    assert pd.isna(place["requires_appointment"])


@labelled("note")
def test_a_note_asks_for_an_appointment(note: str) -> None:
    place = _place("Tue 9-12", note, walk_in=True)
    assert place["requires_appointment"] is True or place["requires_appointment"]
    assert not place["accepts_walkins"]


def test_no_place_is_both_walk_in_and_by_appointment() -> None:
    place = _place("Tue 9-12", "Bring a bag", walk_in=True, needs=True)
    assert pd.isna(place["accepts_walkins"])
    assert pd.isna(place["requires_appointment"])
    place = _place("Tue 9-12 | Appointment required.", "Bring a bag", walk_in=True, needs=True)
    assert place["requires_appointment"]
    assert not place["accepts_walkins"]


def test_days_by_appointment_leave_the_other_days() -> None:
    place = _place("Tue 9-12; Fri 1-3", "Fridays are by appointment only")
    assert "by appointment" in place["schedules_json"]
    assert pd.isna(place["requires_appointment"])
