"""The sibling service's addresses about giving."""

from datetime import UTC, date, datetime
from functools import partial
from typing import Annotated

from litestar import Controller, get, post
from litestar.params import JSONBody
from litestar.types import Scope

from schemas.api import donors as shapes
from schemas.api.common import SAYS_SOMETHING
from schemas.vocab.states import STATE_CODES
from serving.context import context_of
from serving.donors import donors
from serving.donors.donors import state_tax_credit
from serving.http.answers import DAY, HOUR, Answer, json_answer
from serving.http.errors import ServiceProblem, invalid
from serving.http.openapi import answers
from serving.http.parameters import query
from serving.search.language.text import Language, language_of, tokens_of

MAX_AMOUNT = 1_000_000_000
LanguageChoice = Annotated[Language, query("lang")]
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
    return json_answer(donors.donor_document(context_of(scope).settings, language, _today()), DAY)


@_get(
    donors.PATH,
    summary="Every way of giving",
    responses=answers(shapes.DonorDocument, "The organization and the twelve ways of giving."),
)
async def get_donor_information(scope: Scope) -> Answer:
    """Return the information a donor needs for each way of giving, with this year's figures and
    their sources."""
    return _document(scope, "en")


@_get(
    donors.PATH.replace(".json", "-es.json"),
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
        intent = donors.donor_intent(context_of(scope).settings, q, language, _today())
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
        intent = donors.donor_intent(context_of(scope).settings, text, language, _today())
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
    return json_answer(donors.donor_impact(amount, cadence, language, _today()), HOUR)


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
    return json_answer(donors.employer_match(settings, employer.strip(), language, _today()), HOUR)


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
    return json_answer(donors.legacy_giving(context_of(scope).settings, vehicle, language), DAY)
