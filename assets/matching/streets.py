"""Reads street addresses for comparison: house number, street, unit.

Nothing is guessed: an address that cannot be read has no house number and proves nothing.
"""

import re
from enum import IntEnum
from functools import cache, lru_cache
from typing import Any, NamedTuple

import zipcodes
from rapidfuzz.distance import Indel

from assets.cleaning.keys import LONG_WORDS, address_key
from assets.matching.words import differ_in_direction
from schemas.values.names import fold_name
from schemas.vocab.states import STATES


class AddressRelation(IntEnum):
    """Larger is closer; UNKNOWN if one of the two addresses has no house number."""

    DIFFERENT = 0
    UNKNOWN = 1
    NUMBER_ONE_DIGIT_OFF = 2  # the same street, numbers differ in one digit
    DIRECTION_DIFFERS = 3  # the same number and street name: North, South
    STREET_TYPE_DIFFERS = 4  # the same number and street name: Street, Avenue
    ALIKE = 5  # the same number, a similar spelling of the street
    SAME = 6


class Street(NamedTuple):
    """`number` is empty if the address has none; `core` then has the words that identify the spot
    ("5 elm" for a corner). Units are pairs such as ("unit", "b") and ("fl", "2")."""

    number: str
    core: str
    suffix: str
    directions: frozenset[str]
    units: frozenset[tuple[str, str]]


NOWHERE = Street("", "", "", frozenset(), frozenset())

_SUFFIXES = frozenset(
    re.findall(
        r"\w+",
        "st ave blvd rd dr ln ct pl ter cir sq pkwy hwy expy fwy tpke trl way aly plz xing loop "
        "run row path pike",
    )
)
_DIRECTIONS = frozenset({"n", "s", "e", "w", "ne", "nw", "se", "sw"})
_UNIT_CLASSES = {
    "unit": "unit",
    "rm": "unit",
    "fl": "fl",
    "bldg": "bldg",
    "lot": "unit",
    "spc": "unit",
    "dept": "unit",
    "tower": "bldg",
    "wing": "bldg",
    "level": "fl",
    "office": "unit",
}
_UNIT = re.compile(rf"\b({'|'.join(_UNIT_CLASSES)}) ([a-z]{{0,2}}\d+[a-z]?|[a-z])(?=\s|$)")
_NAMED_FLOOR = re.compile(r"\b(ground|lower|upper|main|top) (?:fl|level)\b|\b(basement|bsmt)\b")
_NTH_FLOOR = re.compile(r"\b(\d+)(?:st|nd|rd|th) fl\b|\bfl (\d+)(?:st|nd|rd|th)\b")
# A room after a comma, without a word for it: "w-280", "gct-76", "b".
_BARE_UNIT = re.compile(r"[a-z]{0,3} ?\d{1,4}[a-z]?|[a-z]")
_HOUSE = re.compile(r"(?:([nsew]{1,2}) )?(\d+)([a-z])?(?: 1/2)? (?=\S)")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_NUMBER_FIRST = re.compile(r"\s*0*([1-9]\d*) +(?=[A-Za-z])")
_GRID_HOUSE = re.compile(r"([nsew]\d+(?: ?[nsew]\d+)?)\s+(?=\S)")
_HYPHENATED = re.compile(r"\s*(\d+)\s*[-–]\s*(\d+)\b(?!(?:st|nd|rd|th)\b)")
# The houses of a range stand on one side of a street, in one block.
_BLOCK = range(2, 50, 2)
# "N.1st Ave". Between two digits a point may be a decimal point.
_GLUED = re.compile(r"\.(?=[A-Za-z])|(?<=[A-Za-z])\.(?=\d)")
_GLUED_QUARTER = re.compile(r"(?<=\d )([NSEW])(?=\d+(?:st|nd|rd|th)\b)", re.IGNORECASE)
# A house number of Queens without its hyphen: "217 10 93 Ave".
_SPACED_HOUSE = re.compile(
    r"^(\d{2,3}) (\d\d)(?= \d+(?:st|nd|rd|th)? (?:ave|st|rd|dr|pl|ln|ter)\b)", re.IGNORECASE
)
_QUARTER = re.compile(r"\b([NS])\. ?([EW])\.|\b([NS]) ([EW])(?= \d)", re.IGNORECASE)
# Old Highway 80 and Business 80 run next to Highway 80.
_ROAD_TWINS = frozenset({"old", "business", "bus", "alt", "loop", "spur", "byp"})
# The suffix first: "Avenue O", "N Road 88", "W Avenue B". "E St N" is E Street, north.
_LETTERED = re.compile(
    r"(?:([nsew]|[ns][ew]) (?!\w+ [nsew]\b))?((?:ave|rd|st) (?:\d+|[a-z])(?: 1/2)?)"
    r"(?: ([nsew]|[ns][ew]))?$"
)
# A place next to a road of Puerto Rico: "Carr. 2 Km 45.6", "PR-2, km 45 hm 6".
_KILOMETRE = re.compile(
    r"\b(?:carr(?:etera)?|pr|road|rd|ruta|route)\b[^\d]{0,9}(\d{1,4})\b.*?"
    r"\bkm\b\W*(\d{1,3})(?:[.,](\d+)|\W+(?:hm|h)\W*(\d))?",
    re.IGNORECASE,
)
# A development of Puerto Rico; streets of one name repeat from one to the next.
_URBANIZATION = re.compile(r"\burb ([a-z ]+?)(?= \d|$)")
_URBANIZATION_FIRST = re.compile(r"^(?:urb|ext|bda|res|bo) [a-z ]+(?= \d+[a-z]? (?:calle|ave)\b)")
# Precedes a unit, a cross street, a landmark or the town.
_PART = re.compile(
    r"[,;@&(]|\s(?:at|between|btwn?|near|off|opp(?:osite)?|across from)\s", re.IGNORECASE
)
_BOX = re.compile(r"\bpo (?:box|drawer)\b|\bgeneral delivery\b|\bpmb \d")
_RURAL_BOX = re.compile(r"\b(?:rr|hc) \d+ box \d")
# "KY-11" is Kentucky's State Route 11. NE is a direction, CT a court.
_STATE_CODES = "|".join(code.lower() for code in STATES if code not in {"NE", "CT"})
_STATE_NAMES = "|".join(address_key(state.name) for state in STATES.values())
_NUMBERED_ROAD = re.compile(
    rf"\b(us hwy|sr|cr|hwy|rte|fm|carr|state hwy|interstate|i|^(?:{_STATE_CODES}|{_STATE_NAMES})) "
    r"(?:unit )?(\d{1,4}[a-z]?)\b"
)
# Wisconsin and Missouri name roads by letters: the E of County Road E is not "east".
_LETTER_ROAD = re.compile(r"^(?:[nsew] )?(sr|cr|hwy|rte) ([a-z]{1,2})$")
# The government that numbers a road: "Highway 12" does not state it.
_ROAD_CLASSES = {
    "us hwy": "us",
    "interstate": "i",
    "i": "i",
    "cr": "cr",
    "hwy": "",
    "rte": "",
    "carr": "",
}
# A unit or house number with its letter behind a hyphen: "#3-B", "12-A".
_HYPHEN_LETTER = re.compile(r"(?<=\d)-(?=[A-Za-z](?![A-Za-z]))")


def read_street(address: str) -> Street:
    """Return the street of an address; `NOWHERE` if it has neither a house number nor a unit."""
    match = _NUMBER_FIRST.match(address)
    if match is None:
        return _read(address)
    # Many houses have the same street: it is read once.
    street = _read_once(f"1 {address[match.end() :]}")
    return Street(match[1], *street[1:]) if street.number == "1" else street


def _read(address: str) -> Street:
    plain = _GLUED.sub(". ", _QUARTER.sub(r"\1\2\3\4", address))
    plain = _GLUED_QUARTER.sub(r"\1 ", _SPACED_HOUSE.sub(r"\1-\2", plain))
    text, number = _without_hyphen(_HYPHEN_LETTER.sub("", plain))
    parts = [address_key(part) for part in _PART.split(text)]
    parts = [part for part in parts if part and not _BOX.search(part)]
    units = frozenset(unit for n, part in enumerate(parts) for unit in _units(part, n > 0))
    for part in parts:
        plain = _without_units(part)
        if match := _HOUSE.match(plain) or _GRID_HOUSE.match(plain):
            rest = plain[match.end() :].split()
            if match.re is _GRID_HOUSE:
                return _street(match[1].replace(" ", ""), rest, units)
            if match[3]:
                units |= {("unit", match[3])}
            # Washington State writes the direction first: NE 22900 State Route 3.
            words = [match[1], *rest] if match[1] else rest
            return _street(number or match[2].lstrip("0"), words, units)
    if match := _KILOMETRE.search(address):
        road, km, tenths, hectometre = match.groups()
        part = (tenths or hectometre or "").rstrip("0")
        place = f"km{km}.{part}" if part else f"km{km}"
        return Street(place, f"hwy {road}", "", frozenset(), frozenset())
    if any(_RURAL_BOX.search(part) for part in parts):
        return NOWHERE._replace(units=units)
    # The words that distinguish a corner or landmark.
    spot_words = {word for part in parts for word in part.split()}
    plain_words = {match[1] if (match := _ORDINAL.fullmatch(word)) else word for word in spot_words}
    spot = sorted(plain_words - _SUFFIXES - _DIRECTIONS - {"&", "of", "the"})
    return NOWHERE._replace(core=" ".join(spot), units=units)


_read_once = lru_cache(maxsize=500_000)(_read)


def box_key(address: str) -> str | None:
    """Return the post-office box or rural box of an address, in one spelling; None without one."""
    key = address_key(address)
    return key if _BOX.search(key) or _RURAL_BOX.search(key) else None


def without_range(address: str) -> str:
    """Return an address outside Queens with the first house number of a range: "627-29 Elm St" is
    "627 Elm St"."""
    match = _HYPHENATED.match(address)
    if match is None:
        return address
    return f"{match[1]}{address[match.end() :]}" if _is_range(*match.groups()) else address


def _is_range(first: str, second: str) -> bool:
    """Check for two house numbers of one block ("627-29", "98-102"), the second larger."""
    return int(first[: -len(second)] + second) - int(first) in _BLOCK


def _without_hyphen(address: str) -> tuple[str, str]:
    """Return an address and its house number without a hyphen: 37-14 in Queens is 3714, 87-720 in
    Hawaii is 87720, and a range counts as its first number."""
    match = _HYPHENATED.match(address)
    if match is None:
        return address, ""
    first, second = match[1], match[2]
    is_of_queens = len(second) == 2 and len(first) <= 3
    is_of_hawaii = len(first) <= 2 < len(second) and not _is_range(first, second)
    number = first + second if is_of_queens or is_of_hawaii else first
    return f"{number} {address[match.end() :].strip()}", number


def _units(part: str, is_behind_comma: bool) -> list[tuple[str, str]]:
    units = [("fl", a or b) for a, b in _NTH_FLOOR.findall(part)]
    units += [("fl", a or "basement") for a, _ in _NAMED_FLOOR.findall(part)]
    units += [(_UNIT_CLASSES[word], _plain(value)) for word, value in _UNIT.findall(part)]
    units += [("urb", _plain(name)) for name in _URBANIZATION.findall(part)]
    if not units and is_behind_comma and _BARE_UNIT.fullmatch(part):
        units = [("unit", _plain(part))]
    return units


def _plain(value: str) -> str:
    return value.replace(" ", "").lstrip("0") or "0"


def _without_units(part: str) -> str:
    plain = _URBANIZATION_FIRST.sub("", part).strip()
    plain = _NAMED_FLOOR.sub("", _NTH_FLOOR.sub("", plain))
    # "hwy unit 20" is a road written with a number sign, not a unit.
    if not _NUMBERED_ROAD.search(plain):
        plain = _UNIT.sub("", plain)
    return " ".join(plain.split())


def _street(number: str, words: list[str], units: frozenset[tuple[str, str]]) -> Street:
    words = [match[1] if (match := _ORDINAL.fullmatch(word)) else word for word in words]
    road = " ".join(words)
    if match := _NUMBERED_ROAD.search(road) or _LETTER_ROAD.search(road):
        units -= {("unit", match[2])}
        directions = frozenset(word for word in words if word in _DIRECTIONS - {match[2]})
        road_class = _ROAD_CLASSES.get(match[1], "sr")
        twin = next((f"{word} " for word in words if word in _ROAD_TWINS), "")
        return Street(number, f"{twin}hwy {match[2]}", road_class, directions, units)
    if match := _LETTERED.match(" ".join(words)):
        before, core, suffix, behind = [match[1]], [match[2]], "", [match[3]]
    else:
        last = next((n for n in range(len(words) - 1, 0, -1) if words[n] in _SUFFIXES), None)
        core, suffix, behind = (
            (words, "", []) if last is None else (words[:last], words[last], words[last + 1 :])
        )
        before = core[:1] if len(core) > 1 and core[0] in _DIRECTIONS else []
        core = core[len(before) :]
        if suffix == "" and len(core) > 1 and core[-1] in _DIRECTIONS:
            behind, core = core[-1:], core[:-1]
    directions = frozenset(word for word in [*before, *behind[:1]] if word in _DIRECTIONS)
    return Street(number, " ".join(core), suffix, directions, units)


def compare_streets(one: Street, other: Street) -> AddressRelation:
    """Return how two addresses relate, except for ZIP code and town, which the caller compares."""
    if not one.number or not other.number:
        # "Elm & 1st" and "Elm & 5th" are two spots; "Town Hall" and "Main Street" may be one.
        words, others = set(one.core.split()), set(other.core.split())
        are_two_spots = bool(words & others and words - others and others - words)
        is_open = bool(one.number or other.number) or not are_two_spots
        return AddressRelation.UNKNOWN if is_open else AddressRelation.DIFFERENT
    # "E Ferry Rd" and "E Ferry Rd NE" are one road.
    is_turned = not (one.directions <= other.directions or other.directions <= one.directions)
    is_apart = (
        bool(one.suffix)
        and bool(other.suffix)
        and one.suffix != other.suffix
        and not _is_suffix_named(one, other)
    )
    if one.core == other.core and one.number == other.number:
        if is_turned:
            return AddressRelation.DIRECTION_DIFFERS
        return AddressRelation.STREET_TYPE_DIFFERS if is_apart else AddressRelation.SAME
    if is_apart or is_turned:
        return AddressRelation.DIFFERENT
    if (
        one.core == other.core
        and len(one.number) == len(other.number)
        and sum(a != b for a, b in zip(one.number, other.number, strict=True)) == 1
    ):
        return AddressRelation.NUMBER_ONE_DIGIT_OFF
    is_alike = _is_suffix_named(one, other) or _is_street_alike(one.core, other.core)
    is_alike &= one.number == other.number
    return AddressRelation.ALIKE if is_alike else AddressRelation.DIFFERENT


def _is_suffix_named(one: Street, other: Street) -> bool:
    """Check for a suffix that is part of the name: Quail Run and Quail Run Road."""
    return other.core == f"{one.core} {one.suffix}" or one.core == f"{other.core} {other.suffix}"


def _is_street_alike(one: str, other: str) -> bool:
    if any(c.isdigit() for c in one + other):
        return one.replace(" ", "") == other.replace(" ", "")
    words, others = set(one.split()), set(other.split())
    # "Oak hl" and "oakhill" have the same long words.
    long, other_long = (
        "".join(LONG_WORDS.get(word, word) for word in core.split()) for core in (one, other)
    )
    if words < others or others < words or long == other_long:
        return True
    # Calle A and Calle B, Eastwood and Westwood are different streets.
    is_other = any(len(word) == 1 for word in words ^ others)
    return (
        not is_other
        and not differ_in_direction(one, other)
        and Indel.normalized_similarity(one, other) >= 0.85
    )


def have_units_in_conflict(one: Street, other: Street) -> bool:
    """Check whether both addresses state a unit, floor or building, and not the same one."""
    for kind in ("unit", "fl", "bldg", "urb"):
        mine = {value for k, value in one.units if k == kind}
        theirs = {value for k, value in other.units if k == kind}
        if mine and theirs and not mine & theirs:
            return True
    return False


# Prefixes of New York City's ZIP codes. Some lists write "New York" for Queens.
_NEW_YORK = ("100", "101", "102", "103", "104", "111", "112", "113", "114", "116")
# Prefixes of the ZIP codes of Queens and its border, where "37-14" is one house.
QUEENS = ("110", "111", "113", "114", "116")


@cache
def records_by_zip() -> dict[str, Any]:
    """Return the record of each ZIP code in the package `zipcodes`."""
    records = zipcodes.list_all()  # type: ignore[no-untyped-call]
    return {record["zip_code"]: record for record in records}


@cache
def town_names(zip_code: str | None, city: str | None) -> frozenset[str]:
    """Return the folded names of a ZIP code and a folded city; either may be missing."""
    record = records_by_zip().get(zip_code) if zip_code else None
    names: frozenset[str] = frozenset()
    if record is not None:
        others = *record["acceptable_cities"], *record["unacceptable_cities"]
        names = frozenset(map(fold_name, [record["city"], *others]))
    if zip_code and zip_code.startswith(_NEW_YORK):
        names |= {"new york"}
    # "New York City" is New York.
    return names | {city, city.removesuffix(" city")} if city else names
