"""The SNAP estimate: request and answer. Money in US dollars a month."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from schemas.descriptions import describe

MAX_SIZE, MAX_DOLLARS = 30, 1_000_000

Dollars = Annotated[float, Meta(ge=0, le=MAX_DOLLARS)]
Utility = Literal["heating_cooling", "electricity", "gas", "water", "sewer", "trash", "phone"]
UTILITIES: tuple[Utility, ...] = (
    "heating_cooling",
    "electricity",
    "gas",
    "water",
    "sewer",
    "trash",
    "phone",
)
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


def _about(text: str) -> Meta:
    return describe(text)


class Member(Struct):
    """A person of the household."""

    age: Annotated[int, describe("Age in years.", ge=0, le=120)]
    disabled: Annotated[bool, _about("Gets a disability benefit that SNAP recognizes.")] = False
    pregnant: Annotated[bool, _about("Pregnant; used for WIC only.")] = False


ProgramId = Literal["snap", "expedited_snap", "wic", "school_meals", "sun_bucks", "csfp", "dsnap"]


StateLetters = Annotated[str, Meta(pattern="^[A-Za-z]{2}$")]
ZipCode = Annotated[str, Meta(pattern="^[0-9]{5}(-[0-9]{4})?$")]
Members = Annotated[list[Member], Meta(max_length=MAX_SIZE)]


class SnapRequest(Struct, kw_only=True):
    """A household. Null is the same as left out. The names of the 18F prototype are taken too."""

    household_size: Annotated[Size, _about("People who buy and cook food together.")]
    state: Annotated[
        StateLetters | None,
        _about("Two letters. Needed unless `zip` is sent. Also `state_or_territory`."),
    ] = None
    zip: Annotated[ZipCode | None, _about("ZIP code; names the state.")] = None
    monthly_earned_income: Annotated[
        Dollars | None, _about("Wages and self-employment before taxes. Also `monthly_job_income`.")
    ] = None
    monthly_unearned_income: Annotated[
        Dollars | None,
        _about(
            "Social Security, unemployment, pensions, support received. Also `monthly_non_job_income`."
        ),
    ] = None
    monthly_gross_income: Annotated[
        Dollars | None,
        _about(
            "All income, where it is not known how much is earned: counted as unearned, with a warning. Also `gross_monthly_income`."
        ),
    ] = None
    has_elderly_or_disabled: Annotated[
        bool | None,
        _about(
            "Somebody is 60 or older or disabled. Also `household_includes_elderly_or_disabled`."
        ),
    ] = None
    all_elderly_or_disabled: Annotated[
        bool | None, _about("Everybody is 60 or older or disabled.")
    ] = None
    members: Annotated[
        Members | None,
        _about(
            "Ages, for the rules on elderly people and for WIC, school meals, SUN Bucks and CSFP."
        ),
    ] = None
    has_pregnant_member: Annotated[
        bool | None, _about("Somebody is pregnant; used for WIC only.")
    ] = None
    rent_or_mortgage: Annotated[Dollars | None, _about("Rent or mortgage.")] = None
    property_tax_and_insurance: Annotated[
        Dollars | None,
        _about("Property tax and home insurance. Also `homeowners_insurance_and_taxes`."),
    ] = None
    utilities: Annotated[Utilities | None, _about("What the household pays for itself.")] = None
    utility_costs: Annotated[
        Dollars | None,
        _about("Actual utility costs; used only where the place has no standard allowance."),
    ] = None
    utility_allowance: Annotated[
        AllowanceName | None, _about("An allowance by its 18F name, instead of `utilities`.")
    ] = None
    receives_energy_assistance: Annotated[
        bool | None, _about("Got energy assistance of more than 20 dollars in the last year.")
    ] = None
    dependent_care: Annotated[
        Dollars | None,
        _about(
            "Care of a child or disabled adult, needed for work or training. Also `dependent_care_costs`."
        ),
    ] = None
    medical_expenses: Annotated[
        Dollars | None,
        _about(
            "Unreimbursed medical costs of elderly or disabled members. Also "
            "`medical_expenses_for_elderly_or_disabled`."
        ),
    ] = None
    child_support_paid: Annotated[
        Dollars | None,
        _about(
            "Court-ordered child support paid to somebody outside. Also `court_ordered_child_support_payments`."
        ),
    ] = None
    assets: Annotated[
        Dollars | None,
        _about(
            "Countable resources; without it the asset test is left out, with a warning. Also `resources`."
        ),
    ] = None
    homeless: Annotated[bool | None, _about("The household has no home of its own.")] = None
    region: Annotated[
        str | None,
        _about(
            "Area of Alaska (AK_URBAN, AK_RURAL_1, AK_RURAL_2), or a region of the utility tables of Alaska and New York, such as NY_NYC."
        ),
    ] = None
    utility_region: Annotated[
        str | None,
        _about(
            "Region of the utility tables, such as AK_SC, where `region` names the area of Alaska."
        ),
    ] = None
    month: Annotated[
        Month | None, _about("Month of the benefit, YYYY-MM; without it the current month (UTC).")
    ] = None
    lang: Annotated[
        Literal["en", "es"] | None, _about("Language of the answer. Also `language`.")
    ] = None


class SnapIncome(Struct):
    """Gross: counted income. Net: after every deduction, in whole dollars (7 CFR 273.10(e)(1)(ii))."""

    gross: Annotated[float, describe("Gross income, dollars a month.")]
    net: Annotated[int, describe("Net income, dollars a month.")]


class SnapDeductions(Struct):
    """Amounts subtracted from income. `utility_allowance` is a part of the shelter costs, not of
    the sum.
    """

    standard: Annotated[float, describe("Standard deduction.")]
    earned_income: Annotated[float, describe("Share of earned income.")]
    dependent_care: Annotated[float, describe("Care of dependents.")]
    child_support: Annotated[float, describe("Child support paid.")]
    medical: Annotated[float, describe("Medical costs of elderly or disabled members.")]
    excess_shelter: Annotated[float, describe("Costs of the home above half of the income left.")]
    utility_allowance: Annotated[float, describe("Allowance for utilities.")]
    utility_allowance_type: Annotated[
        Literal["SUA", "LUA", "IUA", "NONE"],
        describe("Which allowance: standard, limited, one utility, or none."),
    ]
    is_homeless_deduction: Annotated[
        bool, describe("Whether the deduction of homeless households was used.")
    ] = False


class SnapTest(Struct):
    """One test of eligibility. `applies` is false if the rules excuse this household from it."""

    name: Annotated[Literal["gross", "net", "assets", "categorical"], describe("Which test.")]
    limit: Annotated[float | None, describe("Its limit in dollars; null without one.")]
    value: Annotated[
        float | None, describe("The household's figure in dollars; null where it is not known.")
    ]
    passed: Annotated[
        bool | None, describe("Whether the household passes; null where that is not known.")
    ]
    applies: Annotated[bool, describe("Whether the test applies to the household.")]


class SnapApply(Struct):
    """Application portal and hotline. `as_of`: the day on which portal and hotline were checked."""

    portal_url: Annotated[str | None, describe("Where to apply online; null where none is known.")]
    hotline: Annotated[str | None, describe("Phone number to ask; null where none is known.")]
    agency: Annotated[str | None, describe("Agency that decides.")]
    portal_as_of: Annotated[str | None, describe("Day on which the address was checked.")] = None
    hotline_as_of: Annotated[str | None, describe("Day on which the number was checked.")] = None


class NamedSource(Struct):
    title: Annotated[str, describe("Title.")]
    url: Annotated[str | None, describe("Address; null where it has none.")]


class OtherProgram(Struct):
    """A program for the same household: a first look, never a decision.

    `likely`: true for probably, null for perhaps, false for probably not; `text` gives the reason,
    `next_step` what to do. `income_limit`: dollars a month, of CSFP a year.
    """

    id: Annotated[ProgramId, describe("Id of the program.")]
    name: Annotated[str, describe("Name of the program.")]
    likely: Annotated[
        bool | None,
        describe("Whether the household probably qualifies; null where the facts do not say."),
    ]
    level: Annotated[
        Literal["free", "reduced"] | None, describe("Of school meals: free or at a reduced price.")
    ]
    income_limit: Annotated[
        int | None,
        describe("Limit of income in dollars: a month, of CSFP a year; null without one."),
    ]
    text: Annotated[str, describe("In words, why.")]
    next_step: Annotated[str, describe("What to do.")]
    source: Annotated[NamedSource, describe("Source of the rule.")]


class SnapEstimate(Struct):
    """An estimate, never a decision. With `eligible` null no number can be given: the place has no
    SNAP.
    """

    eligible: Annotated[
        bool | None, describe("Whether the household seems eligible; null where there is no SNAP.")
    ]
    estimated_monthly_benefit: Annotated[
        int | None, describe("Dollars a month; null where there is no SNAP.")
    ]
    minimum_benefit: Annotated[
        int | None, describe("Least benefit of such a household, dollars a month.")
    ]
    maximum_benefit: Annotated[
        int | None, describe("Greatest benefit of such a household, dollars a month.")
    ]
    fiscal_year: Annotated[int, describe("Federal fiscal year of the figures.")]
    month: Annotated[str, describe("Month of the figures.")]
    state: Annotated[str, describe("State or territory code.")]
    programme: Annotated[str, describe("Name of the program in the state.")]
    household_size: Annotated[int, describe("People in the household who count.")]
    income: Annotated[
        SnapIncome | None, describe("Income that counts; null where there is no SNAP.")
    ]
    deductions: Annotated[
        SnapDeductions | None, describe("Deductions; null where there is no SNAP.")
    ]
    tests: Annotated[list[SnapTest], describe("The tests of income and assets.")]
    explanation: Annotated[
        list[str], describe("Each step in words, with its paragraph of the regulation.")
    ]
    apply: Annotated[SnapApply, describe("Where to apply.")]
    warnings: Annotated[list[str], describe("Codes of what limits the estimate.")]
    warning_texts: Annotated[list[str], describe("The same in words.")]
    other_programs: Annotated[list[OtherProgram], describe("Other programs that may help.")]
    disclaimer: Annotated[str, describe("What the answer does not promise.")]
    sources: Annotated[list[NamedSource], describe("Where the facts come from.")]
    language: Annotated[Literal["en", "es"], describe("Language of the texts.")]
    area: Annotated[str | UnsetType, describe("Area within the state whose figures were used.")] = (
        UNSET
    )
    utility_region: Annotated[
        str | UnsetType | None, describe("Region whose allowance for utilities was used.")
    ] = UNSET
