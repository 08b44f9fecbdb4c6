"""Reads other weeks in some months: "4th Thu 4-6 (3rd in Nov & Dec)", "except Dec (1st Sat)"."""

from itertools import takewhile

from assets.hours.lexicon import Kind
from assets.hours.tokens import Token

_JOINS = (Kind.COMMA, Kind.AND, Kind.SLASH)
_ENDS = (None, Kind.BREAK, Kind.CLOSE)
_MARKS = (Kind.COMMA, Kind.COLON, Kind.OPEN, Kind.DASH)
# Between the months and the days: "when it is on the".
_WORDS = frozenset({"when", "it", "it's", "its", "we", "pantry", "is", "s", "meet", "then", "but"})
_LONGEST = 6


def with_other_weeks(tokens: list[Token]) -> list[Token]:
    """Return the tokens with a separate part for days that replace others in some months: "...; 3rd
    Thu Nov & Dec;". A span after them applies to both.

    Days without a weekday take the last weekday before them.
    """
    new_tokens: list[Token] = []
    at = 0
    while at < len(tokens):
        begin = at + (_kind(tokens, at) in (Kind.COMMA, Kind.BREAK))
        months, days, end = _other_weeks(tokens, begin)
        end += bool(end) and _kind(tokens, end) is Kind.COMMA and bool(_span(tokens, end + 1))
        span = _span(tokens, end) if end else []
        span = span or [
            token for token in tokens[end : end + bool(end)] if token.kind is Kind.CLOCK
        ]
        is_known = bool(end) and _knows_days(tokens, begin)
        if not is_known or (span and _has_times(new_tokens)):
            new_tokens.append(tokens[at])
            at += 1
            continue
        weekday = _last_weekday(new_tokens) if days[-1].kind is Kind.ORDINAL else []
        stop = Token(Kind.BREAK, None, ";", tokens[begin].start, tokens[begin].start)
        first = _times_before_days(new_tokens)
        new_tokens += [*span, stop, *first, *days, *weekday, *span, *months, stop]
        at = end + len(span)
    return new_tokens


def _other_weeks(tokens: list[Token], at: int) -> tuple[list[Token], list[Token], int]:
    """Return months, days and the place after them; place 0 without them. Days before months must
    be in parentheses or after "except"; months before days may also end a part."""
    begin = at
    while _kind(tokens, at) in (Kind.OPEN, Kind.EXCEPT):
        at += 1
    is_marked = at > begin
    is_except = any(token.kind is Kind.EXCEPT for token in tokens[begin:at])
    at = _after_words(tokens, at) if is_marked else at
    if is_marked and (days := _days(tokens, at)):
        if is_except:
            return [], [], 0  # "except 1st Mon in July" excludes that day
        at = _after_words(tokens, at + len(days))
        months = _months(tokens, at)
        at += len(months)
    elif months := _months(tokens, at):
        at = _after_words(tokens, at + len(months))
        days = _days(tokens, at)
        at += len(days)
    if not (months and days):
        return [], [], 0
    at += _kind(tokens, at) is Kind.FILLER  # "(3rd Thursday only)"
    depth = sum(token.kind is Kind.OPEN for token in tokens[begin:at])
    closes = [*takewhile(lambda token: token.kind is Kind.CLOSE, tokens[at : at + depth])]
    at += len(closes)
    is_apart = _kind(tokens, begin - 1) in (Kind.COMMA, Kind.BREAK)
    is_whole = depth == len(closes) and (
        is_marked or (is_apart and days[-1].kind is Kind.DAYS and not depth)
    )
    follows = _kind(tokens, at)
    is_end = follows in (*_ENDS, Kind.COMMA) or (is_marked and follows is Kind.CLOCK)
    return (months, days, at) if is_whole and is_end else ([], [], 0)


def _after_words(tokens: list[Token], at: int) -> int:
    """Return the place after marks and words that mean only "in" or "when it is"."""
    words = takewhile(
        lambda token: token.kind in (*_MARKS, Kind.FILLER, Kind.OF_MONTH) or token.text in _WORDS,
        tokens[at : at + _LONGEST],
    )
    return at + len([*words])


def _end_of_list(tokens: list[Token], at: int, kind: Kind) -> int:
    """Return the place after tokens of one kind and the joins between them."""
    end = at
    while _kind(tokens, end) is kind:
        end += 1
        joins = end
        while _kind(tokens, joins) in _JOINS:
            joins += 1
        end = joins if _kind(tokens, joins) is kind else end
    return end


def _months(tokens: list[Token], at: int) -> list[Token]:
    """Return a list of whole months."""
    end = _end_of_list(tokens, at, Kind.MONTH)
    is_date = _kind(tokens, end) in (Kind.CLOCK, Kind.YEAR, Kind.DASH, Kind.TO)
    return [] if is_date and not _span(tokens, end) else tokens[at:end]


def _days(tokens: list[Token], at: int) -> list[Token]:
    """Return weeks of the month and their weekday, if given."""
    end = _end_of_list(tokens, at, Kind.ORDINAL)
    end += end > at and _kind(tokens, end) is Kind.DAYS
    return tokens[at:end]


def _span(tokens: list[Token], at: int) -> list[Token]:
    kinds = [token.kind for token in tokens[at : at + 3]]
    is_span = kinds in ([Kind.CLOCK, Kind.DASH, Kind.CLOCK], [Kind.CLOCK, Kind.TO, Kind.CLOCK])
    return tokens[at : at + 3] if is_span else []


def _knows_days(tokens: list[Token], begin: int) -> bool:
    """Check for days before whose weeks may change: any in "Sat 8-10 (Dec 2nd Sat only)"."""
    is_marked = tokens[begin].kind in (Kind.OPEN, Kind.EXCEPT)
    kinds = {token.kind for token in tokens[:begin]}
    return Kind.ORDINAL in kinds or (is_marked and Kind.DAYS in kinds)


def _times_before_days(tokens: list[Token]) -> list[Token]:
    """Return the span of a part that ends with days: "10-12 3rd Tue (2nd Tue in Dec)"."""
    part = [*takewhile(lambda token: token.kind is not Kind.BREAK, reversed(tokens))][::-1]
    spans = (_span(part, at) for at in range(len(part)))
    return next(filter(None, spans), []) if part and part[-1].kind is Kind.DAYS else []


def _has_times(tokens: list[Token]) -> bool:
    """Check for times in the current part."""
    part = takewhile(lambda token: token.kind is not Kind.BREAK, reversed(tokens))
    return any(token.kind is Kind.CLOCK for token in part)


def _last_weekday(tokens: list[Token]) -> list[Token]:
    days = [token for token in tokens if token.kind is Kind.DAYS]
    return days[-1:]


def _kind(tokens: list[Token], at: int) -> Kind | None:
    return tokens[at].kind if 0 <= at < len(tokens) else None
