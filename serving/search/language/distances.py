"""Reads a distance in miles from a question."""

from re import Match

from schemas.vocab.constraints import MAX_ASKED_MILES
from serving.search.language.tables import number_patterns, number_words

_WORDS = number_words().amounts
_MILES = {"k": 0.621371, "m": 1.0}
_MAX_BACK = 60


def miles_of(text: str) -> frozenset[float]:
    """Return the distances of a folded question as wishes, rounded to a tenth of a mile."""
    return frozenset(
        miles
        for match in number_patterns()["distance"].finditer(text)
        if (miles := _miles(text, match))
    )


def _miles(text: str, match: Match[str]) -> float | None:
    patterns = number_patterns()
    before = text[max(0, match.start() - _MAX_BACK) : match.start()].rstrip()
    is_cap = patterns["distance_cap"].search(before) is not None
    if not is_cap and (
        patterns["distance_spoken_of"].search(before)
        or patterns["distance_of_something"].match(text, match.end())
    ):
        return None
    amount = match["number"]
    if match["unit"] in ("mi", "mis") and not amount[0].isdigit():
        return None  # "una mi" is "one my"
    number = _WORDS.get(amount) or float(amount.replace(",", "."))
    miles = round(number * _MILES[match["unit"][0]], 1)
    return miles if 0 < miles <= MAX_ASKED_MILES else None
