"""WIC, school meals and SUN Bucks for the household of a SNAP estimate: a first look, never a
decision.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from schemas.api.snap import NamedSource, OtherProgram
from serving.benefits.household import Household
from serving.benefits.standards import limit_area
from serving.benefits.wording import Teller
from serving.reference.policy import FactNotInForce, FactsOn, facts_on

_SCHOOL_AGES = range(5, 19)


def other_programs(
    household: Household, gross: Decimal, has_snap: bool, tell: Teller
) -> list[OtherProgram]:
    """Return the three of them; `gross` a month, `has_snap` when the estimate finds the
    household eligible."""
    facts = facts_on(household.month)
    return [
        _wic(household, gross, facts, tell),
        _school_meals(household, gross, has_snap, facts, tell),
        _sun_bucks(household, gross, has_snap, facts, tell),
    ]


def _limit(facts: FactsOn, fact: str, household: Household) -> tuple[int | None, NamedSource]:
    """Return monthly income limit and its source; no limit for a month that the table does not
    cover."""
    try:
        found = facts.stated(fact, limit_area(household.state), household.size, "monthly")
    except FactNotInForce:
        return None, NamedSource(fact, None)
    return found.value, NamedSource(found.source_title, found.source_url)


def _answer(
    tell: Teller,
    program: str,
    key: str,
    likely: bool | None,
    limit: int | None,
    source: NamedSource,
    level: Any = None,
    **values: Any,
) -> OtherProgram:
    known = tell.words.programs[program]
    shown = {
        "limit": tell.dollars(limit) if limit is not None else "",
        "state": tell.state,
        **values,
    }
    text = tell.words.programs.unknown if key == "unknown" else known[key].format(**shown)
    return OtherProgram(program, known.name, likely, level, limit, text, source)  # type: ignore[arg-type]


def _are_all_told(household: Household) -> bool:
    """Return whether the age of everybody is known: only then can nobody be concerned."""
    return len(household.members) == household.size


def _wic(household: Household, gross: Decimal, facts: FactsOn, tell: Teller) -> OtherProgram:
    limit, source = _limit(facts, "wic.income_limit", household)
    age = facts.value("wic.child_until_age")
    if limit is None:
        return _answer(tell, "wic", "unknown", None, None, source)
    if gross > limit:
        return _answer(tell, "wic", "no_income", False, limit, source)
    if any(m.pregnant or m.age < age for m in household.members):
        return _answer(tell, "wic", "fits", True, limit, source, age=age)
    if _are_all_told(household):
        return _answer(tell, "wic", "no_member", False, limit, source, age=age)
    return _answer(tell, "wic", "maybe", None, limit, source, age=age)


def _has_pupils(household: Household) -> bool | None:
    """Return whether somebody is of school age; None where ages are missing."""
    if any(m.age in _SCHOOL_AGES for m in household.members):
        return True
    return False if _are_all_told(household) else None


def _school_meals(
    household: Household, gross: Decimal, has_snap: bool, facts: FactsOn, tell: Teller
) -> OtherProgram:
    free, source = _limit(facts, "school_meals.free_limit", household)
    reduced, wider = _limit(facts, "school_meals.reduced_limit", household)
    pupils = _has_pupils(household)
    if pupils is False:
        return _answer(tell, "school_meals", "no_member", False, free, source)
    # With children the answer is likely; without any ages it stays open.
    likely = True if pupils else None
    everybody = facts.value("school_meals.free_for_all")
    if household.state in everybody and everybody[household.state] <= household.month:
        return _answer(
            tell,
            "school_meals",
            "free_state",
            likely,
            free,
            _source(facts, "school_meals.free_for_all"),
            "free",
        )
    if has_snap:
        return _answer(
            tell,
            "school_meals",
            "free_snap",
            likely,
            free,
            _source(facts, "school_meals.automatic_groups"),
            "free",
        )
    if free is None or reduced is None:
        return _answer(tell, "school_meals", "unknown", None, None, source)
    key = "free" if gross <= free else "reduced" if gross <= reduced else "no_income"
    if key == "no_income":
        return _answer(tell, "school_meals", key, False, reduced, wider)
    return _answer(
        tell,
        "school_meals",
        key,
        likely,
        free if key == "free" else reduced,
        source if key == "free" else wider,
        key,
    )


def _sun_bucks(
    household: Household, gross: Decimal, has_snap: bool, facts: FactsOn, tell: Teller
) -> OtherProgram:
    limit, source = _limit(facts, "school_meals.reduced_limit", household)
    pupils = _has_pupils(household)
    if pupils is False:
        return _answer(tell, "sun_bucks", "no_member", False, limit, source)
    if not has_snap and limit is None:
        return _answer(tell, "sun_bucks", "unknown", None, None, source)
    if not has_snap and limit is not None and gross > limit:
        return _answer(tell, "sun_bucks", "no_income", False, limit, source)
    if household.state in (
        facts["summer.sun_bucks_not_2025"].value if "summer.sun_bucks_not_2025" in facts else ()
    ):
        return _answer(
            tell, "sun_bucks", "not_2025", None, limit, _source(facts, "summer.sun_bucks_not_2025")
        )
    return _answer(tell, "sun_bucks", "fits", True if pupils else None, limit, source)


def _source(facts: FactsOn, fact: str) -> NamedSource:
    found = facts[fact]
    return NamedSource(found.source_title, found.source_url)
