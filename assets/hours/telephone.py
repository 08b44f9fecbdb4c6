"""Sets aside telephone hours: no place opens at these hours."""

from dataclasses import replace
from itertools import pairwise

from assets.hours.lexicon import STEMS, Kind
from assets.hours.notes import has_stem
from assets.hours.times import CannotTell
from assets.hours.tokens import Token

HOURS_OF_TELEPHONE = "hours of the telephone"
STARTS = (Kind.DAYS, Kind.CLOCK, Kind.ORDINAL, Kind.EVERY, Kind.OTHER, Kind.BETWEEN)


def without_telephone(tokens: list[Token]) -> tuple[list[Token], tuple[str, ...]]:
    """Return the tokens without the parts that give telephone hours, and the words of those parts.

    A telephone part has a word for telephones and either "24 hours" and no other time, or begins
    with that word. Raises CannotTell if the hours after it may also be telephone hours, or if no
    other hours or appointments remain.
    """
    whole = parts_of(tokens)
    parts = [[token for token in part if token.kind is not Kind.FILLER] for part in whole]
    is_telephone = [bool(part) and _is_telephone(part) for part in parts]
    if not any(is_telephone):
        return [token for part in parts for token in part], ()
    is_call = any(_rings(token) for part in parts for token in part) or any(
        _is_call(part) for part in parts if part
    )
    reason = HOURS_OF_TELEPHONE if is_call else "hours of no visitors"
    for (part, is_ours), (following, is_next) in pairwise(zip(parts, is_telephone, strict=True)):
        if is_ours and not is_next and not _is_round_the_clock(part) and not _is_named(following):
            raise CannotTell(reason)
    ours = [part for part, is_ours in zip(parts, is_telephone, strict=True) if not is_ours]
    if not any(token.kind in (Kind.CLOCK, Kind.APPOINTMENT) for part in ours for token in part):
        raise CannotTell(reason)
    others = [part for part, is_ours in zip(parts, is_telephone, strict=True) if is_ours]
    rest = [replace(token) for part in ours for token in part]
    return rest, tuple(" ".join(token.text.strip() for token in part).strip() for part in others)


def parts_of(tokens: list[Token]) -> list[list[Token]]:
    """Return parts of a text, each with its closing break; "24 hours" after a comma begins a new
    part."""
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
    """Check for "Mon-Fri 9-5, 24 hours ..." and "Mon-Fri 9-5 (office) 24 hours ...": the next token
    begins a new part."""
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
    """Check for telephone hours: "Call: Mon-Fri 9-5"."""
    kinds = [token.kind for token in part if token.kind is not Kind.COLON]
    return part[0].value == "call for details" and kinds[1:2] != [] and kinds[1] in STARTS


def _begins_with_telephone(part: list[Token]) -> bool:
    for token in part:
        if token.kind in (*STARTS, Kind.COMMA):
            return False
        if _rings(token):
            return any(other.kind is Kind.CLOCK for other in part)
    return False


def _rings(token: Token) -> bool:
    if token.kind not in (Kind.WORD, Kind.VOID, Kind.SERVICE):
        return False
    return any(has_stem(word, STEMS.telephone) for word in token.text.split())


def _is_elsewhere(part: list[Token]) -> bool:
    """Check for a service away from the door: "Home care is 24 hours", "on call for emergencies
    24/7"."""
    names = (token for token in part if token.kind in (Kind.WORD, Kind.REMARK))
    words = [word for token in names for word in token.text.split()]
    return _is_round_the_clock(part) and any(has_stem(word, STEMS.elsewhere) for word in words)


def _is_named(part: list[Token]) -> bool:
    """Check for a part that begins with its own name: "Walk-in hours: Wed 9-12"."""
    for token in part:
        if token.kind in STARTS:
            return False
        if token.kind is Kind.COLON:
            return True
    return False
