"""Extracts the line that a geocoder can locate: house number and street, without units and
boxes."""

import re

# A unit, a cross street, a landmark or the town follows.
_PART = re.compile(r"[,;@&(]|\s(?:AT|BETWEEN|BTWN|NEAR|C/O)\s")
_BOX = re.compile(r"\bP\.?\s*O\.?\s*(?:BOX|BX|DRAWER)\b|\bGENERAL DELIVERY\b|\bBOX \d|\bPMB\b")
_POINT = re.compile(r"\.(?=\s|$)")
_HOUSE = re.compile(r"[NSEW]?\d+[A-Z]?(?:-\d+[A-Z]?)?(?: 1/2)? +(?=.*[A-Z0-9])")
# "3127-A Main St" and "20470 # A Main St": a unit next to the number.
_ROOM_BEFORE = re.compile(r"^(\d+)\s?[-#]\s?[A-Z](?=\s)")
# "206-210 Main St" and "205/207 Main St"; Queens writes 37-14 for one house.
_RANGE = re.compile(r"^(\d+)\s?([-/])\s?(\d+)(?=\s)")
_DISTANCE = re.compile(r"\d+ (?:1/2 )?(?:MI\.? [NSEW]|MILES?|BLKS?|BLOCKS?|FEET|YARDS)\b")
_DASHES = str.maketrans("–—‐‑", "----")
_ROAD_NUMBER = re.compile(r"\b(?:HWY|HIGHWAY|ROUTE|RTE|RT|ROAD)\s*#\s*(?=\d)")
_ROOM_NUMBER = r"(?:[A-Z]{0,2}-?\d[\w-]*|[A-Z])(?=\s|$|\.)"
_ROOM = re.compile(
    r"\s+(?:"
    r"(?:SUITE|STE|UNIT|APT|APARTMENT|ROOM|RM|FLOOR|BLDG|BUILDING|LOT|SPC|SPACE|DEPT"
    rf"|TRLR)\.?\s*#?\s*{_ROOM_NUMBER}"
    r"|#\s*[\w-]+"
    r"|\d+(?:ST|ND|RD|TH)\s+FL(?:OOR|R)?\b"
    r"|(?:GROUND|LOWER|UPPER|MAIN|TOP)\s+(?:FL(?:OOR)?|LEVEL)\b"
    r"|(?:BASEMENT|BSMT)\b"
    r").*$"
)


def street_line(address: str) -> str | None:
    """Return house number and street in capitals; None without a house number.

    Boxes, corners and landmarks have none. Units are removed: the geocoder only knows streets.
    """
    text = " ".join(address.translate(_DASHES).upper().split())
    for part in _PART.split(text):
        line = _ROOM_BEFORE.sub(r"\1", _RANGE.sub(_first_number, part.strip()))
        line = _ROOM.sub("", _ROAD_NUMBER.sub(_without_sign, line))
        if _HOUSE.match(line) and not _BOX.search(line) and not _DISTANCE.match(line):
            return _POINT.sub("", line).strip(" -")
    return None


def _first_number(match: re.Match[str]) -> str:
    first, sign, second = match[1], match[2], match[3]
    is_queens = sign == "-" and len(first) <= 3 and len(second) == 2
    return match[0] if is_queens or second == "2" else first


def _without_sign(match: re.Match[str]) -> str:
    return match[0].rstrip().rstrip("#").rstrip() + " "
