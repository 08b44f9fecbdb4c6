"""Members about the organization, from content/organization.yaml or the operator's file, and about
giving, from the donor service.
"""

from datetime import date
from functools import partial
from typing import Any, get_args

import msgspec

from schemas.api.donors import Vehicle
from schemas.api.organization import Both, Organization, Person, SisterOrganization
from schemas.vocab.states import STATES
from serving.documents.render_context import RenderContext
from serving.donors.donors import donor_options, legacy_giving
from serving.reference.organization import organization_head, verification_urls


def headquarters(organization: Organization) -> dict[str, str]:
    """Return the registered address."""
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
        "mission": localize(context, organization.mission),
        "founded_date": organization.founded_date and organization.founded_date.isoformat(),
        "headquarters": headquarters(organization),
        "phone": organization.phone,
        "domain": organization.domain,
    }


def localize(context: RenderContext, text: Both | None) -> str | None:
    """Return a text of the configuration in the document's language."""
    return text.in_language(context.language) if text else None


def members_of(context: RenderContext, struct: msgspec.Struct) -> dict[str, Any]:
    """Return the members of a struct: texts in the document's language, dates as text."""
    members = msgspec.structs.asdict(struct)
    return {
        name: localize(context, value)
        if isinstance(value, Both)
        else value.isoformat()
        if isinstance(value, date)
        else value
        for name, value in members.items()
    }


def sister_entities(context: RenderContext) -> list[dict[str, Any]]:
    """Return the related organizations."""
    return [_sister(context, sister) for sister in context.organization.sisters]


def _sister(context: RenderContext, sister: SisterOrganization) -> dict[str, Any]:
    return {
        "legal_name": sister.legal_name,
        "common_name": sister.common_name,
        "ein": sister.ein,
        "classification": context.say(
            sister.classification, context.organization.classification_es or sister.classification
        ),
        "relationship": context.say(
            sister.relationship, sister.relationship_es or sister.relationship
        ),
        "domain": sister.domain,
        "verify_url": f"{context.settings.url}/api/v1/verify/{sister.ein}",
        "is_fictional": context.organization.is_fictional,
    }


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
    return [person(context, member) for member in context.organization.board]


def founder(context: RenderContext) -> dict[str, Any] | None:
    """Return the founder of the organization."""
    individual = context.organization.founder
    return person(context, individual) if individual else None


def person(context: RenderContext, individual: Person) -> dict[str, Any]:
    """Return a person with role, words about them and term."""
    return members_of(context, individual) | {"is_fictional": context.organization.is_fictional}


def _members_of_all(name: str, context: RenderContext) -> list[dict[str, Any]]:
    return [members_of(context, one) for one in getattr(context.organization, name)]


contacts = partial(_members_of_all, "contacts")
donation_channels = partial(_members_of_all, "donation_channels")
sponsors = partial(_members_of_all, "sponsors")


def policies(context: RenderContext) -> list[dict[str, Any]]:
    """Return the policies, adopted or not."""
    return [
        members_of(context, policy) | {"is_adopted": policy.adopted_date is not None}
        for policy in context.organization.policies
    ]


def ratings(context: RenderContext) -> list[dict[str, Any]]:
    """Return the ratings of the organization; `rating` is null for agencies without one."""
    return [
        members_of(context, rating)
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
        members_of(context, year)
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
    return {"name": organization.legal_name, **headquarters(organization)}


# ---------------------------------------------------------------- giving


def giving_options(context: RenderContext) -> list[dict[str, Any]]:
    """Return the twelve ways of giving, with the steps of each."""
    for fact_id in (
        "giving.qcd_cap",
        "giving.qcd_min_age",
        "giving.rmd_age",
        "giving.appreciated_limit_pct",
    ):
        context.facts.find(fact_id)
    sibling = context.settings.sibling
    options = donor_options(
        context.settings, context.language, context.day, sibling.url if sibling else None
    )
    return [
        {"id": key, **msgspec.to_builtins(option), "summary": _summary(option)}
        for key, option in options.items()
    ]


def _summary(option: Any) -> str:
    """Return a page's text on an option."""
    parts = (option.instructions, option.why, option.tax_treatment, option.annual_cap_2026)
    return " ".join(part for part in parts if part)


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
    """Return states known to give a tax benefit for gifts of money, each with its source. A
    state that is not named may give one too."""
    rows = []
    for state in STATES.values():
        fact_id = f"tax_credit.cash.{state.code}"
        if fact_id in context.facts:
            kind = context.facts.fact(fact_id)["kind"]
            name = state.names[context.language]
            credit = (
                context.say("credit", "crédito")
                if kind == "credit_pct"
                else context.say("deduction", "deducción")
            )
            rows.append(
                {
                    "state": state.code,
                    "name": name,
                    "kind": credit,
                    "rule": context.facts.figure(fact_id),
                }
            )
    return rows
