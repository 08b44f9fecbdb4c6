"""State tax credits for cash gifts to a food bank, from content/facts/state_tax_credits.yaml."""

from datetime import date
from typing import Any, Literal

from schemas.api.donors import Filing, StateTaxCredit
from schemas.vocab.states import STATES
from serving.donors.donors import source_of
from serving.reference.policy import FactsOn
from serving.render.formats import money, percent
from serving.render.words import Language, words


def state_tax_credit(
    state: str, gift: float, filing: Filing, language: Language, today: date
) -> StateTaxCredit:
    """Return the saving by the state's rule: a share of the gift up to a cap, or a subtraction
    at the state's rate."""
    w, facts, fact_id = words("donors", language), FactsOn(today), f"tax_credit.cash.{state}"
    name = STATES[state].names[language]
    values = {"state": name, "gift": money(gift, language)}
    answer = StateTaxCredit(
        success=True,
        state=state,
        state_name=name,
        gift=gift,
        filing=filing,
        has_benefit=False,
        kind=None,
        savings=0.0,
        cap=None,
        tax_year=None,
        statute=None,
        form=None,
        message=w.credit.none.format(**values),
        limits=[],
        note=w.not_advice,
        source=None,
    )
    if fact_id not in facts:
        return answer
    fact = facts[fact_id]
    rule: dict[str, Any] = fact.value
    answer.source = source_of(fact)
    answer.tax_year = rule.get("tax_year", rule.get("rate_year"))
    answer.statute = rule.get("statute")
    answer.form = rule.get("form")
    if rule.get("food_related") is False:
        answer.message = w.credit.not_food.format(**values)
        return answer
    answer.has_benefit, answer.limits = True, list(w.credit.limits)
    answer.kind, answer.savings, answer.cap = _saving(rule, gift, filing)
    if answer.kind == "credit":
        answer.message = w.credit.credit.format(
            **values,
            pct=percent(rule["pct"] / 100, language),
            cap=money(answer.cap or 0, language),
            saving=money(answer.savings or 0, language),
        )
        return answer
    share, floor = percent(rule["share"], language), money(rule["floor"], language)
    if answer.savings is None:
        answer.message = w.credit.subtraction_unknown.format(**values, share=share, floor=floor)
    else:
        answer.message = w.credit.subtraction.format(
            **values, share=share, floor=floor, saving=money(answer.savings, language)
        )
    return answer


def _saving(
    rule: dict[str, Any], gift: float, filing: Filing
) -> tuple[Literal["credit", "subtraction"], float | None, float | None]:
    """Return kind, saving and cap. A subtraction without a known rate has no known saving."""
    if rule["kind"] == "credit_pct":
        caps = rule["caps"]
        cap = float(
            caps.get(filing) or caps.get("per_taxpayer") or caps.get("credit") or caps["single"]
        )
        return "credit", round(min(gift * rule["pct"] / 100, cap), 2), cap
    above = max(0.0, gift - rule["floor"]) * rule["share"]
    return "subtraction", None if rule["rate"] is None else round(above * rule["rate"], 2), None
