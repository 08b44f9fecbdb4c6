"""Members about the organization, from content/organization.yaml or the operator's file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from schemas.api.organization import Both, Organization, Person, SisterOrganization
from serving.documents.render_context import Scene
from serving.reference.organization import organization_head, verification_urls


def headquarters(found: Organization) -> dict[str, str]:
    """Return the registered address."""
    return {
        "address": found.address,
        "city": found.city,
        "state": found.state,
        "zip": found.zip,
        "country": "US",
    }


def identity(scene: Scene) -> dict[str, Any]:
    """Return who runs this service: all that a person needs to find the organization in public
    registers."""
    found = scene.organization
    head: dict[str, Any] = msgspec.to_builtins(organization_head(scene.settings))
    return head | {
        "common_name": found.common_name,
        "classification": scene.say(
            found.classification, found.classification_es or found.classification
        ),
        "is_tax_exempt": found.is_tax_exempt,
        "accepts_donations": found.accepts_donations,
        "mission": localized(scene, found.mission),
        "founded_date": found.founded_date and found.founded_date.isoformat(),
        "headquarters": headquarters(found),
        "phone": found.phone,
        "domain": found.domain,
    }


def localized(scene: Scene, text: Both | None) -> str | None:
    """Return a text of the configuration in the document's language."""
    return text.in_language(scene.language) if text else None


def sister_entities(scene: Scene) -> list[dict[str, Any]]:
    """Return the related organizations."""
    return [_sister(scene, sister) for sister in scene.organization.sisters]


def _sister(scene: Scene, sister: SisterOrganization) -> dict[str, Any]:
    return {
        "legal_name": sister.legal_name,
        "common_name": sister.common_name,
        "ein": sister.ein,
        "classification": scene.say(
            sister.classification, scene.organization.classification_es or sister.classification
        ),
        "relationship": scene.say(
            sister.relationship, sister.relationship_es or sister.relationship
        ),
        "domain": sister.domain,
        "verify_url": f"{scene.settings.url}/api/v1/verify/{sister.ein}",
        "is_fictional": scene.organization.is_fictional,
    }


def verification(scene: Scene) -> dict[str, Any]:
    """Return how anybody can check the organization without asking it."""
    ein = scene.organization.ein
    return {
        "ein": ein,
        "verify_url": f"{scene.settings.url}/api/v1/verify/{ein}",
        "registers": verification_urls(ein),
    }


def registers(scene: Scene) -> list[dict[str, str]]:
    """Return the public registers as a list, for pages."""
    names = {
        "irs_tax_exempt_organization_search": scene.say(
            "IRS Tax Exempt Organization Search", "Búsqueda de organizaciones exentas del IRS"
        ),
        "propublica_nonprofit_explorer": "ProPublica Nonprofit Explorer",
        "candid": "Candid (GuideStar)",
        "charity_navigator": "Charity Navigator",
    }
    return [
        {"id": i, "name": names[i], "url": url}
        for i, url in verification_urls(scene.organization.ein).items()
    ]


def board(scene: Scene) -> list[dict[str, Any]]:
    """Return the board."""
    return [person(scene, member) for member in scene.organization.board]


def founder(scene: Scene) -> dict[str, Any] | None:
    """Return who founded the organization."""
    found = scene.organization.founder
    return person(scene, found) if found else None


def person(scene: Scene, found: Person) -> dict[str, Any]:
    """Return a person with role, words about them and term."""
    return {
        "name": found.name,
        "role": localized(scene, found.role),
        "about": localized(scene, found.about),
        "term_ends": found.term_ends and found.term_ends.isoformat(),
        "is_independent": found.is_independent,
        "is_fictional": scene.organization.is_fictional,
    }


def contacts(scene: Scene) -> list[dict[str, Any]]:
    """Return contacts by topic."""
    return [
        {
            "id": c.id,
            "purpose": localized(scene, c.purpose),
            "email": c.email,
            "phone": c.phone,
            "answers_within_days": c.answers_within_days,
        }
        for c in scene.organization.contacts
    ]


def policies(scene: Scene) -> list[dict[str, Any]]:
    """Return the policies, adopted or not."""
    return [
        {
            "id": p.id,
            "title": localized(scene, p.title),
            "summary": localized(scene, p.summary),
            "adopted_date": p.adopted_date and p.adopted_date.isoformat(),
            "is_adopted": p.adopted_date is not None,
            "url": p.url,
        }
        for p in scene.organization.policies
    ]


def ratings(scene: Scene) -> list[dict[str, Any]]:
    """Return what raters say; `rating` is null where they have not rated."""
    return [
        {
            "rater": r.rater,
            "what": localized(scene, r.what),
            "rating": r.rating,
            "url": r.url,
            "rated_date": r.rated_date and r.rated_date.isoformat(),
            "is_rated": r.rating is not None,
            "told": r.rating or scene.say("Not rated", "Sin calificación"),
        }
        for r in scene.organization.ratings
    ]


def financial_years(scene: Scene) -> list[dict[str, Any]]:
    """Return the fiscal years in whole dollars, newest first; shares of the expenses from 0 to
    1."""
    return [
        {
            "ends": y.ends.isoformat(),
            "year": str(y.ends.year),
            "revenue": y.revenue,
            "expenses": y.expenses,
            "program_expenses": y.program_expenses,
            "management_expenses": y.management_expenses,
            "fundraising_expenses": y.fundraising_expenses,
            "net_assets": y.net_assets,
            "program_share": round(y.program_expenses / y.expenses, 3) if y.expenses else None,
            "is_audited": y.is_audited,
            "form_990_url": y.form_990_url,
            "is_fictional": scene.organization.is_fictional,
        }
        for y in sorted(scene.organization.financial_years, key=lambda y: y.ends, reverse=True)
    ]


def donation_channels(scene: Scene) -> list[dict[str, Any]]:
    """Return the ways to give, open or not."""
    return [
        {
            "id": c.id,
            "name": localized(scene, c.name),
            "instructions": localized(scene, c.instructions),
            "is_open": c.is_open,
            "url": c.url,
        }
        for c in scene.organization.donation_channels
    ]


def mailing_address(scene: Scene) -> dict[str, str]:
    """Return where letters and checks go."""
    found = scene.organization
    return {"name": found.legal_name, **headquarters(found)}


def sponsors(scene: Scene) -> list[dict[str, Any]]:
    """Return who pays for the service."""
    return [
        {
            "name": s.name,
            "gives": localized(scene, s.gives),
            "since": s.since and s.since.isoformat(),
            "url": s.url,
        }
        for s in scene.organization.sponsors
    ]


FIELDS: dict[str, Callable[[Scene], Any]] = {
    f.__name__: f
    for f in (
        identity,
        sister_entities,
        verification,
        registers,
        board,
        founder,
        contacts,
        policies,
        ratings,
        financial_years,
        donation_channels,
        mailing_address,
        sponsors,
    )
}
