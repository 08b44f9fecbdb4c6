"""Other programs for the household of a SNAP estimate: a first look, never a decision."""

from decimal import Decimal
from typing import Any

from schemas.api.snap import NamedSource, OtherProgram
from serving.benefits.calculation import Calculation, deduction_area, limit_area
from serving.benefits.household import Household
from serving.benefits.rules import ZERO
from serving.benefits.wording import EstimateWords
from serving.reference.policy import FactNotInForce, FactsOn

_SCHOOL_AGES = range(5, 19)


def other_programs(
    household: Household, calculation: Calculation | None, tell: EstimateWords
) -> list[OtherProgram]:
    """Return every program that depends on the household alone; `calculation` is None where there
    is no SNAP."""
    facts, programs = FactsOn(household.month), []
    gross, has_snap = household.earned + household.unearned, False
    if calculation is not None:
        # A household that is within the limits but gets $0 does not get SNAP.
        gross, has_snap = calculation.gross, calculation.benefit > 0
        programs.append(_screen_expedited(household, calculation, facts, tell))
    for screen in (_wic, _school_meals, _sun_bucks, _csfp):
        programs.append(screen(household, gross, has_snap, facts, tell))
    return programs


def _limit(
    facts: FactsOn, fact: str, household: Household, unborn: int = 0
) -> tuple[int | None, NamedSource]:
    """Return the monthly income limit, None for a month that the table does not cover, and its
    source. `unborn` children add to the size."""
    try:
        figure = facts.find(fact, limit_area(household.state), household.size + unborn, "monthly")
    except FactNotInForce:
        return None, NamedSource(fact, None)
    return figure.value, NamedSource(figure.source_title, figure.source_url)


def _answer(
    tell: EstimateWords,
    program: str,
    key: str,
    likely: bool | None,
    limit: int | None,
    source: NamedSource,
    level: Any = None,
    **values: Any,
) -> OtherProgram:
    program_words = tell.words.programs[program]
    arguments = {
        "limit": tell.dollars(limit) if limit is not None else "",
        "state": tell.state,
        **values,
    }
    text = (
        tell.words.programs.unknown if key == "unknown" else program_words[key].format(**arguments)
    )
    step = (
        tell.words.programs.next_no if likely is False else program_words.next.format(**arguments)
    )
    return OtherProgram(program, program_words.name, likely, level, limit, text, step, source)  # type: ignore[arg-type]


def _wic(
    household: Household, gross: Decimal, has_snap: bool, facts: FactsOn, tell: EstimateWords
) -> OtherProgram:
    """Apply 7 CFR 246.7(d): the unborn count in the size of the family, (d)(2)(iv)(D), and a
    household that gets SNAP has no other income check, (d)(2)(vi)."""
    expecting = sum(m.pregnant for m in household.members)
    unborn = max(expecting, 1) if household.has_pregnant_member else 0
    limit, source = _limit(facts, "wic.income_limit", household, unborn)
    age = facts.value("wic.child_until_age")
    has_member = household.has_pregnant_member or any(m.age < age for m in household.members)
    if not has_member and household.are_ages_known:
        return _answer(tell, "wic", "no_member", False, limit, source, age=age)
    likely = True if has_member else None
    if has_snap:
        key = "fits_snap" if has_member else "maybe_snap"
        return _answer(tell, "wic", key, likely, limit, source, age=age)
    if limit is None:
        return _answer(tell, "wic", "unknown", None, None, source)
    if gross > limit:
        return _answer(tell, "wic", "no_income", False, limit, source)
    return _answer(tell, "wic", "fits" if has_member else "maybe", likely, limit, source, age=age)


def _has_pupils(household: Household) -> bool | None:
    """Return whether a member is of school age; None if ages are missing."""
    if any(m.age in _SCHOOL_AGES for m in household.members):
        return True
    return False if household.are_ages_known else None


def _school_meals(
    household: Household, gross: Decimal, has_snap: bool, facts: FactsOn, tell: EstimateWords
) -> OtherProgram:
    free, source = _limit(facts, "school_meals.free_limit", household)
    reduced, wider = _limit(facts, "school_meals.reduced_limit", household)
    pupils = _has_pupils(household)
    if pupils is False:
        return _answer(tell, "school_meals", "no_member", False, free, source)
    # With children the answer is likely; without any ages it stays open.
    likely = True if pupils else None
    everybody = facts.value("school_meals.free_for_all")
    key, level, limit = "free", "free", free
    if household.state in everybody and everybody[household.state] <= household.month:
        key, source = "free_state", _source(facts, "school_meals.free_for_all")
    elif has_snap:
        key, source = "free_snap", _source(facts, "school_meals.automatic_groups")
    elif free is None or reduced is None:
        return _answer(tell, "school_meals", "unknown", None, None, source)
    elif gross > reduced:
        return _answer(tell, "school_meals", "no_income", False, reduced, wider)
    elif gross > free:
        key, level, limit, source = "reduced", "reduced", reduced, wider
    return _answer(tell, "school_meals", key, likely, limit, source, level)


def _sun_bucks(
    household: Household, gross: Decimal, has_snap: bool, facts: FactsOn, tell: EstimateWords
) -> OtherProgram:
    limit, source = _limit(facts, "school_meals.reduced_limit", household)
    pupils = _has_pupils(household)
    if pupils is False:
        return _answer(tell, "sun_bucks", "no_member", False, limit, source)
    if not has_snap and limit is None:
        return _answer(tell, "sun_bucks", "unknown", None, None, source)
    if not has_snap and limit is not None and gross > limit:
        return _answer(tell, "sun_bucks", "no_income", False, limit, source)
    absent = "summer.sun_bucks_not_2025"
    if absent in facts and household.state in facts[absent].value:
        return _answer(tell, "sun_bucks", "not_2025", None, limit, _source(facts, absent))
    return _answer(tell, "sun_bucks", "fits", True if pupils else None, limit, source)


def _screen_expedited(
    household: Household, calculation: Calculation, facts: FactsOn, tell: EstimateWords
) -> OtherProgram:
    """Apply 7 CFR 273.2(i)(1): little income and cash, or less of both than rent and utilities
    cost. The form does not ask about destitute migrant workers."""
    if "snap.expedited" not in facts or "snap.processing_days" not in facts:
        return _answer(tell, "expedited_snap", "unknown", None, None, NamedSource("", None))
    limits, days = facts.value("snap.expedited"), facts.value("snap.processing_days", "expedited")
    costs, gross = household.rent + calculation.allowance.amount, calculation.gross
    has_little_income, money = gross < limits["income_below"], household.assets
    most = max(Decimal(limits["money_most"]) if has_little_income else ZERO, costs - gross)
    if not calculation.eligible:
        key, likely = "no_snap", False
    elif not has_little_income and costs <= gross:
        key, likely = "no_income", False
    elif money is None:
        key, likely = "maybe", None
    else:
        is_within = (has_little_income and money <= limits["money_most"]) or gross + money < costs
        key, likely = ("fits", True) if is_within else ("no_money", False)
    values = {
        "days": days,
        "income": tell.dollars(limits["income_below"]),
        "money": tell.dollars(limits["money_most"]),
        "costs": tell.dollars(costs),
        "most": tell.dollars(most),
    }
    source = _source(facts, "snap.expedited")
    return _answer(tell, "expedited_snap", key, likely, None, source, **values)


def _csfp(
    household: Household, gross: Decimal, has_snap: bool, facts: FactsOn, tell: EstimateWords
) -> OtherProgram:
    """Apply 7 CFR 247.9: people of 60 or older, income within the limit of the state."""
    if "csfp.min_age" not in facts or "csfp.income_limit" not in facts:
        return _answer(tell, "csfp", "unknown", None, None, NamedSource("", None))
    age = facts.value("csfp.min_age")
    table = facts.value("csfp.income_limit", limit_area(household.state), "by_size")
    # Larger households have a higher limit, which the table lacks.
    limit, is_listed = table[min(household.size, max(table))], household.size in table
    source = _source(facts, "csfp.income_limit")
    is_old = any(m.age >= age for m in household.members)
    if not is_old and household.are_ages_known:
        return _answer(tell, "csfp", "no_member", False, limit, source, age=age)
    key, likely = "fits", True if is_old else None
    if gross * 12 > limit:
        # A household with SNAP needs no other check, and whether it gets SNAP is only estimated.
        key = "fits_snap" if has_snap else "no_income" if is_listed else "large"
        likely = False if key == "no_income" else None
    return _answer(tell, "csfp", key, likely, limit, source, age=age)


def disaster_snap(
    household: Household, is_likely: bool | None, message: str, tell: EstimateWords
) -> OtherProgram:
    """Return D-SNAP after a disaster; the flag and the message are those of
    `/api/disasters/active`.

    It is never more than possible: a state has to open it, and it counts take-home income less the
    costs of the disaster, which are not asked for here.
    """
    facts, source = FactsOn(household.month), NamedSource("D-SNAP", None)
    area = deduction_area(household.state)
    limit = None
    if "dsnap.income_limit" in facts:
        figure = facts.find("dsnap.income_limit", area, household.size)
        limit, source = int(figure.value), NamedSource(figure.source_title, figure.source_url)
    key = "possible" if is_likely and limit is not None else "message"
    likely = False if is_likely is False else None
    return _answer(tell, "dsnap", key, likely, limit, source, message=message)


def _source(facts: FactsOn, fact: str) -> NamedSource:
    figure = facts[fact]
    return NamedSource(figure.source_title, figure.source_url)
