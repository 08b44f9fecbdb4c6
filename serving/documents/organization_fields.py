"""Members of documents about the organization, from content/organization.yaml or the operator's
file, and about giving, from the service for donors.
"""

from datetime import date
from functools import partial
from typing import Any, get_args

import msgspec

from schemas.api.donors import Vehicle
from schemas.api.organization import Both, Organization, Person
from schemas.vocab.states import STATES
from serving.documents.render_context import RenderContext
from serving.donors.donors import donor_options, legacy_giving
from serving.reference.organization import organization_head, verification_urls


def _headquarters(organization: Organization) -> dict[str, str]:
    return {
        "address": organization.address,
        "city": organization.city,
        "state": organization.state,
        "zip": organization.zip,
        "country": "US",
    }


def identity(context: RenderContext) -> dict[str, Any]:
    """Return the organization that runs this service, as needed to find it in public registers."""
    organization = context.organization
    head: dict[str, Any] = msgspec.to_builtins(organization_head(context.settings))
    return head | {
        "common_name": organization.common_name,
        "classification": context.say(
            organization.classification,
            organization.classification_es or organization.classification,
        ),
        "is_tax_exempt": organization.is_tax_exempt,
        "accepts_donations": organization.accepts_donations,
        "mission": organization.mission and organization.mission.in_language(context.language),
        "founded_date": organization.founded_date and organization.founded_date.isoformat(),
        "headquarters": _headquarters(organization),
        "phone": organization.phone,
        "domain": organization.domain,
    }


def _members_of(context: RenderContext, struct: msgspec.Struct) -> dict[str, Any]:
    """Return the members of a struct: texts in the document's language, dates as text."""
    members = msgspec.structs.asdict(struct)
    for name, value in members.items():
        if isinstance(value, Both):
            members[name] = value.in_language(context.language)
        elif isinstance(value, date):
            members[name] = value.isoformat()
    return members


def sister_entities(context: RenderContext) -> list[dict[str, Any]]:
    """Return the related organizations."""
    organization = context.organization
    return [
        {
            "legal_name": sister.legal_name,
            "common_name": sister.common_name,
            "ein": sister.ein,
            "classification": context.say(
                sister.classification, organization.classification_es or sister.classification
            ),
            "relationship": context.say(
                sister.relationship, sister.relationship_es or sister.relationship
            ),
            "domain": sister.domain,
            "verify_url": f"{context.settings.url}/api/v1/verify/{sister.ein}",
            "is_fictional": organization.is_fictional,
        }
        for sister in organization.sisters
    ]


def verification(context: RenderContext) -> dict[str, Any]:
    """Return how to verify the organization independently."""
    ein = context.organization.ein
    return {
        "ein": ein,
        "verify_url": f"{context.settings.url}/api/v1/verify/{ein}",
        "registers": verification_urls(ein),
    }


def registers(context: RenderContext) -> list[dict[str, str]]:
    """Return the public registers as a list, for pages."""
    names = {
        "irs_tax_exempt_organization_search": context.say(
            "IRS Tax Exempt Organization Search", "Búsqueda de organizaciones exentas del IRS"
        ),
        "propublica_nonprofit_explorer": "ProPublica Nonprofit Explorer",
        "candid": "Candid (GuideStar)",
        "charity_navigator": "Charity Navigator",
    }
    return [
        {"id": i, "name": names[i], "url": url}
        for i, url in verification_urls(context.organization.ein).items()
    ]


def board(context: RenderContext) -> list[dict[str, Any]]:
    """Return the board."""
    return [_person(context, member) for member in context.organization.board]


def founder(context: RenderContext) -> dict[str, Any] | None:
    """Return the founder of the organization."""
    founder = context.organization.founder
    return _person(context, founder) if founder else None


def _person(context: RenderContext, individual: Person) -> dict[str, Any]:
    return _members_of(context, individual) | {"is_fictional": context.organization.is_fictional}


def _members_of_all(name: str, context: RenderContext) -> list[dict[str, Any]]:
    return [_members_of(context, one) for one in getattr(context.organization, name)]


contacts = partial(_members_of_all, "contacts")
donation_channels = partial(_members_of_all, "donation_channels")
sponsors = partial(_members_of_all, "sponsors")


def policies(context: RenderContext) -> list[dict[str, Any]]:
    """Return the policies, adopted or not."""
    return [
        _members_of(context, policy) | {"is_adopted": policy.adopted_date is not None}
        for policy in context.organization.policies
    ]


def ratings(context: RenderContext) -> list[dict[str, Any]]:
    """Return the ratings of the organization; `rating` is null for agencies without one."""
    return [
        _members_of(context, rating)
        | {
            "is_rated": rating.rating is not None,
            "label": rating.rating or context.say("Not rated", "Sin calificación"),
        }
        for rating in context.organization.ratings
    ]


def financial_years(context: RenderContext) -> list[dict[str, Any]]:
    """Return the fiscal years in whole dollars, newest first; shares of the expenses from 0 to
    1."""
    return [
        _members_of(context, year)
        | {
            "year": str(year.ends.year),
            "expenses": year.expenses,
            "program_share": round(year.program_expenses / year.expenses, 3)
            if year.expenses
            else None,
            "is_fictional": context.organization.is_fictional,
        }
        for year in sorted(context.organization.financial_years, key=lambda y: y.ends, reverse=True)
    ]


def mailing_address(context: RenderContext) -> dict[str, str]:
    """Return the mailing address for letters and checks."""
    organization = context.organization
    return {"name": organization.legal_name, **_headquarters(organization)}


# ---------------------------------------------------------------- giving


def giving_options(context: RenderContext) -> list[dict[str, Any]]:
    """Return the twelve ways of giving, with the steps of each."""
    # Their texts name these figures, so the document has them among its sources.
    for name in ("qcd_cap", "qcd_min_age", "rmd_age", "appreciated_limit_pct"):
        context.facts.find(f"giving.{name}")
    sibling = context.settings.sibling
    options = donor_options(
        context.settings, context.language, context.day, sibling.url if sibling else None
    )
    rows = []
    for key, option in options.items():
        parts = (option.instructions, option.why, option.tax_treatment, option.annual_cap_2026)
        summary = " ".join(part for part in parts if part)
        rows.append({"id": key, **msgspec.to_builtins(option), "summary": summary})
    return rows


def legacy_vehicles(context: RenderContext) -> list[dict[str, Any]]:
    """Return the six planned gifts, with sample language in the organization's own name."""
    vehicles = (
        legacy_giving(context.settings, vehicle, context.language) for vehicle in get_args(Vehicle)
    )
    return [
        {
            "id": v.vehicle,
            "title": v.title,
            "sample_language": v.sample_language,
            "information_to_provide": msgspec.to_builtins(v.information_to_provide),
        }
        for v in vehicles
    ]


def state_tax_benefits(context: RenderContext) -> list[dict[str, Any]]:
    """Return the states known to give a tax benefit for gifts of money, each with its source.
    Other states may give one too."""
    rows = []
    for state in STATES.values():
        fact_id = f"tax_credit.cash.{state.code}"
        if fact_id not in context.facts:
            continue
        is_credit = context.facts.fact(fact_id)["kind"] == "credit_pct"
        rows.append(
            {
                "state": state.code,
                "name": state.names[context.language],
                "kind": context.say("credit", "crédito")
                if is_credit
                else context.say("deduction", "deducción"),
                "rule": context.facts.figure(fact_id),
            }
        )
    return rows
