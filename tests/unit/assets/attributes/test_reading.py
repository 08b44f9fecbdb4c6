"""Facts are read from plain clauses only; contradictions stay unknown."""

import pandas as pd
import pytest

from assets.attributes.reading import (
    FACT_COLUMNS,
    facts_in,
    facts_of,
    find_unread_clauses,
    with_facts,
)
from tests.support.cases import labelled


def facts(*texts: str, column: str = "notes"):
    return facts_of(finding for text in texts for finding in facts_in(text, column))


def said(text: str, *names: str, column: str = "notes"):
    facts_of_text = facts(text, column=column)
    return tuple(facts_of_text.get(name) for name in names)


@labelled("text, papers, needs, needs_id")
def test_documents(text, papers, needs, needs_id):
    names = ("required_documents", "requires_documents", "requires_id")
    assert said(text, *names) == (papers, needs, needs_id)


@labelled("text, kinds")
def test_food(text, kinds):
    assert said(text, "food_types") == (kinds,)


@labelled("text, appointment, walkin")
def test_appointments(text, appointment, walkin):
    assert said(text, "requires_appointment", "accepts_walkins") == (appointment, walkin)


@labelled("text, papers")
@pytest.mark.parametrize("column", ["requirements_text", "hours_text"])
def test_papers_in_every_text(text, papers, column):
    assert facts(text, column=column).get("required_documents") == papers


@labelled("text, is_required")
@pytest.mark.parametrize("column", ["notes", "hours_text"])
def test_visits_by_appointment(text, is_required, column):
    assert facts(text, column=column).get("requires_appointment") == is_required


@pytest.mark.parametrize(
    "text",
    ["By Appointment, Walk-In", "Telephone, Walk-In, By appointment, Referral Required for food"],
)
def test_walk_ins_in_a_list_of_ways_to_apply(text):
    assert facts(text)["accepts_walkins"] is True


def test_hours_that_are_all_by_appointment():
    day, other = "Monday 9:00 AM - 5:00 PM (By Appointment)", "Friday 1:00 PM - 3:00 PM"
    all_days = f"{day} | {other} (every other week by appointment only)"
    assert facts(all_days, column="hours_text")["requires_appointment"] is True
    assert "requires_appointment" not in facts(f"{day} | {other}", column="hours_text")


def test_a_text_of_hours_contains_other_facts():
    text = (
        "Tuesday 9-11 am | Services the following zip codes: 44203. Bring photo ID\n"
        "Please call for appointment • Use the side door. Anyone in need"
    )
    facts_of_text = facts_in(text, "hours_text")
    assert {(f.field, text[slice(*f.span)]) for f in facts_of_text} == {
        ("area", "Services the following zip codes: 44203"),
        ("required_documents", "Bring photo ID"),
        ("requires_appointment", "Please call for appointment"),
        ("audiences", "Anyone in need"),
    }
    assert all(text[slice(*finding.span)] == finding.clause for finding in facts_of_text)
    assert find_unread_clauses(text, "hours_text") == ["Use the side door"]


def test_a_closed_day_is_read():
    text = "Sunday closed; Monday 9am-5pm; ring twice"
    assert find_unread_clauses(text, "hours_text") == ["ring twice"]


def test_unread_clauses_contain_hours():
    text = "Tuesday 9-11 am; ID required; use the side door"
    assert find_unread_clauses(text, "notes") == ["Tuesday 9-11 am", "use the side door"]


def test_among_hours_a_meal_or_a_group_is_of_one_time():
    assert (
        facts("Thursdays 9-12\nSeniors only; lunch; delivery available", column="hours_text") == {}
    )


def test_appointments_in_a_text_of_hours():
    text = 'Sa 08:00AM-03:00PM "By appointment only"; hot meals'
    assert facts(text, column="hours_text") == {
        "requires_appointment": True,
        "accepts_walkins": False,
    }


@labelled("name, text, value")
def test_facts(name, text, value):
    assert said(text, name) == (value,)


ELIGIBILITY = {
    "all": ("All", "audiences", ["everyone"]),
    "a school": ("Students of this school", "audiences", ["students"]),
    "a group": ("Unhoused", "audiences", ["unhoused"]),
    "an age": ("Persons ages 60 or older", "minimum_age", 60),
    "a town": ("Irving Residents", "audiences", None),
}


@pytest.mark.parametrize(("text", "name", "value"), ELIGIBILITY.values(), ids=ELIGIBILITY)
def test_eligibility(text, name, value):
    assert said(text, name, column="eligibility_text") == (value,)


def test_evidence_is_the_clause():
    facts_of_text = facts_in("- Bring a bag\n- Photo ID required\n- First come", "notes")
    assert [(f.field, f.value, f.clause) for f in facts_of_text] == [
        ("required_documents", "photo_id", "Photo ID required")
    ]


def test_frames():
    rows = pd.DataFrame(
        {
            "notes": ["Walk-ins welcome", None, "Walk-ins welcome", "By appointment only"],
            "requirements_text": ["No ID required", None, None, "ID required"],
            "accepts_walkins": pd.array([None, None, False, None], dtype="boolean"),
        },
        index=[7, 3, 5, 1],
    )
    facts_of_rows = with_facts(rows)
    assert list(facts_of_rows.index) == [7, 3, 5, 1]
    assert set(FACT_COLUMNS) <= set(facts_of_rows)
    assert facts_of_rows["accepts_walkins"].to_list() == [True, pd.NA, False, False], (
        "a publisher's own column goes before the texts"
    )
    assert facts_of_rows["requires_id"].to_list() == [False, pd.NA, pd.NA, True]
    assert facts_of_rows["required_documents"].to_list() == [[], None, None, ["identification"]]
    assert with_facts(rows.iloc[:0])["requires_id"].to_list() == []
