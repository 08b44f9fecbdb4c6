"""Reads the area to which a clause, or the name of a service, says that food is delivered.

    "Home delivered meals to homebound elderly in Albany, Berkeley and Emeryville"   three towns
    "Staten Island only"                                                             county:36085
    "Meals on Wheels, Harford County"                                                county:24025
    "seniors in Piedmont and particular areas of Oakland"                            nothing

Delivery to a part of a town says nothing of an address in it.
"""

import re

from assets.attributes.clauses import pattern
from assets.attributes.service_area import (
    NAME,
    PlaceNames,
    take_counties,
    take_towns,
    take_zips,
)

_LIST = rf"{NAME}(?:(?:,? and|,| &|/) {NAME})*(?: [Cc]ount(?:y|ies))?"
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
    rf"|borough) of)? (?P<there>{_LIST})"
    rf"|^(?P<only>{_LIST}) only$",
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
