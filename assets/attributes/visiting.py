"""Reads how a visit works: appointment, walk-in, delivery, wheelchair, languages. Only plain
clauses count."""

from __future__ import annotations

import re

from assets.attributes.clauses import DAYS, Finding, pattern
from assets.sources.languages import tags_of

_WALK = r"walk[- ]?ins?"
# Ways to apply, as social services list them: "Telephone, Walk-In, By Appointment".
_WAY, _REFERRAL = r"(?:telephone|by appointment|walk-in)", r"(?:, referral required\b.*)?"
_CITA = r"(?:una )?cita(?: previa)?"
_RULES: tuple[tuple[str, bool, re.Pattern[str], re.Pattern[str]], ...] = (
    (
        "requires_appointment",
        True,
        pattern(
            r"\bby appointment only\b",
            r"\bappointments? only\b",
            r"\bonly by appointment\b",
            r"\bappointments? (?:is |are )?(?:required|necessary|needed|mandatory)\b",
            r"\bmust (?:make|have|schedule) (?:an )?appointment\b",
            r"\bmust call (?:for|to (?:make|schedule)) (?:an |a )?(?:required )?appointment\b",
            r"\bto make a required appointment\b",
            r"^(?:please )?(?:call|phone)(?: ahead)?(?: \(?\d{3}\)?[ -]?\d{3}-\d{4})? (?:for|to (?:make|schedule|set up|arrange)) (?:an )?appointment$",
            r"^(?:(?:clients|visitors|guests|people) are seen |(?:food )?pantry |(?:is )?open )?by appointment$",
            rf"^(?:telephone, )?by appointment(?:, telephone)?{_REFERRAL}$",
            rf"\b(?:se requiere|se necesita|(?:s[oó]lo|[uú]nicamente) con) {_CITA}",
        ),
        pattern(
            r"\bno\b|\bnot\b|n't\b|\bif\b|\bafter\b|\bsome\b|\bmost\b|\bhair ?cuts?\b|\bany other\b|\bunless\b|\bpreferred\b|\bregistered\b.*\bonly\b|\bdelivery\b|\bonline\b|\bfollowing\b",
            r"\b(?:clothing|furniture|legal|medical|dental|counseling|immigration|tax)\b",
            rf"\b{_WALK}\b",
            DAYS,
        ),
    ),
    (
        "requires_appointment",
        False,
        pattern(
            r"\bno (?:an )?appointments?(?: is| are)? (?:needed|required|necessary)\b",
            r"\bappointments? (?:is |are )?not (?:required|needed|necessary)\b",
            rf"\bno se (?:requiere|necesita) {_CITA}",
            r"\bsin (?:necesidad de )?cita\b",
        ),
        pattern(
            r"\bif\b|\bafter\b|\bbefore\b|\bfor (?!food|anyone|everyone|pantry)|\bonly\b|\bunless\b|\bexcept\b",
            DAYS,
        ),
    ),
    (
        "accepts_walkins",
        True,
        pattern(
            rf"\b{_WALK} (?:are |is )?(?:always )?(?:welcomed?|accepted|allowed|ok)\b",
            rf"^{_WALK}$",
            rf"\b{_WALK} basis\b",
            rf"^(?=.*walk-in){_WAY}(?:, {_WAY})+{_REFERRAL}$",
            rf"\b(?:accepts?|allows?) {_WALK}\b",
        ),
        pattern(
            r"\bno\b|\bnot\b|n't\b|\bif\b|\bafter\b|\bbefore\b|\bat the end\b|\bonly\b|\bguarantee|\bsome\b|\bjust need\b",
            DAYS,
        ),
    ),
    (
        "accepts_walkins",
        False,
        pattern(
            rf"\bno {_WALK}\b",
            rf"\bnot (?:accept|take|allow) {_WALK}\b",
            rf"\b{_WALK}(?: service)? (?:is|are) not (?:available|accepted|allowed)\b",
        ),
        pattern(r"\bif\b|\bafter\b|\bbefore\b|\bfor (?!food|pantry)", DAYS),
    ),
    (
        "offers_delivery",
        True,
        pattern(
            r"\b(?:home |food |grocery |meal |doorst[eo]p )*deliver(?:y|ies)(?: services?)?(?: is| are)? (?:available|offered|provided)\b",
            r"^delivers? (?:\w+ ){0,2}(?:food|meals|groceries)\b",
            r"\boffers? (?:\w+,? ){0,3}delivery\b",
            r"\b(?:call|ask|sign up|contact us)\b.*\bfor (?:home )?delivery\b",
            r"\bhome[- ]delivered meals\b",
            r"\bfood home delivery service\b",
            r"\b(?:pick-?up|take ?out|drive-?thr(?:u|ough)),? (?:and|or) delivery\b",
            r"\bdelivery (?:and|or) pick-?up\b",
            r"\balso (?:delivers|does deliveries)\b",
            r"\bdeliver food to (?:seniors|home)",
            r"\bentregas? a domicilio\b",
        ),
        pattern(
            r"\bno\b|\bnot\b|n't\b|\bno longer\b|\blimited\b|\bend(?:s|ed)? on\b|\bdepend|\bif\b|\bmay\b|\bsometimes\b|\boccasion|\bsome\b|\brefer\b|\breferral|\bcovid|\bday of\b",
            r"\bprior to\b|\bvolunteers\b|\bdoor ?dash\b|\bwill\b|\bworking on\b|\bwe tend\b|\bin most cases\b|\bfor HD\b|\bwait(?:ing)? (?:for|list)\b|\bonline\b",
        ),
    ),
    (
        "offers_delivery",
        False,
        pattern(
            r"\bno (?:home )?deliver(?:y|ies)\b",
            r"\bno longer (?:doing|offering|providing) (?:home )?deliver",
            r"\bdo(?:es)? not (?:offer )?deliver",
            r"\bdelivery (?:is )?not (?:available|offered)\b",
        ),
        pattern(r"\bif\b|\bonly\b|\bday\b|\bexcept\b", DAYS),
    ),
    (
        "is_wheelchair_accessible",
        True,
        pattern(
            r"\b(?:wheel ?chair|handicap(?:ped)?|ADA)[- ]access(?:ible|ibility)\b",
            r"\bADA[- ]compliant\b",
            r"\baccessible (?:by|to|for) (?:people (?:in|with|using) )?wheel ?chairs?\b",
            r"\bwheel ?chair (?:ramp|access|lift)\b",
            r"\baccesible (?:en|para|con) sillas? de ruedas\b",
        ),
        pattern(
            r"\bno\b|\bnot\b|n't\b|\bin-?accessible\b|\blimited\b|\bpartial|\bif\b|\bcall\b|\bsin\b"
        ),
    ),
    (
        "is_wheelchair_accessible",
        False,
        pattern(
            r"\bnot (?:wheel ?chair|handicap(?:ped)?|ADA)[- ]accessible\b",
            r"\bnot accessible (?:by|to|for) (?:people (?:in|with|using) )?wheel ?chairs?\b",
            r"\bno wheel ?chair (?:ramp|access)\b",
            r"\bno es accesible (?:en|para|con) sillas? de ruedas\b",
        ),
        pattern(r"\bif\b|\bexcept\b"),
    ),
)

_SPOKEN = re.compile(
    r"\b(?:staff|volunteers?|personnel|we)(?: members?)?(?: who)? (?:can )?speaks?(?: only)?:?\s+(?P<a>[\w ,&/]+)"
    r"|\blanguages (?:spoken|offered|(?:the )?agency can provide):?\s+(?P<b>[\w ,&/]+)"
    r"|\bbilingual(?: staff| volunteers)?:?\s*\(?(?P<c>[\w ,&/]+)\)?"
    r"|^(?P<d>[\w ,&/]+?) (?:is |are )?spoken\b|\b(?:se habla|hablamos)\s+(?P<e>[\w ,&/]+)",
    re.IGNORECASE,
)
_UNSPOKEN = pattern(
    r"\bno\b|\bnot\b|n't\b|\blimited\b|\bsome(?:times)?\b|\bif\b|\bclients? speak|\bneed"
)


def findings(clause: str) -> list[Finding]:
    """Return truth values and `languages` (tags) that the clause plainly says."""
    found = [
        Finding(field, value, clause)
        for field, value, words, doubt in _RULES
        if words.search(clause) and not doubt.search(words.sub(" ", clause))
    ]
    spoken = _SPOKEN.search(clause)
    if spoken and not _UNSPOKEN.search(clause):
        named = next(part for part in spoken.groups() if part is not None)
        found += [Finding("languages", tag, clause) for tag in tags_of(named)]
    return found
