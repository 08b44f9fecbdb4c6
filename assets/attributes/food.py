"""Reads the kinds of food that a text plainly promises; occasional availability is no promise."""

from assets.attributes.clauses import Finding, pattern
from assets.attributes.lexicon import FOOD

# With one of these the clause promises nothing, or concerns donations to the place.
_DOUBT = pattern(
    r"\bno\b|\bnot\b|n't\b|\bnon-halal\b|\bnothing\b|\bwithout\b|\bsometimes\b|\boccasional"
    r"|\bat times\b|\bvaries\b|\bvary\b|\bmay\b|\bmight\b",
    r"\bif\b|\bwhen(?:ever)?\b|\blimited\b|\brequest|\bdepend|\bguarantee|\bsome\b|\btechnically\b"
    r"|\btr(?:y|ies)\b|\badvance\b|\bas available\b",
    r"\bdonat|\bdonors?\b|\baccepts?\b|\baccepted\b|\bencouraged\b|\bbased? (?:off|on)\b"
    r"|\bclosed\b|\bno longer\b|\bsuspended\b|\bpossible\b|\bother services\b|\balso called\b"
    r"|\bown\b|\bcontact\b|\bbrought\b|\bingredients\b|\bMLK\b|\blinks callers\b",
    r"\bthanksgiving\b|\bchristmas\b|\bholidays?\b|\bonce an? month\b|\bpurchase\b|\bvouchers?\b"
    r"|\binstead\b|\bapply\b|\bstore\b|\bspecialty\b",
    r"\b(?:for|during|before|after|until) (?:lunch|dinner|breakfast)\b|\bbreak\b|\busually\b"
    r"|\btypically\b|\ba veces\b|\bseg[uú]n\b|\bsujeto\b",
)


def findings(clause: str) -> list[Finding]:
    """Return `food_types` (code) promised by the clause."""
    if _DOUBT.search(clause):
        return []
    codes = [code for code, words in FOOD.items() if words.search(clause)]
    if "hot_meals" in codes and "prepared_meals" not in codes:
        codes.append("prepared_meals")
    return [Finding("food_types", code, clause) for code in codes]
