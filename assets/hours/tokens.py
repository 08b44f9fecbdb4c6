"""Splits plain text into tokens of the grammar."""

import re
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import dropwhile, takewhile

from assets.hours.lexicon import MEAL_ADJECTIVES, MEAL_NOUNS, PHRASES, RANGES, SHORT_DAYS, Kind
from assets.hours.patterns import Word, words_of
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


def kind_at(tokens: list[Token], at: int) -> Kind | None:
    """Return the kind of the token at a place, None before the first and after the last."""
    return tokens[at].kind if 0 <= at < len(tokens) else None


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
# Midnight at the end of a span; elsewhere round the clock.
_24_HS = ("24 hs", "24hs", "24 hrs", "24 horas")
_MEALS_OF_DAY = frozenset({"breakfast", "lunch", "dinner", "supper"})
_DAY_LIST = (Kind.DAYS, Kind.LETTER, Kind.DASH, Kind.TO, Kind.COMMA, Kind.AND, Kind.SLASH)
_AFTER_DAY = frozenset({"and", "y", "to", "thru", "through", "from", "at", "closed", "by"})
_BESIDE_DAY = frozenset({*"-,/&:(", "and", "y"})
_NO_WORD = Word("", "", 0, 0)
_NAMING = (Kind.MEAL, Kind.SERVICE, Kind.WHO, Kind.WORD, Kind.FILLER)
_ABBREVIATED = (Kind.DAYS, Kind.LETTER, Kind.MONTH, Kind.ORDINAL, Kind.OF_MONTH)
_LONGEST_ABBREVIATION = 5
_SHORT_NAMES = frozenset(
    {"daily", "lunes", "may", "mayo", "march", "april", "june", "july", "enero", "abril"}
)


def split_tokens(text: str) -> list[Token]:
    """Return tokens of a plain text.

    A full stop is a break unless it follows an abbreviation of a day, month or similar and the
    sentence continues.
    """
    words = words_of(text)
    tokens: list[Token] = []
    index = 0
    while index < len(words):
        phrase, length = _longest_phrase(words, index)
        token = Token(*PHRASES[phrase], phrase) if length else _single(words[index])
        is_end = bool(tokens) and tokens[-1].kind in RANGES
        if is_end and token.kind is Kind.ALL_DAY and token.text in _24_HS:
            token = Token(Kind.CLOCK, _MIDNIGHT, "24")  # "22 a 24 hs"
        end = words[index + max(length, 1) - 1].end
        tokens.append(replace(token, start=words[index].start, end=end))
        index += max(length, 1)
    return _drop_abbreviation_stops(_set_aside_other_meals(_join_meals(tokens)))


def read_24_hour_clock(tokens: list[Token]) -> list[Token]:
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


def _join_meals(tokens: list[Token]) -> list[Token]:
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


def _set_aside_other_meals(tokens: list[Token]) -> list[Token]:
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


def _longest_phrase(words: list[Word], index: int) -> tuple[str, int]:
    """Return the longest phrase of the lexicon that begins here and how many words it takes."""
    if (words[index].text.split() or [""])[0] not in _FIRST_WORDS:
        return "", 0
    best, best_length, has_comma = "", 0, False
    beginnings = [""]  # phrase beginnings that may match the words so far
    for length, word in enumerate(words[index : index + _LONGEST_PHRASE + 2], start=1):
        value = word.text
        if value == "." and length > 1:
            continue
        if word.group in ("mark", "iso", "us", "odd") and value not in "&+/,":
            break
        if value == ",":
            has_comma = True
            continue
        is_slash = value == "/"  # "24 hours/7 days"
        spaces = ("" if not start or is_slash or start[-1] == "/" else " " for start in beginnings)
        longer = [f"{start}{space}{value}" for start, space in zip(beginnings, spaces, strict=True)]
        skips = beginnings if value in _LIGHT and length > 1 else []
        beginnings = [start for start in longer if start in _BEGINNINGS] + skips
        phrase = next((text for text in longer if text in PHRASES), "")
        if phrase and has_comma and PHRASES[phrase][0] in _NAMING:
            phrase = ""  # "at the church, office Mon-Fri"
        if phrase and not (length == 1 and _is_everyday_word(words, index)):
            best, best_length = phrase, length
        if not beginnings:
            break
    return best, best_length


def _is_everyday_word(words: list[Word], index: int) -> bool:
    """Return True for "we", "do", "tu" and the like unless next to a time or another day."""
    word = words[index].text
    if word not in SHORT_DAYS or word in ("sun", "sat", "mon", "lu"):
        return False
    before = words[index - 1] if index else _NO_WORD
    after = words[index + 1] if index + 1 < len(words) else _NO_WORD
    if word == "we" and after.group == "word" and after.text not in _AFTER_DAY:
        return True  # "leave a message and we will call back"
    is_beside = not _BESIDE_DAY.isdisjoint((before.text, after.text))
    is_beside |= word != "we" and after.text in ("closed", "cerrado")
    is_beside |= before.group == "clock" and after.text in ("", ";", "\n")  # "1-3 Tu; 5-7 Th"
    return not (is_beside or after.group in ("clock", "iso") or before.text == after.text == "")


def _single(word: Word) -> Token:
    """Return the token of a word outside phrases. Raises CannotTell for an impossible date."""
    text, kind = word.text, Kind.WORD
    value: object = None
    match word.group:
        case "clock":
            return _clock(text)
        case "mark":
            kind = _MARKS[text]
        case "iso" | "us":
            numbers = [int(part) for part in re.split("[-/]", text)]
            year, month, day = numbers if word.group == "iso" else (numbers[2], *numbers[:2])
            try:
                kind, value = Kind.DATE, date(year + 2000 if year < 100 else year, month, day)
            except ValueError as error:
                raise CannotTell("no such date") from error
        case "allday":
            kind = Kind.ALL_DAY
        case "ordinal":
            kind, value = Kind.ORDINAL, int(re.sub(r"\D", "", text))
        case "number":
            is_year = len(text) == 4 and text[:2] in ("19", "20")
            kind, value = (Kind.YEAR, int(text)) if is_year else (Kind.NUMBER, None)
        case _ if len(text) == 1 and text in _LETTERS:
            kind, value = Kind.LETTER, text
    return Token(kind, value, text)


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


def _drop_abbreviation_stops(tokens: list[Token]) -> list[Token]:
    """Drop breaks that only end an abbreviation: "Mon. - Fri.", "Sept. 5"."""
    result: list[Token] = []
    for index, token in enumerate(tokens, start=1):
        if token.kind is Kind.BREAK and token.text == ".":
            last = result[-1] if result else Token(Kind.MONTH)
            is_short = len(last.text) <= _LONGEST_ABBREVIATION and last.text not in _SHORT_NAMES
            is_short &= last.kind in _ABBREVIATED
            is_short |= last.kind is Kind.FILLER and last.text in ("hrs", "hr", "hs", "h")
            is_short |= index < len(tokens) and tokens[index].kind in RANGES
            part = takewhile(lambda token: token.kind is not Kind.BREAK, reversed(result))
            is_timed = any(token.kind is Kind.CLOCK for token in part)
            if is_short and not (is_timed and _begins_named_part(tokens, index)):
                continue
        result.append(token)
    return result


def _begins_named_part(tokens: list[Token], index: int) -> bool:
    """Check for a name with a colon that begins a sentence: "Office: 9-5 M-F. Pantry: ...", or for
    food with its days where the days before have their hours: "Office 9-2 M-Th. Food 2nd Thurs.
    9-1", "Mon-Thu 8-4, closed Fri. Food Tue 9-2"."""
    name = [*takewhile(lambda token: token.kind in _NAMING, tokens[index:])]
    end = index + len(name)
    is_name = any(token.kind is not Kind.FILLER for token in name)
    follows = tokens[end].kind if end < len(tokens) else None
    is_food = any(token.kind in (Kind.MEAL, Kind.SERVICE) for token in name)
    is_own = is_food and follows in (Kind.DAYS, Kind.ORDINAL, Kind.EVERY)
    before = dropwhile(lambda token: token.kind in _DAY_LIST, reversed(tokens[: index - 1]))
    is_own &= next((token.kind for token in before), None) in (Kind.CLOCK, Kind.CLOSED)
    return is_name and (follows is Kind.COLON or is_own)
