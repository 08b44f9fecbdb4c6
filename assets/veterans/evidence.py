"""Classifies places of other sources that are for veterans.

A name, a web address or a text must say so. Streets, holidays, schools and memorial halls that
merely bear the word do not: a veteran who goes there finds nothing.
"""

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
    r"|\bVA (?:[A-Z][\w&/-]* ){0,4}(?:Medical|Health|Healthcare|HCS|Clinic|Outpatient|Ambulatory"
    r"|Hospital|CBOC|Opioid)\b"
    r"|\bVeterans?'? (?:Affairs|Administration|Health(?:care)?|Medical)\b|\bVet Centers?\b"
)
_DEPARTMENT_HOST = re.compile(r"https?://(?:[\w-]+\.)*va\.gov(?=[:/?#]|$)", re.IGNORECASE)
# "VA Baptist Hospital": Virginia.
_STATE_OF_VIRGINIA = re.compile(
    r"\bVA (?:Baptist|Beach|Commonwealth|Tech|State)\b|, ?VA\b|\bVA-I\b"
)
_VET_CENTER = re.compile(r"\bvet(?:erans?)? centers?\b(?! of\b)", re.IGNORECASE)
# Organizations of veterans with their posts and chapters, and the offices that help with claims.
_ORGANIZATION = re.compile(
    r"\bVFW\b|\bVeterans of Foreign Wars\b|\bAmerican Legion\b|\bAMVETS\b|\b(?-i:DAV)\b"
    r"|\bDisabled American Veterans\b"
    r"|\bVietnam Veterans of America\b|\bParalyzed Veterans of America\b|\bJewish War Veterans\b"
    r"|\bMilitary Order of the Purple Heart\b|\bMarine Corps League\b"
    r"|\bVeterans?'?s? Services? (?:Office|Officer|Organization|Commission)\b"
    r"|\bCounty (?:Department of |Office of )?Veterans?'? (?:Affairs|Services?)\b",
    re.IGNORECASE,
)
# Others meet in a post's hall ("Tax help, Oak American Legion Hall"), and streets are named after
# it; shops and a home for children are no offices to turn to.
_POSTS = r"(?:VFW|Veterans of Foreign Wars|American Legion|AMVETS|(?-i:DAV))\b"
_AT_A_POST = re.compile(
    rf"(?:@|,|\bat\b)[^|]*\b{_POSTS}[^|]*|\bVFW National Home\b|[^|]*\bthrift (?:stores?|shops?)\b"
    rf"|\b{_POSTS} (?:hall|memorial|mem|park|field|blvd|boulevard|dr|drive|hwy|highway|ave|avenue"
    r"|way|rd|road|st|street)\b",
    re.IGNORECASE,
)
# The department's programs of housing by name, or housing that names veterans.
_HOUSING = re.compile(
    r"\bSSVF\b|\bSupportive Services for Veterans?'? Famil(?:y|ies)\b|\bHUD[- ]?VASH\b"
    r"|\bGrant and Per Diem\b"
    r"|\b(?:transitional|permanent|supportive|emergency|affordable)\b[^|.;]{0,30}\b(?:housing"
    r"|shelter)\b[^|.;]{0,20} for (?:[\w-]+ ){0,3}veterans?\b"
    r"|\b(?:housing|shelter) for (?:[\w-]+ ){0,3}veterans?\b"
    r"|\bveterans?'?s?'? (?:(?:transitional|permanent|supportive|emergency) )?"
    r"(?:housing|shelter)\b",
    re.IGNORECASE,
)
# Services that a place says it gives itself; to name housing as something to be sent to is not
# enough.
_GIVES_HOUSING = re.compile(
    r"\b(?:provid|offer|operat)(?:es?|ing) (?:[\w-]+,? ){0,3}(?:housing|shelter) (?:to"
    r"|for) (?:[\w-]+ ){0,3}veterans?\b",
    re.IGNORECASE,
)
_IS_ORGANIZATION = re.compile(r"\bis an? veterans?'?s? service organization\b", re.IGNORECASE)
_FOR_VETERANS = re.compile(r"\bveterans?(?:'s?|s')?(?!\w)|\bmilitary fam(?:ily)?\b", re.IGNORECASE)
# Names that bear the word and are not for veterans.
_IN_HONOUR = re.compile(
    r"\bveterans?'?s? (?:memorial|mem|day|blvd|boulevard|dr|drive|hwy|highway|pkwy|parkway|ave"
    r"|avenue|way|rd|road"
    r"|st|street|park|plaza|stadium|bridge|square|high|elementary|middle|school|hall)\b",
    re.IGNORECASE,
)

# Letters without which none of the patterns above fits: looked for first, all at once and by Arrow,
# since nearly no place has them. No "i", "k" and "s": Python takes more letters for these, case
# ignored, than others do.
_MENTION = (
    r"(?i:vet|vfw|leg.on|l.tary|va\.gov|va.h|\bdav\b|..vf|grant and per|purple|corp)"
    r"|\bVA(?:MC|HCS| )"
)

_SCHOOL = re.compile(r"\b(?:school|academy|sbhc)\b", re.IGNORECASE)

BY_REGISTER = "register of the department"
BY_WEBSITE = "web address of the department"
BY_ADDRESS = "words of its web address"
BY_NAME = "name"
BY_TEXT = "its own words"
_TEXTS = ("eligibility_text", "requirements_text", "services_text", "hours_text", "notes")


def of_veterans(places: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of `places` that are for veterans, with `serves_veterans_because`,
    `resource_type`, `resource_subtype`.

    `places` has name, organization, website, `resource_type` of the food directory (missing for
    what it does not list) and any of the free texts. Index and other columns are preserved.
    """
    places = places[_mentions(places)]
    organization = places["organization"].fillna("")
    name = places["name"].fillna("").str.cat(organization, sep=" | ")
    in_name = _says(name, _FOR_VETERANS, but_not=_IN_HONOUR) & ~_says(name, _SCHOOL)
    in_name |= _says(name, _ORGANIZATION, but_not=_AT_A_POST) | _says(name, _HOUSING)
    by_department = _says(name, _DEPARTMENT, but_not=_STATE_OF_VIRGINIA)
    on_host = _says(places["website"], _DEPARTMENT_HOST)
    because = pd.Series(None, index=places.index, dtype="str")
    because = because.mask(_in_texts(places), BY_TEXT)
    because = because.mask(_says(places["website"], _FOR_VETERANS, but_not=_IN_HONOUR), BY_ADDRESS)
    because = because.mask(in_name | by_department, BY_NAME).mask(on_host, BY_WEBSITE)
    veterans = places.assign(
        serves_veterans_because=because,
        resource_subtype=places["resource_type"],
        resource_type=_types(places, name, by_department | on_host),
    )
    return veterans[because.notna()]


def _mentions(places: pd.DataFrame) -> pd.Series:
    """Return whether anything in a row could say that it is for veterans."""
    mentions = pd.Series(False, index=places.index)
    for column in ("name", "organization", "website", *_TEXTS):
        if column in places:
            texts = pa.array(places[column].astype("str"), pa.large_string())
            matches = pc.match_substring_regex(texts, _MENTION)
            mentions |= matches.fill_null(False).to_numpy(zero_copy_only=False)
    return mentions


def _says(
    texts: pd.Series, pattern: re.Pattern[str], but_not: re.Pattern[str] | None = None
) -> pd.Series:
    if but_not is not None:
        texts = texts.str.replace(but_not, " ", regex=True)
    return texts.str.contains(pattern, regex=True).fillna(False).astype(bool)


def _in_texts(places: pd.DataFrame) -> pd.Series:
    """Return whether a free text names veterans among those whom a food place serves."""
    mentions = pd.Series(False, index=places.index)
    for column in _TEXTS:
        if column in places:
            mentions |= _says(places[column].astype("str"), _FOR_VETERANS, but_not=_IN_HONOUR)
    return mentions & places["resource_type"].isin(_FREE)


def _types(places: pd.DataFrame, name: pd.Series, is_department: pd.Series) -> pd.Series:
    """Return the type that the source states, else other: nothing is guessed."""
    types = pd.Series("other", index=places.index, dtype="str")
    texts = [places[column].astype("str").fillna("") for column in _TEXTS if column in places]
    empty = pd.Series("", index=places.index, dtype="str")
    words = empty.str.cat(texts, sep=" | ") if texts else empty
    is_organization = _says(name, _ORGANIZATION, but_not=_AT_A_POST)
    gives_housing = _says(words, _GIVES_HOUSING) & ~is_department
    types = types.mask(is_organization | _says(words, _IS_ORGANIZATION), "vso")
    types = types.mask(_says(name, _HOUSING) | gives_housing, "housing")
    types = types.mask(places["resource_type"].isin(_TREATMENT), "mental_health")
    return types.mask(is_department & _says(name, _VET_CENTER), "vet_center")
