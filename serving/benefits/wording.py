"""The steps of an estimate in sentences, English and Spanish, each with its paragraph."""

from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from typing import Any

from schemas.vocab.states import STATES
from serving.benefits.calculation import Calculation, Standards
from serving.benefits.household import Household
from serving.benefits.rules import ZERO, next_dollar
from serving.reference.policy import FactsOn
from serving.render.formats import money
from serving.render.words import Language, Words, words


@lru_cache(maxsize=8192)
def _money(amount: Decimal | int, language: Language) -> str:
    """Format money. Cached, because formatting takes most of the time and amounts recur."""
    return money(amount, language)


class EstimateWords:
    """Sentences of content/messages/benefits.yaml for one household."""

    def __init__(self, household: Household) -> None:
        self.household = household
        self.language: Language = household.language
        self.words: Words = words("benefits", self.language)
        self.state = STATES[household.state].names[self.language]

    def step(self, key: str, **values: Any) -> str:
        """Return a sentence; amounts are written as money."""
        texts = {k: self.dollars(v) if isinstance(v, Decimal) else v for k, v in values.items()}
        sentence: str = self.words.steps[key].format(state=self.state, **texts)
        return sentence

    def dollars(self, amount: Decimal | int) -> str:
        return _money(amount, self.language)

    def explanation(self, standards: Standards, calculation: Calculation) -> list[str]:
        """Return every step, in the order of the rules."""
        return [
            *self._deductions(standards, calculation),
            *self._shelter(standards, calculation),
            self.step("net", net=Decimal(calculation.net)),
            *self._tests(standards, calculation),
            *self._benefit(standards, calculation),
        ]

    def _deductions(self, standards: Standards, calculation: Calculation) -> Iterator[str]:
        home = self.household
        if calculation.support_excluded > 0:
            yield self.step("support_excluded", amount=calculation.support_excluded)
        yield self.step("income", gross=calculation.gross)
        is_pupil_possible = home.size > 1 and not home.are_ages_known
        if home.earned > 0 and (is_pupil_possible or any(m.age < 18 for m in home.members)):
            yield self.step("student_wages")
        yield self.step("standard", amount=standards.standard_deduction, size=home.size)
        if home.earned > 0:
            yield self.step("earned", amount=calculation.earned_deduction)
        if home.dependent_care > 0:
            yield self.step("dependent_care", amount=home.dependent_care)
        if calculation.support_deducted > 0:
            yield self.step("support_deducted", amount=calculation.support_deducted)
        if calculation.medical > 0:
            is_standard = calculation.medical == standards.standard_medical
            yield self.step(
                "medical_standard" if is_standard else "medical",
                amount=calculation.medical,
                threshold=standards.medical_threshold,
            )

    def _shelter(self, standards: Standards, calculation: Calculation) -> Iterator[str]:
        allowance = calculation.allowance
        if allowance.is_actual or allowance.amount > 0:
            kind = "actual" if allowance.is_actual else allowance.kind.lower()
            yield self.step(f"utilities_{kind}", amount=allowance.amount)
        if calculation.is_homeless_deduction:
            yield self.step("shelter_homeless", amount=calculation.excess_shelter)
        elif calculation.shelter_costs > 0:
            excess = max(ZERO, calculation.shelter_costs - calculation.income_before_shelter / 2)
            key = "shelter" if calculation.excess_shelter == excess else "shelter_capped"
            key = key if excess > 0 else "shelter_none"
            yield self.step(
                key,
                costs=calculation.shelter_costs,
                left=calculation.income_before_shelter,
                amount=calculation.excess_shelter,
            )

    def _tests(self, standards: Standards, calculation: Calculation) -> Iterator[str]:
        broad = standards.broad
        limit = broad.gross_limit if broad is not None else None
        if calculation.is_categorical and limit is None:
            yield self.step("categorical_unlimited")
            return
        if calculation.is_categorical:
            yield self.step("categorical", percent=standards.broad_percent, limit=limit)
            return
        asset_limit = standards.asset_limit
        if broad is not None and limit is not None and calculation.gross <= limit:
            yield self.step("other_limits", percent=standards.broad_percent, limit=limit)
            asset_limit = broad.asset_limit or asset_limit
        else:
            if limit is not None:
                yield self.step("not_categorical", percent=standards.broad_percent, limit=limit)
            if self.household.has_elderly_or_disabled:
                yield self.step("gross_excused")
            else:
                yield self._test("gross", calculation.gross, Decimal(standards.gross_limit))
        yield self._test("net", Decimal(calculation.net), Decimal(standards.net_limit))
        if self.household.assets is not None:
            yield self._test("assets", self.household.assets, asset_limit)

    def _test(self, name: str, value: Decimal, limit: Decimal) -> str:
        return self.step(f"{name}_{'passed' if value <= limit else 'failed'}", limit=limit)

    def _benefit(self, standards: Standards, calculation: Calculation) -> Iterator[str]:
        if calculation.failed:
            reasons = [
                self.words.denial[t.name].format(limit=self.dollars(t.limit))
                for t in calculation.failed
            ]
            yield self.step("not_eligible", reasons=self.words.denial["and"].join(reasons))
            return
        share = next_dollar(calculation.net * standards.reduction_rate)
        if share < standards.maximum:
            yield self.step(
                "benefit",
                size=self.household.size,
                maximum=Decimal(standards.maximum),
                share=Decimal(share),
                amount=Decimal(calculation.allotment),
            )
        if not calculation.eligible:
            yield self.step("zero_refused")
        elif calculation.benefit == 0:
            yield self.step("zero")
        else:
            if calculation.federal > calculation.allotment:
                yield self.step("minimum", minimum=Decimal(standards.minimum))
            if calculation.supplement and standards.state_minimum is not None:
                yield self.step(
                    "state_minimum",
                    amount=Decimal(calculation.supplement),
                    minimum=Decimal(standards.state_minimum.amount),
                    citation=standards.state_minimum.citation,
                )
            yield self.step("eligible", benefit=Decimal(calculation.benefit))
            yield self.step("full_month")

    def warning(self, code: str, **values: Any) -> str:
        """Return the sentence of a warning's code."""
        sentence: str = self.words.warnings[code].format(**values)
        return sentence

    def describe_unchecked_rules(self) -> str:
        """Return the rules that an estimate leaves out, in words: students, the work rule,
        non-citizens.
        """
        facts = FactsOn(self.household.month)
        rule = facts.value("snap.work_rule")
        return self.warning(
            "student_or_noncitizen_rules_not_checked",
            student_hours=facts.value("snap.student_work_hours"),
            from_age=rule["from_age"],
            to_age=rule["to_age"],
            child_under=rule["child_under"],
            hours=rule["hours_a_month"],
            months=rule["months"],
            years=rule["in_years"],
        )
