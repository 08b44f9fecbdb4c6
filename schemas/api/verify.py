"""Lookup of an EIN of the organization or a related one."""

import msgspec

from schemas.api.common import City, Zip
from schemas.api.problem import Problem


class Headquarters(msgspec.Struct, forbid_unknown_fields=True):
    """Registered seat of an organization."""

    address: str | None
    city: City
    state: str | None
    zip: Zip
    country: str | None


class EinQuery(msgspec.Struct, forbid_unknown_fields=True):
    """The request."""

    ein: str
    ein_normalized: str


class EinResult(msgspec.Struct, forbid_unknown_fields=True):
    """Facts about the EIN. For an unknown EIN the texts are empty."""

    is_this_org: bool
    is_primary: bool
    name: str
    common_name: str
    ein: str
    classification: str
    relationship: str | None
    headquarters: Headquarters
    verification_urls: dict[str, str]
    is_fictional: bool


class IdentityCard(msgspec.Struct, forbid_unknown_fields=True):
    """The answer for an EIN that is known."""

    query: EinQuery
    result: EinResult


class UnknownEin(Problem):
    """The problem for an EIN that is well formed but none of ours, with where to look it up."""

    query: EinQuery | None = None
    result: EinResult | None = None
    hint_url: str | None = None
