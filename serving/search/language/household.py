"""Reads household size and monthly income from a question."""

import re

from serving.search.language.tables import number_words

_NUMBERS = number_words().numbers
_N = rf"(\d{{1,2}}|{'|'.join(_NUMBERS)})"
_SIZE = re.compile(
    rf"\b(?:(?:family|household|home|familia|hogar|casa) (?:of|de|with|con) {_N}\b|{_N} (?:people|persons|personas|of us)\b"
    rf"|{_N}[- ]person (?:household|family)|(?:we are|were|somos|there are|hay) {_N}\b(?! (?:miles|years|anos|kids|hijos)))"
)
_CHILDREN = re.compile(
    rf"\b{_N} (?:small |little |young )?(?:kids?|children|hijos|ninos|hijas|ninas)\b"
)
_COUPLE = re.compile(r"\b(?:my (?:husband|wife|partner)|mi (?:esposo|esposa|pareja|marido))\b")
_ALONE = re.compile(
    r"\b(?:(?:live|living) alone|by myself|just me|single person|vivo sol[oa]|yo sol[oa])\b"
)
_MONEY = re.compile(
    r"\$ ?(\d[\d,]*)(?:\.\d\d)?(k)?|\b(\d[\d,]*)(k)? ?(?:dollars|dolares|bucks|usd)\b"
    r"|\b(?:make|making|earn|earning|earns|gano|ganamos|gana|income (?:is|of)|ingresos? de) (?:about |like |unos |como )?(\d[\d,]{2,})(k)?\b"
)
_PERIODS = (
    (re.compile(r"\b(?:a|per|every|al|por|cada) ?(?:year|yr|ano)|yearly|annual|anual"), 1 / 12),
    (re.compile(r"every (?:two|2|other) weeks?|bi ?weekly|cada (?:dos|2) semanas|quincena"), 2.15),
    (re.compile(r"\b(?:a|per|every|each|al|por|a la|cada) ?(?:week|semana)|weekly|semanal"), 4.3),
)
_HOURLY = re.compile(r"\b(?:an|per|a|por|la|the) ?(?:hour|hr|hora)\b|hourly")
_UNEARNED = re.compile(
    r"social security|\bssi\b|ssdi|disability|pension|unemployment|seguro social|desempleo|discapacidad|retire|jubila"
)


def household_of(text: str) -> tuple[tuple[str, str], ...]:
    """Return inputs of the SNAP calculator from a folded question: `household_size`, and the
    income in dollars a month."""
    found = dict[str, str]()
    size = _size(text)
    if size and 1 <= size <= 20:
        found["household_size"] = str(size)
    income = _income(text)
    if income is not None:
        kind = "monthly_unearned_income" if _UNEARNED.search(text) else "monthly_earned_income"
        found[kind] = str(income)
    return tuple(found.items())


def _size(text: str) -> int | None:
    said = _SIZE.search(text)
    if said:
        return _number(next(part for part in said.groups() if part))
    children = _CHILDREN.search(text)
    if children:
        return 1 + _number(children[1]) + bool(_COUPLE.search(text))
    if _COUPLE.search(text):
        return 2
    return 1 if _ALONE.search(text) else None


def _number(text: str) -> int:
    return _NUMBERS.get(text) or int(text)


def _income(text: str) -> int | None:
    """Return dollars a month; None where it is an hourly wage or none is named."""
    found = _MONEY.search(text)
    if found is None or _HOURLY.search(text, found.end(), found.end() + 20):
        return None
    amount, thousands = next(
        (a, k) for a, k in zip(found.groups()[::2], found.groups()[1::2], strict=True) if a
    )
    dollars = int(amount.replace(",", "")[:9] or 0) * (1000 if thousands else 1)
    part = text[found.start() : found.end() + 40]
    rate = next((rate for pattern, rate in _PERIODS if pattern.search(part)), 1.0)
    return round(dollars * rate)
