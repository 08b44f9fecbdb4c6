"""What hours are for: the name of a service beside them, and lines that answer the telephone, not the door."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from assets.hours.lexicon import Kind
from assets.hours.notes import has_stem, is_harmless
from assets.hours.times import CannotTell
from assets.hours.tokens import Token

_NAMES = (Kind.WORD, Kind.MEAL, Kind.WHO, Kind.SERVICE)
_JOINS = (Kind.AND, Kind.SLASH, Kind.DASH)
_STARTS = (Kind.DAYS, Kind.CLOCK, Kind.ORDINAL, Kind.EVERY, Kind.OTHER, Kind.BETWEEN)
_BOUNDS = (Kind.BREAK, Kind.CLOCK, Kind.COMMA, Kind.CLOSE, Kind.DAYS, Kind.PART, Kind.REMARK)
_LONGEST_NAME = 6
_TELEPHONE: tuple[str, ...] = (
    "hotline", "helpline", "phone", "telephon", "voicemail", "voice", "record", "answering", "message",
    "line", "lines", "website", "online", "internet", "crisis", "contact", "on-call", "calls", "telefono",
)  # fmt: skip
_ELSEWHERE: tuple[str, ...] = ("home", "homes", "house", "emergenc", "911")
# A name that holds one of these stems may say when, not what; or it is not for visitors.
_NO_NAME: tuple[str, ...] = (
    *_TELEPHONE, "clos", "cerr", "cancel", "vari", "vary", "season", "tempor", "suspend", "altern", "rotat",
    "chang", "until", "hasta", "unless", "excep", "exclu", "week", "month", "start", "begin", "end", "ends",
    "summer", "winter", "spring", "fall", "autumn", "verano", "invierno", "holiday", "feriad", "festiv",
    "confirm", "not", "no", "non", "sin", "check", "see", "pause", "break", "recess", "resum", "reopen",
    "pending", "limit", "inactiv", "move", "moved", "reloc", "former", "current", "old", "new", "odd", "even",
    "virtual", "zoom", "remote", "deliver", "entrega", "domicilio", "donat", "donac", "volunt", "staff",
    "employe", "weather", "skip", "but", "some", "may", "also", "will", "if", "or", "there", "call", "each",
    "hour", "horari", "time", "schedul", "calend", "note", "please", "location", "address", "date", "sign",
    "doors", "subject", "generally", "usual", "often", "plus", "extra", "additional", "other", "last", "day",
    "night", "evening", "morning", "noon", "meses", "mes", "semana", "overnight", "semester", "exhibition",
    "quarter", "trimestr", "bimonth", "biweek", "biannual", "annual", "yearly", "once", "twice", "special", "event",
    "thanksg", "christmas", "easter", "lent", "ramadan", "cuaresma", "navidad", "pascua", "interim", "covid", "pandem",
    "emergenc", "disaster", "flood", "hurricane", "snow", "inclement", "proxim", "upcoming", "future", "past",
    "appt", "appts", "appoint", "cita", "reserv", "it", "we", "they", "this", "residential", "kids", "ticket",
)  # fmt: skip


def with_services(tokens: list[Token]) -> list[Token]:
    """The tokens with each run of words that names a service ("Legal clinic: Tue 1-3") as one token.

    A name stands before a colon and hours, or alone in parentheses. Words of the lexicon need neither.
    """
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        length = _name_before_mark(tokens, at) or _name_in_parentheses(tokens, at)
        if length:
            found.append(_service(tokens[at : at + length]))
            at += length
            if at < len(tokens) and tokens[at].kind is Kind.DASH:
                found.append(Token(Kind.COLON, None, ":"))
                at += 1
        else:
            found.append(tokens[at])
            at += 1
    return found


def _name_before_mark(tokens: list[Token], at: int) -> int:
    """ "Legal clinic: Tue 1-3"; at the beginning of a part also "Legal clinic - Tue 1-3"."""
    if at and tokens[at - 1].kind not in _BOUNDS:
        return 0
    end = _end_of_words(tokens, at)
    is_first = at == 0 or tokens[at - 1].kind is Kind.BREAK
    if is_first and end - at > 1 and tokens[end - 1].kind is Kind.DASH:
        end -= 1
    elif end == len(tokens) or tokens[end].kind is not Kind.COLON:
        return 0
    follows = end + 1
    while follows < len(tokens) and tokens[follows].kind is Kind.BREAK:
        follows += 1
    is_followed = follows < len(tokens) and tokens[follows].kind in _STARTS
    return end - at if is_followed and _is_name(tokens[at:end]) else 0


def _name_in_parentheses(tokens: list[Token], at: int) -> int:
    if at == 0 or tokens[at - 1].kind is not Kind.OPEN:
        return 0
    end = _end_of_words(tokens, at)
    if end == len(tokens) or tokens[end].kind is not Kind.CLOSE:
        return 0
    words = [token.text for token in tokens[at:end]]
    return end - at if _is_name(tokens[at:end]) and not is_harmless(words, in_group=True) else 0


def _end_of_words(tokens: list[Token], at: int) -> int:
    """Where a run of words ends, or a little beyond the longest name."""
    last = min(len(tokens), at + 3 * _LONGEST_NAME)
    return next((n for n in range(at, last) if tokens[n].kind not in (*_NAMES, *_JOINS)), last)


def _is_name(tokens: list[Token]) -> bool:
    """Up to six words, at least one of them no meal and no group of visitors, and none that says when."""
    if not tokens or tokens[0].kind in _JOINS or tokens[-1].kind in _JOINS:
        return False
    kinds = {token.kind for token in tokens}
    words = [word for token in tokens for word in token.text.split()]
    is_new = bool(kinds & {Kind.WORD, Kind.SERVICE})
    return is_new and len(words) <= _LONGEST_NAME and not any(has_stem(w, _NO_NAME) for w in words)


def _service(tokens: list[Token]) -> Token:
    if len(tokens) == 1 and tokens[0].kind is Kind.SERVICE:
        return tokens[0]
    text = " ".join(token.text for token in tokens).replace(" - ", "-").replace(" / ", "/")
    is_food = any(token.kind is Kind.MEAL for token in tokens)
    return Token(Kind.MEAL if is_food else Kind.SERVICE, text, text)


def without_telephone(tokens: list[Token]) -> tuple[list[Token], tuple[str, ...]]:
    """The tokens without the parts that give the hours of a telephone, and the words of those parts.

    Such a part holds a word of the telephone and either "24 hours" and no other time, or begins with
    the word. Raises CannotTell where the hours after it may belong to the telephone as well, and where
    nothing else remains.
    """
    parts = _parts(tokens)
    is_telephone = [_is_telephone(part) for part in parts]
    if not any(is_telephone):
        return tokens, ()
    for (part, is_ours), (following, is_next) in pairwise(zip(parts, is_telephone, strict=True)):
        if is_ours and not is_next and not _is_round_the_clock(part) and not _is_named(following):
            raise CannotTell("hours of the telephone")
    kept = [part for part, is_ours in zip(parts, is_telephone, strict=True) if not is_ours]
    if not any(token.kind in (Kind.CLOCK, Kind.APPOINTMENT) for part in kept for token in part):
        raise CannotTell("hours of the telephone")
    dropped = [part for part, is_ours in zip(parts, is_telephone, strict=True) if is_ours]
    left = [replace(token) for part in kept for token in part]
    return left, tuple(" ".join(token.text.strip() for token in part).strip() for part in dropped)


def _parts(tokens: list[Token]) -> list[list[Token]]:
    """Parts of a text, each with its closing break; "24 hours" after a comma begins a part of its own."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.kind is Kind.OPEN) - (token.kind is Kind.CLOSE)
        if token.kind is Kind.ALL_DAY and _is_whole(parts[-1]):
            parts.append([])
        parts[-1].append(token)
        if token.kind is Kind.BREAK and depth <= 0:
            parts.append([])
    return [part for part in parts if any(token.kind is not Kind.BREAK for token in part)]


def _is_whole(part: list[Token]) -> bool:
    """ "Mon-Fri 9-5, 24 hours ..." and "Mon-Fri 9-5 (office) 24 hours ...": what follows is another part."""
    has_hours = any(token.kind in (Kind.CLOCK, Kind.DAYS) for token in part)
    return has_hours and part[-1].kind in (Kind.COMMA, Kind.CLOSE)


def _is_telephone(part: list[Token]) -> bool:
    if _is_elsewhere(part):
        return True
    if not any(_rings(token) for token in part) and not _is_call(part):
        return False
    return _is_round_the_clock(part) or _is_call(part) or _begins_with_telephone(part)


def _is_round_the_clock(part: list[Token]) -> bool:
    kinds = {token.kind for token in part}
    return Kind.ALL_DAY in kinds and Kind.CLOCK not in kinds


def _is_call(part: list[Token]) -> bool:
    """ "Call: Mon-Fri 9-5"."""
    kinds = [token.kind for token in part if token.kind is not Kind.COLON]
    return part[0].value == "call for details" and kinds[1:2] != [] and kinds[1] in _STARTS


def _begins_with_telephone(part: list[Token]) -> bool:
    for token in part:
        if token.kind in (*_STARTS, Kind.COMMA):
            return False
        if _rings(token):
            return any(other.kind is Kind.CLOCK for other in part)
    return False


def _rings(token: Token) -> bool:
    if token.kind not in (Kind.WORD, Kind.VOID, Kind.SERVICE):
        return False
    return any(has_stem(word, _TELEPHONE) for word in token.text.split())


def _is_elsewhere(part: list[Token]) -> bool:
    """ "Home care is 24 hours", "on call for emergencies 24/7": nobody comes to the door for these."""
    words = [word for token in part if token.kind is Kind.WORD for word in token.text.split()]
    return _is_round_the_clock(part) and any(has_stem(word, _ELSEWHERE) for word in words)


def _is_named(part: list[Token]) -> bool:
    """True where a part begins with a name of its own: "Walk-in hours: Wed 9-12"."""
    for token in part:
        if token.kind in _STARTS:
            return False
        if token.kind is Kind.COLON:
            return True
    return False
