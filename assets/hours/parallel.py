"""Reads two lists side by side: "MON/THUR 3-5PM/12-2PM" means Monday 3 to 5, Thursday 12 to 2."""

from itertools import pairwise

from assets.hours.lexicon import Kind
from assets.hours.times import CannotTell, Clock, Span, span_of
from assets.hours.tokens import Token

_CELL = 3  # a time, a dash, a time
_LISTED = (Kind.DAYS, Kind.COMMA, Kind.AND, Kind.SLASH)


def with_pairs(tokens: list[Token]) -> list[Token]:
    """Pair each day with its own time, where the numbers of days and times agree and slashes join
    the times.

    Where all times on all days are equally likely ("MON, THUR 9-11/3-5"), return only the days.
    Raises CannotTell for lists that do not fit.
    """
    if grid := _grid(tokens):
        return grid
    first_time = _first_time(tokens)
    if not _has_two_lists(tokens, first_time):
        return tokens
    days, times = _split(tokens[:first_time]), _split(tokens[first_time:])
    if len(days) == 1:
        days = _split(tokens[:first_time], (Kind.COMMA, Kind.AND))
    is_plain = all(token.kind is not Kind.DAYS for part in times for token in part)
    if len(days) != len(times) or not is_plain:
        raise CannotTell("two lists side by side")
    if not _must_be_pairs(days, times):
        return tokens[:first_time]
    pairs = zip(days, times, strict=True)
    return [token for day, time in pairs for token in (*day, *time, Token(Kind.BREAK))]


def _grid(tokens: list[Token]) -> list[Token]:
    """Return each day with the time below: "Mon Tue Wed", and "9-4 9-4 9-12" on the next line."""
    first_time = _first_time(tokens)
    heads = [token for token in tokens[:first_time] if token.kind is not Kind.BREAK]
    cells = tokens[first_time:]
    times = [cells[at : at + _CELL] for at in range(0, len(cells), _CELL)]
    is_grid = len(heads) > 2 and all(token.kind is Kind.DAYS for token in heads)
    is_grid &= all([t.kind for t in time] == [Kind.CLOCK, Kind.DASH, Kind.CLOCK] for time in times)
    if not is_grid or len(times) != len(heads):
        return []
    pairs = zip(heads, times, strict=True)
    return [token for day, time in pairs for token in (day, *time, Token(Kind.BREAK))]


def _has_two_lists(tokens: list[Token], first_time: int) -> bool:
    triples = list(zip(tokens, tokens[1:], tokens[2:], strict=False))
    pairs = [(one.kind, two.kind) for one, mark, two in triples if mark.kind is Kind.SLASH]
    starts = (Kind.DAYS, Kind.ORDINAL)
    days = any(one in (Kind.DAYS, Kind.CLOSE) and two in starts for one, two in pairs)
    return (Kind.CLOCK, Kind.CLOCK) in pairs and (days or _is_list_of(tokens, first_time))


def _is_list_of(tokens: list[Token], first_time: int) -> bool:
    """Check for as many single days with commas as times with slashes: "THUR, SAT"."""
    days, times = tokens[:first_time], tokens[first_time:]
    count = sum(token.kind is Kind.DAYS for token in days)
    is_list = count > 1 and all(token.kind in _LISTED for token in days)
    return is_list and count == len(_split(times))


def _first_time(tokens: list[Token]) -> int:
    """Return the place of the first clock outside parentheses ("SAT(2,4)" names weeks); the end
    without one."""
    depth = 0
    for place, token in enumerate(tokens):
        depth += (token.kind is Kind.OPEN) - (token.kind is Kind.CLOSE)
        if token.kind is Kind.CLOCK and depth == 0:
            return place
    return len(tokens)


def _split(tokens: list[Token], marks: tuple[Kind, ...] = (Kind.SLASH,)) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind in marks:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _must_be_pairs(days: list[list[Token]], times: list[list[Token]]) -> bool:
    """Check for three or more of each, day entries of different lengths, or times out of order for
    one day."""
    spans = [_span(part) for part in times]
    is_one_day = all(earlier[1] <= later[0] for earlier, later in pairwise(spans))
    return len(days) > 2 or len({len(part) for part in days}) > 1 or not is_one_day


def _span(part: list[Token]) -> Span:
    clocks = [token.value for token in part if isinstance(token.value, Clock)]
    if len(clocks) != 2:
        raise CannotTell("two lists side by side")
    return span_of(clocks[0], clocks[1], is_24=False)
