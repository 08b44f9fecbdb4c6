"""Answers of the sibling service about giving. No answer is tax advice, and each says so."""

from datetime import date
from typing import Annotated, Literal

import msgspec

from schemas.api.common import SAYS_SOMETHING
from schemas.descriptions import describe

Cadence = Literal["once", "monthly"]
Filing = Literal["single", "married_joint", "head_of_household"]
Vehicle = Literal[
    "qcd",
    "bequest",
    "retirement_account_beneficiary",
    "life_insurance_beneficiary",
    "charitable_remainder_trust",
    "charitable_lead_trust",
]
OptionKey = Literal[
    "card_ach_apple_pay",
    "check_by_mail",
    "donor_advised_fund",
    "crypto",
    "stock",
    "qcd_ira",
    "corporate_match",
    "bequest",
    "retirement_beneficiary",
    "life_insurance_beneficiary",
    "charitable_remainder_trust",
    "charitable_lead_trust",
]
Note = Annotated[str, describe("What this is not: tax or legal advice.")]


class FigureSource(msgspec.Struct, forbid_unknown_fields=True):
    """Source of a figure, with its date."""

    title: str
    url: str | None
    as_of: date


class TaxId(msgspec.Struct, forbid_unknown_fields=True):
    """Tax details that a form requires."""

    legal_name: str
    ein: str


class DonorOption(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One way of giving; each uses some of the members."""

    name: str
    action_url: str | None = None
    recurring_supported: bool | None = None
    tax_receipt: str | None = None
    instructions: str | None = None
    why: str | None = None
    related_endpoint: str | None = None
    payable_to: str | None = None
    memo_line: str | None = None
    mailing_address: str | None = None
    tax_acknowledgment: str | None = None
    search_term_for_portal: str | None = None
    tax_treatment: str | None = None
    contact_email: str | None = None
    contact_phone: str | None = None
    annual_cap_2026: str | None = None
    search_term: str | None = None
    contact_for_setup: str | None = None
    sample_language: str | None = None
    information_to_provide: TaxId | None = None
    is_open: bool | None = None
    note: str | None = None


class DonorOrganization(msgspec.Struct, forbid_unknown_fields=True):
    """Organization that would receive a gift."""

    legal_name: str
    doing_business_as: str
    ein: str
    tax_status: str
    address: str
    is_fictional: bool


class DonorDocument(msgspec.Struct, forbid_unknown_fields=True):
    """Every way of giving with what a donor needs for it."""

    language: str
    organization: DonorOrganization
    important: str
    options: dict[OptionKey, DonorOption]
    next_calls: list[str]
    discovery: str
    cached_seconds: int
    note: Note
    sources: list[FigureSource]


class DonorIntent(msgspec.Struct, forbid_unknown_fields=True):
    """The way of giving that was meant."""

    success: bool
    query: str
    intent: OptionKey | None
    matched: str | None
    language: str
    option: DonorOption | None
    message: str | None
    note: Note


class IntentQuestion(msgspec.Struct):
    """A wish in one's own words."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=500, pattern=SAYS_SOMETHING)]


class DonorImpact(msgspec.Struct, forbid_unknown_fields=True):
    """Food that an amount buys at a public price."""

    success: bool
    amount: float
    cadence: Cadence
    yearly_amount: float
    tier: str
    tier_name: str
    person_days_of_food: float
    message: str
    method: str
    source: FigureSource


class EmployerMatch(msgspec.Struct, forbid_unknown_fields=True):
    """An employer's program to match gifts, as far as known."""

    success: bool
    employer: str
    is_known: bool
    multiplier: float | None
    match_per_dollar: float | None
    yearly_limit: int | None
    described_year: int | None
    message: str
    steps: list[str]
    source: FigureSource | None


class StateTaxCredit(msgspec.Struct, forbid_unknown_fields=True):
    """State tax credit for a cash gift to a food bank."""

    success: bool
    state: str
    state_name: str
    gift: float
    filing: Filing
    has_benefit: bool
    kind: Literal["credit", "subtraction"] | None
    savings: float | None
    cap: float | None
    tax_year: int | None
    statute: str | None
    form: str | None
    message: str
    limits: list[str]
    note: Note
    source: FigureSource | None


class LegacyGiving(msgspec.Struct, forbid_unknown_fields=True):
    """Sample language for a planned gift."""

    success: bool
    vehicle: Vehicle
    title: str
    sample_language: str
    information_to_provide: TaxId
    limits: list[str]
    note: Note
    language: str
