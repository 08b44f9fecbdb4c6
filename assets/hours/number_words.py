"""Reads times in words: "nine to eleven", "half past ten", "seis y media", "around noon"."""

from dataclasses import replace

from assets.hours.lexicon import NUMBERS, RANGES, Kind
from assets.hours.times import Clock
from assets.hours.tokens import Token
from schemas.hours.schedule import HOURS_VARY

_LAST_HOUR = 12
_HOURS = range(1, _LAST_HOUR + 1)
_MINUTES = (0, 15, 30, 45)
_QUARTERS = {"quarter": 15, "cuarto": 15, "quarto": 15, "half": 30, "media": 30, "meia": 30}
_ABOUT = ("about", "around", "roughly", "circa", "near", "approx", "approximately")
_BESIDE = (
    Kind.BREAK,
    Kind.COMMA,
    Kind.PART,
    Kind.DAYS,
    Kind.EVERY,
    Kind.AND,
    Kind.OPEN,
    Kind.CLOSED,
)
_SAID = (Kind.EXCEPT, Kind.REMARK, Kind.APPOINTMENT, Kind.HOLIDAYS)
# Allowed after a time in words; "two to three bags" is a count.
_AFTER = (*RANGES, *_BESIDE, *_SAID, Kind.ORDINAL, Kind.OTHER, Kind.CLOSE, Kind.MONTH)
_WORDS_AFTER = ("on", "the", "los", "el", "en", "of", "every week", "each week", "sharp")
# Allowed before a time in words; "ages two to five" counts years.
_BEFORE = (*RANGES, *_BESIDE, Kind.BETWEEN, Kind.COLON, Kind.MEAL, Kind.OF_MONTH)
_LEADS = ("at", "from", "las", "la", "open", "opens", "de", "das")


def with_clocks(tokens: list[Token]) -> list[Token]:
    """Return the tokens with times in words as clocks, and "around 9", "noon-ish" as a doubt.

    A lone number is a time only next to another ("nine to eleven") or after "at".
    """
    new_tokens = _with_minutes(_with_digits(tokens))
    for at in range(len(new_tokens)):
        if _is_number(new_tokens[at]) and _is_time(new_tokens, at):
            new_tokens[at] = _clock(new_tokens[at], NUMBERS[new_tokens[at].text])
    return _with_doubts(new_tokens)


def _with_digits(tokens: list[Token]) -> list[Token]:
    """Return the tokens with clocks for "530-7:30" and "1130-1230", next to another time only."""
    new_tokens = list(tokens)
    for at, token in enumerate(tokens):
        spans = (tokens[max(0, at - 2) : at][::-1], tokens[at + 1 : at + 3])
        is_beside = any(
            [other.kind in RANGES for other in span] == [True, False]
            and (span[1].kind is Kind.CLOCK or _digits(span[1]) % 100 or _digits(token) % 100)
            for span in spans
        )
        if is_beside and (number := _digits(token)):
            new_tokens[at] = _clock(token, *divmod(number, 100))
    return new_tokens


def _digits(token: Token) -> int:
    """Return hour and minute of digits without a mark, 0 for other numbers."""
    is_number = token.kind is Kind.NUMBER and token.text.isdigit()
    hour, minute = divmod(int(token.text), 100) if is_number else (0, 0)
    return int(token.text) if hour in _HOURS and minute in _MINUTES else 0


def _with_minutes(tokens: list[Token]) -> list[Token]:
    """Return the tokens with clocks for hours with minutes or "o'clock": "six thirty", "half past
    nine", "8 y media"."""
    new_tokens: list[Token] = []
    at = 0
    while at < len(tokens):
        past = _past(tokens, at)
        hour = _hour(tokens[at + past]) if at + past < len(tokens) else None
        after = at + past + 1
        if hour is None:
            new_tokens.append(tokens[at])
            at += 1
            continue
        minute, length = (_QUARTERS[tokens[at].text], 0) if past else _minute(tokens, after)
        token = replace(tokens[at], end=tokens[after + length - 1].end)
        if past and tokens[at + 1].text == "to":
            hour, minute = (hour - 1) or _LAST_HOUR, 60 - minute
        follows = tokens[after + length].text if after + length < len(tokens) else ""
        if past or length or follows == "o'clock":
            length += follows == "o'clock"
            new_tokens.append(_clock(token, hour, minute))
        else:
            new_tokens.append(tokens[at])
        at = after + length
    return new_tokens


def _past(tokens: list[Token], at: int) -> int:
    """Return the number of words before the hour in "half past nine"."""
    words = [token.text for token in tokens[at : at + 2]]
    is_past = words[:1] != [] and words[0] in ("half", "quarter")
    return 2 if is_past and words[1:] in (["past"], ["after"], ["to"]) else 0


def _hour(token: Token) -> int | None:
    if isinstance(token.value, Clock):
        is_hour = token.value.is_bare and 1 <= token.value.hour <= _LAST_HOUR
        return token.value.hour if is_hour else None
    return NUMBERS[token.text] if _is_number(token) else None


def _minute(tokens: list[Token], at: int) -> tuple[int, int]:
    """Return minutes after the hour and the number of words read: "six-thirty", "8 y media"."""
    is_digits = tokens[at - 1].kind is Kind.CLOCK
    join = at < len(tokens) and tokens[at].kind in (Kind.DASH, Kind.AND)
    word = tokens[at + join].text if at + join < len(tokens) else ""
    if join and tokens[at].kind is Kind.AND and word in _QUARTERS:
        return _QUARTERS[word], 2
    minute = NUMBERS.get(word, 0)
    if minute <= _LAST_HOUR or is_digits or (join and tokens[at].kind is Kind.AND):
        return 0, 0
    return minute, 1 + join


def _clock(token: Token, hour: int, minute: int = 0) -> Token:
    value = Clock(hour, minute, is_bare=minute == 0)
    return replace(token, kind=Kind.CLOCK, value=value)


def _is_number(token: Token) -> bool:
    return token.kind in (Kind.WORD, Kind.SOME) and NUMBERS.get(token.text, 0) in _HOURS


def _is_time(tokens: list[Token], at: int) -> bool:
    """Check for a number next to another time, without a noun nearby that it may count."""
    before = tokens[at - 1] if at else None
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    joins = (*RANGES, Kind.AND) if _is_between(tokens, at) else RANGES
    if after and after.kind in joins and _may_be_clock(tokens, at + 2):
        return _may_precede(before) and _may_follow(tokens, at + 3)
    if before and before.kind in joins and _may_be_clock(tokens, at - 2):
        return _may_precede(tokens[at - 3] if at > 2 else None) and _may_follow(tokens, at + 1)
    is_led = before is not None and before.text.split()[-1:] != []
    is_led = is_led and before is not None and before.text.split()[-1] in _LEADS[:4]
    return (is_led or bool(after and after.kind is Kind.PART)) and _may_follow(tokens, at + 1)


def _is_between(tokens: list[Token], at: int) -> bool:
    return any(token.kind is Kind.BETWEEN for token in tokens[max(0, at - 3) : at])


def _may_be_clock(tokens: list[Token], at: int) -> bool:
    return 0 <= at < len(tokens) and (tokens[at].kind is Kind.CLOCK or _is_number(tokens[at]))


def _may_precede(token: Token | None) -> bool:
    if token is None or token.kind in _BEFORE:
        return True
    return token.text.split()[-1:] != [] and token.text.split()[-1] in _LEADS


def _may_follow(tokens: list[Token], at: int) -> bool:
    if at >= len(tokens):
        return True
    return tokens[at].kind in _AFTER or tokens[at].text in _WORDS_AFTER


def _with_doubts(tokens: list[Token]) -> list[Token]:
    """Return the tokens with a doubt before each span with an approximate time: "about 9",
    "12-ish"."""
    new_tokens: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        follows = tokens[at + 1] if at + 1 < len(tokens) else None
        is_stop = token.text == "approx" and follows is not None and follows.text == "."
        clock = tokens[at + 1 + is_stop : at + 2 + is_stop]
        if token.text in _ABOUT and [other.kind for other in clock] == [Kind.CLOCK]:
            new_tokens.insert(
                _begin_of_span(new_tokens), replace(token, kind=Kind.DOUBT, value=HOURS_VARY)
            )
            at += 1 + is_stop
            continue
        new_tokens.append(token)
        at += 1
        if token.kind is Kind.CLOCK and (length := _ish(tokens, at)):
            doubt = replace(tokens[at + length - 1], kind=Kind.DOUBT, value=HOURS_VARY)
            new_tokens.insert(_begin_of_span(new_tokens[:-1]), doubt)
            at += length
    return new_tokens


def _ish(tokens: list[Token], at: int) -> int:
    words = [token.text for token in tokens[at : at + 2]]
    if words[:1] == ["ish"]:
        return 1
    return 2 if words in (["-", "ish"], ["or", "so"]) else 0


def _begin_of_span(tokens: list[Token]) -> int:
    """Return the place of the first time of the current span."""
    at = len(tokens)
    while at and tokens[at - 1].kind in (*RANGES, Kind.CLOCK, Kind.PART):
        if tokens[at - 1].kind in RANGES and (at == 1 or tokens[at - 2].kind is Kind.DAYS):
            break  # "1st Tue - about 10"
        at -= 1
    return at
