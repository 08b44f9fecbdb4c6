"""A second SNAP calculation, from the text of 7 CFR 273.9 and 273.10 and the files of facts.

It shares no code with the service, computes in hundredths of a cent, and covers the 48 states and
DC in November 2026.
"""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

_FACTS = Path(__file__).parents[2] / "content" / "facts"


@cache
def _tables() -> dict[str, Any]:
    """Return the value of November 2026 of every fact on SNAP and poverty."""
    tables: dict[str, Any] = {}
    for name in ("snap", "snap_states", "poverty"):
        for fact, entry in yaml.safe_load((_FACTS / f"{name}.yaml").read_text("utf-8"))[
            "facts"
        ].items():
            for period in entry["periods"]:
                begins, ends = str(period.get("from", "")), str(period.get("to", "9"))
                if begins <= "2026-11-01" <= ends:
                    tables[fact] = period["value"]
    return tables


def _row(table: dict[str, Any], size: int) -> int:
    rows: dict[int, int] = table["by_size"]
    last = max(rows)
    amount = rows[min(size, last)] + max(0, size - last) * int(table.get("each_additional", 0))
    return min(amount, int(table.get("cap", 10**9)))


def benefit(home: dict[str, Any]) -> tuple[bool, int]:
    """Return whether a household of the 48 states is eligible, and its benefit in dollars."""
    t, state, size = _tables(), home["state"], home["household_size"]
    is_old = home["has_elderly_or_disabled"]
    parts = {
        k: round(home[k] * 10_000)
        for k in (
            "monthly_earned_income",
            "monthly_unearned_income",
            "rent_or_mortgage",
            "dependent_care",
            "child_support_paid",
            "medical_expenses",
        )
    }
    support = parts["child_support_paid"]
    gross = parts["monthly_earned_income"] + parts["monthly_unearned_income"]
    if state in t["snap.child_support_excluded"]:
        gross, support = max(0, gross - support), 0
    net_income = gross - 10_000 * _row(t["snap.standard_deduction"]["contiguous"], size)
    net_income -= parts["monthly_earned_income"] * 2 // 10 + parts["dependent_care"] + support
    if is_old and parts["medical_expenses"] > 350_000:
        standard = 10_000 * t.get(f"snap.standard_medical_deduction.{state}", 0)
        net_income -= max(standard, parts["medical_expenses"] - 350_000)
    net_income = max(0, net_income)
    bills, excess_shelter = (
        t[f"snap.utility_allowance.{'NY_ONY' if state == 'NY' else state}"],
        home["utilities"],
    )

    def of(name: str) -> int:
        value = bills[name]
        if isinstance(value, dict):
            value = value["by_size"][min(size, 10)]
        return value or 0

    if "heating_cooling" in excess_shelter or (
        is_old and state in t["snap.energy_assistance_states"]
    ):
        utilities = of("heating_cooling")
    elif len(excess_shelter) >= 2 and of("limited"):
        utilities = of("limited")
    else:
        utilities = sum(of(name) for name in excess_shelter)
    costs = parts["rent_or_mortgage"] + 10_000 * utilities
    shelter = max(0, costs - net_income // 2)
    if not is_old:
        shelter = min(shelter, 10_000 * t["snap.shelter_cap"]["contiguous"])
    if home["homeless"] and costs:
        shelter = max(shelter, round(10_000 * t["snap.homeless_shelter_deduction"]))
    net = ((max(0, net_income - shelter) + 50) // 100 + 50) // 100
    most = _row(t["snap.max_allotment"]["contiguous"], size)
    amount = max(0, most - (net * 3 + 9) // 10)
    if size <= 2:
        amount = max(amount, t["snap.min_allotment"]["contiguous"])
    own = t.get(f"snap.state_minimum.{state}")
    # Only on top of a federal benefit; New Mexico: everybody elderly or disabled, no earnings, and
    # no more than the federal minimum.
    most = t["snap.min_allotment"]["contiguous"] if state == "NM" else 10_000
    is_fit = state != "NM" or (
        home["all_elderly_or_disabled"] and not home["monthly_earned_income"]
    )
    if own and own["from_age"] is None and is_fit and 0 < amount <= most:
        amount = max(amount, own["amount"])
    net_limit = _row(t["snap.net_limit"]["contiguous"], size)
    passes = (
        is_old or gross <= 10_000 * _row(t["snap.gross_limit"]["contiguous"], size)
    ) and net <= net_limit
    passes = (
        passes
        and home["assets"] <= t["snap.asset_limit"]["elderly_or_disabled" if is_old else "other"]
    )
    rule = t[f"snap.bbce.{state}"]
    # New Hampshire: with a dependent child; one person alone is none.
    is_open = rule["in_use"] and not (state == "NH" and size == 1)
    if is_open and not passes:
        income = home["all_elderly_or_disabled"] if rule["all_members_elderly_disabled"] else is_old
        percent = rule["gross_pct_elderly_disabled"] if income else rule["gross_pct"]
        if state == "NY" and not income:
            percent = (
                200 if home["dependent_care"] else 150 if home["monthly_earned_income"] else percent
            )
        guideline = t["poverty.guideline"]["contiguous"]
        yearly = guideline["first"] + guideline["each_additional"] * (size - 1)
        within = percent is None or gross * 12 <= yearly * percent * 100
        has_net_test = rule["net_test_elderly_disabled"] if income else rule["net_test"]
        within = within and (not has_net_test or net <= net_limit)
        passes = within and (rule["asset_limit"] is None or home["assets"] <= rule["asset_limit"])
    if state in t["snap.zero_benefit_not_eligible"] and amount == 0:
        passes = False
    return passes, amount if passes else 0
