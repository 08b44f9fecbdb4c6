"""Answers for a household from several capabilities: SNAP, other programs, food today."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from schemas.api.area_help import AreaContact
from schemas.api.snap import FoodToday, HouseholdAnswer, NamedSource, OtherProgram, SnapEstimate
from serving.benefits.estimate import estimate_of, read_household
from serving.benefits.household import Household
from serving.benefits.screeners import disaster_snap
from serving.benefits.wording import EstimateWords
from serving.context import Context
from serving.disasters import disasters
from serving.http.errors import ServiceProblem
from serving.reference.policy import FactsOn
from serving.render.words import words
from serving.search.area_help import help_for
from serving.search.start import start_of_zip
from serving.site.site import SitePlace, urgent_groups
from warehouse.index.reader import OpenRelease

MAX_TODAY = 6
_CONTACTS = 4
# The surest first.
_GROUPS = ("open", "opening_later", "usual", "call_first", "for_children")


def household_answer(
    context: Context,
    release: OpenRelease | None,
    household_data: Mapping[str, Any],
    now: datetime,
    *,
    is_form: bool = False,
) -> HouseholdAnswer:
    """Return the answer for a household as sent, under its long or its short names. Call it in a
    thread. Without a release: the programs alone.

    Raises ServiceProblem: 400 naming every wrong field and its range, 404 for an unknown ZIP code.
    """
    household = read_household(household_data, now.date(), release, is_form=is_form)
    estimate, zip_code = estimate_of(household), str(household_data.get("zip") or "")[:5]
    after_disaster, is_known = _after_disaster(release, household, zip_code)
    today, contacts = _today(context, release, household, zip_code, now)
    return HouseholdAnswer(
        programs=[_snap(household, estimate), *estimate.other_programs, *after_disaster],
        estimate=estimate,
        today=today,
        contacts=contacts,
        are_disasters_known=is_known,
        disclaimer=estimate.disclaimer,
        language=household.language,
        is_synthetic=release is not None and release.is_synthetic,
        release_id=release.release_id if release else None,
    )


def _snap(household: Household, estimate: SnapEstimate) -> OtherProgram:
    """Return SNAP, or the territory's program in its place, as one of the programs."""
    tell, texts = EstimateWords(household), words("benefits", household.language).programs.snap
    amount = tell.dollars(estimate.estimated_monthly_benefit or 0)
    if estimate.eligible is None:
        key, text = "unknown", estimate.explanation[0]
    elif estimate.eligible:
        key = "fits" if estimate.estimated_monthly_benefit else "zero"
        text = texts[key].format(amount=amount, state=tell.state)
    else:
        key, text = "no_income", texts.no_income.format(reason=estimate.explanation[-1])
    step = texts.next_no if key == "no_income" else texts.next
    allotment = FactsOn(household.month).get("snap.max_allotment")
    source = NamedSource(estimate.programme, None)
    if allotment is not None and estimate.eligible is not None:
        source = NamedSource(allotment.source_title, allotment.source_url)
    return OtherProgram(
        "snap", estimate.programme, estimate.eligible, None, None, text, step, source
    )


def _after_disaster(
    release: OpenRelease | None, household: Household, zip_code: str
) -> tuple[list[OtherProgram], bool]:
    """Return D-SNAP if a disaster is declared, and whether declarations are known."""
    if release is None:
        return [], False
    try:
        active = disasters.active(release, zip=zip_code or None, state=household.state)
    except ServiceProblem as problem:
        if problem.kind != "not-in-release":
            raise
        return [], False
    is_known = active.dsnap_reason != "data_too_old"
    if not active.total_active or active.dsnap_reason == "no_snap_here":
        return [], is_known
    message = active.dsnap_message[household.language]
    likely = active.has_dsnap_likely
    return [disaster_snap(household, likely, message, EstimateWords(household))], is_known


def _today(
    context: Context,
    release: OpenRelease | None,
    household: Household,
    zip_code: str,
    now: datetime,
) -> tuple[list[FoodToday] | None, list[AreaContact]]:
    if release is None or not zip_code:
        return None, []
    start = start_of_zip(release, zip_code)
    place = SitePlace(start, zip_code)
    groups = urgent_groups(context, release, place, now, household.language).groups
    views = [(group, view) for group in _GROUPS for view in groups[group]]
    places = [
        FoodToday(
            view.id,
            view.name,
            group,  # type: ignore[arg-type]
            view.when,
            view.address,
            view.phone,
            view.distance,
            view.confirmed,
            context.settings.url + view.path,
        )
        for group, view in views[:MAX_TODAY]
    ]
    return places, help_for(release, start).contacts[:_CONTACTS]
