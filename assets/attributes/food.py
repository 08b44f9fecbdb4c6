"""Reads kinds of food that a text plainly promises. A kind available only at times is no
promise."""

from __future__ import annotations

import re

from assets.attributes.clauses import Finding, pattern

_MEAL = r"(?:meals?|food|foods|lunch(?:es)?|breakfasts?|dinners?|suppers?|soup)"
_DIET = rf"(?: |-)(?:{_MEAL}|options?|groceries|items?|chicken|meat|products?|pantry|diets?|friendly|certified)"
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (code, pattern(*words))
    for code, words in (
        ("groceries", (
            r"\bgrocer(?:y|ies)\b(?! (?:store|outlet|delivery program)|/)", r"\b(?:food|choice|prepack) (?:pantry|cupboard)\b(?<!pet food pantry)",
            r"\bcanned (?:goods|foods?)\b", r"\bfood (?:box(?:es)?|bags?|baskets?|distribution)\b", r"\bbags? of food\b", r"\bnon-?perishables?\b",
            r"\bshelf[- ]stable\b", r"\bdespensas?\b", r"^(?:pantry|cupboard)$")),
        ("fresh_produce", (
            r"(?<!your )(?<!'s )(?<!’s )(?<!preboxed )\bproduce\b(?! (?:may|and enjoy))", r"\bfresh (?:fruits?|vegetables|veggies)\b",
            r"(?<!canned )\bfruits?(?: and|,| &) vegetables\b", r"(?<!fruits/)(?<!canned )\bvegetables\b(?! garden)", r"\b(?:frutas|verduras) frescas\b")),
        ("hot_meals", (
            rf"\b(?:hot|warm)(?:,? (?:nutritious|free|community|healthy|cooked|mid-day|midday))* {_MEAL}\b", r"\bcomidas? calientes?\b")),
        ("prepared_meals", (
            r"\bmeals?\b(?! (?:vouchers?|tickets?|kits?|plan))", r"\b(?:breakfast|lunch|lunches|dinner|dinners|supper)\b", r"\bsoup kitchen\b(?! (?:is closed))",
            r"\bready-to-eat\b", r"\bcomidas? (?:preparadas?|calientes?)\b")),
        ("halal", (rf"\bhalal{_DIET}\b", r"\bsupported diets:.*\bhalal\b", r"\bfood is halal\b")),
        ("kosher", (rf"\bkosher{_DIET}\b", r"\bsupported diets:.*\bkosher\b", r"\bfood .*\bis (?:strictly )?(?:glatt )?kosher\b")),
        ("vegetarian", (rf"\bvegetarian(?: meal)?{_DIET}\b", r"\bsupported diets:.*\bvegetarian\b", r"\bcomida vegetariana\b")),
        ("vegan", (rf"\bvegan{_DIET}\b", r"\bsupported diets:.*\bvegan\b")),
        ("gluten_free", (rf"\bgluten[- ]free{_DIET}\b", r"\bsupported diets:.*\bgluten\b", r"\bsin gluten\b")),
        ("baby_formula", (r"\b(?:baby |infant )?formulas?\b", r"\bf[oó]rmula (?:para beb[eé]s?|infantil)\b")),
        ("baby_food", (r"\bbaby foods?\b", r"\bcomida para beb[eé]s?\b")),
        ("diapers", (r"\bdiapers?\b", r"\bpampers\b", r"\bpañales\b")),
        ("pet_food", (r"\b(?:pet|dog|cat) foods?\b", r"\bcat and dog foods?\b", r"\bcomida para mascotas\b")),
    )
)  # fmt: skip
# With one of these the clause promises nothing, or speaks of gifts to the place.
_DOUBT = pattern(
    r"\bno\b|\bnot\b|n't\b|\bnon-halal\b|\bnothing\b|\bwithout\b|\bsometimes\b|\boccasional|\bat times\b|\bvaries\b|\bvary\b|\bmay\b|\bmight\b",
    r"\bif\b|\bwhen(?:ever)?\b|\blimited\b|\brequest|\bdepend|\bguarantee|\bsome\b|\btechnically\b|\btr(?:y|ies)\b|\badvance\b|\bas available\b",
    r"\bdonat|\bdonors?\b|\baccepts?\b|\baccepted\b|\bencouraged\b|\bbased? (?:off|on)\b|\bclosed\b|\bno longer\b|\bsuspended\b|\bpossible\b|\bother services\b|\balso called\b|\bown\b|\bcontact\b|\bbrought\b|\bingredients\b|\bMLK\b|\blinks callers\b",
    r"\bthanksgiving\b|\bchristmas\b|\bholidays?\b|\bonce an? month\b|\bpurchase\b|\bvouchers?\b|\binstead\b|\bapply\b|\bstore\b|\bspecialty\b",
    r"\b(?:for|during|before|after|until) (?:lunch|dinner|breakfast)\b|\bbreak\b|\busually\b|\btypically\b|\ba veces\b|\bseg[uú]n\b|\bsujeto\b",
)


def findings(clause: str) -> list[Finding]:
    """Return `food_types` (code) that the clause promises."""
    if _DOUBT.search(clause):
        return []
    codes = [code for code, words in _KINDS if words.search(clause)]
    if "hot_meals" in codes and "prepared_meals" not in codes:
        codes.append("prepared_meals")
    return [Finding("food_types", code, clause) for code in codes]
