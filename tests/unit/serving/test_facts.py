"""Dated facts: read once, valid by day, with their source; a fact in use that has run out fails
here.
"""

from datetime import UTC, date, datetime

import pytest

from serving.reference.policy import (
    FactNotInForce,
    FactsOn,
    Source,
    UnknownFact,
    fact_lines,
    list_expired_facts,
    nearest,
    upcoming,
)
from serving.reference.policy_page import DOCUMENT, document
from tests.support.cases import cases

TODAY = date(2026, 11, 22)


def test_no_fact_in_use_has_run_out() -> None:
    """Fails after the last day of a fact, with its name and the remedy."""
    assert list_expired_facts(datetime.now(UTC).date()) == []


def test_expired_facts_are_named() -> None:
    actual = list_expired_facts(date(2027, 10, 1))
    assert any(line.startswith("snap.max_allotment ran out on 2027-09-30") for line in actual)
    assert not any(line.startswith("wic.cash_value") for line in actual), "known to be of the past"


@cases(
    "fact, on, keys, expected",
    {
        "last day of FY2026": ("snap.max_allotment", date(2026, 9, 30), ("contiguous", 4), 994),
        "first day of FY2027": ("snap.max_allotment", date(2026, 10, 1), ("contiguous", 4), 1023),
        "beyond the table": ("snap.max_allotment", TODAY, ("contiguous", 10), 1841 + 2 * 225),
        "last size without a cap": (
            "snap.max_allotment",
            TODAY,
            ("contiguous", 17),
            1841 + 9 * 225,
        ),
        "capped from 18": ("snap.max_allotment", TODAY, ("contiguous", 20), 3887),
        "six stands for more": ("snap.standard_deduction", TODAY, ("AK", 9), 385),
        "row of pay periods": ("wic.income_limit", TODAY, ("contiguous", 4, "monthly"), 5088),
        "row, added up": ("wic.income_limit", TODAY, ("contiguous", 9, "annual"), 103082 + 10508),
        "text": ("state.phone.CA", TODAY, (), "877-847-3663"),
        "before the change": ("snap.utility_allowance.AZ", date(2026, 9, 1), ("limited",), 149),
    },
)
def test_values(fact: str, on: date, keys: tuple[str | int, ...], expected: object) -> None:
    assert FactsOn(on).value(fact, *keys) == expected


def test_a_value_has_its_source() -> None:
    fact = FactsOn(TODAY).find("snap.max_allotment", "contiguous", 1)
    assert (fact.value, fact.unit, fact.as_of) == (306, "USD a month", date(2026, 11, 20))
    assert fact.source_url == "https://www.fna.usda.gov/snap/allotment/cola/fy27"
    assert (fact.effective_from, fact.effective_to) == (date(2026, 10, 1), date(2027, 9, 30))


def test_unknown_facts_and_entries_are_errors() -> None:
    facts = FactsOn(TODAY)
    with pytest.raises(UnknownFact):
        facts.value("snap.no_such_thing")
    with pytest.raises(UnknownFact, match="no entry 'MARS'"):
        facts.value("snap.max_allotment", "MARS")
    with pytest.raises(FactNotInForce):
        FactsOn(date(2020, 1, 1)).value("snap.max_allotment")


def test_unverified_facts_are_not_read() -> None:
    assert "hotline.hunger_es" not in FactsOn(TODAY)
    assert "hotline.hunger_es" not in dict(FactsOn(TODAY))
    assert nearest("hotline.hunger_es", TODAY) is None


def test_the_nearest_period_is_marked_as_not_current() -> None:
    """Wisconsin changed its allowances on 2026-05-01; earlier ones are unknown."""
    inside, before = (
        nearest("snap.utility_allowance.WI", TODAY),
        nearest("snap.utility_allowance.WI", date(2026, 1, 1)),
    )
    assert inside is not None
    assert before is not None
    assert (inside[1], before[1]) == (True, False)


def test_published_facts_rest_on_primary_sources_and_have_a_day_to_look_again() -> None:
    for fact_id in FactsOn(TODAY):
        assert FactsOn(TODAY)[fact_id].source_url, fact_id
    everything = {name for name, fact in fact_lines() if not fact.past}
    in_2036 = set(FactsOn(date(2036, 1, 1)))
    assert not everything & in_2036, "without a check nothing is published for years"


@cases(
    "source, is_primary",
    {
        "agency": ({"publisher": "USDA", "url": "https://www.fns.usda.gov/snap"}, True),
        "shopping blog": (
            {"publisher": "Cheapism", "url": "https://blog.beta.cheapism.com/x"},
            False,
        ),
        "law blog": ({"publisher": "A law blog", "url": "https://legalclarity.org/x"}, False),
        "a program": (
            {"publisher": "PolicyEngine", "url": "https://github.com/PolicyEngine"},
            False,
        ),
        "looks alike": (
            {"publisher": "Somebody", "url": "https://notreally-fns.usda.gov.example"},
            False,
        ),
        "no publisher": ({"url": "https://www.fns.usda.gov/snap"}, False),
        "no address": ({"publisher": "USDA"}, False),
    },
)
def test_primary_sources(source: dict[str, str], is_primary: bool) -> None:
    assert Source(title="A document", **source).is_primary is is_primary


def test_a_fact_is_not_published_after_its_day_to_look_again() -> None:
    last = date(2027, 5, 31)
    assert FactsOn(last).value("hotline.treatment") == "1-800-662-4357"
    with pytest.raises(FactNotInForce):
        FactsOn(date(2027, 6, 1)).value("hotline.treatment")
    assert nearest("hotline.treatment", date(2027, 6, 1)) is None
    assert any(
        line.startswith("hotline.treatment ran out on 2027-05-31")
        for line in list_expired_facts(date(2027, 6, 1))
    )


@cases(
    "entry, expected",
    {
        "next year's": ({"date": date(2026, 10, 1), "repeats": "yearly"}, date(2027, 10, 1)),
        "not twice a year": ({"date": date(2027, 10, 1), "repeats": "yearly"}, date(2027, 10, 1)),
        "today": ({"date": date(2026, 11, 22)}, TODAY),
        "over": ({"date": date(2026, 11, 21)}, None),
    },
)
def test_upcoming(entry: dict[str, object], expected: date | None) -> None:
    assert upcoming(entry, TODAY) == expected


@pytest.mark.parametrize("area", ["contiguous", "AK", "HI"])
def test_limits_of_wic_and_school_follow_from_the_guideline(area: str) -> None:
    """185% and 130% of the 2026 guideline, rounded up to the dollar for the year and for the month."""
    facts = FactsOn(TODAY)
    for fact, percent in (
        ("wic.income_limit", 185),
        ("school_meals.reduced_limit", 185),
        ("school_meals.free_limit", 130),
    ):
        for size in range(1, 9):
            cents = facts.value("poverty.guideline", area, size) * percent
            row = facts.value(fact, area, size)
            annual = -(-cents // 100)
            assert row["annual"] == annual
            assert row["monthly"] == -(-annual // 12)
            assert row["weekly"] == -(-annual // 52)


@pytest.mark.parametrize("area", ["contiguous", "AK", "HI", "GU", "VI"])
def test_limits_of_disaster_snap_follow_from_snap(area: str) -> None:
    facts = FactsOn(TODAY)
    place = area if area in {"AK", "HI"} else "contiguous"
    for size in range(1, 9):
        parts = (
            facts.value("snap.net_limit", place, size),
            facts.value("snap.standard_deduction", area, size),
        )
        assert facts.value("dsnap.income_limit", area, size) == sum(parts) + facts.value(
            "snap.shelter_cap", area
        )


def test_limits_of_snap_follow_from_the_guideline() -> None:
    """7 CFR 273.9(a)(3): a twelfth of the guideline of January, rounded up; 130% of it rounded up."""
    for day, year in ((date(2025, 10, 1), date(2025, 10, 1)), (TODAY, date(2026, 10, 1))):
        facts, poverty = FactsOn(day), FactsOn(year)
        for size in range(1, 9):
            for area in ("contiguous", "AK", "HI"):
                annual = poverty.value("poverty.guideline", area, size)
                assert facts.value("snap.net_limit", area, size) == -(-annual // 12)
                assert facts.value("snap.gross_limit", area, size) == -(-annual * 130 // 1200)


def test_every_fact_has_a_description() -> None:
    assert [name for name, fact in fact_lines() if not fact.what] == []
    assert len(fact_lines()) > 400


def test_the_list_of_facts_is_up_to_date() -> None:
    """Run `python -m serving.reference.policy_page` after a change."""
    text = DOCUMENT.read_text("utf-8")
    assert document(text) == text
