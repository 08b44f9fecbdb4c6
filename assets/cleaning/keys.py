"""Comparison keys: two spellings of one name or address give one key. Keys are never shown."""

from __future__ import annotations

import re
import unicodedata

# USPS Publication 28: suffixes (appendix C1), directions, secondary units (appendix C2).
_ADDRESS_WORDS = {
    "street": "st", "str": "st", "saint": "st", "avenue": "ave", "av": "ave", "aven": "ave",
    "boulevard": "blvd", "boul": "blvd", "road": "rd", "drive": "dr", "driv": "dr", "lane": "ln",
    "court": "ct", "place": "pl", "terrace": "ter", "terr": "ter", "circle": "cir", "circ": "cir",
    "square": "sq", "parkway": "pkwy", "pky": "pkwy", "parkwy": "pkwy", "highway": "hwy",
    "hiway": "hwy", "hway": "hwy", "expressway": "expy", "freeway": "fwy", "turnpike": "tpke",
    "trail": "trl", "way": "way", "wy": "way", "alley": "aly", "plaza": "plz", "center": "ctr",
    "centre": "ctr", "cntr": "ctr", "crossing": "xing", "heights": "hts", "ridge": "rdg",
    "route": "rte", "rt": "rte", "mount": "mt", "mountain": "mtn", "fort": "ft", "spring": "spg",
    "springs": "spgs", "point": "pt", "creek": "crk", "valley": "vly", "junction": "jct",
    "extension": "ext", "bypass": "byp", "causeway": "cswy", "commons": "cmns", "cove": "cv",
    "estates": "ests", "garden": "gdn", "gardens": "gdns", "grove": "grv", "harbor": "hbr",
    "hills": "hls", "hill": "hl", "island": "is", "lake": "lk", "landing": "lndg", "manor": "mnr",
    "meadows": "mdws", "park": "park", "pike": "pike", "station": "sta", "view": "vw",
    "village": "vlg", "north": "n", "south": "s", "east": "e", "west": "w", "northeast": "ne",
    "northwest": "nw", "southeast": "se", "southwest": "sw", "suite": "unit", "ste": "unit",
    "apartment": "unit", "apt": "unit", "unit": "unit", "no": "unit", "building": "bldg",
    "floor": "fl", "flr": "fl", "room": "rm", "department": "dept", "carretera": "carr",
    "urbanizacion": "urb", "avenida": "ave", "kilometro": "km", "barrio": "bo", "first": "1st",
    "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th",
    "seventh": "7th", "eighth": "8th", "ninth": "9th", "tenth": "10th", "eleventh": "11th",
    "twelfth": "12th", "thirteenth": "13th", "fourteenth": "14th", "fifteenth": "15th",
    "sixteenth": "16th", "seventeenth": "17th", "eighteenth": "18th", "nineteenth": "19th",
    "twentieth": "20th", "thirtieth": "30th", "fortieth": "40th", "fiftieth": "50th", "and": "&",
}  # fmt: skip
# The word behind each short form, for streets that one writes in two words: "oak hl" is Oakhill.
LONG_WORDS = {short: word for word, short in reversed(_ADDRESS_WORDS.items())}
_TENS = {
    "twenty": 2,
    "thirty": 3,
    "forty": 4,
    "fifty": 5,
    "sixty": 6,
    "seventy": 7,
    "eighty": 8,
    "ninety": 9,
}
_PHRASES = (
    (re.compile(r"\b(?:p o|po|post office)(?: box| bx)\b|\bpob\b"), "po box"),
    (
        re.compile(
            r"\b(?:state|st) (?:rte|hwy|rd)\b(?= \d)|\b(?:state|st) (?:rte|hwy)\b(?= [a-z]{1,2}$)"
        ),
        "sr",
    ),
    (re.compile(r"\b(?:county|cnty|cty|co) (?:rte|hwy|rd)\b(?= \w)"), "cr"),
    (re.compile(r"\b(?:u s|us)(?: (?:hwy|rte))?\b(?= \d)"), "us hwy"),
    (re.compile(r"\b(?:rural rte|r r|rfd)\b"), "rr"),
    (re.compile(r"\b(?:dr )?(?:martin (?:luther|l)|m l|ml) king(?: (?:jr|junior))?\b"), "mlk"),
    (re.compile(r"\bfarm to market(?: rd)?(?= \d)"), "fm"),
    (re.compile(r"\bsh(?= \d)"), "sr"),
    (re.compile(r"\bih(?= \d)"), "interstate"),
    (re.compile(r"(?<=\d )so(?= \w)"), "s"),
    (re.compile(r"\b(\d+)(?:st|nd|rd|th) fl\b"), r"fl \1"),
    (re.compile(r"^(?:the )?(?:(?:corner|intersection) of|cor) "), ""),
    *((re.compile(rf"\b{word} ([1-9](?:st|nd|rd|th))\b"), rf"{n}\1") for word, n in _TENS.items()),
    (re.compile(r"\bunit(?: unit)+\b"), "unit"),
    (re.compile(r"\bpo box unit\b"), "po box"),
)
_NAME_WORDS = {
    "ctr": "center",
    "cntr": "center",
    "centre": "center",
    "saint": "st",
    "sainte": "ste",
    "mount": "mt",
    "fort": "ft",
    "mkt": "market",
    "mrkt": "market",
    "assn": "association",
    "assoc": "association",
    "natl": "national",
    "intl": "international",
    "univ": "university",
    "dept": "department",
    "svc": "service",
    "svcs": "services",
    "cmty": "community",
    "bros": "brothers",
    "elem": "elementary",
    "sch": "school",
    "hosp": "hospital",
    "hlth": "health",
    "schl": "school",
    "gov": "government",
    "&": "and",
    "n": "and",
}
_LEGAL = frozenset({"inc", "incorporated", "llc", "llp", "lp", "ltd", "corp", "pllc"})

_SILENT = re.compile(r"[.'’‘ʻ`]")
_NOT_ADDRESS = re.compile(r"[^\w&#/]+|_")
_NOT_NAME = re.compile(r"[^\w&]+|_")
_JOINT = re.compile(r"\s(?:&|at|/)\s")
_HOUSE_NUMBER = re.compile(r"\d+[a-z]?(?:\s|$)")


def address_key(address: str) -> str:
    """Return the key of a street address: lower case, USPS abbreviations, ordinals as figures, the
    unit kept.

    "100 North Fifth Street, Suite B" and "100 N 5TH ST #B" give "100 n 5th st unit b". The streets
    of an intersection come in alphabetical order. An address of signs only has an empty key.
    """
    plain = _NOT_ADDRESS.sub(" ", _fold(address)).replace("#", " unit ")
    words = " ".join(_ADDRESS_WORDS.get(word, word) for word in plain.split())
    for pattern, short in _PHRASES:
        words = pattern.sub(short, words)
    if not _HOUSE_NUMBER.match(words):
        streets = _JOINT.split(words)
        if len(streets) == 2:
            return " & ".join(sorted(street.strip() for street in streets))
    return words.strip()


def name_key(name: str) -> str:
    """Return the key of a place name: lower case, no accents, punctuation, legal suffix or
    leading "the"."""
    plain = _NOT_NAME.sub(" ", _fold(name)).replace("&", " & ")
    words = [_NAME_WORDS.get(word, word) for word in plain.split()]
    while len(words) > 1 and words[-1] in _LEGAL:
        words.pop()
    if len(words) > 1 and words[0] == "the":
        words = words[1:]
    return " ".join(words)


def _fold(text: str) -> str:
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text)
        text = "".join(c for c in decomposed if not unicodedata.combining(c))
    return _SILENT.sub("", text.lower())
