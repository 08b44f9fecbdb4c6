"""Words in place names that people write and lists omit, or vice versa."""

import re
from collections.abc import Iterator

from schemas.values.names import fold_name

# "Village of Oak Park", "Municipio de Bayamón", "Cherry Hill Township", "Wilkinsburg Borough".
_BEFORE = re.compile(
    r"^(?:(?:city|town|township|village|borough|municipality|hamlet|charter township) of"
    r"|(?:ciudad|pueblo|municipio|villa) de(?:l)?|greater|downtown)\s+(?=\S)"
)
_AFTER = re.compile(
    r"\s+(?:charter township|township|twp|tshp|borough|boro|village|town|city|municipio"
    r"|municipality|cdp|area|metro)$"
)
# Abbreviations of the Postal Service (Publication 28, appendix C), and directions.
_SHORT = {
    "n": "north", "no": "north", "s": "south", "so": "south", "e": "east", "w": "west",
    "pt": "point", "prt": "port", "hts": "heights", "spg": "spring", "spgs": "springs",
    "spr": "springs", "sprgs": "springs", "lk": "lake", "lks": "lakes", "mtn": "mountain",
    "hbr": "harbor", "harbour": "harbor", "jct": "junction", "vly": "valley", "vlg": "village",
    "bch": "beach", "is": "island", "isl": "island", "pk": "park", "ctr": "center",
    "centre": "center", "cntr": "center", "grv": "grove", "hl": "hill", "hls": "hills",
    "fls": "falls", "gdns": "gardens", "riv": "river", "rvr": "river", "vw": "view", "cy": "city",
    "cty": "city", "crk": "creek", "ck": "creek", "brg": "bridge", "gr": "grand", "rch": "ranch",
    "est": "estates", "ests": "estates", "twp": "township", "ldg": "landing", "sta": "santa",
}  # fmt: skip
_COUNTY_WORDS = r"county|cnty|co|parish|census area|condado"
_MAYBE_COUNTY_WORDS = r"borough|municipality|municipio|city and borough|island|district|city"
_COUNTY = re.compile(rf"\s+(?:{_COUNTY_WORDS}|{_MAYBE_COUNTY_WORDS})$")
_CONDADO = re.compile(r"^(?:county of|parish of|condado de(?:l)?|municipio de)\s+")
_NAMES_COUNTY = re.compile(
    rf"(?:\s(?:{_COUNTY_WORDS})$|^(?:county of|parish of|condado de(?:l)?)\s)"
)


def spellings(folded: str) -> Iterator[str]:
    """Yield a folded name, then without its type words, then with abbreviations expanded."""
    bare = _AFTER.sub("", _BEFORE.sub("", folded))
    full = " ".join(_SHORT.get(word, word) for word in folded.split())
    yielded: set[str] = set()
    for spelling in (folded, bare, full, _AFTER.sub("", full), _with_port(folded)):
        if spelling and spelling not in yielded:
            yielded.add(spelling)
            yield spelling


def _with_port(folded: str) -> str:
    """Add the other meaning of Pt.: Pt Jefferson is Port Jefferson."""
    return re.sub(r"^pt ", "port ", folded)


def county_base(name: str) -> str:
    """Return the folded name of a county without "County" and the like: "cook", "orleans",
    "bayamon"."""
    folded = fold_name(name)
    return _COUNTY.sub("", _CONDADO.sub("", folded)) or folded


def names_county(text: str) -> bool:
    """Return whether a text names a county; "Borough" and "Island" are not certain."""
    return _NAMES_COUNTY.search(fold_name(text)) is not None
