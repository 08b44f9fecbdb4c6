"""Reads a distance in miles from a question."""

import re

from schemas.vocab.constraints import MAX_ASKED_MILES
from serving.search.language.tables import number_words

_WORDS = number_words().amounts
_MILES = {"k": 0.621371, "m": 1.0}
_NUMBER = rf"(?P<number>\d{{1,3}}(?:[.,]\d{{1,2}})?|{'|'.join(_WORDS)})"
_DISTANCE = re.compile(
    rf"(?<![\w$.])(?:a |an )?{_NUMBER}(?: of a| a| an| of)?(?: ?- ?| (?:or|o|to|a) \d{{1,3}} | )?"
    r"(?P<unit>miles?|millas?|milles?|mis?\b|kilometers?|kilometros?|kilometres?|kms?\b)"
)
# The distance somebody has come, lives at or drove is no wish; neither is one that has passed.
_NO_WISH_BEFORE = re.compile(
    r"(?:(?:live|lives|living|lived|vivo|vivimos|vive|am|im|we are|were|estoy|estamos|moved|walked|drove|camine|maneje|manejamos|drive|run|ran|walk every day"
    r"|just|is|esta|queda|was|house is|farther than|further than|more than|over|mas de|mas lejos de)(?: (?:about|like|only|over|around|almost|como|unas|unos|a|a unas|un|mas de|more than|already))*)$"
)
_CAP_BEFORE = re.compile(
    r"(?:no|not|nothing|nunca|cant|cannot|can't|dont|don't|wont|won't|ni)(?: \w+){0,6} (?:farther than|further than|more than|over|mas de|mas lejos de|a mas de|past|beyond)(?: a)?$"
)
_NO_WISH_AFTER = re.compile(
    r" ?(?:(?:road|rd)\b|away from (?:my|the|town|everything)|from (?:town|my|the|anything|everything|nearest)|outside|out of|(?:an|per|a|por) (?:hour|gallon|hora|day|week|dia)|to work|is too|es muy|es demasiado)"
)
_MAX_BACK = 60


def miles_of(text: str) -> frozenset[float]:
    """Return the distances of a folded question as wishes, rounded to a tenth of a mile."""
    return frozenset(miles for match in _DISTANCE.finditer(text) if (miles := _miles(text, match)))


def _miles(text: str, match: re.Match[str]) -> float | None:
    before = text[max(0, match.start() - _MAX_BACK) : match.start()].rstrip()
    is_cap = _CAP_BEFORE.search(before) is not None
    if not is_cap and (_NO_WISH_BEFORE.search(before) or _NO_WISH_AFTER.match(text, match.end())):
        return None
    said = match["number"]
    if match["unit"] in ("mi", "mis") and not said[0].isdigit():
        return None  # "una mi" is "one my"
    number = _WORDS.get(said) or float(said.replace(",", "."))
    miles = round(number * _MILES[match["unit"][0]], 1)
    return miles if 0 < miles <= MAX_ASKED_MILES else None
