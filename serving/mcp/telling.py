"""The tools that tell facts: where to apply, who runs this service."""

from __future__ import annotations

import numpy as np

from schemas.api.mcp import AskNothing, AskPortal, OrganizationInfo, StatePortal
from schemas.vocab.states import STATES
from serving.errors import ServiceProblem
from serving.language.facts import facts
from serving.mcp.asked import Call
from serving.services.organization import organization_head, organization_of
from serving.services.places import start_of_text
from serving.services.surfaces import addresses
from warehouse.gazetteer import state_code

_LINKS = ("search", "ask", "openapi", "data_quality", "about")


async def get_portal(call: Call, asked: AskPortal) -> StatePortal:
    """Where a household of a state applies for SNAP. Raises ServiceProblem (400, 404)."""
    code = _state(call, asked.state)
    program, national = facts().programs.get(code), facts().hunger
    if program is None:
        raise ServiceProblem("unknown-place", f"state: no program is known for {STATES[code].name}")
    portal, phone = program.portal, program.phone
    name = STATES[code].name
    said = [f"{name}: {program.program}" + (f", run by the {program.agency}." if program.agency else ".")]  # fmt: skip
    if portal:
        said.append(f"Apply at {portal.url} (address checked {portal.as_of}).")
    if phone:
        said.append(f"Telephone {phone.number} (checked {phone.as_of}).")
    said.append(f"National hunger hotline: {national.number}.")
    return StatePortal(
        summary=" ".join(said),
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
        hunger_hotline=national.number,
    )


def _state(call: Call, text: str) -> str:
    """The code of a state given by code, name, or a place in it. Raises ServiceProblem (400, 404)."""
    code = text.strip().upper()
    found = code if code in STATES else state_code(text.strip())
    if found in STATES:
        return str(found)
    state = start_of_text(call.release, text, "state").location.state
    if state not in STATES:
        raise ServiceProblem("unknown-place", f"state: {text[:40]} is in no state or territory")
    return str(state)


async def get_organization(call: Call, _: AskNothing) -> OrganizationInfo:
    """Who runs this instance, and what it holds."""
    settings, release = call.context.settings, call.release
    facts_of, head = organization_of(settings), organization_head(settings)
    covered = int(np.count_nonzero(list(release.count_by_state.values())))
    as_of = release.manifest.as_of_date
    place = f"{facts_of.address}, {facts_of.city}, {facts_of.state} {facts_of.zip}"
    return OrganizationInfo(
        summary=call.told(
            f"{head.name} runs this directory of {len(release)} places in {covered} states and territories, as of {as_of}.",
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
        states_covered=covered,
        as_of_date=as_of,
        links=addresses(settings.url, _LINKS),
        data=call.data,
    )  # fmt: skip
