"""Lookup of an EIN of the organization or a related one."""

from typing import Annotated

import msgspec

from schemas.api.problem import Problem
from schemas.descriptions import describe


class Headquarters(msgspec.Struct, forbid_unknown_fields=True):
    """Registered seat of an organization."""

    address: Annotated[str | None, describe("Street address.")]
    city: Annotated[str | None, describe("City or town.")]
    state: Annotated[str | None, describe("State or territory code.")]
    zip: Annotated[str | None, describe("ZIP code.")]
    country: Annotated[str | None, describe("Country.")]


class EinQuery(msgspec.Struct, forbid_unknown_fields=True):
    """The request."""

    ein: Annotated[str, describe("The EIN as requested.")]
    ein_normalized: Annotated[str, describe("Two digits, a hyphen, seven digits.", "00-0000000")]


class EinResult(msgspec.Struct, forbid_unknown_fields=True):
    """Facts about the EIN. For an unknown EIN the texts are empty."""

    is_this_org: Annotated[
        bool, describe("True for the organization that runs this service and for its sisters.")
    ]
    is_primary: Annotated[bool, describe("True for the organization that runs this service.")]
    name: Annotated[str, describe("Registered name; empty for an unknown EIN.")]
    common_name: Annotated[str, describe("Name in use.")]
    ein: Annotated[str, describe("Employer Identification Number.")]
    classification: Annotated[str, describe("Section of the tax code.")]
    relationship: Annotated[str | None, describe("What a sister does.")]
    headquarters: Annotated[Headquarters, describe("Address of the organization.")]
    verification_urls: Annotated[
        dict[str, str], describe("Public registers where the EIN can be looked up.")
    ]
    is_fictional: Annotated[bool, describe("True for an example: the organization does not exist.")]


class IdentityCard(msgspec.Struct, forbid_unknown_fields=True):
    """The answer for an EIN that is known."""

    query: Annotated[EinQuery, describe("What was asked.")]
    result: Annotated[EinResult, describe("The organization.")]


class UnknownEin(Problem):
    """The problem for an EIN that is well formed but none of ours, with where to look it up."""

    query: Annotated[EinQuery | None, describe("What was asked.")] = None
    result: Annotated[EinResult | None, describe("Always null.")] = None
    hint_url: Annotated[str | None, describe("Official lookup of tax-exempt organizations.")] = None
