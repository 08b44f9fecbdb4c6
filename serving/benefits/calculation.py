"""Selects the figures of a household's state and month, and calculates in the order of 7 CFR
273.10(e)(1)."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from serving.benefits import rules
from serving.benefits.household import DEFAULT_REGION, Household
from serving.benefits.rules import ZERO, Allowance, Broad, FailedTest, StateMinimum
from serving.reference.policy import FactsOn, FactValue, nearest, of_size

_OWN_DEDUCTIONS = {"AK", "HI", "GU", "VI"}
_OWN_LIMITS = {"AK", "HI"}


@dataclass(frozen=True)
class Standards:
    """Policy parameters of the rules. Money a month. `warnings` are codes, `used` the figures by
    id."""

    fiscal_year: int
    area: str
    utility_region: str | None
    maximum: int
    minimum: int
    """The federal minimum; zero for sizes that have none."""
    state_minimum: StateMinimum | None
    gross_limit: int
    net_limit: int
    standard_deduction: Decimal
    shelter_cap: Decimal
    homeless: Decimal
    asset_limit: Decimal
    earned_share: Decimal
    reduction_rate: Decimal
    medical_threshold: Decimal
    standard_medical: Decimal | None
    is_support_excluded: bool
    has_deemed_heating: bool
    allowances: dict[str, Decimal | None]
    has_old_allowances: bool
    broad: Broad | None
    broad_percent: int | None
    is_zero_refused: bool
    warnings: list[str] = field(default_factory=list)
    used: dict[str, FactValue] = field(default_factory=dict)


@dataclass
class _Reader:
    """Reads facts and remembers which."""

    facts: FactsOn
    used: dict[str, FactValue] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def __call__(self, fact_id: str, *keys: str | int) -> Any:
        figure = self.facts.find(fact_id, *keys)
        self.used[fact_id] = figure
        return figure.value

    def money(self, fact_id: str, *keys: str | int) -> Decimal:
        return Decimal(str(self(fact_id, *keys)))

    def of_state(self, fact_id: str) -> FactValue | None:
        """Return a state's options; if unknown for the month, those of another, with a warning."""
        match = nearest(fact_id, self.facts.on)
        if match is None:
            return None
        self.used[fact_id] = match[0]
        if not match[1] and "state_values_other_period" not in self.warnings:
            self.warnings.append("state_values_other_period")
        return match[0]


def deduction_area(state: str) -> str:
    """Return the area of a state's deductions."""
    return state if state in _OWN_DEDUCTIONS else "contiguous"


def limit_area(state: str) -> str:
    """Return the area of a state's limits that follow the poverty guideline."""
    return state if state in _OWN_LIMITS else "contiguous"


def standards_for(household: Household) -> Standards:
    """Return the figures of a household. Raises FactNotInForce for a month without figures."""
    read = _Reader(FactsOn(household.month))
    state, size = household.state, household.size
    area = deduction_area(state)
    if state == "AK":
        area = household.area or "AK_URBAN"
        if household.area is None:
            read.warnings.append("region_assumed")
    deductions, limits = deduction_area(state), limit_area(state)
    group = "elderly_or_disabled" if household.has_elderly_or_disabled else "other"
    medical = read.of_state(f"snap.standard_medical_deduction.{state}")
    region, table, is_old = _allowances(household, read)
    broad, percent = _broad(household, read)
    return Standards(
        fiscal_year=read("snap.fiscal_year"),
        area=area,
        utility_region=region,
        maximum=read("snap.max_allotment", area, size),
        minimum=read("snap.min_allotment", area)
        if size in read("snap.minimum_benefit_sizes")
        else 0,
        state_minimum=_state_minimum(household, area, read),
        gross_limit=read("snap.gross_limit", limits, size),
        net_limit=read("snap.net_limit", limits, size),
        standard_deduction=read.money("snap.standard_deduction", deductions, size),
        shelter_cap=read.money("snap.shelter_cap", deductions),
        homeless=read.money("snap.homeless_shelter_deduction"),
        asset_limit=read.money("snap.asset_limit", group),
        earned_share=read.money("snap.earned_income_deduction"),
        reduction_rate=read.money("snap.benefit_reduction_rate"),
        medical_threshold=read.money("snap.medical_threshold"),
        standard_medical=None if medical is None else Decimal(medical.value),
        is_support_excluded=state in read("snap.child_support_excluded"),
        # Energy assistance counts as a heating bill only with an elderly or disabled member, since
        # 2025-07-04.
        has_deemed_heating=household.has_elderly_or_disabled
        and (household.has_energy_assistance or state in read("snap.energy_assistance_states")),
        allowances=table,
        has_old_allowances=is_old,
        broad=broad,
        broad_percent=percent,
        is_zero_refused=state in read("snap.zero_benefit_not_eligible"),
        warnings=read.warnings,
        used=read.used,
    )


def _state_minimum(household: Household, area: str, read: _Reader) -> StateMinimum | None:
    """Return the minimum that the state pays from its own money; None if it has none for this
    household."""
    own = read.of_state(f"snap.state_minimum.{household.state}")
    if own is None:
        return None
    rule = own.value
    age = rule["from_age"]
    if age is not None and not any(m.age >= age for m in household.members):
        if household.has_elderly_or_disabled and not household.members:
            read.warnings.append("state_minimum_needs_age")
        return None
    if rule.get("all_elderly_or_disabled") and not household.all_elderly_or_disabled:
        return None
    if rule.get("no_earned_income") and household.earned > ZERO:
        return None
    most = read("snap.min_allotment", area) if rule.get("federal_at_most_minimum") else None
    return StateMinimum(int(rule["amount"]), rule["citation"], most)


def _allowances(household: Household, read: _Reader) -> tuple[str, dict[str, Decimal | None], bool]:
    """Return the region, its table for this size, and whether it is of an earlier fiscal year."""
    state = household.state
    region = household.utility_region or DEFAULT_REGION.get(state, state)
    if (
        household.utility_region is None
        and state in DEFAULT_REGION
        and "region_assumed" not in read.warnings
    ):
        read.warnings.append("region_assumed")
    options = read.of_state(f"snap.utility_allowance.{region}")
    if options is None:
        return region, {}, False
    table = {
        name: of_size(entry, household.size) if isinstance(entry, dict) else entry
        for name, entry in options.value.items()
    }
    start = read.facts["snap.fiscal_year"].effective_from
    is_old = (
        options.effective_from is not None and start is not None and options.effective_from < start
    )
    return region, {n: None if a is None else Decimal(a) for n, a in table.items()}, is_old


def _broad(household: Household, read: _Reader) -> tuple[Broad | None, int | None]:
    """Return the state's categorical eligibility for this household, and its percentage of the
    guideline."""
    options = read.of_state(f"snap.bbce.{household.state}")
    if options is None or not options.value["in_use"]:
        return None, None
    rule = options.value
    child_under = rule.get("dependent_child_under")
    if child_under is not None and not any(m.age < child_under for m in household.members):
        if household.are_ages_known or household.size == 1:
            read.warnings.append("categorical_needs_child")
            return None, None
        read.warnings.append("dependent_child_assumed")
    needs_all = rule["all_members_elderly_disabled"]
    is_elderly = (
        household.all_elderly_or_disabled if needs_all else household.has_elderly_or_disabled
    )
    percents = [rule["gross_pct"]]
    # New York has higher limits with dependent care and with earnings.
    if household.dependent_care > ZERO:
        percents.append(rule.get("gross_pct_dependent_care", 0))
    if household.earned > ZERO:
        percents.append(rule.get("gross_pct_earner", 0))
    percent = rule["gross_pct_elderly_disabled"] if is_elderly else int(max(percents))
    limit = (
        None
        if percent is None
        else _guideline(household, rule["guideline_month"], read) * percent / 1200
    )
    has_net = rule["net_test_elderly_disabled"] if is_elderly else rule["net_test"]
    assets = rule["asset_limit"]
    return Broad(limit, has_net, None if assets is None else Decimal(assets)), percent


def _guideline(household: Household, month: int, read: _Reader) -> Decimal:
    """Return the poverty guideline for a year that the state goes by: the one in force at the end
    of the last `month`, because the guideline of a year comes out in the middle of January."""
    at = household.month
    year = at.year if at.month >= month else at.year - 1
    day = date(year, month, 28)
    match = nearest("poverty.guideline", day)
    assert match is not None
    fact, is_known = match
    if not is_known or fact.value["year"] != year:
        read.warnings.append("poverty_guideline_previous_year")
    read.used["poverty.guideline"] = fact
    table = fact.value[limit_area(household.state)]
    return Decimal(table["first"] + table["each_additional"] * (household.size - 1))


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
    medical = ZERO
    if household.has_elderly_or_disabled:
        medical = rules.medical_deduction(
            household.medical, standards.medical_threshold, standards.standard_medical
        )
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
    cap = None if household.has_elderly_or_disabled else standards.shelter_cap
    shelter, is_homeless = rules.excess_shelter(costs, income, cap), False
    if household.is_homeless:
        shelter, is_homeless = rules.homeless_deduction(shelter, costs, standards.homeless)
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
