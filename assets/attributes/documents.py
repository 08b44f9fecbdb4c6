"""Reads the documents that a text plainly requires, or plainly does not. English and Spanish.

Anything unclear is left out: a document wrongly listed keeps a family away from food, and one
wrongly omitted sends it home. "Bring your own bag" is not a document.
"""

import re

from assets.attributes.clauses import PAPERS, Finding, pattern

_ID = r"i\.?d\.?'?s?\b|identification\b|identificaci(?:ó|o)n(?:es)?\b"
_ASKED = pattern(
    r"\brequired?s?\b|\bmust (?:bring|have|show|present|provide)\b|\bplease bring\b|^\s*bring\b"
    r"|\bneeded\b|\bnecessary\b",
    r"^\s*(?:you(?:'ll)? |will )*needs?\b|^\s*(?:walk-ins .*)?just need\b"
    r"|\bmust .{0,30}\band (?:bring|show)\b|^\s*show\b",
    r"\bwalk[- ]?ins? (?:are )?(?:accepted |welcome )?with (?:an? |proper |valid )*(?:photo "
    rf"|picture )?(?:{_ID})",
    r"\bse (?:requiere|necesita|pide)n?\b|\bdeben? (?:traer|presentar|mostrar)\b"
    r"|^\s*(?:favor de )?(?:traiga|traer)\b|\bobligatori[oa]s?\b",
)
# A clause with one of these requires nothing for certain.
_DOUBT = pattern(
    r"\bno\b|\bnot\b|n't\b|\bnone\b|\bwithout\b|\bunless\b|\bif\b|\bmay\b|\bor\b|\bpreferred\b"
    r"|\brequested\b|\bhelpful\b",
    r"\boptional\b|\bsuggested\b|\bonly for\b|\bfirst[ -](?:visit|time|day)|days for\b|\bneither\b"
    r"|\bnew (?:clients?|visitors?|guests?|customers?|families|households|members?)\b|\bnever\b"
    r"|\bexcept\b|\bsometimes\b|\brarely\b|\badditional time\b|\bafter that\b"
    r"|\brequired for (?:the )?senior\b",
    r"\bsin\b|\bsi\b|\bpuede\b|\bpreferible|\bopcional|\brecomend|\bprimera (?:vez|visita)\b|\bo\b"
    r"|\bexcepto\b",
)
_BETWEEN = re.compile(r"\s*(?:, and |,|;| and | & |\+)\s*", re.IGNORECASE)
_KIND = re.compile(r"^(?:an? |valid |current |proper |government[- ]issued )+", re.IGNORECASE)
# Examples of one document, which express no doubt.
_EXAMPLES = re.compile(
    r" \((?:such as|e\.g\.,?|i\.e\.,?) [^()]*\)|(?<=\bneed) \([^()]*\)", re.IGNORECASE
)
# "No referral needed, but must have photo ID": the rest is a separate statement.
_BUT = re.compile(r",? but (?=must\b|please\b|you must\b)", re.IGNORECASE)

_NOT = r"\b(?:is |are )?not (?:required|needed|necessary|requested)\b"
_NEEDED = r"(?: is| are)?(?: required| needed| necessary| requirements?| requested)\b"
_PAPERS = r"(?:documents?|documentation|paperwork|papers)"
_NOTHING = pattern(
    rf"\bno {_PAPERS}{_NEEDED}",
    rf"^no {_PAPERS}$",
    rf"\b{_PAPERS} {_NOT}",
    r"\bno (?:se (?:requieren?|necesitan?|piden?) )(?:ning[uú]n )?documentos?\b",
)
_NO_ID = pattern(
    rf"\bno (?:{_ID}){_NEEDED}",
    rf"\bneither\b[^.]{{0,30}}\bnor (?:{_ID}) (?:is |are )?(?:required|needed|necessary)\b",
    rf"^no (?:{_ID})$",
    rf"\b(?:{_ID})[^.]{{0,40}}?{_NOT}",
    r"\bdo(?:es)? not (?:require|need|ask for) [^.]{0,20}\b(?:id|identification)\b",
    r"\bno se (?:requiere|necesita|pide)n? (?:ninguna )?identificaci(?:ó|o)n\b",
)
# With one of these, the exemption applies only to some visitors or times.
_LIMITED = pattern(
    r"\bafter\b|\bfirst\b|\b1st\b|\bif\b|\bunless\b|\bexcept\b|\bduring\b"
    r"|\bfor (?:visitors|those|people|children|seniors)\b|\bwith an?\b",
    r"\bnot required (?:for|to)\b.*\bonly\b|\bprimera\b|\bsi\b|\bexcepto\b",
)
# The requirement is not for everyone: neither required nor exempt.
_SOFT = pattern(
    r"\b(?:not|n't|never) (?:refuse|exclude|turn|deny)\b.*(?:\bid\b|\bidentification\b|\bany\b)",
    r"\b(?:id|identification)\b.{0,20}\bonly (?:required|needed)\b",
    r"\b(?:id|identification)\b[^.]{0,30}\b(?:preferred|recommended|appreciated|suggested|optional"
    r"|encouraged)\b",
    r"\b(?:not|n't) exclude\b",
    r"\bno ?(?:one|body) (?:will be|is|gets) (?:turned away|refused)\b",
)
SOFT_ID = "soft_id"


def list_papers(clause: str) -> list[str]:
    """Return codes of the documents that a clause plainly requires of every visitor."""
    clause = _EXAMPLES.sub("", _BUT.split(clause)[-1])
    # A clause that only lists documents is a requirement too.
    is_list = all(
        any(words.fullmatch(_KIND.sub("", part)) for words in PAPERS.values())
        for part in _BETWEEN.split(clause.strip())
    )
    if _DOUBT.search(clause) or not (is_list or _ASKED.search(clause)):
        return []
    codes, rest = [], clause
    for code, words in PAPERS.items():
        if words.search(rest):
            codes.append(code)
            rest = words.sub(" ", rest)
    return codes


def read_documents(clause: str) -> list[Finding]:
    """Return `required_documents` (code), `requires_documents` False, `requires_id` False, and
    `SOFT_ID`."""
    results = [Finding("required_documents", code, clause) for code in list_papers(clause)]
    if _SOFT.search(clause):
        results.append(Finding(SOFT_ID, True, clause))
    if not _LIMITED.search(clause):
        if _NOTHING.search(clause):
            results.append(Finding("requires_documents", False, clause))
        if _NO_ID.search(clause):
            results.append(Finding("requires_id", False, clause))
    return results
