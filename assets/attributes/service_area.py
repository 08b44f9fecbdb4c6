"""Reads the service area that a clause states: ZIP codes, counties, towns, a state.

    "Only serves residents of zip codes 11203 and 11226"   zip:11203 zip:11226, a limit
    "Serving Elyria residents"                             place:OH/elyria, no limit
    "Residents of ward 7 only"                             a limit, to an unknown area

Other areas are "not served" only if every part of the limit is known, since a guess could turn
somebody away.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pandas as pd

from assets.attributes.clauses import PLAIN_WORDS, pattern
from schemas.values.coordinates import great_circle_miles
from schemas.values.names import fold_name
from schemas.vocab.states import CODE_BY_FIPS, CODE_BY_NAME


@dataclass(frozen=True)
class ServiceArea:
    """`areas` are "zip:11203", "county:39093", "place:OH/elyria", "state:DC".

    `is_limit`: only this area is served. `is_whole`: `areas` is all of it.
    """

    areas: tuple[str, ...]
    is_limit: bool
    is_whole: bool


@dataclass(frozen=True)
class PlaceNames:
    """Names to find in clauses: county FIPS by (state, folded name without "county"), and points
    (latitude, longitude) of towns by (state, folded name)."""

    counties: Mapping[tuple[str, str], str]
    towns: Mapping[tuple[str, str], tuple[float, float]]


NO_NAMES = PlaceNames({}, {})
# A town farther away is another town with the same name.
_MAX_TOWN_MILES = 40.0
_COUNTY_WORD = re.compile(r" (?:county|parish|borough|census area|municipio|municipality)$")


def place_names(zips: pd.DataFrame, cities: pd.DataFrame) -> PlaceNames:
    """Return the names of `schemas.tables.core.ZIPS` and `CITIES`.

    A city that is a county of its own (Baltimore, St. Louis) is a town, not a county.
    """
    counties: dict[tuple[str, str], str] = {}
    county_rows = zips[["state", "county_name", "county_fips"]].dropna().drop_duplicates()
    for state, name, fips in county_rows.itertuples(index=False):
        folded = fold_name(name)
        if _COUNTY_WORD.search(folded) and CODE_BY_FIPS.get(fips[:2]) == state:
            counties[state, _COUNTY_WORD.sub("", folded)] = fips
    towns = cities[["state", "search_name", "lat", "lng"]].dropna().astype(object)
    points = {(state, name): (lat, lng) for state, name, lat, lng in towns.itertuples(index=False)}
    return PlaceNames(counties, points)


def without_far_towns(
    area: ServiceArea, point: tuple[float, float] | None, names: PlaceNames
) -> ServiceArea:
    """Leave out towns far from the place's point, whose name may be that of a neighborhood."""
    if point is None:
        return area
    areas = []
    for code in area.areas:
        kind, _, name = code.partition(":")
        state, _, town = name.partition("/")
        if kind != "place" or (
            great_circle_miles(*point, *names.towns[state, town]) <= _MAX_TOWN_MILES
        ):
            areas.append(code)
    is_whole = area.is_whole and len(areas) == len(area.areas)
    return ServiceArea(tuple(areas), area.is_limit, is_whole)


_SPEAKS_OF_AREA = pattern(
    r"\bresidents?\b",
    r"\bzip ?codes?\b",
    r"\b(?:live|lives|living|resid(?:e|es|ing)) (?:in|within)\b",
    r"\bserv(?:es|ing|ice area)\b",
    r"\bservices (?:the following|residents|only)\b",
    r"\bmust be an? [\w ]+ county address\b",
    r"\blimited to\b|\brestricted to\b",
)
# About documents, delivery, third parties, or the past: not a service area.
_OTHER = pattern(
    r"\bproof\b|\bverif|\bdocument|\butility bill\b|\bID\b|\bidentification\b|\bnot\b|n't\b"
    r"|\bno longer\b",
    r"\bdeliver|\bif you\b|\bunless\b|\bexcept\b|\bcitizenship\b|\bresidential\b|\bresidency\b"
    r"|\bcall\b|@|https?:",
    r"\boutside\b|\breferr|\b(?:member|partner) agencies\b|\blast names?\b|\bapartments?\b"
    r"|\bapts?\b|\bmobile homes?\b|\bhouses\b",
    # Part of an area only.
    r"\bbetween\b|\bboundar|\bborders?\b|\b[ns][ew]\b|\b(?:north|south)(?:east|west)(?:ern)?\b"
    r"|\b(?:north|south|east|west)ern\b",
    r"\bresidents (?:obtain|may stay)\b|\bof (?:this|the) (?:facility|building|shelter)\b",
)
_SPEAKS_OF_HOMES = pattern(
    r"\bresidents?\b|\bzip ?codes?\b|\bliv(?:e|es|ing)\b|\bresid(?:e|es|ing)\b|\baddress\b|\barea\b"
)
# The rest of a longer statement.
_REST = re.compile(r"(?:and|or|&|\+)\b", re.IGNORECASE)
_LIMIT = pattern(
    r"\bonly\b",
    r"\bmust (?:live|reside|be (?:an? )?)",
    r"\blimited to\b|\brestricted to\b|\bexclusively\b",
    r"\bno exceptions\b",
)
_SOFT = pattern(
    r"\bpriorit|\bpreference\b|\bprimarily\b|\busually\b|\bmainly\b|\bmostly\b|\bespecially\b"
    r"|\balso\b"
    r"|\bsurrounding\b|\bnearby\b|\bgenerally\b|\bother requests\b|\bonly (?:once|one|on)\b"
)
# Statements of an area, parseable or not.
_AREA = pattern(
    r"^(?:only )?(?:serves|serving|services|open (?:only )?to|available (?:only )?(?:to|for)|for"
    r"|must (?:be|live|reside)|intended for|restricted to|limited to"
    r"|service area)\b.*\b(?:residents?|zip ?codes?|school district|county|townships?|reside"
    r"|live)\b",
    r"^(?:all )?residents of\b",
    r"^.{0,60}\bresidents only$",
    r"^only residents of\b",
    r"^service area includes\b",
)
_NO_AREA = pattern(r"\bnot\b|n't\b|\bnursing\b|\bfacility\b|\bdeliver|\bif\b|@|https?:")
_ELIGIBLE = re.compile(r"^(?:all )?residents of\b|^[\w ,]+ residents$", re.IGNORECASE)
_ZIP = re.compile(r"(?<![\d-])\d{5}(?![\d])")
# Written without blanks; with blanks, dashes separate the codes of a list.
_RANGE = re.compile(r"(?<![\d-])(\d{5})[-–](\d{5})(?![\d-])")
_MAX_SPAN = 30
_SPEAKS_OF_ZIPS = re.compile(
    r"\bzip|\b(?:residents of|live in|reside in|from) \d{5}\b|\b\d{5} residents\b", re.IGNORECASE
)
_OWN_ZIP = re.compile(r"\b(?:this|(?:the|our) same|our) zip ?code\b", re.IGNORECASE)
NAME = r"[A-Z][\w.'’]*(?:[ -](?:[A-Z][\w.'’]*|of|the|du|de))*"
_COUNTIES = re.compile(
    rf"(?:(?P<names>{NAME}(?:(?:,| and| &|/|, and) {NAME})*) (?:[Cc]ount(?:y|ies)|[Pp]arish(?:es)?)"
    rf"|[Cc]ount(?:y|ies) of (?P<after>{NAME}(?:(?:,| and| &|, and) {NAME})*))\b"
)
_NAMES = re.compile(NAME)
_BETWEEN = re.compile(r",? and |, | & |/")
_BOROUGHS = {
    "bronx": "36005",
    "the bronx": "36005",
    "brooklyn": "36047",
    "manhattan": "36061",
    "queens": "36081",
    "staten island": "36085",
}
# A township, ward or district often shares its name with a town elsewhere in the state.
_NO_TOWN = pattern(r"\b(?:twps?|townships?|wards?|districts?)\b", r"\bbased in\b")
# Words around a town of residence. The name of a company or a church is not a town: "with
# Washington Gas", "Uptown Parish Pantry".
_LEADS_TO_TOWN = re.compile(
    r"(?:\b(?:of|in|from|serv(?:es?|ing)|for|includ(?:es?|ing)|within|either|only|the|all|greater"
    r"|to|city|and|or|than)"
    r"|[&+/:,;–-])[\s:-]*$",
    re.IGNORECASE,
)
_FOLLOWS_TOWN = re.compile(
    r"\W*(?:residents?|areas?|only|zip|communit\w+|famil\w+|and|or|city|$)|\s*[,&+/]", re.IGNORECASE
)
_DISTRICT = re.compile(r"\b(?:District of Columbia|Washington,? D\.?C\.?|D\.?C\.?)(?!\w)")


def speaks_of_area(clause: str) -> bool:
    """Check whether a clause may state a service area, for `read_service_area`."""
    return len(clause) <= 400 and bool(_SPEAKS_OF_AREA.search(clause) or _AREA.search(clause))


def read_service_area(
    clause: str,
    state: str | None,
    names: PlaceNames,
    *,
    is_eligibility: bool = False,
    own_zip: str | None = None,
) -> ServiceArea | None:
    """Return the service area that a clause states for a place in `state`; None without one.

    `is_eligibility`: the clause is in an eligibility field, where "Residents of Amherst" alone is a
    limit. `own_zip`: the place's, for "this ZIP code".
    """
    is_statement = bool(_AREA.search(clause)) and not _NO_AREA.search(clause)
    if not speaks_of_area(clause) or _OTHER.search(clause):
        return ServiceArea((), False, False) if is_statement else None
    codes: list[str] = []
    rest = _take_state(clause, codes)
    if own_zip:
        rest = _OWN_ZIP.sub(f"zip code {own_zip}", rest)
    rest = take_zips(rest, codes)
    if state:
        rest = take_counties(rest, state, names, codes)
        rest = take_towns(rest, state, names, codes)
    words = re.findall(r"\w[\w-]*", rest.casefold())
    is_whole = (
        bool(codes) and all(word in PLAIN_WORDS for word in words) and not _REST.match(clause)
    )
    is_limit = bool(_LIMIT.search(clause)) or (is_eligibility and bool(_ELIGIBLE.search(clause)))
    is_limit = is_limit and not _SOFT.search(clause)
    names_homes = is_limit and bool(_SPEAKS_OF_HOMES.search(clause))
    if not (codes or names_homes or is_statement or _NO_TOWN.search(clause)):
        return None
    return ServiceArea(tuple(dict.fromkeys(codes)), is_limit, is_whole)


def take_zips(text: str, codes: list[str]) -> str:
    if not (_SPEAKS_OF_ZIPS.search(text) or len(_ZIP.findall(text)) > 1):
        return text

    def expand(span: re.Match[str]) -> str:
        first, last = int(span[1]), int(span[2])
        if span[1][:3] != span[2][:3] or not 0 < last - first <= _MAX_SPAN:
            return span[0]
        return " ".join(f"{code:05}" for code in range(first, last + 1))

    text = _RANGE.sub(expand, text)
    codes += [f"zip:{code}" for code in _ZIP.findall(text)]
    return _ZIP.sub(" ", text)


def _take_state(text: str, codes: list[str]) -> str:
    if _DISTRICT.search(text):
        codes.append("state:DC")
        return _DISTRICT.sub(" ", text)
    match = re.search(rf"\bresidents of (?:the state of )?({NAME})$|^({NAME}) residents?\b", text)
    code = CODE_BY_NAME.get((match[1] or match[2]).casefold()) if match else None
    # A town may have a state's name: New York residents.
    if match is None or code is None or code in {"NY", "WA"}:
        return text
    codes.append(f"state:{code}")
    return text.replace(match[1] or match[2], " ")


def take_counties(text: str, state: str, names: PlaceNames, codes: list[str]) -> str:
    def take(match: re.Match[str]) -> str:
        rest = []
        for name in _BETWEEN.split(match["names"] or match["after"]):
            code = _county(name, state, names)
            if code:
                codes.append(f"county:{code}")
            else:
                rest.append(name)
        return " ".join(rest)

    return _COUNTIES.sub(take, text)


def _county(name: str, state: str, names: PlaceNames) -> str | None:
    """Return the FIPS code of a county, without leading words of the sentence ("Serving Erie")."""
    words = name.split()
    for start in range(len(words)):
        code = names.counties.get((state, fold_name(" ".join(words[start:]))))
        if code and all(word.casefold() in PLAIN_WORDS for word in words[:start]):
            return code
    return None


def take_towns(text: str, state: str, names: PlaceNames, codes: list[str]) -> str:
    rest, at = "", 0
    for start, end, name in _names_in(text, lambda name: (state, fold_name(name)) in names.towns):
        folded = fold_name(name)
        if state == "NY" and folded in _BOROUGHS:
            codes.append(f"county:{_BOROUGHS[folded]}")
        elif (
            (state, folded) in names.towns
            and not _NO_TOWN.search(text)
            and (_LEADS_TO_TOWN.search(text[:start]) or _FOLLOWS_TOWN.match(text[end:]))
        ):
            codes.append(f"place:{state}/{folded}")
        else:
            continue
        rest, at = rest + text[at:start] + " ", end
    return rest + text[at:]


def _names_in(text: str, is_town: Callable[[str], bool]) -> Iterator[tuple[int, int, str]]:
    """Yield the start, end and text of each capitalized name, without plain words at its ends
    unless they belong to the name of a town ("Union City")."""
    for match in _NAMES.finditer(text):
        start, words = match.start(), match[0].split(" ")
        while words and words[0].casefold() in PLAIN_WORDS and not is_town(" ".join(words)):
            start += len(words.pop(0)) + 1
        while words and words[-1].casefold() in PLAIN_WORDS and not is_town(" ".join(words)):
            words.pop()
        if words:
            name = " ".join(words)
            yield start, start + len(name), name


_AREAS = rf"{NAME}(?:(?:,? and|,| &|/) {NAME})*(?: [Cc]ount(?:y|ies))?"
_OF_PEOPLE = pattern(
    r"\bdeliver",
    r"\bhome-?bound\b",
    r"\bseniors?\b",
    r"\belder",
    r"\bresidents?\b",
    r"\bonly\b",
    r"\bpersons?\b|\bpeople\b|\badults\b|\bindividuals\b",
)
_PART = pattern(
    r"\bareas? of\b|\bparts? of\b|\bareas\b|\bgreater\b|\blimited\b|\bmetro|\bsome\b|\bnear\b"
    r"|\bnot\b|n't\b|\bexcept\b",
    r"\b(?:north|south|east|west|central)(?:ern)?\b",
    r"\boffice|\bkitchen|\blocated\b|\bvolunteer in\b",
)
_WHERE = re.compile(
    r"\b(?:in|within|throughout|serves|serving)(?: the)?(?: (?:city|town|village"
    rf"|borough) of)? (?P<there>{_AREAS})"
    rf"|^(?P<only>{_AREAS}) only$",
)
_IN_NAME = re.compile(rf"\((?P<listed>[^()]+)\)|^\W*of (?P<of>{NAME})\W*$")


def read_delivery_area(
    text: str, state: str, names: PlaceNames, *, is_name: bool = False
) -> tuple[str, ...]:
    """Return the areas that a clause names, in the format of `read_service_area`.

    `is_name`: the name of a service, without the usual words of such services. A name states
    counties; a town only in brackets, or alone after "of".
    """
    codes: list[str] = []
    if is_name:
        take_counties(text, state, names, codes)
        for match in _IN_NAME.finditer(text):
            take_towns(match["listed"] or match["of"], state, names, codes)
    elif _OF_PEOPLE.search(text) and not _PART.search(text):
        take_zips(text, codes)
        for match in _WHERE.finditer(re.sub(r"\bonly$", "only", text, flags=re.IGNORECASE)):
            rest = take_counties(match["there"] or match["only"], state, names, codes)
            take_towns(rest, state, names, codes)
    return tuple(dict.fromkeys(codes))
