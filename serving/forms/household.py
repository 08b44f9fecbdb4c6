"""What a household may get (SNAP, other programs), and where to eat today: for programs, and as a
page that needs no JavaScript: a plain form, and above it the answer, to print. Nothing is stored.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from litestar import Request, get, post
from litestar.types import Scope

from schemas.api.area_help import AreaContact
from schemas.api.snap import (
    AK_AREAS,
    MAX_DOLLARS,
    MAX_SIZE,
    UTILITIES,
    FoodToday,
    HouseholdAnswer,
    NamedSource,
    OtherProgram,
    SnapEstimate,
)
from schemas.vocab.states import STATES
from serving.benefits.estimate import estimate_of, read_household
from serving.benefits.household import Household, utility_regions
from serving.benefits.routes import HouseholdOperation, read_household_body
from serving.benefits.screeners import disaster_snap
from serving.benefits.wording import EstimateWords
from serving.context import Context, context_of, current_release
from serving.disasters import disasters
from serving.http.answers import HOUR, Answer, json_answer
from serving.http.errors import ServiceProblem, invalid, release_of
from serving.http.openapi import answers
from serving.http.request_limits import form_of
from serving.reference.policy import FactsOn
from serving.render.formats import number
from serving.render.page import page, page_head
from serving.render.words import Language, path_language, words
from serving.search.area_help import contacts_for
from serving.search.start import start_of_zip
from serving.site.site import SitePlace, urgent_groups
from warehouse.index.reader import OpenRelease

_PATH = "/snap-calculator"
_NO_STORE = ((b"cache-control", b"no-store"), (b"referrer-policy", b"no-referrer"))
_LISTS = {"utilities"}
# A form writes the ages of the members in one box.
_AGES = "ages"
_MONEY = {
    "monthly_earned_income",
    "monthly_unearned_income",
    "rent_or_mortgage",
    "property_tax_and_insurance",
    "dependent_care",
    "medical_expenses",
    "child_support_paid",
    "assets",
}


def _page(
    scope: Scope,
    language: Language,
    form_data: dict[str, Any],
    answer: HouseholdAnswer | None,
    faults: dict[str, str],
    now: datetime,
) -> Answer:
    is_answer, texts = bool(form_data), words("benefits", language).page
    # The name of the state's page.
    fact = f"state.portal.{answer.estimate.state}" if answer else ""
    portal = FactsOn(now.date()).get(fact) if answer else None
    return page(
        scope,
        "household.html",
        page_head(scope, _PATH, texts.title, texts.description, is_indexed=not is_answer),
        max_age=0 if is_answer else HOUR,
        status=400 if faults else 200,
        headers=_NO_STORE if is_answer else (),
        sent=form_data,
        answer=answer,
        faults=faults,
        utilities=UTILITIES,
        states=sorted(
            ((code, STATES[code].names[language]) for code in STATES), key=lambda pair: pair[1]
        ),
        regions=[*AK_AREAS, *(r for r in utility_regions() if "_" in r)],
        portal=portal.value["name"] if portal else None,
        zip=str(form_data.get("zip", ""))[:5],
        made=now.date(),
    )


def answer_form(
    scope: Scope, language: Language, pairs: Sequence[tuple[str, Any]], now: datetime
) -> Answer:
    """Return the form as sent, and the estimate or its fault (400)."""
    form_data = _gather(pairs)
    household_data = {name: value for name, value in form_data.items() if name != _AGES} | {
        "lang": language
    }
    context, release = context_of(scope), current_release(scope)
    try:
        if _AGES in form_data:
            # As in "34, 6 y 2".
            ages = re.split(r"[\s,;.]+|(?:and|y)\b", form_data[_AGES])
            if not all(a == "" or (a.isascii() and a.isdigit() and len(a) <= 3) for a in ages):
                raise invalid("members", "ages in whole years, separated by commas")
            household_data["members"] = [{"age": int(age)} for age in ages if age]
        answer = household_answer(context, release, household_data, now, is_form=True)
    except ServiceProblem as problem:
        return _page(scope, language, form_data, None, _describe_faults(problem, language), now)
    return _page(scope, language, form_data, answer, {}, now)


def _describe_faults(problem: ServiceProblem, language: Language) -> dict[str, str]:
    """Return fields and their questions, in the reader's language."""
    rules = words("benefits", language).page.rules
    sizes = {"size": MAX_SIZE, "dollars": number(MAX_DOLLARS, language)}
    messages = {}
    for fault in problem.faults or ("other",):
        name = _AGES if fault == "members" else fault
        kind = name.removeprefix("utility_") if name in {"region", "utility_region"} else name
        kind = kind if kind in rules else "money" if kind in _MONEY else "other"
        messages[name] = rules[kind].format(**sizes)
    return messages


def _gather(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of a form; those that may be sent many times as lists. Uploads are left
    out."""
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if not isinstance(value, str) or not value.strip():
            continue
        if name in _LISTS:
            fields.setdefault(name, []).append(value.strip())
        elif name == _AGES:
            fields[name] = value.strip()[:200]
        else:
            fields[name] = value.strip().replace(",", "").removeprefix("$")
    return fields


# ---------------------------------------------------------------- addresses


@post(
    "/api/benefits/screen",
    summary="What a household may get",
    tags=["benefits"],
    status_code=200,
    operation_class=HouseholdOperation,
    responses=answers(
        HouseholdAnswer, "Each program with yes, maybe or no, and food near the ZIP code.", 404
    ),
)
async def screen_benefits(scope: Scope, request: Request[Any, Any, Any]) -> Answer:
    """Screen a household for SNAP, expedited SNAP, WIC, school meals, SUN Bucks, CSFP and, where a
    federal disaster is declared, D-SNAP.

    The body is that of `/api/snap/calculate`. `likely` is true for probably, null for perhaps and
    false for probably not; `text` gives the reason, `next_step` what to do. With `zip`, the answer
    lists places with free food nearby. A first look, never a decision. Nothing is stored.
    """
    household_data, release, now = (
        await read_household_body(request),
        release_of(scope),
        datetime.now(UTC),
    )
    answer = await asyncio.to_thread(
        household_answer, context_of(scope), release, household_data, now
    )
    language = (b"content-language", answer.language.encode())
    return json_answer(answer, 0, headers=(language,))


_PATHS = ["/snap-calculator", "/es/snap-calculator"]


@get(_PATHS, include_in_schema=False)
async def calculator(scope: Scope, request: Request[Any, Any, Any]) -> Answer:
    """Return the form; with answers in the query, what the household may get above it."""
    language, now = path_language(scope), datetime.now(UTC)
    pairs = list(request.query_params.multi_items())
    names = {name for name, value in pairs if isinstance(value, str) and value.strip()}
    if not ("household_size" in names and names & {"state", "zip"}):
        # Too few answers for an estimate, as in a link that fills in some: nothing is wrong yet.
        return _page(scope, language, _gather(pairs), None, {}, now)
    return await asyncio.to_thread(answer_form, scope, language, pairs, now)


@post(_PATHS, status_code=200, include_in_schema=False)
async def post_calculator(scope: Scope, request: Request[Any, Any, Any]) -> Answer:
    """Return the form as sent: answers stay out of the address and out of logs."""
    language, now = path_language(scope), datetime.now(UTC)
    pairs = list((await form_of(request)).multi_items())
    if not pairs:
        return _page(scope, language, {}, None, {}, now)
    return await asyncio.to_thread(answer_form, scope, language, pairs, now)


MAX_TODAY = 6
_CONTACTS = 4
# The most likely first.
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
    source = NamedSource(estimate.program, None)
    if allotment is not None and estimate.eligible is not None:
        source = NamedSource(allotment.source_title, allotment.source_url)
    return OtherProgram("snap", estimate.program, estimate.eligible, None, None, text, step, source)


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
    groups = urgent_groups(release, place, now, household.language).groups
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
    return places, contacts_for(release, start)[:_CONTACTS]
