"""A household through the rules, in the order of 7 CFR 273.10(e)(1)."""

from dataclasses import dataclass
from decimal import Decimal

from serving.benefits import rules
from serving.benefits.amounts import ZERO
from serving.benefits.household import Household
from serving.benefits.rules import Allowance
from serving.benefits.standards import Standards


@dataclass(frozen=True)
class Calculation:
    """Every intermediate figure. `benefit` is zero for ineligible households."""

    gross: Decimal
    support_excluded: Decimal
    support_deducted: Decimal
    earned_deduction: Decimal
    medical: Decimal
    income_before_shelter: Decimal
    allowance: Allowance
    shelter_costs: Decimal
    excess_shelter: Decimal
    is_homeless_deduction: bool
    net: int
    allotment: int
    is_categorical: bool
    is_within_tests: bool
    eligible: bool
    benefit: int


def calculate(household: Household, known: Standards) -> Calculation:
    """Return the estimate for a full month."""
    excluded = household.child_support if known.is_support_excluded else ZERO
    gross = rules.gross_income(household.earned, household.unearned, excluded)
    deducted = household.child_support - excluded
    earned = rules.earned_income_deduction(household.earned, known.earned_share)
    medical = _medical(household, known)
    left = rules.before_shelter(
        gross, known.standard_deduction, earned, household.dependent_care, deducted, medical
    )
    allowance = rules.utility_allowance(
        known.allowances,
        household.utilities,
        has_deemed_heating=known.has_deemed_heating,
        is_limited=household.is_limited_allowance,
        actual=household.utility_costs,
    )
    costs = household.rent + household.tax_and_insurance + allowance.amount
    shelter, is_homeless = _shelter(household, known, costs, left)
    net = rules.net_income(left, shelter)
    allotment = rules.allotment(net, known.maximum, known.reduction_rate)
    is_categorical, is_within = _eligibility(household, known, gross, net)
    amount = rules.with_minimum(allotment, known.minimum)
    eligible = (is_categorical or is_within) and not (known.is_zero_refused and amount == 0)
    return Calculation(
        gross=gross,
        support_excluded=excluded,
        support_deducted=deducted,
        earned_deduction=earned,
        medical=medical,
        income_before_shelter=left,
        allowance=allowance,
        shelter_costs=costs,
        excess_shelter=shelter,
        is_homeless_deduction=is_homeless,
        net=net,
        allotment=allotment,
        is_categorical=is_categorical,
        is_within_tests=is_within,
        eligible=eligible,
        benefit=amount if eligible else 0,
    )


def _medical(household: Household, known: Standards) -> Decimal:
    if not household.has_elderly_or_disabled:
        return ZERO
    return rules.medical_deduction(
        household.medical, known.medical_threshold, known.standard_medical
    )


def _shelter(
    household: Household, known: Standards, costs: Decimal, left: Decimal
) -> tuple[Decimal, bool]:
    """Return the shelter deduction, and whether it is the one for homeless households."""
    cap = None if household.has_elderly_or_disabled else known.shelter_cap
    excess = rules.excess_shelter(costs, left, cap)
    if household.is_homeless:
        return rules.homeless_deduction(excess, costs, known.homeless)
    return excess, False


def _eligibility(
    household: Household, known: Standards, gross: Decimal, net: int
) -> tuple[bool, bool]:
    """Return whether a household is eligible by category, and whether it passes the tests."""
    broad, assets = known.broad, household.assets
    # 7 CFR 273.9(a) and 273.8(b): the gross test is not for households with an elderly or disabled
    # member; assets that are not known are no obstacle.
    is_within = (
        (household.has_elderly_or_disabled or gross <= known.gross_limit)
        and net <= known.net_limit
        and (assets is None or assets <= known.asset_limit)
    )
    return broad is not None and broad.holds(gross, net, known.net_limit, assets), is_within
