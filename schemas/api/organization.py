"""The organization that runs an instance, as documents show it and as its file gives it
(docs/adopting.md)."""

from datetime import date
from typing import Annotated

import msgspec

from schemas.api.common import City, Problem, Zip
from schemas.descriptions import describe

Ein = Annotated[
    str,
    describe(
        "Employer Identification Number. Numbers that begin with 00 are never issued: they mark "
        "an example.",
        "00-0000000",
        pattern=r"^[0-9]{2}-[0-9]{7}$",
    ),
]
Slug = Annotated[str, describe("Name that does not change.", pattern=r"^[a-z0-9]+(_[a-z0-9]+)*$")]
Link = Annotated[
    str, describe("Full address, or a path of this service.", pattern=r"^(https://|/)\S+$")
]


class Both(msgspec.Struct, forbid_unknown_fields=True):
    """A text in English and Spanish."""

    en: str
    es: str

    def in_language(self, language: str) -> str:
        return self.es if language == "es" else self.en


class SisterOrganization(msgspec.Struct, forbid_unknown_fields=True):
    """An organization related to the primary one."""

    legal_name: str
    common_name: str
    ein: Ein
    classification: str
    relationship: str
    domain: str
    relationship_es: str = ""


class Person(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A person responsible for the organization. `term_ends` is for the board."""

    name: str
    role: Both
    about: Both | None = None
    term_ends: date | None = None
    is_independent: bool | None = None


class ContactPoint(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Contact for a topic."""

    id: Slug
    purpose: Both
    email: str
    phone: str | None = None
    answers_within_days: Annotated[int, msgspec.Meta(ge=1)] | None = None


class Policy(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A policy of the organization; without `adopted_date` it is not adopted yet."""

    id: Slug
    title: Both
    summary: Both
    adopted_date: date | None = None
    url: Link | None = None


class Rating(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Rating by a charity evaluator; `rating` is null if there is none yet."""

    rater: str
    url: Link
    what: Both
    rating: str | None = None
    rated_date: date | None = None


class FinancialYear(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A fiscal year as on the Form 990, in whole US dollars."""

    ends: date
    revenue: int
    program_expenses: int
    management_expenses: int
    fundraising_expenses: int
    net_assets: int
    is_audited: bool = False
    form_990_url: Link | None = None

    @property
    def expenses(self) -> int:
        return self.program_expenses + self.management_expenses + self.fundraising_expenses


class DonationChannel(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A way to give. `is_open` is false until it really takes gifts."""

    id: Slug
    name: Both
    instructions: Both
    is_open: bool = False
    url: Link | None = None


class Sponsor(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A sponsor of the service: what it gives, and since when."""

    name: str
    gives: Both
    since: date | None = None
    url: Link | None = None


class Organization(msgspec.Struct, forbid_unknown_fields=True):
    """All facts about the organization that runs this instance; the shipped ones are invented."""

    is_fictional: bool
    legal_name: str
    common_name: str
    ein: Ein
    classification: str
    address: str
    city: str
    state: Annotated[str, msgspec.Meta(pattern="^[A-Z]{2}$")]
    zip: Annotated[str, msgspec.Meta(pattern="^[0-9]{5}$")]
    phone: str
    email: str
    domain: str
    sisters: list[SisterOrganization] = []
    classification_es: str = ""
    mission: Both | None = None
    founded_date: date | None = None
    is_tax_exempt: bool = False
    accepts_donations: bool = False
    founder: Person | None = None
    board: list[Person] = []
    contacts: list[ContactPoint] = []
    policies: list[Policy] = []
    ratings: list[Rating] = []
    financial_years: list[FinancialYear] = []
    donation_channels: list[DonationChannel] = []
    sponsors: list[Sponsor] = []
    security_contact_checked: date | None = None
    """Day when someone last checked that the security contact answers. security.txt is valid
    from that day."""


class OrganizationHead(msgspec.Struct, forbid_unknown_fields=True):
    """The organization as most documents name it."""

    name: str
    legal_name: str
    ein: Ein
    email: str
    url: str
    is_fictional: bool
    note: str | None


Publisher = Annotated[OrganizationHead, describe("The organization that publishes the figures.")]


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
    """The problem for a well-formed EIN of another organization, with the official lookup."""

    query: EinQuery | None = None
    result: EinResult | None = None
    hint_url: str | None = None
