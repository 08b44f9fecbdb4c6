"""Notes that contradict the opening hours."""

import pandas as pd
import pytest

from assets.directory.contradictions import apply_notes
from assets.hours.columns import read_hours

_DOUBTED = [
    "Pantry temporarily closed due to flooding",
    "CLOSED UNTIL FURTHER NOTICE",
    "We are currently closed for renovations",
    "No set schedule, call first",
    "Open once a month",
    "Distribution is once a month; call for date",
    "Only the 2nd Tuesday",
    "Every other Tuesday",
    "Open the last Tuesday of each month",
    "Horario varía, llame antes",
    "Cerrado temporalmente",
    "Cerrado hasta nuevo aviso",
    "Abierto una vez al mes",
    "Days and times vary",
    "Hours subject to change",
    "Hours are subject to change, please call ahead",
    "Suspended until spring",
    "This location is no longer open",
    "Not currently operating",
    "Pantry operates the first and third Tuesday",
    "Program on hiatus",
    "Food distribution has been suspended",
    "Monthly distribution",
    "Closed for the summer",
    "Hours may change without notice",
    "Please call for current hours",
    "Schedule changes weekly",
    "Seasonal hours",
    "Times may vary by season",
    "Pantry is not open at this time",
    "La despensa está cerrada por remodelación",
    "El horario puede cambiar",
    "Dos veces al mes",
    "Location closed permanently",
    "Out of service",
    "- Not on first Tuesday",
    "- 2nd Tuesday",
    "- At tis time, all services are suspended",
    "- Open 1st and 3rd Tuesdays of the month",
]
_HEEDED_NOT = [
    "- Not on first Thursday",
    "Clients may visit once a month",
    "One visit per household per month",
    "Closed on holidays",
    "Closed for lunch 12-1",
    "Clothing closet is temporarily closed",
    "Furniture by appointment only",
    "No appointment needed",
    "Parking lot is closed",
    "Closed in August",
    "Menu varies",
    "Food selection varies by week",
    "walk-ins welcome, appointments also available",
    "Temporarily located at 12 Main St",
    "Temporarily drive-through only",
    "Closed when schools are closed",
    "- Registration is closed until further notice",
    "- Indoor seating has been suspended until further notice",
    "- Number currently not in service",
    "- No longer doing delivery",
    "- Visitors can pick up food once per month",
    "2nd Tuesday 5-7 pm",
]
_BY_APPOINTMENT = [
    "Sólo con cita",
    "By appointment only",
    "Appointments only. Call 555-0100.",
    "Must have an appointment",
    "Open by appointment",
    "- Open on Tuesdays by appointment only. Call to make one.",
]


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


@pytest.mark.parametrize("note", _DOUBTED)
def test_a_note_makes_the_hours_doubtful(note: str) -> None:
    place = _place("Tue 9-12", note)
    assert pd.isna(place["hours_json"]), place["schedules_json"]
    assert '"opens_at":"09:00"' in place["schedules_json"]


@pytest.mark.parametrize("note", _HEEDED_NOT)
def test_a_note_about_something_else_leaves_the_hours(note: str) -> None:
    place = _place("Tue 9-12", note)
    assert place["hours_json"] == '{"tuesday":"09:00-12:00"}', place["schedules_json"]
    assert pd.isna(place["requires_appointment"])


@pytest.mark.parametrize("note", _BY_APPOINTMENT)
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
