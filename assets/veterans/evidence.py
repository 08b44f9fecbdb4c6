"""Which places that other sources list are for veterans, and as what.

A name, a web address or a text must say so. Streets, holidays, schools and memorial halls that merely
bear the word do not: a veteran who goes there finds nothing.
"""

from __future__ import annotations

import re

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from schemas.vocab.resource_types import TYPES_BY_MODE

_FREE = tuple(TYPES_BY_MODE["free"])
_TREATMENT = ("mental_health_facility", "opioid_treatment")
# Stores, schools and offices that have "Veterans" in their name or street serve everybody.
CONSIDERED_TYPES: tuple[str, ...] = (*_FREE, *_TREATMENT, "health_center", "diaper_bank")

# The department's own houses. "VA" alone is also a state: a word of medicine must follow it.
_DEPARTMENT = re.compile(
    r"\bVAMC\b|\bVA ?HCS\b"
    r"|\bVA (?:[A-Z][\w&/-]* ){0,4}(?:Medical|Health|Healthcare|HCS|Clinic|Outpatient|Ambulatory|Hospital|CBOC|Opioid)\b"
    r"|\bVeterans?'? (?:Affairs|Administration|Health(?:care)?|Medical)\b|\bVet Centers?\b"
)
_DEPARTMENT_HOST = re.compile(r"https?://(?:[\w-]+\.)*va\.gov(?=[:/?#]|$)", re.IGNORECASE)
# "VA Baptist Hospital": Virginia.
_STATE_OF_VIRGINIA = re.compile(
    r"\bVA (?:Baptist|Beach|Commonwealth|Tech|State)\b|, ?VA\b|\bVA-I\b"
)
_VET_CENTER = re.compile(r"\bvet(?:erans?)? centers?\b(?! of\b)", re.IGNORECASE)
_ORGANIZATION = re.compile(
    r"\bVFW\b|\bVeterans of Foreign Wars\b|\bAmerican Legion\b|\bAMVETS\b|\bDisabled American Veterans\b"
    r"|\bVietnam Veterans of America\b",
    re.IGNORECASE,
)
_FOR_VETERANS = re.compile(r"\bveterans?(?:'s?|s')?(?!\w)|\bmilitary fam(?:ily)?\b", re.IGNORECASE)
# What bears the word and is not for veterans.
_IN_HONOUR = re.compile(
    r"\bveterans?'?s? (?:memorial|mem|day|blvd|boulevard|dr|drive|hwy|highway|pkwy|parkway|ave|avenue|way|rd|road"
    r"|st|street|park|plaza|stadium|bridge|square|high|elementary|middle|school|hall)\b",
    re.IGNORECASE,
)  # fmt: skip

# Letters without which none of the patterns above fits: looked for first, all at once and by Arrow, since nearly
# no place has them. No "i", "k" and "s": Python takes more letters for these, case ignored, than others do.
_MENTION = r"(?i:vet|vfw|leg.on|l.tary|va\.gov)|\bVA(?:MC|HCS| )"

_SCHOOL = re.compile(r"\b(?:school|academy|sbhc)\b", re.IGNORECASE)

BY_REGISTER = "register of the department"
BY_WEBSITE = "web address of the department"
BY_ADDRESS = "words of its web address"
BY_NAME = "name"
BY_TEXT = "its own words"
_TEXTS = ("eligibility_text", "requirements_text", "services_text", "hours_text", "notes")


def of_veterans(places: pd.DataFrame) -> pd.DataFrame:
    """The rows of `places` that are for veterans, with `serves_veterans_because`, `resource_type`, `resource_subtype`.

    `places` has name, organization, website, `resource_type` of the food directory (missing for what it
    does not list) and any of the free texts. Index and other columns are kept.
    """
    places = places[_mentions(places)]
    name = _name_of(places)
    in_name = _says(name, _FOR_VETERANS, but_not=_IN_HONOUR) & ~_says(name, _SCHOOL)
    in_name |= _says(name, _ORGANIZATION)
    by_department = _says(name, _DEPARTMENT, but_not=_STATE_OF_VIRGINIA)
    on_host = _says(places["website"], _DEPARTMENT_HOST)
    because = pd.Series(None, index=places.index, dtype="str")
    because = because.mask(_in_texts(places), BY_TEXT)
    because = because.mask(_says(places["website"], _FOR_VETERANS, but_not=_IN_HONOUR), BY_ADDRESS)
    because = because.mask(in_name | by_department, BY_NAME).mask(on_host, BY_WEBSITE)
    found = places.assign(
        serves_veterans_because=because,
        resource_subtype=places["resource_type"],
        resource_type=_types(places, name, by_department | on_host),
    )
    return found[because.notna()]


def _mentions(places: pd.DataFrame) -> pd.Series:
    """Whether anything in a row could say that it is for veterans."""
    found = pd.Series(False, index=places.index)
    for column in ("name", "organization", "website", *_TEXTS):
        if column in places:
            texts = pa.array(places[column].astype("str"), pa.large_string())
            said = pc.match_substring_regex(texts, _MENTION)
            found |= said.fill_null(False).to_numpy(zero_copy_only=False)
    return found


def _name_of(places: pd.DataFrame) -> pd.Series:
    organization = places["organization"].fillna("")
    return places["name"].fillna("").str.cat(organization, sep=" | ")


def _says(texts: pd.Series, pattern: re.Pattern[str], but_not: re.Pattern[str] | None = None) -> pd.Series:  # fmt: skip
    if but_not is not None:
        texts = texts.str.replace(but_not, " ", regex=True)
    return texts.str.contains(pattern, regex=True).fillna(False).astype(bool)


def _in_texts(places: pd.DataFrame) -> pd.Series:
    """Whether a free text of a place that gives food names veterans among those it serves."""
    found = pd.Series(False, index=places.index)
    for column in _TEXTS:
        if column in places:
            found |= _says(places[column].astype("str"), _FOR_VETERANS, but_not=_IN_HONOUR)
    return found & places["resource_type"].isin(_FREE)


def _types(places: pd.DataFrame, name: pd.Series, is_department: pd.Series) -> pd.Series:
    """vet_center, mental_health and vso where the source says so, else other: nothing is guessed."""
    types = pd.Series("other", index=places.index, dtype="str")
    types = types.mask(_says(name, _ORGANIZATION), "vso")
    types = types.mask(places["resource_type"].isin(_TREATMENT), "mental_health")
    return types.mask(is_department & _says(name, _VET_CENTER), "vet_center")
