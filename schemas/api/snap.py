"""The SNAP estimate: request and answer, and the answer for a household. Money in US dollars a
month."""

from typing import Annotated, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from schemas.api.area_help import AreaContact
from schemas.api.common import IsSynthetic

MAX_SIZE, MAX_DOLLARS = 30, 1_000_000

Dollars = Annotated[float, Meta(ge=0, le=MAX_DOLLARS)]
Utility = Literal["heating_cooling", "electricity", "gas", "water", "sewer", "trash", "phone"]
UTILITIES: tuple[Utility, ...] = get_args(Utility)
Size = Annotated[int, Meta(ge=1, le=MAX_SIZE)]
Utilities = Annotated[list[Utility], Meta(max_length=20)]
Month = Annotated[str, Meta(pattern="^[0-9]{4}-[0-9]{2}$")]
AllowanceName = Literal[
    "HEATING_AND_COOLING",
    "BASIC_LIMITED_ALLOWANCE",
    "SINGLE_UTILITY_ALLOWANCE",
    "ELECTRICITY",
    "GAS_AND_FUEL",
    "WATER",
    "SEWAGE",
    "TRASH",
    "PHONE",
    "NONE",
]
AK_AREAS = ("AK_URBAN", "AK_RURAL_1", "AK_RURAL_2")


class Member(Struct):
    """A person of the household."""

    age: Annotated[int, Meta(ge=0, le=120)]
    disabled: bool = False
    pregnant: bool = False


ProgramId = Literal["snap", "expedited_snap", "wic", "school_meals", "sun_bucks", "csfp", "dsnap"]


StateLetters = Annotated[str, Meta(pattern="^[A-Za-z]{2}$")]
ZipCode = Annotated[str, Meta(pattern="^[0-9]{5}(-[0-9]{4})?$")]
Members = Annotated[list[Member], Meta(max_length=MAX_SIZE)]


class SnapRequest(Struct, kw_only=True):
    """A household. Null counts as missing. The names of the 18F prototype are accepted, too."""

    household_size: Size
    state: StateLetters | None = None
    zip: ZipCode | None = None
    monthly_earned_income: Dollars | None = None
    monthly_unearned_income: Dollars | None = None
    monthly_gross_income: Dollars | None = None
    has_elderly_or_disabled: bool | None = None
    all_elderly_or_disabled: bool | None = None
    members: Members | None = None
    has_pregnant_member: bool | None = None
    rent_or_mortgage: Dollars | None = None
    property_tax_and_insurance: Dollars | None = None
    utilities: Utilities | None = None
    utility_costs: Dollars | None = None
    utility_allowance: AllowanceName | None = None
    receives_energy_assistance: bool | None = None
    dependent_care: Dollars | None = None
    medical_expenses: Dollars | None = None
    child_support_paid: Dollars | None = None
    assets: Dollars | None = None
    homeless: bool | None = None
    region: str | None = None
    utility_region: str | None = None
    month: Month | None = None
    lang: Literal["en", "es"] | None = None


class SnapIncome(Struct):
    """Gross: counted income. Net: after every deduction, in whole dollars (7 CFR 273.10(e)(1)(ii))."""  # noqa: E501

    gross: float
    net: int


class SnapDeductions(Struct):
    """Amounts subtracted from income. `utility_allowance` is a part of the shelter costs, not of
    the sum.
    """

    standard: float
    earned_income: float
    dependent_care: float
    child_support: float
    medical: float
    excess_shelter: float
    utility_allowance: float
    utility_allowance_type: Literal["SUA", "LUA", "IUA", "NONE"]
    is_homeless_deduction: bool = False


class SnapTest(Struct):
    """One test of eligibility. `applies` is false if the rules excuse this household from it."""

    name: Literal["gross", "net", "assets", "categorical"]
    limit: float | None
    value: float | None
    passed: bool | None
    applies: bool


class SnapApply(Struct):
    """Application portal and hotline. `as_of`: the day on which portal and hotline were checked."""

    portal_url: str | None
    hotline: str | None
    agency: str | None
    portal_as_of: str | None = None
    hotline_as_of: str | None = None


class NamedSource(Struct):
    title: str
    url: str | None


class OtherProgram(Struct):
    """A program for the same household: a first look, never a decision.

    `likely`: true for probably, null for perhaps, false for probably not; `text` gives the reason,
    `next_step` what to do. `income_limit`: dollars a month, of CSFP a year.
    """

    id: ProgramId
    name: str
    likely: bool | None
    level: Literal["free", "reduced"] | None
    income_limit: int | None
    text: str
    next_step: str
    source: NamedSource


DeniedBy = Literal["gross", "net", "assets", "zero_benefit"]


class SnapEstimate(Struct, rename={"program": "programme"}):
    """An estimate, never a decision. `eligible` is null where there is no SNAP: then there is no
    estimate.

    The interface of the calculator spells `programme`.
    """

    eligible: bool | None
    denied_by: list[DeniedBy]
    estimated_monthly_benefit: int | None
    state_supplement: int | None
    minimum_benefit: int | None
    maximum_benefit: int | None
    fiscal_year: int
    month: str
    state: str
    program: str
    household_size: int
    income: SnapIncome | None
    deductions: SnapDeductions | None
    tests: list[SnapTest]
    explanation: list[str]
    apply: SnapApply
    warnings: list[str]
    warning_texts: list[str]
    other_programs: list[OtherProgram]
    disclaimer: str
    sources: list[NamedSource]
    language: Literal["en", "es"]
    area: str | UnsetType = UNSET
    utility_region: str | UnsetType | None = UNSET


TodayGroup = Literal["open", "usual", "opening_later", "call_first", "for_children"]


class FoodToday(msgspec.Struct, forbid_unknown_fields=True):
    """A place with free food, and when to go."""

    resource_id: int
    name: str
    group: TodayGroup
    when: str | None
    address: str
    phone: str | None
    distance: str | None
    age: str
    url: str


class HouseholdAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """What a household may get, and where there is food today. It promises nothing."""

    programs: list[OtherProgram]
    estimate: SnapEstimate
    today: list[FoodToday] | None
    contacts: list[AreaContact]
    are_disasters_known: bool
    disclaimer: str
    language: Literal["en", "es"]
    is_synthetic: IsSynthetic
    release_id: str | None
