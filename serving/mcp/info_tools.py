"""Information tools: SNAP, where to apply, disasters, the organization."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import numpy as np

from schemas.api import mcp as shapes
from schemas.api.disasters import ActiveDisasters, CurrentDisasters
from schemas.api.mcp import AskDisasters, AskNothing, AskPortal
from schemas.api.snap import SnapEstimate
from schemas.vocab.states import STATES, state_by_words
from schemas.words import Words
from serving.benefits.estimate import estimate
from serving.disasters import disasters
from serving.http.errors import ServiceProblem
from serving.mcp.arguments import Call
from serving.reference.organization import facts, organization_head, organization_of
from serving.reference.surfaces import addresses
from serving.search.language.needs import answer_dangers
from serving.search.start import start_of_text

_AREAS = 20
_LINKS = ("search", "ask", "openapi", "data_quality", "about")


async def get_portal(call: Call, arguments: AskPortal) -> shapes.StatePortal:
    """Return where a household of a state applies for SNAP. Raises ServiceProblem (400, 404)."""
    code = _state(call, arguments.state)
    program, local = facts().programs.get(code), facts().local
    if program is None:
        raise ServiceProblem("unknown-place", f"state: we have no program for {STATES[code].name}")
    portal, phone = program.portal, program.phone
    name = STATES[code].name
    sentences = [
        f"{name}: {program.program}"
        + (f", run by the {program.agency}." if program.agency else ".")
    ]
    if portal:
        sentences.append(f"Apply at {portal.url} (address checked {portal.as_of}).")
    if phone:
        sentences.append(f"Phone: {phone.number} (checked {phone.as_of}).")
    if local:
        sentences.append(f"Local help line: {local.number}.")
    return shapes.StatePortal(
        summary=" ".join(sentences),
        state=code,
        state_name=name,
        program=program.program,
        is_snap=program.is_snap,
        agency=program.agency,
        portal_url=portal.url if portal else None,
        portal_as_of=portal.as_of.isoformat() if portal else None,
        is_portal_confirmed=portal.second_source_agrees if portal else None,
        phone=phone.number if phone else None,
        phone_as_of=phone.as_of.isoformat() if phone else None,
        help_line=local.number if local else None,
    )


def _state(call: Call, text: str) -> str:
    """Return the code of a state given by code, name, or a place in it. Raises ServiceProblem
    (400, 404)."""
    code = text.strip().upper()
    known_code = code if code in STATES else state_by_words(text.strip())
    if known_code in STATES:
        return str(known_code)
    state = start_of_text(call.release, text, "state").location.state
    if state not in STATES:
        raise ServiceProblem("unknown-place", f"state: {text[:40]} is not in a state or territory")
    return str(state)


async def estimate_snap(call: Call, arguments: dict[str, Any]) -> shapes.ToolEstimate:
    """Return the estimate of `/api/snap/calculate`. Raises ServiceProblem (400, 404) naming
    every wrong field."""
    today = datetime.now(UTC).date()
    outcome = await asyncio.to_thread(estimate, arguments, today, call.release)
    return shapes.ToolEstimate(" ".join((*_estimate_words(outcome), outcome.disclaimer)), outcome)


def _estimate_words(outcome: SnapEstimate) -> list[str]:
    """Return the outcome in words, in the language of the estimate, from its own sentences."""
    if outcome.eligible is None or outcome.estimated_monthly_benefit is None:
        return outcome.explanation
    amount, size = outcome.estimated_monthly_benefit, outcome.household_size
    if outcome.language == "es":
        fits = "Probablemente cumple" if outcome.eligible else "Probablemente no cumple"
        verdict = f"{fits} los requisitos de {outcome.program}."
        detail = f"Cálculo: {amount} dólares al mes para un hogar de {size} ({outcome.month})."
    else:
        fits = "probably eligible" if outcome.eligible else "probably not eligible"
        verdict = f"The household is {fits} for {outcome.program}."
        detail = f"Estimate: ${amount} a month for a household of {size} ({outcome.month})."
    return [verdict, detail if outcome.eligible else outcome.explanation[-1]]


async def get_disasters(call: Call, arguments: AskDisasters) -> shapes.FoundDisasters:
    """Return active declarations of a ZIP code, a state or the nation. Raises ServiceProblem
    (400, 404, 503)."""
    zip_code = arguments.zip if isinstance(arguments.zip, str) else None
    if zip_code is None and not isinstance(arguments.state, str):
        return await _nation(call)
    state = (
        None if zip_code or not isinstance(arguments.state, str) else _state(call, arguments.state)
    )
    active = await asyncio.to_thread(disasters.active, call.release, zip=zip_code, state=state)
    if active.dsnap_reason == "data_too_old":  # the message has the age of the data
        summary = call.summary(active.dsnap_message.en)
    else:
        place = f"{active.zip}, {active.state_name}" if active.zip else active.state_name
        are = "declaration is" if active.total_active == 1 else "declarations are"
        more = active.elsewhere_in_state
        summary = call.summary(
            f"{active.total_active} federal {are} active for {place}.",
            active.dsnap_message.en,
            f"{more} more are active elsewhere in the state." if more else None,
            active.freshness.note.en if active.freshness.note else None,
        )
    return _disasters(
        call,
        active,
        summary,
        zip=active.zip,
        state=active.state,
        has_dsnap_likely=active.has_dsnap_likely,
        dsnap_message=active.dsnap_message,
    )


async def _nation(call: Call) -> shapes.FoundDisasters:
    current = await asyncio.to_thread(disasters.current, call.release)
    counts = {entry.state: entry.active_count for entry in current.states}
    likely = [entry.state for entry in current.states if entry.has_dsnap_likely]
    if current.freshness.is_too_old_for_dsnap:
        has_likely = None
        sentences = ["We cannot tell where disasters are active and Disaster SNAP is likely."]
    else:
        has_likely = bool(likely)
        sentences = [
            f"{current.total_active} federal declarations are active in {len(counts)} "
            "states and territories.",
            f"Disaster SNAP is likely in parts of {', '.join(likely)}."
            if likely
            else "Disaster SNAP is not likely anywhere.",
        ]
    note = current.freshness.note
    summary = call.summary(*sentences, note.en if note else None)
    return _disasters(call, current, summary, has_dsnap_likely=has_likely, active_by_state=counts)


def _disasters(
    call: Call, answer: ActiveDisasters | CurrentDisasters, summary: str, **of_place: Any
) -> shapes.FoundDisasters:
    """Return the result of the tool; `of_place` has members that one of the answers lacks."""
    nowhere: dict[str, Any] = {
        "zip": None,
        "state": None,
        "dsnap_message": None,
        "active_by_state": {},
    }
    return shapes.FoundDisasters(
        summary=summary,
        on=answer.on,
        total_active=answer.total_active,
        disasters=[
            shapes.ToolDisaster(
                declaration=one.declaration_string,
                title=one.title,
                type=one.type_label,
                state=one.state,
                declaration_date=one.declaration_date,
                active_until=one.active_until,
                matched_by=one.matched_by_label,
                has_individual_assistance=one.has_individual_assistance,
                last_ia_filing_date=one.last_ia_filing_date,
                is_dsnap_likely=one.is_dsnap_likely,
                areas=[area.name for area in one.areas[:_AREAS]],
                url=one.url,
            )
            for one in answer.declarations[: shapes.MAX_PLACES]
        ],
        data_as_of=answer.freshness.as_of,
        is_data_stale=answer.freshness.is_stale,
        data=call.data,
        **nowhere | of_place,
    )


async def get_organization(call: Call, _: AskNothing) -> shapes.OrganizationInfo:
    """Describe the operator of this instance, its data, and the lines that help in danger."""
    settings, release = call.context.settings, call.release
    facts_of, head = organization_of(settings), organization_head(settings)
    state_count = int(np.count_nonzero(list(release.count_by_state.values())))
    as_of = release.manifest.as_of_date
    place = f"{facts_of.address}, {facts_of.city}, {facts_of.state} {facts_of.zip}"
    return shapes.OrganizationInfo(
        summary=call.summary(
            f"{head.name} runs this directory of {len(release)} places in "
            f"{state_count} states and territories, as of {as_of}.",
            head.note,
        ),
        name=head.name,
        legal_name=head.legal_name,
        ein=head.ein,
        classification=facts_of.classification,
        address=place,
        phone=facts_of.phone,
        email=head.email,
        is_fictional=head.is_fictional,
        note=head.note,
        total_places=len(release),
        states_covered=state_count,
        as_of_date=as_of,
        hotlines=[
            shapes.Hotline(
                need.id,
                Words(en.short, es.short),
                en.fact.source_title,
                en.fact.source_url,
                en.fact.as_of.isoformat(),
            )
            for (need, en), (_, es) in zip(answer_dangers("en"), answer_dangers("es"), strict=True)
        ],
        links=addresses(settings.url, _LINKS),
        data=call.data,
    )
