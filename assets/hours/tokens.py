"""Splits plain text into tokens of the grammar."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import dropwhile, takewhile

from assets.hours.lexicon import MEAL_ADJECTIVES, MEAL_NOUNS, PHRASES, RANGES, SHORT_DAYS, Kind
from assets.hours.patterns import words_of
from assets.hours.times import CannotTell, Clock
from schemas.hours.schedule import UNDATED_SEASONS


@dataclass(frozen=True, slots=True)
class Token:
    """Unit of a text; `start` and `end` are places in the plain text, if known."""

    kind: Kind
    value: object = None
    text: str = ""
    start: int = field(default=-1, compare=False)
    end: int = field(default=-1, compare=False)


_CLOCK = re.compile(
    r"(\d{1,2})(?:[:.](\d\d))?(?::(\d\d))?\s?(am|pm|noon|midnight)?\s?(hs|hrs|hr|h|horas)?"
)
_HOUR_AND_MINUTE = re.compile(r"\d\d?:\d\d$")
_PADDED = re.compile(r"0\d:\d\d$")
_OSM_DAYS = frozenset({"mo", "tu", "we", "th", "fr", "sa", "su"})
_MARKS: dict[str, Kind] = {
    "-": Kind.DASH,
    ",": Kind.COMMA,
    "&": Kind.AND,
    "+": Kind.AND,
    "/": Kind.SLASH,
    ":": Kind.COLON,
    ";": Kind.BREAK,
    ".": Kind.BREAK,
    "\n": Kind.BREAK,
    "(": Kind.OPEN,
    ")": Kind.CLOSE,
    '"': Kind.QUOTE,
}
_LONGEST_PHRASE = max(len(re.split(r"[ /]", phrase)) for phrase in PHRASES)
# Optional words within a phrase: "appointments (are) required".
_LIGHT = frozenset({"is", "are", "the", "a", "an", "special", "prior"})
_BEGINNINGS = frozenset(phrase[:end] for phrase in PHRASES for end in range(1, len(phrase) + 1))
_FIRST_WORDS = frozenset(phrase.split()[0] for phrase in PHRASES)
_LETTERS = frozenset("mtwrfslvjd")
_NOON, _MIDNIGHT = (Clock(hour, 0, is_exact=True) for hour in (12, 24))
_MEALS_OF_DAY = frozenset({"breakfast", "lunch", "dinner", "supper"})
_DAY_LIST = (Kind.DAYS, Kind.LETTER, Kind.DASH, Kind.TO, Kind.COMMA, Kind.AND, Kind.SLASH)
_AFTER_DAY = frozenset({"and", "y", "to", "thru", "through", "from", "at", "closed", "by"})
_BESIDE_DAY = frozenset("-,/&:(")
_NAMING = (Kind.MEAL, Kind.SERVICE, Kind.WHO, Kind.WORD, Kind.FILLER)
_ABBREVIATED = (Kind.DAYS, Kind.LETTER, Kind.MONTH, Kind.ORDINAL, Kind.OF_MONTH)
_LONGEST_ABBREVIATION = 5
_SHORT_NAMES = frozenset(
    {"daily", "lunes", "may", "mayo", "march", "april", "june", "july", "enero", "abril"}
)


def tokens_of(text: str) -> list[Token]:
    """Return tokens of a plain text.

    A full stop is a break unless it follows an abbreviation of a day, month or similar and the
    sentence continues.
    """
    words = words_of(text)
    atoms = [(word.group, word.text) for word in words]
    tokens: list[Token] = []
    index = 0
    while index < len(atoms):
        group, value = atoms[index]
        if group in ("word", "allday", "number", "clock", "mark"):
            phrase, length = _longest_phrase(atoms, index)
            if length:
                kind, meaning = PHRASES[phrase]
                end = words[index + length - 1].end
                tokens.append(Token(kind, meaning, phrase, words[index].start, end))
                index += length
                continue
        word = words[index]
        tokens.append(replace(_single(group, value), start=word.start, end=word.end))
        index += 1
    return _without_abbreviation_stops(_without_meals_of_others(_with_meals(tokens)))


def with_24_hours(tokens: list[Token]) -> list[Token]:
    """Return the tokens with exact times if the text writes the 24-hour clock with leading zeros:
    "09:00-17:00".

    A span whose end precedes its beginning ends on the next day if the text has days as in
    OpenStreetMap ("Tu 10:00-01:00"); elsewhere it may be a 12-hour span, and its times are unknown.
    """
    times = [(t, t.value) for t in tokens if t.kind is Kind.CLOCK and isinstance(t.value, Clock)]
    if any(clock.half for _, clock in times) or not any(_PADDED.match(t.text) for t, _ in times):
        return tokens
    days = [token.text for token in tokens if token.kind is Kind.DAYS]
    is_osm = bool(days) and all(day in _OSM_DAYS for day in days)
    return [
        replace(token, value=replace(token.value, is_exact=True, may_be_next_day=is_osm))
        if isinstance(token.value, Clock) and _HOUR_AND_MINUTE.match(token.text)
        else token
        for token in tokens
    ]


def _with_meals(tokens: list[Token]) -> list[Token]:
    """Join meals with words around them: "free hot lunch", "food share", "free summer meals"."""
    new_tokens: list[Token] = []
    for token in tokens:
        if token.text in MEAL_NOUNS and new_tokens and new_tokens[-1].kind is Kind.MEAL:
            new_tokens[-1] = _meal(new_tokens[-1], token)
            continue
        name = token
        is_of_season = bool(new_tokens) and new_tokens[-1].value in UNDATED_SEASONS
        season = [new_tokens.pop()] if token.kind is Kind.MEAL and is_of_season else []
        while token.kind is Kind.MEAL and new_tokens and new_tokens[-1].text in MEAL_ADJECTIVES:
            name = _meal(new_tokens.pop(), name)
        new_tokens += [*season, name]
    return new_tokens


def _without_meals_of_others(tokens: list[Token]) -> list[Token]:
    """Return the tokens with "no dinner" as words if the text gives another meal, which stays
    open."""
    meals = {
        token.text.rpartition(" ")[2].rstrip("s") for token in tokens if token.kind is Kind.MEAL
    }
    return [
        replace(token, kind=Kind.WORD)
        if token.kind is Kind.CLOSED
        and (meal := token.text.removeprefix("no ")) in _MEALS_OF_DAY
        and not meals.isdisjoint(_MEALS_OF_DAY - {meal})
        else token
        for token in tokens
    ]


def _meal(one: Token, two: Token) -> Token:
    text = f"{one.text} {two.text}"
    return Token(Kind.MEAL, text, text, one.start, two.end)


def _longest_phrase(atoms: list[tuple[str, str]], index: int) -> tuple[str, int]:
    """Return the longest phrase of the lexicon that begins here and how many atoms it takes."""
    if (atoms[index][1].split() or [""])[0] not in _FIRST_WORDS:
        return "", 0
    best, best_length, has_comma = "", 0, False
    beginnings = [""]  # phrase beginnings that may match the words so far
    for length, (group, value) in enumerate(atoms[index : index + _LONGEST_PHRASE + 2], start=1):
        if group == "mark" and value == "." and length > 1:
            continue
        if group not in ("word", "number", "clock", "ordinal", "allday") and value not in "&+/,":
            break
        if value == ",":
            has_comma = True
            continue
        longer = [_join_words(words, value) for words in beginnings]
        skips = beginnings if value in _LIGHT and length > 1 else []
        beginnings = [words for words in longer if words in _BEGINNINGS] + skips
        phrase = next((words for words in longer if words in PHRASES), "")
        if phrase and has_comma and PHRASES[phrase][0] in _NAMING:
            phrase = ""  # "at the church, office Mon-Fri"
        if phrase and not (length == 1 and _is_everyday_word(value, atoms, index)):
            best, best_length = phrase, length
        if not beginnings:
            break
    return best, best_length


def _join_words(words: str, value: str) -> str:
    """Return the words with one added: "24 hours/7 days"."""
    if not words:
        return value
    return f"{words}{value}" if value == "/" or words.endswith("/") else f"{words} {value}"


def _is_everyday_word(word: str, atoms: list[tuple[str, str]], index: int) -> bool:
    """Return True for "we", "do", "tu" and the like unless next to a time or another day."""
    if word not in SHORT_DAYS or word in ("sun", "sat", "mon", "lu"):
        return False
    before = atoms[index - 1] if index else ("", "")
    after = atoms[index + 1] if index + 1 < len(atoms) else ("", "")
    if word == "we" and after[0] == "word" and after[1] not in _AFTER_DAY:
        return True  # "leave a message and we will call back"
    near = (before[1], after[1])
    is_beside = (
        any(value in _BESIDE_DAY and value for value in near) or "and" in near or "y" in near
    )
    is_beside |= word != "we" and after[1] in ("closed", "cerrado")
    is_beside |= before[0] == "clock" and after[1] in ("", ";", "\n")  # "1-3 Tu; 5-7 Th"
    return not (is_beside or after[0] in ("clock", "iso") or (not before[1] and not after[1]))


def _single(group: str, value: str) -> Token:
    """Return the token of an atom outside phrases."""
    reader = _READERS.get(group)
    if reader:
        return reader(value)
    if len(value) == 1 and value in _LETTERS:
        return Token(Kind.LETTER, value, value)
    return Token(Kind.WORD, None, value)


def _mark(text: str) -> Token:
    return Token(_MARKS[text], None, text)


def _number(text: str) -> Token:
    is_year = len(text) == 4 and text[:2] in ("19", "20")
    return Token(Kind.YEAR, int(text), text) if is_year else Token(Kind.NUMBER, None, text)


def _clock(text: str) -> Token:
    match = _CLOCK.match(text)
    assert match
    hour, minute, seconds, half, unit = match.groups()
    if half in ("noon", "midnight"):
        if hour != "12":
            return Token(Kind.WORD, None, text)
        return Token(Kind.CLOCK, _NOON if half == "noon" else _MIDNIGHT, text)
    is_exact = half is None and (seconds is not None or int(hour) > 12)
    clock = Clock(int(hour), int(minute or 0), half, is_exact, minute is None and half is None)
    return Token(Kind.CLOCK, clock, "hs" if unit and half is None else text)


def _date(parts: list[str], order: tuple[int, int, int]) -> date:
    year, month, day = (int(parts[place]) for place in order)
    try:
        return date(year + 2000 if year < 100 else year, month, day)
    except ValueError as error:
        raise CannotTell("no such date") from error


def _without_abbreviation_stops(tokens: list[Token]) -> list[Token]:
    """Drop breaks that only end an abbreviation: "Mon. - Fri.", "Sept. 5"."""
    result: list[Token] = []
    for index, token in enumerate(map(_midnight, [None, *tokens], tokens), start=1):
        is_stop = token.kind is Kind.BREAK and token.text == "."
        follows = tokens[index].kind if index < len(tokens) else None
        is_short = is_stop and (not result or _is_abbreviation(result[-1]) or follows in RANGES)
        if not is_short or (_has_time(result) and _begins_named_part(tokens, index)):
            result.append(token)
    return result


def _has_time(tokens: list[Token]) -> bool:
    """Return whether the current part has a time."""
    part = takewhile(lambda token: token.kind is not Kind.BREAK, reversed(tokens))
    return any(token.kind is Kind.CLOCK for token in part)


def _begins_named_part(tokens: list[Token], index: int) -> bool:
    """Check for a name with a colon that begins a sentence: "Office: 9-5 M-F. Pantry: ..."."""
    name = [*takewhile(lambda token: token.kind in _NAMING, tokens[index:])]
    end = index + len(name)
    is_name = any(token.kind is not Kind.FILLER for token in name)
    follows = tokens[end].kind if end < len(tokens) else None
    is_food = any(token.kind in (Kind.MEAL, Kind.SERVICE) for token in name)
    is_own = is_food and follows in (Kind.DAYS, Kind.ORDINAL, Kind.EVERY)
    return is_name and (follows is Kind.COLON or (is_own and _ends_with_days(tokens[: index - 1])))


def _ends_with_days(tokens: list[Token]) -> bool:
    """Check for days after their times or after "closed": "Office 9-2 M-Th. Food 2nd Thurs. 9-1",
    "Mon-Thu 8-4, closed Fri. Food Tue 9-2"."""
    before = dropwhile(lambda token: token.kind in _DAY_LIST, reversed(tokens))
    return next((token.kind for token in before), None) in (Kind.CLOCK, Kind.CLOSED)


def _midnight(before: Token | None, token: Token) -> Token:
    """Read the "24 hs" of "22 a 24 hs" as midnight, not as round the clock."""
    is_end = before is not None and before.kind in (Kind.TO, Kind.DASH)
    if (
        is_end
        and token.kind is Kind.ALL_DAY
        and token.text in ("24 hs", "24hs", "24 hrs", "24 horas")
    ):
        return Token(Kind.CLOCK, _MIDNIGHT, "24")
    return token


def _is_abbreviation(token: Token) -> bool:
    if token.kind is Kind.FILLER:
        return token.text in ("hrs", "hr", "hs", "h")
    is_short = len(token.text) <= _LONGEST_ABBREVIATION and token.text not in _SHORT_NAMES
    return token.kind in _ABBREVIATED and is_short


_READERS: dict[str, Callable[[str], Token]] = {
    "mark": _mark,
    "iso": lambda text: Token(Kind.DATE, _date(text.split("-"), (0, 1, 2)), text),
    "us": lambda text: Token(Kind.DATE, _date(text.split("/"), (2, 0, 1)), text),
    "allday": lambda text: Token(Kind.ALL_DAY, None, text),
    "clock": _clock,
    "ordinal": lambda text: Token(Kind.ORDINAL, int(re.sub(r"\D", "", text)), text),
    "number": _number,
}
