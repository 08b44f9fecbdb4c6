"""The arithmetic of SNAP: one function for each paragraph of 7 CFR 273.9 and 273.10.

Money is Decimal dollars a month, exact until the net income is rounded once, at the end: 7 CFR
273.10(e)(1)(ii)(A) lets a state round every step or only the last; most round the last.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal
from typing import Literal

_CENT = Decimal("0.01")
ZERO = Decimal(0)


def cents(value: float | int | str | Decimal) -> Decimal:
    """Return the amount in whole cents, half a cent up."""
    return Decimal(str(value)).quantize(_CENT, ROUND_HALF_UP)


def nearest_dollar(value: Decimal) -> int:
    """Return cents 1-49 down, 50-99 up, of the amount in whole cents (7 CFR
    273.10(e)(1)(ii)(A))."""
    return int(cents(value).to_integral_value(ROUND_HALF_UP))


def next_dollar(value: Decimal) -> int:
    """Return any cents up (7 CFR 273.10(e)(2)(ii)(A)(1))."""
    return int(cents(value).to_integral_value(ROUND_CEILING))


AllowanceType = Literal["SUA", "LUA", "IUA", "NONE"]
SINGLE = ("electricity", "gas", "water", "sewer", "trash", "phone")


@dataclass(frozen=True)
class Allowance:
    """A utility allowance. `is_actual`: costs as paid, if the place has no allowance."""

    kind: AllowanceType
    amount: Decimal
    is_actual: bool = False


def gross_income(earned: Decimal, unearned: Decimal, support_excluded: Decimal) -> Decimal:
    """Apply 7 CFR 273.9(b), less child support where the state excludes it, 273.9(c)(17)."""
    return max(ZERO, earned + unearned - support_excluded)


def earned_income_deduction(earned: Decimal, share: Decimal) -> Decimal:
    """Apply 7 CFR 273.9(d)(2): a fifth of gross earned income."""
    return earned * share


def medical_deduction(costs: Decimal, threshold: Decimal, standard: Decimal | None) -> Decimal:
    """Apply 7 CFR 273.9(d)(3): costs above the threshold; with a standard deduction, the larger
    of the two."""
    excess = max(ZERO, costs - threshold)
    return max(excess, standard) if excess > 0 and standard is not None else excess


def before_shelter(gross: Decimal, *deductions: Decimal) -> Decimal:
    """Apply 7 CFR 273.10(e)(1)(i)(E): income after every deduction but that for shelter, never
    below zero."""
    return max(ZERO, gross - sum(deductions))


def utility_allowance(
    table: Mapping[str, Decimal | None],
    utilities: frozenset[str],
    *,
    has_deemed_heating: bool,
    is_limited: bool,
    actual: Decimal,
) -> Allowance:
    """Apply 7 CFR 273.9(d)(6)(iii): heating and cooling; else two utilities or more; else each
    separately.

    `table` has the allowances of the place, None for a missing one. `has_deemed_heating`: energy
    assistance counts as a heating bill, 273.9(d)(6)(iii)(C). If the place has neither of the two
    large allowances, actual costs count if they are higher.
    """
    heating, limited = table.get("heating_cooling"), table.get("limited")
    if heating is not None and ("heating_cooling" in utilities or has_deemed_heating):
        return Allowance("SUA", heating)
    single = [name for name in SINGLE if name in utilities]
    if limited is not None and (is_limited or len(single) >= 2):
        return Allowance("LUA", limited)
    amount = sum((table.get(name) or ZERO for name in single), ZERO)
    if heating is None and limited is None and actual > amount:
        return Allowance("NONE", actual, is_actual=True)
    return Allowance("IUA" if single else "NONE", amount)


def excess_shelter(costs: Decimal, income: Decimal, cap: Decimal | None) -> Decimal:
    """Apply 7 CFR 273.9(d)(6)(ii): costs above half of the remainder; `cap` is None with an
    elderly or disabled member."""
    excess = max(ZERO, costs - income / 2)
    return excess if cap is None else min(excess, cap)


def homeless_deduction(excess: Decimal, costs: Decimal, standard: Decimal) -> tuple[Decimal, bool]:
    """Apply 7 CFR 273.9(d)(6)(i): a homeless household with shelter costs gets the standard
    amount if it is more."""
    if costs > 0 and standard > excess:
        return standard, True
    return excess, False


def net_income(income: Decimal, shelter: Decimal) -> int:
    """Apply 7 CFR 273.10(e)(1)(i)(G), rounded by 273.10(e)(1)(ii)(A)."""
    return nearest_dollar(max(ZERO, income - shelter))


def allotment(net: int, maximum: int, rate: Decimal) -> int:
    """Apply 7 CFR 273.10(e)(2)(ii)(A): maximum less 30% of net income rounded up; below zero is
    zero."""
    return max(0, maximum - next_dollar(net * rate))


def with_minimum(amount: int, minimum: int) -> int:
    """Apply 7 CFR 273.10(e)(2)(ii)(C): the minimum of an eligible household of one or two."""
    return max(amount, minimum)


@dataclass(frozen=True)
class StateMinimum:
    """A minimum that a state pays from its own money, in whole dollars a month."""

    amount: int
    citation: str
    federal_most: int | None
    """The largest federal benefit that the state adds to; None: any below `amount`."""

    def supplement(self, federal: int) -> int:
        """Return what the state adds to a federal benefit; nothing without a federal benefit."""
        if federal == 0 or (self.federal_most is not None and federal > self.federal_most):
            return 0
        return max(0, self.amount - federal)


TestName = Literal["gross", "net", "assets"]


@dataclass(frozen=True)
class FailedTest:
    """A test that refused a household, and its limit."""

    name: TestName
    limit: Decimal


@dataclass(frozen=True)
class Broad:
    """Broad-based categorical eligibility of a state, 7 CFR 273.2(j)(2), for this household."""

    gross_limit: Decimal | None
    """None: no limit."""
    has_net_test: bool
    asset_limit: Decimal | None

    def failed(
        self, gross: Decimal, net: int, net_limit: int, assets: Decimal | None
    ) -> list[FailedTest]:
        """Return the limits of the state that the household is above; unknown assets count as
        none."""
        tests: list[tuple[TestName, Decimal, Decimal | None]] = [
            ("gross", gross, self.gross_limit),
            ("net", Decimal(net), Decimal(net_limit) if self.has_net_test else None),
            ("assets", assets or ZERO, self.asset_limit),
        ]
        return [
            FailedTest(name, limit)
            for name, value, limit in tests
            if limit is not None and value > limit
        ]
