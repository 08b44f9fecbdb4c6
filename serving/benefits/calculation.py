"""A household through the rules, in the order of 7 CFR 273.10(e)(1)."""

from dataclasses import dataclass
from decimal import Decimal

from serving.benefits import rules
from serving.benefits.amounts import ZERO
from serving.benefits.household import Household
from serving.benefits.rules import Allowance, FailedTest
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
    failed: tuple[FailedTest, ...]
    """The tests that refuse the household; empty if it is eligible by category or by tests."""
    eligible: bool
    federal: int
    supplement: int
    """What the state adds from its own money."""
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
    is_categorical, failed = _eligibility(household, standards, gross, net)
    federal = rules.with_minimum(allotment, standards.minimum)
    eligible = not failed and not (standards.is_zero_refused and federal == 0)
    own = standards.state_minimum if eligible else None
    supplement = own.supplement(federal) if own else 0
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
        failed=tuple(failed),
        eligible=eligible,
        federal=federal if eligible else 0,
        supplement=supplement,
        benefit=federal + supplement if eligible else 0,
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
) -> tuple[bool, list[FailedTest]]:
    """Return whether a household is eligible by category, and the tests that refuse it."""
    broad, assets = standards.broad, household.assets
    by_category = None if broad is None else broad.failed(gross, net, standards.net_limit, assets)
    # 7 CFR 273.9(a) and 273.8(b): the gross test is not for households with an elderly or disabled
    # member; assets that are not known are no obstacle.
    usual = rules.Broad(
        None if household.has_elderly_or_disabled else Decimal(standards.gross_limit),
        has_net_test=True,
        asset_limit=standards.asset_limit,
    )
    by_tests = usual.failed(gross, net, standards.net_limit, assets)
    if by_category == [] or by_tests == []:
        return by_category == [], []
    # Both ways are closed. The state's limits are the higher ones, so they refuse, except that
    # without a gross test the usual way is the wider one.
    is_wider = by_category is not None and not (
        household.has_elderly_or_disabled and by_category[0].name == "gross"
    )
    return False, by_category if is_wider and by_category is not None else by_tests
