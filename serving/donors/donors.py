"""Information for donors: ways of giving, sample language, the value of an amount, employers'
matches, state tax credits for gifts to a food bank."""

import re
from datetime import UTC, date, datetime
from functools import cache, partial
from importlib import resources
from typing import Annotated, Any, Literal

import msgspec
from litestar import Controller, get, post
from litestar.params import JSONBody
from litestar.types import Scope

from schemas.api import donors as shapes
from schemas.api.common import SAYS_SOMETHING
from schemas.api.donors import Filing, StateTaxCredit
from schemas.api.organization import Organization
from schemas.values.names import fold_name
from schemas.vocab.states import STATE_CODES, STATES
from serving.context import context_of
from serving.http.answers import DAY, HOUR, Answer, json_answer
from serving.http.errors import ServiceProblem, invalid
from serving.http.openapi import answers
from serving.http.parameters import query
from serving.reference.organization import organization_of
from serving.reference.policy import FactNotInForce, FactsOn, FactValue
from serving.render.formats import money, number, percent
from serving.render.words import Language, Words, words
from serving.search.language.text import language_of, tokens_of
from serving.settings import Settings

PATH = "/api/donor-information.json"
# Options whose paperwork asks for name and EIN.
_WITH_TAX_ID = {
    "donor_advised_fund",
    "corporate_match",
    "bequest",
    "retirement_beneficiary",
    "life_insurance_beneficiary",
    "charitable_remainder_trust",
    "charitable_lead_trust",
}
_LEGACY_OF: dict[str, shapes.Vehicle] = {
    "qcd_ira": "qcd",
    "bequest": "bequest",
    "retirement_beneficiary": "retirement_account_beneficiary",
    "life_insurance_beneficiary": "life_insurance_beneficiary",
    "charitable_remainder_trust": "charitable_remainder_trust",
    "charitable_lead_trust": "charitable_lead_trust",
}
# Addresses of the service for donors that say more about an option.
_ENDPOINTS: dict[str, str] = {
    **{key: f"/api/legacy-giving?vehicle={vehicle}" for key, vehicle in _LEGACY_OF.items()},
    "corporate_match": "/api/donor/employer-match?employer={employer}",
}
_DAYS_OF_A_MONTH = 30


def address_of(organization: Organization) -> str:
    """Format a mailing address on one line."""
    return f"{organization.address}, {organization.city}, {organization.state} {organization.zip}"


def source_of(fact: FactValue) -> shapes.FigureSource:
    """Return the source of a figure for an answer."""
    return shapes.FigureSource(fact.source_title, fact.source_url, fact.as_of)


def _names(organization: Organization) -> dict[str, str]:
    return {
        "legal_name": organization.legal_name,
        "ein": organization.ein,
        "address": address_of(organization),
    }


def donor_document(settings: Settings, language: Language, today: date) -> shapes.DonorDocument:
    """Return every option. Raises LookupError when a figure is missing from content/facts."""
    organization, w = organization_of(settings), words("donors", language)
    status = "open" if organization.is_tax_exempt else "none"
    facts = FactsOn(today)
    return shapes.DonorDocument(
        language="es-US" if language == "es" else "en-US",
        organization=shapes.DonorOrganization(
            organization.legal_name,
            organization.common_name,
            organization.ein,
            w.tax_status[status],
            address_of(organization),
            organization.is_fictional,
        ),
        important=w.important.format(**_names(organization)),
        options=donor_options(settings, language, today, settings.url),
        next_calls=[line.format(base=settings.url) for line in w.next_calls],
        discovery=f"{settings.url}/api/discovery",
        cached_seconds=DAY,
        note=w.not_advice,
        sources=[
            source_of(facts[name])
            for name in ("giving.qcd_cap", "giving.appreciated_limit_pct")
            if name in facts
        ],
    )


def donor_options(
    settings: Settings, language: Language, today: date, donors_url: str | None
) -> dict[shapes.OptionKey, shapes.DonorOption]:
    """Return the twelve options by key, in the order of the interface.

    `donors_url` is the address of the service for donors, None without one.
    """
    w = words("donors", language)
    return {key: _option(settings, w, key, today, donors_url) for key, _ in w.options.items()}


def _option(
    settings: Settings, w: Words, key: str, today: date, donors_url: str | None
) -> shapes.DonorOption:
    organization, own = organization_of(settings), w.options[key]
    channel = next((c for c in organization.donation_channels if c.id == key), None)
    is_open = organization.accepts_donations and channel is not None and channel.is_open
    figures = _figures(today)
    texts = {
        name: text.format(**figures)
        for name, text in own.items()
        if not name.startswith("annual_cap")
    }
    note = w.fictional if organization.is_fictional else None if is_open else w.not_open
    option = shapes.DonorOption(**texts, is_open=is_open, note=note)
    if channel is not None and channel.url:
        option.action_url = channel.url if "://" in channel.url else settings.url + channel.url
    if key in _WITH_TAX_ID:
        option.information_to_provide = shapes.TaxId(organization.legal_name, organization.ein)
    if key in _LEGACY_OF:
        option.sample_language = w.legacy[_LEGACY_OF[key]].format(**_names(organization))
    if donors_url and key in _ENDPOINTS:
        option.related_endpoint = donors_url + _ENDPOINTS[key]
    if key == "qcd_ira":
        option.annual_cap_2026 = (
            own.annual_cap.format(**figures) if figures["qcd_cap"] else own.annual_cap_unknown
        )
    elif key == "card_ach_apple_pay":
        option.recurring_supported = True
    elif key == "check_by_mail":
        option.payable_to = organization.legal_name
        option.mailing_address = address_of(organization)
    elif key == "donor_advised_fund":
        option.search_term_for_portal = organization.ein
    elif key == "corporate_match":
        option.search_term = organization.ein
    elif key in {"crypto", "stock"}:
        option.contact_email, option.contact_phone = organization.email, organization.phone
    elif key.startswith("charitable_"):
        option.contact_for_setup = organization.email
    return option


def _figures(today: date) -> dict[str, Any]:
    """Return figures that the words of the options name; the limit of a year that is not known
    is empty."""
    facts = FactsOn(today)
    try:
        cap = money(facts.value("giving.qcd_cap"), "en")
    except FactNotInForce:
        cap = ""
    return {
        "qcd_cap": cap,
        "year": today.year,
        "qcd_age": number(facts.value("giving.qcd_min_age"), "en", 1),
        "rmd_age": facts.value("giving.rmd_age"),
        "appreciated_pct": facts.value("giving.appreciated_limit_pct"),
    }


# ---------------------------------------------------------------- a wish in words


@cache
def _phrases() -> list[tuple[re.Pattern[str], str, str]]:
    """Return pattern, phrase and option, the longest phrase first."""
    file = resources.files("content") / "language" / "giving.yaml"
    by_option: dict[str, list[str]] = msgspec.yaml.decode(file.read_bytes())
    pairs = [
        (fold_name(str(phrase)), key) for key, phrases in by_option.items() for phrase in phrases
    ]
    pairs.sort(key=lambda pair: (-len(pair[0]), pair[0]))
    return [
        (re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)"), phrase, key) for phrase, key in pairs
    ]


def classify(text: str) -> tuple[str, str] | None:
    """Return option and matching words; the longest phrase wins, then the first in the text."""
    folded = " ".join(fold_name(text).split())
    for pattern, phrase, key in _phrases():
        if pattern.search(folded):
            return key, phrase
    return None


def donor_intent(
    settings: Settings, text: str, language: Language, today: date
) -> shapes.DonorIntent:
    """Return the option that a text means."""
    w, match = words("donors", language), classify(text)
    option = _option(settings, w, match[0], today, settings.url) if match else None
    key: Any = match[0] if match else None
    return shapes.DonorIntent(
        success=match is not None,
        query=text,
        intent=key,
        matched=match[1] if match else None,
        language=language,
        option=option,
        message=None if match else w.intent_unknown,
        note=w.not_advice,
    )


# ---------------------------------------------------------------- worth of an amount


def donor_impact(
    amount: float, cadence: shapes.Cadence, language: Language, today: date
) -> shapes.DonorImpact:
    """Return an amount in days of food, by the largest SNAP allotment, which is USDA's Thrifty
    Food Plan (7 CFR 273.10(e)(4))."""
    w, facts = words("donors", language).impact, FactsOn(today)
    allotment = facts.find("snap.max_allotment", "contiguous", 1)
    family = facts.value("snap.max_allotment", "contiguous", 4)
    exact = amount * _DAYS_OF_A_MONTH / allotment.value
    # Up to ten days the fraction says something; one day and less is counted in meals.
    days, meals = round(exact, 1) if exact < 10 else int(exact), round(3 * exact)
    is_small = exact < 1.5
    # The largest thing that the amount pays for.
    least = {
        "families": 2 * family,
        "family": family,
        "month": allotment.value,
        "week": allotment.value * 7 / _DAYS_OF_A_MONTH,
        "day": 0,
    }
    tier = next(name for name, price in least.items() if amount >= price)
    values = {
        "amount": money(amount, language),
        "meals": w.meals["more" if meals > 1 else "one" if meals else "part"].format(count=meals),
        "person_days": number(days, language),
        "yearly_days": number(int(12 * amount * _DAYS_OF_A_MONTH / allotment.value), language),
    }
    return shapes.DonorImpact(
        success=True,
        amount=amount,
        cadence=cadence,
        yearly_amount=round(amount * 12, 2) if cadence == "monthly" else amount,
        tier=tier,
        tier_name=w.tiers[tier],
        person_days_of_food=days,
        message=w[f"{cadence}_small" if is_small else cadence].format(**values),
        method=w.method.format(allotment=money(allotment.value, language), days=_DAYS_OF_A_MONTH),
        source=source_of(allotment),
    )


# ---------------------------------------------------------------- employers, planned gifts


def employer_match(
    settings: Settings, employer: str, language: Language, today: date
) -> shapes.EmployerMatch:
    """Describe an employer's program with the year of its source, or say how to ask if none is
    known."""
    w, programs = words("donors", language).match, FactsOn(today).get("employer_match.programs")
    folded = " ".join(fold_name(employer).split())
    by_name = programs.value if programs else {}
    program = next((p for name, p in by_name.items() if folded in {name, *p["other_names"]}), None)
    steps = [step.format(ein=organization_of(settings).ein) for step in w.steps]
    if program is None or programs is None:
        known = ", ".join(f"{p['name']} ({p['year']})" for p in by_name.values())
        message = w.unknown.format(
            employer=employer, known=w.no_list.format(known=known) if known else ""
        )
        return shapes.EmployerMatch(
            True, employer, False, None, None, None, None, message, steps, None
        )
    per_dollar, year = program["dollars_per_dollar"], program["year"]
    limit = w.limit.format(limit=money(program["yearly_limit"], language))
    message = w.known.format(
        employer=program["name"],
        year=year,
        age=today.year - year,
        ratio=money(per_dollar, language),
        limit=limit,
    )
    return shapes.EmployerMatch(
        True,
        program["name"],
        True,
        1 + per_dollar,
        per_dollar,
        program["yearly_limit"],
        year,
        message,
        steps,
        source_of(programs),
    )


def legacy_giving(
    settings: Settings, vehicle: shapes.Vehicle, language: Language
) -> shapes.LegacyGiving:
    """Return sample language of one vehicle, with the organization's own name and EIN."""
    w, organization = words("donors", language), organization_of(settings)
    limits = [w.legacy_limit, *([w.fictional] if organization.is_fictional else [])]
    return shapes.LegacyGiving(
        success=True,
        vehicle=vehicle,
        title=w.legacy_titles[vehicle],
        sample_language=w.legacy[vehicle].format(**_names(organization)),
        information_to_provide=shapes.TaxId(organization.legal_name, organization.ein),
        limits=limits,
        note=w.not_advice,
        language=language,
    )


def state_tax_credit(
    state: str, gift: float, filing: Filing, language: Language, today: date
) -> StateTaxCredit:
    """Return the saving by the state's rule: a share of the gift up to a cap, or a subtraction
    at the state's rate."""
    w, facts, fact_id = words("donors", language), FactsOn(today), f"tax_credit.cash.{state}"
    name = STATES[state].names[language]
    values = {"state": name, "gift": money(gift, language)}
    answer = StateTaxCredit(
        success=True,
        state=state,
        state_name=name,
        gift=gift,
        filing=filing,
        has_benefit=False,
        kind=None,
        savings=0.0,
        cap=None,
        tax_year=None,
        statute=None,
        form=None,
        message=w.credit.none.format(**values),
        limits=[],
        note=w.not_advice,
        source=None,
    )
    if fact_id not in facts:
        return answer
    fact = facts[fact_id]
    rule: dict[str, Any] = fact.value
    answer.source = source_of(fact)
    answer.tax_year = rule.get("tax_year", rule.get("rate_year"))
    answer.statute = rule.get("statute")
    answer.form = rule.get("form")
    if rule.get("food_related") is False:
        answer.message = w.credit.not_food.format(**values)
        return answer
    answer.has_benefit, answer.limits = True, list(w.credit.limits)
    answer.kind, answer.savings, answer.cap = _saving(rule, gift, filing)
    if answer.kind == "credit":
        answer.message = w.credit.credit.format(
            **values,
            pct=percent(rule["pct"] / 100, language),
            cap=money(answer.cap or 0, language),
            saving=money(answer.savings or 0, language),
        )
        return answer
    share, floor = percent(rule["share"], language), money(rule["floor"], language)
    if answer.savings is None:
        answer.message = w.credit.subtraction_unknown.format(**values, share=share, floor=floor)
    else:
        answer.message = w.credit.subtraction.format(
            **values, share=share, floor=floor, saving=money(answer.savings, language)
        )
    return answer


def _saving(
    rule: dict[str, Any], gift: float, filing: Filing
) -> tuple[Literal["credit", "subtraction"], float | None, float | None]:
    """Return kind, saving and cap. A subtraction without a known rate has no known saving."""
    if rule["kind"] == "credit_pct":
        caps = rule["caps"]
        cap = float(
            caps.get(filing) or caps.get("per_taxpayer") or caps.get("credit") or caps["single"]
        )
        return "credit", round(min(gift * rule["pct"] / 100, cap), 2), cap
    above = max(0.0, gift - rule["floor"]) * rule["share"]
    return "subtraction", None if rule["rate"] is None else round(above * rule["rate"], 2), None


# ---------------------------------------------------------------- addresses

MAX_AMOUNT = 1_000_000_000
LanguageChoice = Annotated[Literal["en", "es"], query("lang")]
Amount = Annotated[float, query("amount", gt=0, le=MAX_AMOUNT)]
CadenceChoice = Annotated[shapes.Cadence, query("cadence")]
Gift = Annotated[float, query("gift", ge=0, le=MAX_AMOUNT)]
StateCode = Annotated[str, query("state", of="gift", enum=STATE_CODES, pattern="^[A-Z]{2}$")]
FilingChoice = Annotated[shapes.Filing, query("filing")]
Employer = Annotated[str, query("employer", min_length=1, max_length=120, pattern=SAYS_SOMETHING)]
VehicleChoice = Annotated[shapes.Vehicle, query("vehicle")]
Wish = Annotated[str, query("q", of="giving", min_length=1, max_length=500)]
_get = partial(get, tags=["donors"])


def _today() -> date:
    return datetime.now(UTC).date()


def _document(scope: Scope, language: Language) -> Answer:
    return json_answer(donor_document(context_of(scope).settings, language, _today()), DAY)


@_get(
    PATH,
    summary="Every way of giving",
    responses=answers(shapes.DonorDocument, "The organization and the twelve ways of giving."),
)
async def get_donor_information(scope: Scope) -> Answer:
    """Return the information a donor needs for each way of giving, with this year's figures and
    their sources."""
    return _document(scope, "en")


@_get(
    PATH.replace(".json", "-es.json"),
    summary="Every way of giving, in Spanish",
    responses=answers(shapes.DonorDocument, "The same in Spanish."),
)
async def get_donor_information_in_spanish(scope: Scope) -> Answer:
    """Return the information a donor needs for each way of giving, in Spanish."""
    return _document(scope, "es")


class Intent(Controller):
    """Both methods of one address: registered together, each is named in `Allow`."""

    path = "/api/donor/intent"

    @get(
        summary="One way of giving",
        tags=["donors"],
        responses=answers(shapes.DonorIntent, "The way of giving that the words name.", 404),
    )
    async def get_donor_intent(
        self, scope: Scope, q: Wish, language: LanguageChoice = "en"
    ) -> Answer:
        """Return the way of giving that `q` names. 404 when none is named."""
        intent = donor_intent(context_of(scope).settings, q, language, _today())
        if intent.intent is None:
            raise ServiceProblem("not-found", intent.message or "")
        return json_answer(intent, DAY)

    @post(
        summary="A wish in one's own words",
        tags=["donors"],
        status_code=200,
        responses=answers(
            shapes.DonorIntent, "The recognized way of giving, in the language of the text."
        ),
    )
    async def classify_donor_intent(
        self, scope: Scope, data: JSONBody[shapes.IntentQuestion]
    ) -> Answer:
        """Classify the way of giving from a text in English or Spanish. No model is called;
        nothing is stored."""
        text = data.text.strip()
        language = language_of((token.word for token in tokens_of(text)), text)
        intent = donor_intent(context_of(scope).settings, text, language, _today())
        return json_answer(intent, 0)


@_get(
    "/api/donor/impact",
    summary="What an amount is worth in food",
    responses=answers(shapes.DonorImpact, "The amount in days of food."),
)
async def get_donor_impact(
    amount: Amount, cadence: CadenceChoice = "once", language: LanguageChoice = "en"
) -> Answer:
    """Convert an amount to days of food at a public price, with its source. It does not claim how a
    gift was used."""
    return json_answer(donor_impact(amount, cadence, language, _today()), HOUR)


@_get(
    "/api/donor/employer-match",
    summary="What an employer adds",
    responses=answers(shapes.EmployerMatch, "The matching program, or how to find out about it."),
)
async def get_employer_match(
    scope: Scope, employer: Employer, language: LanguageChoice = "en"
) -> Answer:
    """Return an employer's matching program and the year of its source. Unknown employers get
    advice."""
    settings = context_of(scope).settings
    return json_answer(employer_match(settings, employer.strip(), language, _today()), HOUR)


@_get(
    "/api/state-tax-credit",
    summary="What a state gives back",
    responses=answers(shapes.StateTaxCredit, "The saving by the state's rule, and its limits."),
)
async def get_state_tax_credit(
    us_state: StateCode,
    gift: Gift,
    filing: FilingChoice = "single",
    language: LanguageChoice = "en",
) -> Answer:
    """Return the state tax saved by a cash gift to a food bank, with the rule's year, source and
    limits. No tax advice."""
    if us_state not in STATE_CODES:
        raise invalid("state", "the two-letter code of a state or territory, in capitals")
    return json_answer(state_tax_credit(us_state, gift, filing, language, _today()), HOUR)


@_get(
    "/api/legacy-giving",
    summary="Sample language for a planned gift",
    responses=answers(shapes.LegacyGiving, "The text with the organization's name and EIN."),
)
async def get_legacy_giving(
    scope: Scope, vehicle: VehicleChoice, language: LanguageChoice = "en"
) -> Answer:
    """Return sample language for a lawyer or a form. No legal advice."""
    return json_answer(legacy_giving(context_of(scope).settings, vehicle, language), DAY)
