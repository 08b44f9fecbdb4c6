"""Builds the SNAP answer from a request: figures, tests, sentences, where to apply."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from schemas.api import snap as shapes
from schemas.vocab.states import STATES
from serving.benefits.calculation import Calculation, Standards, calculate, standards_for
from serving.benefits.household import Household, household_of
from serving.benefits.screeners import other_programs
from serving.benefits.wording import EstimateWords
from serving.http.errors import invalid
from serving.reference.policy import FactsOn, FactValue
from serving.search.start import start_of_zip
from warehouse.index.reader import OpenRelease


def estimate(
    household_data: Mapping[str, Any], today: date, release: OpenRelease | None
) -> shapes.SnapEstimate:
    """Return the estimate for a household as sent, under its long or its short names.

    Raises ServiceProblem: 400 naming every wrong field and its range, 404 for an unknown ZIP code.
    """
    return estimate_of(read_household(household_data, today, release))


def read_household(
    household_data: Mapping[str, Any],
    today: date,
    release: OpenRelease | None,
    *,
    is_form: bool = False,
) -> Household:
    """Parse a household as sent. Raises like `estimate`."""

    def place_of(zip_code: str) -> tuple[str, str | None]:
        if release is None:
            raise invalid("zip", "there is no data yet to look it up in: send `state`")
        location = start_of_zip(release, zip_code).location
        if location.state not in STATES:
            raise invalid("zip", "a ZIP code of a state: send `state`")
        place = release.gazetteer.zip(zip_code[:5])
        return location.state, place.county_fips if place else None

    return household_of(household_data, today, place_of, is_form=is_form)


def estimate_of(household: Household) -> shapes.SnapEstimate:
    """Return the estimate for a household."""
    tell = EstimateWords(household)
    program = FactsOn(household.month).get(f"state.program.{household.state}")
    if program is None or not program.value["is_snap"]:
        return _block_grant(household, program, tell)
    standards = standards_for(household)
    return _answer(household, standards, calculate(household, standards), program, tell)


def _answer(
    household: Household,
    standards: Standards,
    calculation: Calculation,
    program: FactValue,
    tell: EstimateWords,
) -> shapes.SnapEstimate:
    codes = _warnings(household, standards, calculation, tell)
    deductions = shapes.SnapDeductions(
        standard=float(standards.standard_deduction),
        earned_income=float(calculation.earned_deduction),
        dependent_care=float(household.dependent_care),
        child_support=float(household.child_support),
        medical=float(calculation.medical),
        excess_shelter=float(calculation.excess_shelter),
        utility_allowance=float(calculation.allowance.amount),
        utility_allowance_type=calculation.allowance.kind,
        is_homeless_deduction=calculation.is_homeless_deduction,
    )
    denied_by: list[shapes.DeniedBy] = [test.name for test in calculation.failed]
    if not denied_by and not calculation.eligible:
        denied_by = ["zero_benefit"]
    return shapes.SnapEstimate(
        eligible=calculation.eligible,
        denied_by=denied_by,
        estimated_monthly_benefit=calculation.benefit,
        state_supplement=calculation.supplement,
        minimum_benefit=max(
            standards.minimum, standards.state_minimum.amount if standards.state_minimum else 0
        ),
        maximum_benefit=standards.maximum,
        fiscal_year=standards.fiscal_year,
        month=f"{household.month:%Y-%m}",
        state=household.state,
        program=program.value["name"],
        household_size=household.size,
        income=shapes.SnapIncome(float(calculation.gross), calculation.net),
        deductions=deductions,
        tests=_tests(household, standards, calculation),
        explanation=tell.explanation(standards, calculation),
        apply=apply_in(household, program),
        warnings=list(codes),
        warning_texts=list(codes.values()),
        other_programs=other_programs(household, calculation, tell),
        disclaimer=tell.words.disclaimer,
        sources=_sources(standards.used),
        language=household.language,
        area=standards.area,
        utility_region=standards.utility_region,
    )


def _tests(
    household: Household, standards: Standards, calculation: Calculation
) -> list[shapes.SnapTest]:
    """Return the three tests and the category. The tests do not apply to eligible categories."""
    usual, assets, broad = not calculation.is_categorical, household.assets, standards.broad
    # A state's higher limit on income replaces the usual one.
    is_replaced = (
        broad is not None
        and (broad.gross_limit is None or calculation.gross <= broad.gross_limit)
        and not calculation.eligible
    )
    gross, net = float(calculation.gross), float(calculation.net)
    limit = (
        None if broad is None or broad.gross_limit is None else float(round(broad.gross_limit, 2))
    )
    within = None if assets is None else assets <= standards.asset_limit
    amount = None if assets is None else float(assets)
    return [
        shapes.SnapTest(
            "gross",
            standards.gross_limit,
            gross,
            calculation.gross <= standards.gross_limit,
            usual and not household.has_elderly_or_disabled and not is_replaced,
        ),
        shapes.SnapTest(
            "net", standards.net_limit, net, calculation.net <= standards.net_limit, usual
        ),
        shapes.SnapTest(
            "assets", float(standards.asset_limit), amount, within, usual and assets is not None
        ),
        shapes.SnapTest(
            "categorical",
            limit,
            gross,
            calculation.is_categorical if broad else None,
            broad is not None,
        ),
    ]


def _warnings(
    household: Household, standards: Standards, calculation: Calculation, tell: EstimateWords
) -> dict[str, str]:
    """Return codes and their sentences."""
    codes = ["student_or_noncitizen_rules_not_checked"]
    if (
        standards.has_old_allowances
        and calculation.allowance.amount > 0
        and not calculation.allowance.is_actual
    ):
        codes.append("utility_values_previous_year")
    if household.assets is None:
        codes.append("assets_unknown")
    if not household.is_income_split:
        codes.append("gross_income_not_split")
    if (
        "heating_cooling" in household.utilities
        and standards.allowances.get("heating_cooling") is None
    ):
        codes.append("no_heating_allowance")
    codes += standards.warnings
    if household.ignored:
        codes.append("unknown_fields_ignored")
    names = tell.words.regions
    codes_of = (standards.area if household.state == "AK" else None, standards.utility_region)
    regions = [names[code] for code in codes_of if code and code in names]
    values = {
        "region": ", ".join(regions),
        "fields": ", ".join(name[:40] for name in household.ignored[:10]),
    }
    return {
        code: tell.describe_unchecked_rules()
        if code == "student_or_noncitizen_rules_not_checked"
        else tell.warning(code, **values)
        for code in codes
    }


def apply_in(household: Household, program: FactValue | None) -> shapes.SnapApply:
    """Return where to apply, with the day each was checked. Contacts are current, for any month of
    the estimate."""
    facts = FactsOn(household.month)
    portal = facts.get(f"state.portal.{household.state}")
    phone = facts.get(f"state.phone.{household.state}")
    return shapes.SnapApply(
        portal_url=portal.value["url"] if portal else None,
        hotline=phone.value if phone else None,
        agency=program.value["agency"] if program else None,
        portal_as_of=portal.as_of.isoformat() if portal else None,
        hotline_as_of=phone.as_of.isoformat() if phone else None,
    )


def _sources(facts: Mapping[str, FactValue]) -> list[shapes.NamedSource]:
    """Return each source once, in the order of the rules."""
    names = {(fact.source_title, fact.source_url): None for fact in facts.values()}
    return [shapes.NamedSource(title, url) for title, url in names]


def _block_grant(
    household: Household, program: FactValue | None, tell: EstimateWords
) -> shapes.SnapEstimate:
    """Return the answer for Puerto Rico, American Samoa and the Northern Mariana Islands, where no
    amount can be calculated."""
    facts = FactsOn(household.month)
    name = program.value["name"] if program else "SNAP"
    return shapes.SnapEstimate(
        eligible=None,
        denied_by=[],
        estimated_monthly_benefit=None,
        state_supplement=None,
        minimum_benefit=None,
        maximum_benefit=None,
        fiscal_year=facts.value("snap.fiscal_year"),
        month=f"{household.month:%Y-%m}",
        state=household.state,
        program=name,
        household_size=household.size,
        income=None,
        deductions=None,
        tests=[],
        explanation=[tell.step("block_grant", program=name)],
        apply=apply_in(household, program),
        warnings=["territory_block_grant"],
        warning_texts=[tell.warning("territory_block_grant")],
        other_programs=other_programs(household, None, tell),
        disclaimer=tell.words.disclaimer,
        sources=_sources({} if program is None else {program.id: program}),
        language=household.language,
    )
