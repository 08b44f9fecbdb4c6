"""Reads two lists side by side: "MON/THUR 3-5PM/12-2PM" means Monday 3 to 5, Thursday 12 to 2."""

from itertools import pairwise, takewhile

from assets.hours.lexicon import RANGES, Kind
from assets.hours.times import CannotTell, Clock, Span, span_of
from assets.hours.tokens import Token

_CELL = 3  # a time, a dash, a time
_CELLS = (*([Kind.CLOCK, join, Kind.CLOCK] for join in RANGES), [Kind.CLOSED])
_ROW_MARKS = (Kind.BREAK, Kind.COLON, Kind.COMMA, Kind.FILLER)
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
    """Return each day with the time below: "Mon Tue Wed", and "9-4 closed 9-12" on the next line.

    Two lists with commas ("Tue, Thu", then "9-12, 1-4") are all times on all days.
    """
    first_row = [*takewhile(lambda token: token.kind in (Kind.DAYS, *_ROW_MARKS), tokens)]
    days = [[token] for token in first_row if token.kind is Kind.DAYS]
    cells = [token for token in tokens[len(first_row) :] if token.kind not in _ROW_MARKS]
    times: list[list[Token]] = []
    while cells:
        length = 1 if cells[0].kind is Kind.CLOSED else _CELL
        times.append(cells[:length])
        cells = cells[length:]
    is_grid = len(times) == len(days) > 1
    is_grid &= all([token.kind for token in time] in _CELLS for time in times)
    is_grid &= any(token.kind is Kind.BREAK for token in first_row)
    if is_grid and any(token.kind is Kind.COMMA for token in tokens):
        is_grid = any(len(time) < _CELL for time in times) or _must_be_pairs(days, times)
    pairs = zip(days, times, strict=True) if is_grid else ()
    return [token for day, time in pairs for token in (*day, *time, Token(Kind.BREAK))]


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
