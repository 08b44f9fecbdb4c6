"""Parses a text message: a keyword, a programme, a place; and its language."""

import re
from typing import Literal, NamedTuple

from schemas.values.names import fold_name
from serving.search.language.detection import Language
from serving.search.language.names import PlaceNames
from serving.search.language.reading import Reading, read_question
from serving.search.language.text import printable

Kind = Literal["stop", "start", "help", "food", "snap", "wic"]
# Maximum characters read of a message; the rest says no more about the place.
MAX_READ = 320

# Whole messages. The English ones are those that carriers in the United States know.
_WHOLE: dict[str, tuple[Kind, Language]] = {
    **dict.fromkeys(
        ["stop", "stopall", "unsubscribe", "cancel", "end", "quit", "revoke", "optout"],
        ("stop", "en"),
    ),
    **dict.fromkeys(
        ["alto", "parar", "pare", "baja", "cancelar", "detener", "terminar"], ("stop", "es")
    ),
    **dict.fromkeys(["start", "unstop"], ("start", "en")),
    **dict.fromkeys(["iniciar", "inicio", "empezar", "comenzar", "reanudar"], ("start", "es")),
    **dict.fromkeys(["help", "info"], ("help", "en")),
    **dict.fromkeys(["ayuda", "informacion"], ("help", "es")),
}
# First words; the place follows.
_FIRST: dict[str, tuple[Kind, Language | None]] = {
    **dict.fromkeys(["food", "pantry", "meals"], ("food", "en")),
    **dict.fromkeys(["comida", "alimentos", "despensa"], ("food", "es")),
    **dict.fromkeys(["snap", "ebt"], ("snap", None)),
    **dict.fromkeys(["stamps"], ("snap", "en")),
    **dict.fromkeys(["estampillas", "cupones"], ("snap", "es")),
    "wic": ("wic", None),
}
_WORD = re.compile(r"[^\W_]+")


class Asking(NamedTuple):
    """A parsed message. `reading` is None for keywords that need no place; `others` are further
    requested kinds."""

    kind: Kind
    language: Language
    reading: Reading | None = None
    others: tuple[Kind, ...] = ()


def keyword_of(body: str) -> Asking | None:
    """Return STOP, START, HELP and their Spanish twins, alone in a message; None for anything
    else."""
    words = [fold_name(word) for word in _WORD.findall(printable(body[:MAX_READ]))]
    if len(words) == 2 and words == ["stop", "all"]:
        words = ["stopall"]
    if len(words) != 1 or words[0] not in _WHOLE:
        return None
    return Asking(*_WHOLE[words[0]])


def asking_of(body: str, names: PlaceNames) -> Asking:
    """Return the question of a message of any content; never raises."""
    text = " ".join(printable(body[:MAX_READ]).split())
    keyword = keyword_of(text)
    if keyword is not None:
        return keyword
    first = _WORD.match(text)
    first_keyword = _FIRST.get(fold_name(first[0])) if first else None
    whole = read_question(text, names)
    if first_keyword is None or first is None:
        kind, *others = _kinds_of(whole)
        return Asking(kind, whole.language, whole, tuple(others))
    kind, tongue = first_keyword
    others = [one for one in _kinds_of(whole) if len(whole.wants.modes) > 1 and one != kind]
    # Without its keyword the rest is a place and nothing else: "FOOD Salem OR".
    rest = read_question(text[first.end() :].strip(" :,-#"), names)
    rest = rest._replace(wishes=whole.wishes, time=whole.time)
    has_place = rest.where.location or rest.where.state or rest.where.unknown_zip
    return Asking(kind, tongue or whole.language, rest if has_place else whole, tuple(others))


def _kinds_of(reading: Reading) -> list[Kind]:
    """Return the kinds of a question, each once: buying with SNAP becomes free food."""
    wants = reading.wants
    wants_office = wants.intent == "apply" or "snap_office" in wants.kinds
    kinds: list[Kind] = [
        "wic" if mode == "wic" else "snap" if mode == "snap" and wants_office else "food"
        for mode in wants.modes
    ]
    return list(dict.fromkeys(kinds))
