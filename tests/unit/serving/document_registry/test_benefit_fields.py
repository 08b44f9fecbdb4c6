"""Members about benefits: they are the facts of the day, in both languages, and fail soft when a
year is not known.
"""

from datetime import date
from typing import Any

import pytest

from schemas.vocab.states import STATES
from serving.documents.benefit_fields import _WHERE, wic_four_tests
from serving.documents.render_context import RenderContext
from serving.documents.renderer import FUNCTIONS, library
from serving.reference.policy import FactsOn
from serving.render.words import Language
from serving.settings import Settings
from tests.support.cases import cases

TODAY = date(2026, 11, 22)


def _context(language: Language = "en", on: date = TODAY) -> RenderContext:
    return RenderContext(
        library(), library().rows["snap-eligibility"], language, Settings(), None, on
    )


def _value_of(name: str, language: Language = "en", on: date = TODAY) -> Any:
    return FUNCTIONS[name](_context(language, on))


@cases(
    "member, on, size, area, expected",
    {
        "year in force": ("snap_allotments", TODAY, 4, "contiguous", 1023),
        "last day of the year before": ("snap_allotments", date(2026, 9, 30), 4, "contiguous", 994),
        "Alaska": ("snap_allotments", TODAY, 1, "AK_RURAL_2", 608),
        "each person beyond eight": ("snap_allotments", TODAY, None, "VI", 289),
        "gross limit": ("snap_gross_limits", TODAY, 1, "HI", 1989),
        "reservations": ("fdpir_income_limits", TODAY, 8, "AK", 6190),
    },
)
def test_amounts_by_size(member: str, on: date, size: int | None, area: str, expected: int) -> None:
    table = _value_of(member, on=on)
    rows = {row["household_size"]: row for row in table["rows"]}
    assert rows[size][area] == expected
    assert table["source_url"].startswith("https://")
    assert table["as_of"] >= "2026"


def test_a_table_without_an_increment_has_no_last_row() -> None:
    """The facts of the senior box end at eight people."""
    assert [row["household_size"] for row in _value_of("csfp_income_limits")["rows"]] == list(
        range(1, 9)
    )


def test_pay_periods_of_a_limit() -> None:
    first = _value_of("wic_income_limits")["areas"]["AK"][0]
    assert (first["weekly"], first["monthly"], first["annual"]) == (710, 3076, 36908)


def test_a_change_is_the_difference_of_two_years() -> None:
    rows = _value_of("snap_year_change")
    assert rows[3] == {"household_size": 4, "label": "4", "before": 994, "now": 1023, "change": 29}
    assert _value_of("snap_year_change", on=date(2026, 1, 1)) == [], "the year before is not known"


def test_examples_come_from_the_calculator_and_end_with_its_figures() -> None:
    nothing, *others = _value_of("snap_examples")
    assert nothing["benefit"] == FactsOn(TODAY).value("snap.max_allotment", "contiguous", 1)
    assert all(0 < row["benefit"] < 1023 for row in others)
    assert _value_of("snap_examples", on=date(2031, 1, 1)) == []


def test_every_state_with_a_rule_is_listed_once() -> None:
    rows = {row["state"]: row for row in _value_of("snap_state_limits")}
    assert set(rows) == set(STATES) - {"PR", "AS", "MP"}
    assert rows["CA"]["gross_income_pct_fpl"] == 200
    assert rows["TX"]["asset_limit"] == 5000
    assert (rows["KS"]["uses_higher_limits"], rows["KS"]["gross_shown"]) == (False, "federal limit")


def test_starts_are_days_months_or_unknown() -> None:
    rows = {
        row["state"]: row["starts_shown"] for row in _value_of("food_restrictions", "es")["rows"]
    }
    assert rows["AR"] == "1 de julio de 2026"
    assert rows["FL"] == "abril de 2026"
    assert "no hallamos" in rows["TX"]


def test_places_of_restaurants_are_known_in_spanish() -> None:
    assert set(FactsOn(TODAY).value("snap.restaurant_meals").values()) <= set(_WHERE)


def test_states_are_in_the_order_of_their_names_without_accents() -> None:
    names = [row["name"] for row in _value_of("free_school_meals", "es")]
    assert names.index("Massachusetts") < names.index("Míchigan") < names.index("Minnesota")


def test_dates_of_giving_and_their_sources_are_left_out() -> None:
    context = _context()
    rows = FUNCTIONS["benefit_dates"](context)
    assert {row["topic"] for row in rows} == {"snap", "wic", "school", "summer", "limits"}
    assert {use.fact.source_title for use in context.facts.used.values()} == {
        row["source"] for row in rows
    }


@pytest.mark.parametrize(("language", "name"), [("en", "Your income"), ("es", "Su ingreso")])
def test_the_four_tests_of_wic_are_in_both_languages(language: Language, name: str) -> None:
    tests = wic_four_tests(_context(language))
    assert [test["test_number"] for test in tests] == [1, 2, 3, 4]
    assert tests[2]["name"] == name
    assert (tests[2]["test_name_en"], tests[2]["test_name_es"]) == ("Your income", "Su ingreso")
    assert "185%" in tests[2]["description_en"]
    assert {c["id"] for c in tests[0]["eligible_categories"]} == {
        "pregnant",
        "postpartum",
        "breastfeeding",
        "infant",
        "child",
    }
