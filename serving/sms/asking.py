"""Parses a text message: a keyword, a programme, a place; and its language."""

import re
from typing import Literal, NamedTuple

from schemas.values.names import fold_name
from serving.search.language.place_names import PlaceNames
from serving.search.language.reading import Reading, read_question
from serving.search.language.text import Language, printable

Kind = Literal["stop", "start", "help", "food", "snap", "wic"]
# Maximum characters read of a message; the rest says no more about the place.
MAX_READ = 320

# Whole messages. The English ones are those that carriers in the United States know.
_WHOLE: dict[str, tuple[Kind, Language]] = {
    **dict.fromkeys(
        [
            *(
                "stop",
                "stopall",
                "stopplease",
                "pleasestop",
                "unsubscribe",
                "cancel",
                "end",
                "quit",
            ),
            *(
                "revoke",
                "optout",
                "optmeout",
                "optoutplease",
                "removeme",
                "stoptexting",
                "stoptextingme",
            ),
        ],
        ("stop", "en"),
    ),
    **dict.fromkeys(
        [
            *("alto", "parar", "pare", "baja", "darsedebaja", "darmedebaja", "dardebaja"),
            *("cancelar", "cancelarsuscripcion", "detener", "terminar", "nomasmensajes"),
        ],
        ("stop", "es"),
    ),
    **dict.fromkeys(["start", "unstop", "optin", "optmein"], ("start", "en")),
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
# Telephones send a reaction to a message as a text: verb and quotation, or a sign and quotation.
_REACTIONS = (
    *("loved", "liked", "disliked", "laughed at", "emphasized", "questioned", "reacted .{1,12} to"),
    *(
        "removed an? .{1,20} from",
        "le encantó",
        "le gustó",
        "no le gustó",
        "se rió de",
        "se rio de",
    ),
    *("enfatizó", "destacó", "cuestionó", "puso en duda", "reaccionó .{1,16} a", "me encanta"),
    *(
        "quitó .{1,30} (?:de|a)",
        "eliminó .{1,30} (?:de|a)",
        r"[^\w\s].{0,10} to",
        r"[^\w\s].{0,10} a",
    ),
)
_REACTION = re.compile(
    rf"(?:{'|'.join(_REACTIONS)})\s+(?:[“\"«„]|an? (?:image|photo|picture|video|movie|sticker)\b"
    r"|(?:una? )(?:imagen|foto|video)\b)",
    re.IGNORECASE,
)


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
    whole = "".join(fold_name(word) for word in _WORD.findall(printable(body[:MAX_READ])))
    return Asking(*_WHOLE[whole]) if whole in _WHOLE else None


def is_reaction(body: str) -> bool:
    """Check whether a message only reports a reaction ("Loved “...”") to one of ours."""
    return _REACTION.match(printable(body[:MAX_READ]).strip()) is not None


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
    rest = rest._replace(
        wishes=whole.wishes, time=whole.time, needs=whole.needs, seeks_food=whole.seeks_food
    )
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
