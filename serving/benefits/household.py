"""Parses a request as a household; every wrong name, type and range is named."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Any, Literal

import msgspec

from schemas.api.snap import AK_AREAS, MAX_DOLLARS, MAX_SIZE, UTILITIES, Member, SnapRequest
from schemas.vocab.states import STATE_CODES
from serving.benefits.rules import ZERO, cents
from serving.http.errors import ServiceProblem
from serving.reference.policy import Fact, FactsOn, fact_lines

SHORT_NAMES = {
    "state_or_territory": "state",
    "household_includes_elderly_or_disabled": "has_elderly_or_disabled",
    "monthly_job_income": "monthly_earned_income",
    "monthly_non_job_income": "monthly_unearned_income",
    "gross_monthly_income": "monthly_gross_income",
    "resources": "assets",
    "dependent_care_costs": "dependent_care",
    "medical_expenses_for_elderly_or_disabled": "medical_expenses",
    "court_ordered_child_support_payments": "child_support_paid",
    "homeowners_insurance_and_taxes": "property_tax_and_insurance",
    "language": "lang",
}
_MONEY = f"a number of dollars a month from 0 to {MAX_DOLLARS:,}"
_YES_NO = "true or false"
_RULES = {
    "state": "the two letters of a state or territory",
    "zip": "a ZIP code has five digits",
    "household_size": f"a whole number from 1 to {MAX_SIZE}",
    "members": (
        "at most as many people as household_size, each with `age` from 0 to 120 and, where it is "
        f"so, `disabled`, `pregnant`: {_YES_NO}"
    ),
    "utilities": f"a list of {', '.join(UTILITIES)}",
    "utility_allowance": (
        "one of HEATING_AND_COOLING, BASIC_LIMITED_ALLOWANCE, SINGLE_UTILITY_ALLOWANCE, "
        "ELECTRICITY, GAS_AND_FUEL, WATER, SEWAGE, TRASH, PHONE, NONE"
    ),
    "region": (
        "an area of Alaska (AK_URBAN, AK_RURAL_1, AK_RURAL_2) or a utility region of the state"
    ),
    "utility_region": "a utility region of the state",
    "month": "a month written YYYY-MM",
    "lang": "en or es",
    "assets": f"a number of dollars from 0 to {MAX_DOLLARS:,}",
    **dict.fromkeys(
        (
            "has_elderly_or_disabled",
            "all_elderly_or_disabled",
            "receives_energy_assistance",
            "homeless",
            "has_pregnant_member",
        ),
        _YES_NO,
    ),
}
_ALLOWANCES = {
    "HEATING_AND_COOLING": "heating_cooling",
    "ELECTRICITY": "electricity",
    "SINGLE_UTILITY_ALLOWANCE": "electricity",
    "GAS_AND_FUEL": "gas",
    "WATER": "water",
    "SEWAGE": "sewer",
    "TRASH": "trash",
    "PHONE": "phone",
}
# Read once, because msgspec evaluates every annotation on each call.
_FIELDS = msgspec.structs.fields(SnapRequest)
_ALLOTMENT = "snap.max_allotment"
# Regions for households that name none: where most Alaskans live, and New York's lowest allowance.
DEFAULT_REGION = {"AK": "AK_SC", "NY": "NY_ONY"}
STATES_WITH_REGIONS_BY_COUNTY = frozenset(("NY",))


@dataclass(frozen=True, kw_only=True)
class Household:
    """A household whose every field is within its range. Money a month."""

    state: str
    size: int
    month: date
    """First day of the month of the benefit."""
    earned: Decimal = ZERO
    unearned: Decimal = ZERO
    has_elderly_or_disabled: bool = False
    all_elderly_or_disabled: bool = False
    members: tuple[Member, ...] = ()
    has_pregnant_member: bool = False
    rent: Decimal = ZERO
    tax_and_insurance: Decimal = ZERO
    utilities: frozenset[str] = frozenset()
    is_limited_allowance: bool = False
    """The limited allowance was named as such."""
    utility_costs: Decimal = ZERO
    has_energy_assistance: bool = False
    dependent_care: Decimal = ZERO
    medical: Decimal = ZERO
    child_support: Decimal = ZERO
    assets: Decimal | None = None
    is_homeless: bool = False
    area: str | None = None
    utility_region: str | None = None
    language: Literal["en", "es"] = "en"
    is_income_split: bool = True
    ignored: tuple[str, ...] = ()

    @property
    def are_ages_known(self) -> bool:
        """Return whether all ages are known: only then can a rule about ages refuse."""
        return len(self.members) == self.size


class _Faults(dict[str, str]):
    """Faults by field, which are raised together."""

    def stop(self) -> None:
        """Raise ServiceProblem (400) if there are faults."""
        if self:
            missing = all(rule.startswith("required") for rule in self.values())
            detail = "; ".join(f"{name}: {rule}" for name, rule in self.items())
            raise ServiceProblem(
                "missing-parameter" if missing else "invalid-parameter", detail, self
            )


def household_of(
    household_data: Mapping[str, Any], today: date, place_of_zip: Any, *, is_form: bool = False
) -> Household:
    """Return the household of a request. Raises ServiceProblem: 400 naming every wrong field and
    its range, 404 for an unknown ZIP code.

    `place_of_zip` gives the state of a ZIP code and the FIPS code of its county, None if unknown.
    `is_form`: the values are texts of a form.
    """
    faults = _Faults()
    fields, ignored = _rename(household_data, faults)
    values = _check(fields, faults, is_form)
    state = _state(values, faults)
    faults.stop()
    county: str | None = None
    if "zip" in values and (state is None or state in STATES_WITH_REGIONS_BY_COUNTY):
        state_of_zip, county_of_zip = place_of_zip(values["zip"])
        county = county_of_zip if state in (None, state_of_zip) else None
        state = state or state_of_zip
    assert state is not None, "one of the two is sent"
    month = _month(values, today, faults)
    members = tuple(values.get("members") or ())
    if len(members) > values["household_size"]:
        faults["members"] = _RULES["members"]
    area, region = _regions(values, state, faults)
    faults.stop()
    utilities = frozenset(values.get("utilities") or ())
    allowance = values.get("utility_allowance")
    if allowance in _ALLOWANCES:
        utilities |= {_ALLOWANCES[allowance]}
    # 60 or older, or disabled (7 CFR 271.2).
    elderly = [m.disabled or m.age >= 60 for m in members]
    all_elderly = bool(values.get("all_elderly_or_disabled")) or (
        len(elderly) == values["household_size"] and all(elderly)
    )
    has_elderly = bool(values.get("has_elderly_or_disabled")) or any(elderly) or all_elderly
    is_split = "monthly_gross_income" not in values or "monthly_earned_income" in values
    unearned = _money(values, "monthly_unearned_income")
    if values.get("monthly_gross_income") is not None:
        # Of a gross amount, the part that is not sent as earned or unearned.
        rest = _money(values, "monthly_gross_income") - _money(values, "monthly_earned_income")
        unearned = max(unearned, rest)
    return Household(
        state=state,
        size=values["household_size"],
        month=month,
        earned=_money(values, "monthly_earned_income"),
        unearned=unearned,
        has_elderly_or_disabled=has_elderly,
        all_elderly_or_disabled=all_elderly,
        members=members,
        has_pregnant_member=bool(values.get("has_pregnant_member"))
        or any(m.pregnant for m in members),
        rent=_money(values, "rent_or_mortgage"),
        tax_and_insurance=_money(values, "property_tax_and_insurance"),
        utilities=utilities,
        is_limited_allowance=allowance == "BASIC_LIMITED_ALLOWANCE",
        utility_costs=_money(values, "utility_costs"),
        has_energy_assistance=bool(values.get("receives_energy_assistance")),
        dependent_care=_money(values, "dependent_care"),
        medical=_money(values, "medical_expenses"),
        child_support=_money(values, "child_support_paid"),
        assets=None if values.get("assets") is None else cents(values["assets"]),
        is_homeless=bool(values.get("homeless")),
        area=area,
        utility_region=region or _region_of_county(state, county, month),
        language=values.get("lang") or "en",
        is_income_split=is_split,
        ignored=tuple(sorted(ignored)),
    )


def _rename(household_data: Mapping[str, Any], faults: _Faults) -> tuple[dict[str, Any], list[str]]:
    """Return fields by their long names, and unknown names. Null is left out."""
    fields: dict[str, Any] = {}
    ignored = []
    for key, value in household_data.items():
        name = SHORT_NAMES.get(key, key)
        if name not in SnapRequest.__struct_fields__:
            ignored.append(key)
        elif value is not None:
            if name in fields and fields[name] != value:
                faults[key] = f"contradicts its other name {name}"
            fields[name] = value
    return fields, ignored


def _check(fields: dict[str, Any], faults: _Faults, is_form: bool) -> dict[str, Any]:
    """Return values of the right type and range; the others are in `faults`."""
    values: dict[str, Any] = {}
    for field in _FIELDS:
        if field.name not in fields:
            if field.required:
                faults[field.name] = f"required: {_RULES[field.name]}"
            continue
        value = fields[field.name]
        if isinstance(value, float) and value.is_integer() and field.name == "household_size":
            value = int(value)
        try:
            values[field.name] = msgspec.convert(value, field.type, strict=not is_form)
        except msgspec.ValidationError:
            faults[field.name] = _RULES.get(field.name, _MONEY)
            continue
        if isinstance(values[field.name], float) and not math.isfinite(values[field.name]):
            faults[field.name] = _RULES.get(field.name, _MONEY)
    return values


def _state(values: dict[str, Any], faults: _Faults) -> str | None:
    """Return the code, or None if the ZIP code decides."""
    if "state" not in values:
        if "zip" not in values and not faults.keys() & {"state", "zip"}:
            faults.setdefault("state", f"required: {_RULES['state']}, or send `zip`")
        return None
    code: str = values["state"].upper()
    if code not in STATE_CODES:
        faults["state"] = _RULES["state"]
    return code


@cache
def _months() -> tuple[date, date]:
    """Return first and last day for which there are SNAP amounts."""
    fact: Fact = dict(fact_lines())[_ALLOTMENT]
    days = [day for p in fact.periods for day in (p.from_date, p.to_date) if day is not None]
    return min(days), max(days)


def _month(values: dict[str, Any], today: date, faults: _Faults) -> date:
    first, last = _months()
    text = values.get("month")
    try:
        month = today.replace(day=1) if text is None else date.fromisoformat(f"{text}-01")
    except ValueError:
        faults["month"] = _RULES["month"]
        return today
    if not first <= month <= last:
        faults["month"] = (
            f"a month from {first:%Y-%m} to {last:%Y-%m}: the amounts of others are not known here"
        )
    return month


@cache
def utility_regions() -> tuple[str, ...]:
    """Return every region that has a table of utility allowances."""
    start = "snap.utility_allowance."
    return tuple(i.removeprefix(start) for i, _ in fact_lines() if i.startswith(start))


def _regions(values: dict[str, Any], state: str, faults: _Faults) -> tuple[str | None, str | None]:
    """Return area of Alaska and utility region, as sent."""
    regions = [r for r in utility_regions() if r.startswith(f"{state}_")]
    area: str | None = None
    region: str | None = None
    for name in ("region", "utility_region"):
        value = (values.get(name) or "").strip().upper()
        if not value:
            continue
        if name == "region" and state == "AK" and value in AK_AREAS:
            area = value
        elif value in regions or value == state:
            region = value if value in regions else None
        else:
            areas = list(AK_AREAS) if name == "region" and state == "AK" else []
            faults[name] = (
                f"one of {', '.join(areas + regions)} in {state}"
                if regions
                else f"{state} has no regions"
            )
    return area, region


def _region_of_county(state: str, county: str | None, month: date) -> str | None:
    """Return the utility region of the ZIP code's county; None where another rule decides."""
    table = FactsOn(month).get(f"snap.utility_region.{state}") if county else None
    if table is None:
        return None
    regions = [region for region, counties in table.value.items() if county in counties]
    return regions[0] if regions else DEFAULT_REGION[state]


def _money(values: dict[str, Any], name: str) -> Decimal:
    return cents(values.get(name) or 0)
