"""Decides which digits of a question are a ZIP code: not telephones, house numbers, money, ages,
EINs, years."""

import re
from typing import NamedTuple

from serving.search.language.text import fold

_PHONE = re.compile(r"(?<!\d)(?:\+?1[\s.-]?)?(?:\(\d{3}\)|\d{3})[\s.-]{0,2}\d{3}[\s.-]?\d{4}(?!\d)")
_OTHER = re.compile(
    r"(?<!\d)(?:\d{2}-\d{7}|\d{3}-\d{2}-\d{4}|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{4}-\d{2}-\d{2})(?!\d)"
)
_ZIP = re.compile(
    r"(?<![\d$€£])(?<!\d[.,-])(\d{5})(?:(?:\s?[-‐‑–—]\s?|\s|)(\d{4}))?(?![\d]|[.,]\d(?!\d{4}\b)|\s?%|k\b|[-/]\d)"
)
_FIVE = re.compile(r"\d{5}")
_CALLED_ZIP = re.compile(
    r"(?:zip|zipcode|codigo|postal|cp|c p)(?: ?code| ?postal)?(?: ?(?:is|es|no|number|#|:|de))*[ #:]*$"
)
_NO_ZIP_BEFORE = re.compile(
    r"(?:\$ ?|\busd|\b(?:make|makes|making|made|earn|earns|earning|earned|(?<!low )(?<!no )(?<!fixed )(?<!limited )(?<!little )(?<!check )(?<!checks )(?<!verify )(?<!proof of )(?<!any )(?<!over )(?<!about )(?<!\d )income|salary|wages?|gano|ganamos|gana|ganando|(?<!bajos )(?<!sin )(?<!pocos )(?<!pide )(?<!piden )(?<!comprobante de )(?<!prueba de )ingresos?|sueldo"
    r"|salario|cobro|cobramos|get|gets|paid|pays|pay|owe|debo|rent (?:is|of)|renta (?:es|de)|(?:p ?\.? ?o\.?|^) ?box|apartado|buzon|apt|apto|(?<!my )(?<!our )(?<!his )(?<!her )apartment|(?<!mi )(?<!su )apartamento|unit|suite|ste"
    r"|case|caso|(?:my|our|mi|card|client|case|customer|member|user|student|photo|state|patient|caso|cliente) id|member|account|cuenta|ticket|order|invoice|confirmation|ref|reference|ein|fein|ssn|(?:my|mi|seguro) social|number|num|numero"
    r"|ext|extension|room|badge|pin|password|calle|carretera|carr|highway|hwy|(?<!bus )route|(?<!millas )ruta|km(?! de)|population|poblacion|file|folio|permit))"
    r"(?: (?:about|around|only|just|like|unos|unas|como|is|of|de|over|under|almost|solo|no|number|num|numero|es|a|roughly|total|anual|annual|yearly"
    r"|monthly|mensual|up to))*[ :#.]*$|(?<!zip )(?<!code )(?<!zip)(?<!^)#\s*$"
)
# "Does not ask for a social security number 77036": who need not show one gives none.
_UNASKED = re.compile(
    r"\b(?:no|not|without|never|sin|ni|(?:do|does|did|wo|is|are)nt)\b[^.,;!?\d]{0,60}\b(?:social(?: security)?|ssn|seguro social|id)"
    r"(?: (?:card|number|num|numero|tarjeta))?[ #:]*$"
)
_NO_ZIP_AFTER = re.compile(
    r"\s*(?:dollars?|bucks|usd|dlls|dolares|pesos|(?:a|per|each|every|/) ?(?:year|yr|month|mo|week|hour)\b|yearly|annually|annual|monthly|salary"
    r"|income|(?:al|por|cada|a la|un) (?:ano|mes|semana)|anual(?:es)?|mensual(?:es)?|people|persons|personas|families|familias|miles|millas"
    r"|students|pounds|lbs|libras|steps|sq\b|calories|calorias|residents|habitantes|(?:days?|weeks?|months?|years?|yrs?) (?:old|of age)|anos de edad)"
)
# A house number, then one to four words, the last of which is a kind of street.
_STREET = re.compile(
    r" (?:(?!(?:in|near|at|on|by|food|free|and|or|for|pantry|en|cerca|de|comida)\b)[\w']+\.? ){1,4}?"
    r"(?:street|ave|avenue|blvd|boulevard|road|rd|drive|dr|lane|ln|highway|hwy|parkway|pkwy|court|circle|cir|terrace|ter|trail|place|way|route|pike|broadway"
    r"|st(?!\.? (?:louis|paul|petersburg|joseph|cloud|george|charles|augustine|johns|pete|albans|marys|lucie|peters|simons)))\b"
)


# What is in the sentence before says nothing of a number: "tell me the password. 98118". Short
# forms end none.
_SENTENCE_END = re.compile(r"(?<=[a-z]{5})[.!?]+\s+|(?<=[a-z])[!?]+\s+")


class Code(NamedTuple):
    """Five digits that may be a ZIP code, and their position."""

    zip: str
    start: int
    end: int


def zip_codes(text: str) -> list[Code]:
    """Return the ZIP codes of a cleaned text, by their form and context."""
    if not _FIVE.search(text):
        return []
    # Letter by letter, so that places in the text stay where they are.
    plain = text if text.isascii() else "".join(fold(c)[:1] or c for c in text)
    folded = plain.lower()
    for other in (_PHONE, _OTHER):
        folded = other.sub(lambda m: "x" * len(m[0]), folded)
    return [
        Code(match[1], match.start(), match.end())
        for match in _ZIP.finditer(folded)
        if _is_zip(folded, match)
    ]


def _is_zip(text: str, match: re.Match[str]) -> bool:
    before = _SENTENCE_END.split(text[max(0, match.start() - 60) : match.start()])[-1]
    after = text[match.end() : match.end() + 60]
    if _CALLED_ZIP.search(before) or _UNASKED.search(before):
        return True
    if _NO_ZIP_BEFORE.search(before) or _NO_ZIP_AFTER.match(after):
        return False
    return not _STREET.match(after.replace(",", " , "))
