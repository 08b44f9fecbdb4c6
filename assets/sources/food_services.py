"""Selects food assistance among services of a general directory (211, health, legal), with its
type.

Directories with terms of the 211 taxonomy are classified by the term. Without terms, the text must
say explicitly that the place itself gives food: a referral, a request for donations, or meals for
residents do not count.
"""

import re

import pandas as pd

from assets.sources.free_text import by_rules, contains

# Terms are in one text, "; " between. The first rule that fits decides: a pantry that also cooks is
# a pantry. Summer meal terms are left out: they name sponsors, whose sites are elsewhere.
_TERM_RULES: tuple[tuple[str, str], ...] = (
    (r"commodity supplemental food|\bcsfp\b", "senior_commodity"),
    (
        r"food pantries|ongoing emergency food assistance|brown bag food programs"
        r"|government surplus food distribution sites|food-pantries|food-groceries",
        "food_pantry",
    ),
    (r"soup kitchens|congregate meals|food-lunch programs", "soup_kitchen"),
    (r"food banks/food distribution warehouses", "food_bank"),
    (r"(?:^|; )wic(?:;|$)", "wic_office"),
    (r"(?:^|; )diapers(?:;|$)|formula/baby food", "diaper_bank"),
)
# Terms that agencies for rent, counseling or victims have as well: food is given only where the
# text says so, too. A voucher is spent in a shop.
_LOOSE_TERM_RULES: tuple[tuple[str, str], ...] = (
    (r"occasional emergency food assistance", "food_pantry"),
    (r"(?:^|; )emergency food(?:;|$)|food-emergency assistance", "emergency"),
)
_DELIVERS = r"home delivered meals|grocery delivery|food-meals on wheels"
# Telephone lines and offices behind the counters: nobody gets food at their address.
_NO_PLACE = (
    r"\bhelp-?line\b|\bhot-?line\b|\bvolunteer (?:recruitment|placement)\b"
    r"|\badmin(?:istrative)? office\b"
)

_PANTRY_HEADINGS = (
    r"(?:emergency )?food pantry|pantry|emergency (?:food|grocer(?:y|ies))(?: and clothing)?"
    r"|groceries|food assistance"
    r"|(?:soup kitchen/)?food (?:and|&) clothing(?: pantry)?"
)
_KITCHEN_HEADINGS = (
    r"soup kitchens?|hot meals?|(?:senior )?congregate meals?|eating together program"
)
_GIVEN = r"food pantry|pantry|emergency food|emergency grocer(?:y|ies)|food package"
# Headings are numbered or open a line; a sentence has to say that the place itself gives, without
# referring.
_HEADING = r"(?:^|\n|\d\)|[*:])\s*(?:{})\s*:(?!\s*see\b)"
_SENTENCE = (
    r"(?:^|(?<!relief)[.:\n]|\d\))\s*(?:also )?(?:operates|offers|provides|houses|runs"
    r"|distributes)\b"
    r"(?:(?!refer|assistance|information)[^.;\n]){{0,60}}\b(?:{})\b"
)
_TEXT_RULES: tuple[tuple[str, str], ...] = (
    (_HEADING.format(_PANTRY_HEADINGS), "food_pantry"),
    (_SENTENCE.format(_GIVEN), "food_pantry"),
    (_HEADING.format(_KITCHEN_HEADINGS), "soup_kitchen"),
    (_SENTENCE.format(r"soup kitchen|hot meals?"), "soup_kitchen"),
    (_HEADING.format("wic(?: program)?"), "wic_office"),
)
_SECTION_END = re.compile(r"\n(?=\s*\d+\)|[A-Z][A-Z &/-]{3,}\d*:|Home visits?:)")
# "Contact Ann Example": names of staff are personal data; days and offices are not.
_CONTACT = re.compile(
    r"\b(?:[Cc]ontact|[Cc]all|[Aa]sk for)\s+(?:(?:Mr|Mrs|Ms|Dr|Rev|Sr|Fr|Pastor|Sister|Deacon"
    r"|Reverend|Father)\.?\s+)*"
    r"(?!Mon|Tue|Wed|Thu|Fri|Sat|Sun|The|First|Human|Social|Food|Community|Family|Main|Customer|Intake|County|City)"
    r"[A-Z][a-z]+(?:\s+[A-Z]\.)?\s+(?!Center|Office|County|City|Department|Services?|Church|Line|Helpline|House)"
    r"[A-Z][a-z'-]+(?=[\s,.;(]|$)"
)


def type_by_terms(terms: pd.Series) -> pd.Series:
    """Return types by taxonomy terms; missing if they name no place."""
    return by_rules(terms, _TERM_RULES).mask(contains(terms, _NO_PLACE))


def type_by_loose_terms(terms: pd.Series) -> pd.Series:
    """Return types by terms that show food only with a text that speaks of it; else missing."""
    return by_rules(terms, _LOOSE_TERM_RULES).mask(contains(terms, _NO_PLACE))


def type_by_text(descriptions: pd.Series) -> pd.Series:
    """Return types by the goods and meals that a description names."""
    return by_rules(descriptions.where(descriptions.notna(), ""), _TEXT_RULES)


def food_sections(descriptions: pd.Series) -> pd.Series:
    """Return each description's part about food, to the next heading; else missing."""
    sections = {text: _section(text) for text in descriptions.dropna().unique()}
    return descriptions.map(sections).astype("str")


def _section(description: str) -> str | None:
    for pattern, _ in _TEXT_RULES:
        heading = re.search(pattern, description, re.IGNORECASE)
        if heading:
            rest = description[heading.start() :].lstrip(" \n.:*)0123456789")
            return " ".join(_SECTION_END.split(rest, maxsplit=1)[0].split())
    return None


def without_contacts(column: pd.Series) -> pd.Series:
    """Return texts without "Contact Ann Example": names of staff do not belong in a directory."""
    return column.str.replace(_CONTACT, "Call", regex=True)


def only_delivers(terms: pd.Series) -> pd.Series:
    """Return whether meals are brought to people's homes, and nothing else is offered."""
    return contains(terms, _DELIVERS) & by_rules(terms, _TERM_RULES).isna()
