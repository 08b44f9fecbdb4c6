"""Slips of the pen in names of weekdays: "Mondy", "Thursady", "Wednessday"."""

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
    "mon",
    "tue",
    "tues",
    "wed",
    "weds",
    "thu",
    "thur",
    "thurs",
    "fri",
    "sat",
    "sun",
    "lun",
    "mar",
    "mie",
    "mier",
    "jue",
    "vie",
    "vier",
    "sab",
    "dom",
)


# "M onday", "Wednes day"
_TORN = "|".join(
    f"{name[:place]} {name[place:]}" for name in list(_NAMES)[:7] for place in range(1, len(name))
)
_TORN_DAY = re.compile(rf"\b(?:{_TORN})(?=s?\b)", re.IGNORECASE)


def with_whole_days(text: str) -> str:
    """Join weekdays that a blank tears apart, as in lists taken from a PDF."""
    return _TORN_DAY.sub(lambda name: name[0].replace(" ", ""), text)


def misspelled_days() -> dict[str, int]:
    """Return weekdays written with one letter left out, doubled or exchanged with the next, and
    their plurals.

    First and last letter stay as they are ("Frida" is a name). A slip that is as near to another
    weekday is left out: "tursday" may be Tuesday.
    """
    found: dict[str, int] = {}
    for name, weekday in _NAMES.items():
        for slip in _slips(name):
            if not any(_is_one_letter_off(slip, other) for other in _NAMES):
                found[slip] = found[slip + "s"] = weekday
    return found


def _slips(name: str) -> set[str]:
    inner = range(1, len(name) - 1)
    left_out = {name[:n] + name[n + 1 :] for n in inner}
    doubled = {name[:n] + name[n] + name[n:] for n in inner}
    exchanged = {
        name[:n] + name[n + 1] + name[n] + name[n + 2 :] for n in inner if n + 2 < len(name)
    }
    return (left_out | doubled | exchanged) - {name}


def _is_one_letter_off(slip: str, name: str) -> bool:
    """Return whether one letter of a slip is another in a name."""
    return len(slip) == len(name) and sum(a != b for a, b in zip(slip, name, strict=True)) == 1


def may_be_day(word: str) -> bool:
    """Return whether an unknown word may be a weekday with more than one slip ("Mndy", "Wexnesday",
    "Frq").

    Such a word names nothing that hours could be for.
    """
    return (
        any(OSA.distance(word, name, score_cutoff=2) <= 2 for name in _NAMES)
        or any(OSA.distance(word, name, score_cutoff=1) <= 1 for name in _SPANISH)
        or any(word[:1] == n[0] and OSA.distance(word, n, score_cutoff=1) <= 1 for n in _SHORT)
    )
