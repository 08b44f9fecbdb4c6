"""Reads words and letters that mean days only in context: "M-F", "T/Th", "L a V", "lun, mar,
mie"."""

import re

from assets.hours.days import CONNECTORS, SPANISH_DAYS, number_of
from assets.hours.lexicon import Kind
from assets.hours.tokens import Token

_ENGLISH_LETTERS = {"m": 0, "t": 1, "w": 2, "r": 3, "f": 4}
_SPANISH_DAYS = ("lu", "mie", "mier", "ju", "vi", "sab", "dom")
_THURSDAYS = ("th", "thu", "thur", "thurs", "thursday")
_SHORT_DAYS = ("ma", "mi", "mie", "mier", "ju", "jue", "vi", "vie")
_ENGLISH_DAYS = ("t", "w", "r", "f", "mon", "sat", "sun")
_SPANISH_ORDINALS = re.compile(
    r"\d(?:do|da|ero?|r[oa]|t[oa]|[oa])$|primer|segund|tercer|cuart|quint|ultim"
)
_BEFORE_NAMES = (Kind.COMMA, Kind.AND, Kind.CLOCK, Kind.PART, Kind.CLOSE)
_WEEKS = ("week", "weeks", "semana", "semanas", "wk", "wks")
# Weekdays in Portuguese and ordinals in Spanish: "segunda a sexta".
_PORTUGUESE_ORDINALS = {"segunda": 0, "quinta": 3}
_PORTUGUESE_DAYS = ("terca", "quarta", "sexta", "segundas", "quintas", "segunda-", "quinta-")
_SPANISH_JOINS = ("y", "e", "a", "al", "hasta")
_SPANISH_LETTERS = {"l": 0, "j": 3, "v": 4, "s": 5, "d": 6}


def without_spanish_letters(tokens: list[Token]) -> list[Token]:
    """Turn "M" into a word where it may be "martes" or "miércoles": "M 8-5" in a text without an
    English day."""
    is_english = _is_english(tokens)
    if _has_english_day(tokens):
        return tokens
    return [
        Token(Kind.WORD, None, "m", token.start, token.end)
        if token.kind is Kind.LETTER
        and token.value == "m"
        and not (is_english and _follows_ordinal(tokens, index))
        else token
        for index, token in enumerate(tokens)
    ]


def with_letters(tokens: list[Token]) -> list[Token]:
    """Turn single letters next to other days into days ("M-F", "T/Th", "L a V"); others stay
    letters."""
    new_tokens = _with_words(tokens)
    is_english = _is_english(tokens)
    for index, token in enumerate(new_tokens):
        if token.kind is not Kind.LETTER:
            continue
        letter = str(token.value)
        if letter == "l" and _joins(new_tokens, index, 1, ("v", "j", "s", "d")):
            end = str(new_tokens[index + 2].value)
            new_tokens[index] = Token(Kind.DAYS, (0,), letter)
            new_tokens[index + 2] = Token(Kind.DAYS, (_SPANISH_LETTERS[end],), end)
        elif letter == "l" and _joins_short_day(new_tokens, index):
            new_tokens[index] = Token(Kind.DAYS, (0,), letter)  # "L, Mi, V"
        elif (
            letter in _SPANISH_LETTERS and letter != "l" and _follows_spanish_day(new_tokens, index)
        ):
            new_tokens[index] = Token(Kind.DAYS, (_SPANISH_LETTERS[letter],), letter)
        elif letter in _ENGLISH_LETTERS and (
            _has_day(new_tokens, index, 1)
            or _has_day(new_tokens, index, -1)
            or _is_alone(new_tokens, index, is_english=is_english)
        ):
            new_tokens[index] = Token(Kind.DAYS, (_ENGLISH_LETTERS[letter],), letter)
    return new_tokens


def _with_words(tokens: list[Token]) -> list[Token]:
    """Return the tokens with words read as days or weeks where the context requires it: "mar",
    "segunda", "other days"."""
    is_portuguese = any(
        token.kind is Kind.DAYS and token.text.startswith(_PORTUGUESE_DAYS) for token in tokens
    )
    new_tokens = list(tokens)
    for index, token in enumerate(new_tokens):
        if (
            token.text == "mar"
            and token.kind is Kind.MONTH
            and _is_beside_spanish_day(new_tokens, index)
        ):
            new_tokens[index] = Token(Kind.DAYS, (1,), "mar")
        if (
            is_portuguese
            and token.text in _PORTUGUESE_ORDINALS
            and not _counts_day(new_tokens, index)
        ):
            new_tokens[index] = Token(Kind.DAYS, (_PORTUGUESE_ORDINALS[token.text],), token.text)
        if token.text == "not" and [t.kind for t in new_tokens[index + 1 : index + 2]] == [
            Kind.HOLIDAYS
        ]:
            new_tokens[index] = Token(Kind.EXCEPT, None, token.text)
        if (
            token.text in _WEEKS
            and index + 1 < len(new_tokens)
            and number_of(new_tokens[index + 1])
        ):
            week = Token(Kind.ORDINAL, number_of(new_tokens[index + 1]), token.text)
            new_tokens[index : index + 2] = week, Token(Kind.SOME, None, token.text)  # "week 1"
        if token.text == "daily" and _is_frequency(new_tokens, index):
            new_tokens[index] = Token(Kind.EVERY, None, "daily")
        if token.text == "do" and token.kind is Kind.DAYS:
            weekday = _weekday_of_do(tokens)
            is_day = weekday is not None
            new_tokens[index] = (
                Token(Kind.DAYS, (weekday,), "do") if is_day else Token(Kind.WORD, None, "do")
            )
        if token.text == "none" and index and _names_day(new_tokens, index):
            new_tokens[index] = Token(Kind.CLOSED, None, "none")
    return new_tokens


def _counts_day(tokens: list[Token], index: int) -> bool:
    """Check for "a segunda terça do mês": the second Tuesday."""
    return index + 1 < len(tokens) and tokens[index + 1].kind is Kind.DAYS


def _is_frequency(tokens: list[Token], index: int) -> bool:
    """Check for "Daily Tuesday 1pm 4pm", a line of a list that also gives "Weekly Tuesday"."""
    is_first = index == 0 or tokens[index - 1].kind is Kind.BREAK
    if not is_first or index + 1 == len(tokens):
        return False
    if tokens[index + 1].kind is Kind.LETTER:
        return _has_day(tokens, index + 1, 1)  # "Daily M-F 11-1"
    if tokens[index + 1].kind is not Kind.DAYS:
        return False
    value = tokens[index + 1].value
    return isinstance(value, tuple) and len(value) < 7


def _is_beside_spanish_day(tokens: list[Token], index: int) -> bool:
    """Check for "mar" as a day: in "lun, mar, mié" it means Tuesday, not March."""
    joins = (*CONNECTORS, Kind.DASH, Kind.TO)
    for step in (1, -1):
        if 0 <= index + 2 * step < len(tokens) and tokens[index + step].kind in joins:
            beside = tokens[index + 2 * step]
            if beside.kind is Kind.DAYS and beside.text.startswith(_SPANISH_DAYS):
                return True
    return False


def _is_english(tokens: list[Token]) -> bool:
    """Return True where a lone "m" cannot be "martes" or "miercoles": no day and no join is
    Spanish."""
    return not any(
        (token.kind is Kind.DAYS and token.text.startswith(SPANISH_DAYS))
        or (token.kind is Kind.LETTER and token.value in ("l", "v", "j", "d"))
        or (token.kind in (Kind.AND, Kind.TO) and token.text in _SPANISH_JOINS)
        or (token.kind is Kind.ORDINAL and _SPANISH_ORDINALS.match(token.text))
        for token in tokens
    )


def _has_english_day(tokens: list[Token]) -> bool:
    """Check for a day that only English writes: "Pantry M 10-2, W 10-2", "M 9-12; Sat 9-11"; a lone
    "Despensa M" may be a Tuesday."""
    texts = (token.text for token in tokens if token.kind in (Kind.LETTER, Kind.DAYS))
    return any(text.startswith(_ENGLISH_DAYS) or text in ("sa", "su") for text in texts)


def _follows_ordinal(tokens: list[Token], index: int) -> bool:
    return index > 0 and tokens[index - 1].kind is Kind.ORDINAL


def _weekday_of_do(tokens: list[Token]) -> int | None:
    """Return the weekday of "do": domingo beside Spanish days, Donnerstag beside "Mo"; None where
    it may be either, or no day."""
    texts = [token.text for token in tokens if token.kind in (Kind.DAYS, Kind.AND, Kind.TO)]
    is_spanish = any(t in _SPANISH_JOINS or t.startswith(_SPANISH_DAYS) for t in texts)
    is_german = "mo" in texts
    return None if is_spanish is is_german else (6 if is_spanish else 3)


def _names_day(tokens: list[Token], index: int) -> bool:
    """Check for a day with a note: "Tuesday: none"."""
    before = tokens[index - 1 - (index > 1 and tokens[index - 1].kind is Kind.COLON)]
    return before.kind is Kind.DAYS


def _is_alone(tokens: list[Token], index: int, *, is_english: bool) -> bool:
    """Check for a single letter with its times: "M-Th 8-4; F 9-12", "8-4 M, 9-12 Th", "W 6-8pm"."""
    days = [token.text for token in tokens[:index] if token.kind is Kind.DAYS]
    if tokens[index].value == "t":
        # "T" means Tuesday if the text also names Thursday, or if the last day before it is "M":
        # "M 1-6, T 9-12"; in "M-W 9-12, T 1-4" it is probably Thursday
        is_named = any(token.value == (3,) and token.text in _THURSDAYS for token in tokens)
        is_named |= days[-1:] == ["m"]
        is_named |= any(token.kind is Kind.LETTER and token.value == "r" for token in tokens)
        # "T 12-3, W 9-12"
        values = (t.value for t in tokens[index + 1 :] if t.kind in (Kind.DAYS, Kind.LETTER))
        is_named |= not days and next(values, None) in ((2,), "w")
        if not (is_english and is_named):
            return False
    elif tokens[index].value == "r":
        if days[-1:] not in (["m"], ["t"], ["w"]):  # "W 12-5, R 12-5"
            return False
    elif tokens[index].value not in ("m", "w", "f"):
        return False
    if is_english and _follows_ordinal(tokens, index):
        of_month = index + 1 < len(tokens) and tokens[index + 1].kind is Kind.OF_MONTH
        return _begins_hours(tokens, index + 1 + of_month)  # "2nd & 4th W 9-11"
    if not any(token.kind is Kind.DAYS for token in tokens):
        return is_english and _begins_part(tokens, index)
    before = tokens[index - 1].kind
    after = tokens[index + 1].kind if index + 1 < len(tokens) else Kind.BREAK
    stops = (Kind.BREAK, Kind.COMMA, Kind.CLOSE)
    earlier = tokens[index - 2].kind if index > 1 and before is Kind.COMMA else before
    return (
        _begins_part(tokens, index)
        or (before is Kind.COMMA and _begins_hours(tokens, index + 1))
        or (before is Kind.CLOSED and after in stops)
        or (is_english and _is_between_times(tokens, index))
        or (earlier is Kind.CLOCK and after in stops)
    )


def _begins_hours(tokens: list[Token], at: int) -> bool:
    """Check for hours after a letter: "F 9-12", "F: 9-12", "F closed"."""
    kinds = [token.kind for token in tokens[at : at + 2]]
    return kinds[kinds[:1] == [Kind.COLON] :][:1] in ([Kind.CLOCK], [Kind.CLOSED])


def _is_between_times(tokens: list[Token], index: int) -> bool:
    """Check for a letter in a row of days with their times: "M: 9-5 T: 9-5 W closed Th 9-5"."""
    has_times = _begins_hours(tokens, index + 1)
    before = index - 1 - (index > 1 and tokens[index - 1].kind is Kind.SLASH)
    return index > 0 and has_times and tokens[before].kind in (Kind.CLOCK, Kind.CLOSED)


def _begins_part(tokens: list[Token], index: int) -> bool:
    start = index
    letter = tokens[index].value
    has_thursday = any(t.kind is Kind.DAYS and t.text in _THURSDAYS for t in tokens)
    is_certain = letter in ("m", "w", "f") or (letter == "t" and has_thursday)
    while (
        is_certain
        and start
        and tokens[start - 1].kind
        in (
            Kind.MEAL,
            Kind.SERVICE,
            Kind.REMARK,
            Kind.APPOINTMENT,
            Kind.COLON,
            Kind.MONTH,
            Kind.DASH,
        )
    ):
        start -= 1  # "Pantry W 2-4", "Apr-Oct: W 3-6"
    if start == 1 and tokens[0].kind is Kind.COLON:
        start = 0  # "Hours: T 9-1"
    before = tokens[start - 1].kind if start else Kind.BREAK
    # "M-F 8-4, full pantry W 1-3"
    is_first = before is Kind.BREAK or (start < index and before in _BEFORE_NAMES)
    after = index + 1
    while after < len(tokens) and tokens[after].kind in (Kind.COMMA, Kind.COLON):
        after += 1
    is_hours = after < len(tokens) and tokens[after].kind in (
        Kind.CLOCK,
        Kind.CLOSED,
        Kind.APPOINTMENT,
    )
    return is_first and is_hours


def _joins(tokens: list[Token], index: int, step: int, letters: tuple[str, ...]) -> bool:
    join, other = index + step, index + 2 * step
    joins = (*CONNECTORS, Kind.DASH, Kind.TO)
    if not 0 <= other < len(tokens) or tokens[join].kind not in joins:
        return False
    return tokens[other].kind is Kind.LETTER and tokens[other].value in letters


def _joins_short_day(tokens: list[Token], index: int) -> bool:
    """Check for a join and a Spanish day of two letters or more after a letter."""
    beside = tokens[index + 1 : index + 3]
    kinds = [token.kind for token in beside]
    return kinds[1:] == [Kind.DAYS] and kinds[0] in CONNECTORS and beside[1].text in _SHORT_DAYS


def _follows_spanish_day(tokens: list[Token], index: int) -> bool:
    """Check for another letter where single letters are Spanish days: "L, J y V 9-12", "L-V 8-17, S
    9-13"."""
    if not any(t.kind is Kind.DAYS and t.text in ("l", "j", "v") for t in tokens[:index]):
        return False
    after = tokens[index + 1].kind if index + 1 < len(tokens) else Kind.BREAK
    return tokens[index - 1].kind in (*CONNECTORS, Kind.BREAK) and after in (
        *CONNECTORS,
        Kind.CLOCK,
        Kind.COLON,
        Kind.CLOSED,
        Kind.BREAK,
    )


def _has_day(tokens: list[Token], index: int, step: int) -> bool:
    """Return True if a day, or a letter that may be a day, is on that side, adjacent or past a
    connector."""
    place = index + step
    joins = (*CONNECTORS, Kind.DASH, Kind.TO)
    while 0 <= place < len(tokens) and tokens[place].kind in joins:
        place += step
    if not 0 <= place < len(tokens) or abs(place - index) > 3:
        return False
    token = tokens[place]
    return token.kind is Kind.DAYS or (
        token.kind is Kind.LETTER and token.value in _ENGLISH_LETTERS
    )
