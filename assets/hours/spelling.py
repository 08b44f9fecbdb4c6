"""Recognizes misspelled weekdays: "Mondy", "Thursady", "Wednessday"."""

import re

from rapidfuzz.distance import OSA

_NAMES: dict[str, int] = {
    "monday": 0,
    "tuesday": 1,
    "wednesday": 2,
    "thursday": 3,
    "friday": 4,
    "saturday": 5,
    "sunday": 6,
    "miercoles": 2,
    "domingo": 6,
}
_SPANISH = ("lunes", "martes", "miercoles", "jueves", "viernes", "sabado", "domingo")
_SHORT = (
    *dict.fromkeys(name[:3] for name in (*_NAMES, *_SPANISH)),
    *("tues", "weds", "thur", "thurs", "mier", "vier"),
)


# "M onday", "Tu es day"
_TORN_DAY = re.compile(
    rf"\b(?:{'|'.join(' ?'.join(name) for name in [*list(_NAMES)[:7], 'thurs'])})(?=s?\b)",
    re.IGNORECASE,
)
# "1O:00am - l2:00pm", "9-l2"; "FRl", "M0N"
_GLYPHS = re.compile(r"\b(?:(?=[\dOIl:]*\d)[\dOIl]{1,2}:[\dOol]{2}|[Il]\d|\dO)(?![A-Zb-oq-z\d])")
_DIGITS = str.maketrans("OoIl", "0011")
_LETTERED = re.compile(r"\b(?=\w*[0l])[A-Za-z0]{3,9}\b")
_LETTERS = str.maketrans("0l", "oi")


def with_whole_days(text: str) -> str:
    """Join weekdays split by spaces, as in lists from a PDF; replace letters with digits in times,
    and digits with letters in weekdays."""
    text = _TORN_DAY.sub(lambda name: name[0].replace(" ", ""), text)
    text = _GLYPHS.sub(lambda time: time[0].translate(_DIGITS), text)
    return _LETTERED.sub(_with_letters, text)


def _with_letters(word: re.Match[str]) -> str:
    day = word[0].translate(_LETTERS).lower()
    is_day = day in _SHORT or day.removesuffix("s") in _NAMES
    return day if is_day and word[0].lower() != day else word[0]


def misspelled_days() -> dict[str, int]:
    """Return weekdays written with one letter left out, doubled or exchanged with the next, and
    their plurals.

    The first and last letters never change ("Frida" is a name). Slips equally close to another
    weekday are omitted: "tursday" may be Tuesday.
    """
    days: dict[str, int] = {}
    for name, weekday in _NAMES.items():
        for slip in _slips(name):
            if not any(_is_one_letter_off(slip, other) for other in _NAMES):
                days[slip] = days[slip + "s"] = weekday
    return days


def _slips(name: str) -> set[str]:
    inner = range(1, len(name) - 1)
    omissions = {name[:n] + name[n + 1 :] for n in inner}
    doublings = {name[:n] + name[n] + name[n:] for n in inner}
    exchanges = {
        name[:n] + name[n + 1] + name[n] + name[n + 2 :] for n in inner if n + 2 < len(name)
    }
    return (omissions | doublings | exchanges) - {name}


def _is_one_letter_off(slip: str, name: str) -> bool:
    """Return whether a slip differs from a name in one letter."""
    return len(slip) == len(name) and sum(a != b for a, b in zip(slip, name, strict=True)) == 1


def may_be_day(word: str) -> bool:
    """Return whether an unknown word may be a weekday with more than one slip ("Mndy", "Wexnesday",
    "Frq").

    Such a word cannot name a service or visitors.
    """
    return (
        any(OSA.distance(word, name, score_cutoff=2) <= 2 for name in _NAMES)
        or any(OSA.distance(word, name, score_cutoff=1) <= 1 for name in _SPANISH)
        or any(word[:1] == n[0] and OSA.distance(word, n, score_cutoff=1) <= 1 for n in _SHORT)
    )
