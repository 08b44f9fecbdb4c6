"""Two lists side by side: "MON/THUR 3-5PM/12-2PM" is Monday 3 to 5 and Thursday 12 to 2."""

from __future__ import annotations

from itertools import pairwise

from assets.hours.lexicon import Kind
from assets.hours.times import CannotTell, Clock, Span, span_of
from assets.hours.tokens import Token


def with_pairs(tokens: list[Token]) -> list[Token]:
    """Pair each day with its own time, where days and times are both joined by slashes.

    Raises CannotTell where it might also mean all the times on all the days.
    """
    if not _has_two_lists(tokens):
        return tokens
    first_time = _first_time(tokens)
    days, times = _split(tokens[:first_time]), _split(tokens[first_time:])
    is_plain = all(token.kind is not Kind.DAYS for part in times for token in part)
    if len(days) != len(times) or not is_plain or not _must_be_pairs(days, times):
        raise CannotTell("two lists side by side")
    pairs = zip(days, times, strict=True)
    return [token for day, time in pairs for token in (*day, *time, Token(Kind.BREAK))]


def _has_two_lists(tokens: list[Token]) -> bool:
    triples = list(zip(tokens, tokens[1:], tokens[2:], strict=False))
    slashed = [(one.kind, two.kind) for one, mark, two in triples if mark.kind is Kind.SLASH]
    starts = (Kind.DAYS, Kind.ORDINAL)
    days = any(one in (Kind.DAYS, Kind.CLOSE) and two in starts for one, two in slashed)
    return days and (Kind.CLOCK, Kind.CLOCK) in slashed


def _first_time(tokens: list[Token]) -> int:
    """Place of the first clock outside parentheses ("SAT(2,4)" names weeks); the end where there is
    none.
    """
    depth = 0
    for place, token in enumerate(tokens):
        depth += (token.kind is Kind.OPEN) - (token.kind is Kind.CLOSE)
        if token.kind is Kind.CLOCK and depth == 0:
            return place
    return len(tokens)


def _split(tokens: list[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind is Kind.SLASH:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _must_be_pairs(days: list[list[Token]], times: list[list[Token]]) -> bool:
    """Check for three or more of each, distinct days, or times out of the order of one day."""
    spans = [_span(part) for part in times]
    is_one_day = all(earlier[1] <= later[0] for earlier, later in pairwise(spans))
    return len(days) > 2 or len({len(part) for part in days}) > 1 or not is_one_day


def _span(part: list[Token]) -> Span:
    clocks = [token.value for token in part if isinstance(token.value, Clock)]
    if len(clocks) != 2:
        raise CannotTell("two lists side by side")
    return span_of(clocks[0], clocks[1], is_24=False)
