"""Completes dates that omit a month or a year: "closed 6/19 & 7/4", "Jan 5, 12 & 19, 2026"."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from assets.hours.lexicon import PHRASES, RANGES, Kind
from assets.hours.seasons import JULY_4
from assets.hours.times import Clock
from assets.hours.tokens import Token
from schemas.hours.schedule import OUTSIDE_SEASON, SEASONAL, UNDATED_SEASONS, YEAR_NOT_SAID

_MONTHS = range(1, 13)
_DAYS_OF_MONTH = range(1, 32)
_NOON = 12
_SLASHED = 3  # month, slash, day
_JOINS = (Kind.COMMA, Kind.AND)
_JULY_4 = Token(*PHRASES[JULY_4[0]], JULY_4[0])
_DATES = (Kind.MONTH, Kind.DATE)
_SEASONS = (*(UNDATED_SEASONS - {OUTSIDE_SEASON}), SEASONAL)
_AFTER_SEASON = (Kind.FILLER, Kind.MEAL, Kind.COLON, Kind.COMMA, Kind.DASH, Kind.OPEN)
_PROGRAMMES = ("\n", "feeding", "program", "programa", "kids", "schedule", "session", "months")
_HEADING = (Kind.WORD, Kind.FILLER, Kind.MEAL)
_BEFORE_DATES = (Kind.COLON, Kind.YEAR, *_HEADING)
_LONGEST_HEADING = 3  # "2026 food distributions:"


def with_whole_dates(tokens: list[Token]) -> list[Token]:
    """Return the tokens with a month before every day of the month, and a list's year at each
    date."""
    return _without_seasons(_with_years(_with_months(_with_named_months(tokens))))


# --- "6/19"


def _with_named_months(tokens: list[Token]) -> list[Token]:
    """Return the tokens with "6/19" as a month and a day where it is a date."""
    new_tokens: list[Token] = []
    at = 0
    while at < len(tokens):
        if _is_slashed(tokens, at) and _is_date(tokens, at):
            month = replace(tokens[at], kind=Kind.MONTH, value=_number(tokens[at]))
            new_tokens += [month, tokens[at + 2]]
            at += _SLASHED
        else:
            new_tokens.append(tokens[at])
            at += 1
    return new_tokens


def _is_slashed(tokens: list[Token], at: int) -> bool:
    parts = tokens[at : at + _SLASHED]
    if [token.kind for token in parts] != [Kind.CLOCK, Kind.SLASH, Kind.CLOCK]:
        return False
    month, slash, day = parts
    is_one_word = (month.end, slash.end) == (slash.start, day.start)
    is_date = _number(month) in _MONTHS and _number(day) in _DAYS_OF_MONTH
    is_apart = _kind(tokens, at - 1) is not Kind.SLASH
    is_apart &= _kind(tokens, at + _SLASHED) not in (Kind.SLASH, Kind.PART)
    return is_one_word and is_date and is_apart


def _is_date(tokens: list[Token], at: int) -> bool:
    """Check for a date in a closure ("closed 6/19"), a season ("6/10-8/9") or a list after its
    weekday ("Saturday 2/16, 3/1")."""
    after = at + _SLASHED
    if _kind(tokens, after) in RANGES:
        return _kind(tokens, after + 1) is Kind.DATE or (
            _is_slashed(tokens, after + 1) and _is_season(tokens, at, after + 1)
        )
    before = at - 1
    if _kind(tokens, before) in RANGES and _is_slashed(tokens, before - _SLASHED):
        return _is_season(tokens, before - _SLASHED, at)
    part = [*takewhile(lambda token: token.kind is not Kind.BREAK, reversed(tokens[:at]))]
    since = [*takewhile(lambda token: token.kind not in (Kind.CLOSED, Kind.EXCEPT), part)]
    is_closed = len(since) < len(part)
    return (is_closed and _only_dates(since)) or _is_listed(tokens, at)


def _is_season(tokens: list[Token], at: int, to: int) -> bool:
    """Check for "through", a day above 12, or a later month with an earlier day."""
    month, day = _number(tokens[at]), _number(tokens[at + 2])
    to_month, to_day = _number(tokens[to]), _number(tokens[to + 2])
    is_word = tokens[to - 1].text in ("through", "thru") and month < to_month
    return is_word or max(day, to_day) > _NOON or (month < to_month and day > to_day)


def _only_dates(tokens: list[Token]) -> bool:
    """Check that all clocks belong to dates: "closed 6/19 and 7/4"."""
    before = [*reversed(tokens)]
    places = [at for at, token in enumerate(before) if token.kind is Kind.CLOCK]
    return all(
        _is_slashed(before, at)
        or _is_slashed(before, at - 2)
        or _kind(before, at - 1) is Kind.MONTH
        for at in places
    )


def _is_listed(tokens: list[Token], at: int) -> bool:
    """Check for one of several dates after a weekday or year, at least one certainly not a time."""
    begin, end = at, at + _SLASHED
    while (before := _before_joins(tokens, begin) - _SLASHED) >= 0 and _is_slashed(tokens, before):
        begin = before
    while _is_slashed(tokens, after := _after_joins(tokens, end)):
        end = after + _SLASHED
    days = [_number(token) for token in tokens[begin:end] if token.kind is Kind.CLOCK][1::2]
    weekday = tokens[_before_joins(tokens, begin) - 1] if _before_joins(tokens, begin) else None
    is_of_weekday = weekday is not None and weekday.kind is Kind.DAYS
    heading = [*takewhile(lambda token: token.kind in _BEFORE_DATES, reversed(tokens[:begin]))]
    is_of_year = Kind.YEAR in [token.kind for token in heading[1:_LONGEST_HEADING]]
    return (is_of_weekday or is_of_year) and len(days) > 1 and max(days) > _NOON


# --- "Jan 5, 12 & 19, 2026"


def _with_months(tokens: list[Token]) -> list[Token]:
    """Return the tokens with the month at each day of a list or span, and its year, if any."""
    new_tokens: list[Token] = []
    at = 0
    is_closed = False
    lacks_year = False
    while at < len(tokens):
        token = tokens[at]
        is_closed = token.kind in (Kind.CLOSED, Kind.EXCEPT) or (
            is_closed and token.kind is not Kind.BREAK
        )
        days = _days_of_month(tokens, at + 1) if token.kind is Kind.MONTH else []
        if len(days) < 2:
            new_tokens.append(token)
            at += 1
            continue
        year = _year(tokens, days[-1] + 1)
        is_span = _kind(tokens, days[0] + 1) in RANGES
        if not (year or is_closed or is_span):
            new_tokens.append(token)
            at += 1
            continue
        lacks_year |= is_span and not (year or is_closed)
        for place in days:
            is_holiday = f"{token.text} {tokens[place].text}" == JULY_4[0] and not year
            new_tokens += [_JULY_4] if is_holiday else [token, tokens[place]]
            new_tokens += [year[-1]] if year and not is_span else []
            new_tokens += [tokens[place + 1]] if place != days[-1] else []
        new_tokens += [*year] if is_span else []
        at = days[-1] + 1 + len(year)
    if lacks_year and not any(token.kind in (Kind.CLOSED, Kind.EXCEPT) for token in tokens):
        end = tokens[-1].end
        new_tokens += [
            Token(Kind.BREAK, None, ";", end, end),
            Token(Kind.DOUBT, YEAR_NOT_SAID, "", end, end),
        ]
    return new_tokens


def _days_of_month(tokens: list[Token], at: int) -> list[int]:
    """Return the places of several days of one month: "5, 12 & 19", "23-27". Empty for "Oct 9-11",
    which may be times."""
    if _day(tokens, at) is None:
        return []
    places = [at]
    if _kind(tokens, at + 1) in RANGES:
        first, last = _day(tokens, at), _day(tokens, at + 2)
        is_span = first is not None and last is not None and _NOON < first < last
        return [at, at + 2] if is_span and not _goes_on(tokens, at + 3) else []
    while (after := _after_joins(tokens, at + 1)) > at + 1 and _day(tokens, after) is not None:
        if _goes_on(tokens, after + 1):
            break
        places.append(after)
        at = after
    return places


def _goes_on(tokens: list[Token], at: int) -> bool:
    return _kind(tokens, at) in (*RANGES, Kind.SLASH, Kind.COLON, Kind.PART, Kind.DAYS)


def _day(tokens: list[Token], at: int) -> int | None:
    """Return a day of the month, None for anything else."""
    token = tokens[at] if 0 <= at < len(tokens) else None
    if token is None or token.kind not in (Kind.CLOCK, Kind.ORDINAL):
        return None
    return number if (number := _number(token)) in _DAYS_OF_MONTH else None


def _year(tokens: list[Token], at: int) -> list[Token]:
    """Return the year with the comma before it; empty without a year."""
    year = at + (_kind(tokens, at) is Kind.COMMA)
    return tokens[at : year + 1] if _kind(tokens, year) is Kind.YEAR else []


# --- "Dates for 2026: Jan 10, Feb 14"


def _with_years(tokens: list[Token]) -> list[Token]:
    """Return the tokens with the year of a heading at each date under it, without the heading."""
    new_tokens: list[Token] = []
    at = 0
    while at < len(tokens):
        if dates := _dates_before_year(tokens, at):
            new_tokens += dates
            at += len(dates) - sum(token.kind is Kind.YEAR for token in dates)
            continue
        heading = _heading_of_year(tokens, at)
        if not heading:
            new_tokens.append(tokens[at])
            at += 1
            continue
        year, at = tokens[at], at + heading
        while _is_named_date(tokens, at):
            end = _after_joins(tokens, at + 2)
            new_tokens += [*tokens[at : at + 2], year, *tokens[at + 2 : end]]
            at = end
    return new_tokens


def _dates_before_year(tokens: list[Token], at: int) -> list[Token]:
    """Return dates with the year that follows the last date in their list: "Nov 21 & Dec 19,
    2026"."""
    spans: list[tuple[int, int]] = []
    while _is_named_date(tokens, at):
        spans.append((at, _after_joins(tokens, at + 2)))
        at = spans[-1][1]
    is_list = bool(spans) and _kind(tokens, at) is Kind.MONTH and _day(tokens, at + 1) is not None
    year = _year(tokens, at + 2)[-1:] if is_list else []
    if not year:
        return []
    return [
        token
        for begin, end in spans
        for token in (*tokens[begin : begin + 2], *year, *tokens[begin + 2 : end])
    ]


def _heading_of_year(tokens: list[Token], at: int) -> int:
    """Return the length of "2026 distributions:" before dates without a year, else 0."""
    if tokens[at].kind is not Kind.YEAR:
        return 0
    words = [*takewhile(lambda token: token.kind in _HEADING, tokens[at + 1 :])]
    colon = at + 1 + len(words)
    is_heading = len(words) < _LONGEST_HEADING and _kind(tokens, colon) is Kind.COLON
    return colon + 1 - at if is_heading and _is_named_date(tokens, colon + 1) else 0


def _is_named_date(tokens: list[Token], at: int) -> bool:
    is_date = _kind(tokens, at) is Kind.MONTH and _day(tokens, at + 1) is not None
    return is_date and not (_goes_on(tokens, at + 2) or _year(tokens, at + 2))


# --- "Summer meals: June 9 - August 1"


def _without_seasons(tokens: list[Token]) -> list[Token]:
    """Return the tokens without season names followed by dates: "Winter hours (Nov - Mar): Sat
    10-12"."""
    new_tokens: list[Token] = []
    at = 0
    while at < len(tokens):
        if begin := _dates_of_season(tokens, at):
            if tokens[begin - 1].kind is Kind.OPEN:
                inside = [*takewhile(lambda token: token.kind is not Kind.CLOSE, tokens[begin:])]
                new_tokens += inside
                begin += len(inside) + 1
                if _kind(tokens, begin) is Kind.CLOCK:  # "Summer (Jun-Aug) 9-12"
                    new_tokens.append(Token(Kind.COLON, None, ":"))
            at = begin
        else:
            new_tokens.append(tokens[at])
            at += 1
    return new_tokens


def _dates_of_season(tokens: list[Token], at: int) -> int:
    """Return the place of the date span after the name of a season and its programme, else 0."""
    if tokens[at].value not in _SEASONS:
        return 0
    words = takewhile(
        lambda token: token.kind in _AFTER_SEASON or token.text in _PROGRAMMES, tokens[at + 1 :]
    )
    begin = end = at + 1 + len([*words])
    if _kind(tokens, begin) not in _DATES:
        return 0
    end += 1
    while _kind(tokens, end) in (Kind.CLOCK, Kind.ORDINAL, Kind.YEAR) or _year(tokens, end):
        end += 1
    is_span = _kind(tokens, end) in RANGES and _kind(tokens, end + 1) in _DATES
    return begin if is_span else 0


# --- tokens


def _number(token: Token) -> int:
    """Return the number of a bare clock or an ordinal, 0 for anything else."""
    if isinstance(token.value, Clock):
        return token.value.hour if token.value.is_bare and token.text.isdigit() else 0
    return token.value if token.kind is Kind.ORDINAL and isinstance(token.value, int) else 0


def _kind(tokens: Sequence[Token], at: int) -> Kind | None:
    return tokens[at].kind if 0 <= at < len(tokens) else None


def _after_joins(tokens: list[Token], at: int) -> int:
    while _kind(tokens, at) in _JOINS:
        at += 1
    return at


def _before_joins(tokens: list[Token], at: int) -> int:
    """Return the place after the last token before joins."""
    while _kind(tokens, at - 1) in _JOINS:
        at -= 1
    return at
