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


def calculate(household: Household, standards: Standards) -> Calculation:
    """Return the estimate for a full month."""
    support_excluded = household.child_support if standards.is_support_excluded else ZERO
    gross = rules.gross_income(household.earned, household.unearned, support_excluded)
    support_deducted = household.child_support - support_excluded
    earned_deduction = rules.earned_income_deduction(household.earned, standards.earned_share)
    medical = _medical(household, standards)
    income = rules.before_shelter(
        gross,
        standards.standard_deduction,
        earned_deduction,
        household.dependent_care,
        support_deducted,
        medical,
    )
    allowance = rules.utility_allowance(
        standards.allowances,
        household.utilities,
        has_deemed_heating=standards.has_deemed_heating,
        is_limited=household.is_limited_allowance,
        actual=household.utility_costs,
    )
    costs = household.rent + household.tax_and_insurance + allowance.amount
    shelter, is_homeless = _shelter(household, standards, costs, income)
    net = rules.net_income(income, shelter)
    allotment = rules.allotment(net, standards.maximum, standards.reduction_rate)
    is_categorical, is_within = _eligibility(household, standards, gross, net)
    amount = rules.with_minimum(allotment, standards.minimum)
    eligible = (is_categorical or is_within) and not (standards.is_zero_refused and amount == 0)
    return Calculation(
        gross=gross,
        support_excluded=support_excluded,
        support_deducted=support_deducted,
        earned_deduction=earned_deduction,
        medical=medical,
        income_before_shelter=income,
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


def _medical(household: Household, standards: Standards) -> Decimal:
    if not household.has_elderly_or_disabled:
        return ZERO
    return rules.medical_deduction(
        household.medical, standards.medical_threshold, standards.standard_medical
    )


def _shelter(
    household: Household, standards: Standards, costs: Decimal, income: Decimal
) -> tuple[Decimal, bool]:
    """Return the shelter deduction, and whether it is the one for homeless households."""
    cap = None if household.has_elderly_or_disabled else standards.shelter_cap
    excess = rules.excess_shelter(costs, income, cap)
    if household.is_homeless:
        return rules.homeless_deduction(excess, costs, standards.homeless)
    return excess, False


def _eligibility(
    household: Household, standards: Standards, gross: Decimal, net: int
) -> tuple[bool, bool]:
    """Return whether a household is eligible by category, and whether it passes the tests."""
    broad, assets = standards.broad, household.assets
    # 7 CFR 273.9(a) and 273.8(b): the gross test is not for households with an elderly or disabled
    # member; assets that are not known are no obstacle.
    is_within = (
        (household.has_elderly_or_disabled or gross <= standards.gross_limit)
        and net <= standards.net_limit
        and (assets is None or assets <= standards.asset_limit)
    )
    return broad is not None and broad.holds(gross, net, standards.net_limit, assets), is_within
