"""Reads the lexicon of opening hours, English and Spanish, from `lexicon.yaml`."""

import re
from collections.abc import Iterator
from enum import StrEnum, auto
from itertools import product
from operator import ne
from pathlib import Path

import msgspec
from rapidfuzz.distance import OSA

from assets.hours.times import Clock
from schemas.hours.schedule import DOUBTS_OF_ALL, OFFICE_HOURS, UNDATED_SEASONS


class Kind(StrEnum):
    """Kind of a token in the grammar."""

    DAYS = auto()  # tuple of weekdays, Monday 0
    LETTER = auto()  # a single letter that may be a day
    ORDINAL = auto()  # 1 to 5, -1 for the last
    EVERY = auto()
    OTHER = auto()  # every other (week)
    SOME = auto()  # some (unspecified weeks)
    OF_MONTH = auto()
    MONTH = auto()  # 1 to 12
    DATE = auto()  # datetime.date
    YEAR = auto()
    CLOCK = auto()  # times.Clock
    TO = auto()
    BETWEEN = auto()
    AND = auto()
    COMMA = auto()
    SLASH = auto()
    DASH = auto()
    COLON = auto()
    BREAK = auto()  # ; newline, end of sentence
    OPEN = auto()  # parenthesis
    CLOSE = auto()
    QUOTE = auto()
    PART = auto()  # of the day: "am" or "pm"
    ALL_DAY = auto()  # 24 hours
    CLOSED = auto()
    EXCEPT = auto()
    HOLIDAYS = auto()  # the closure's fixed words
    INCLUDING = auto()
    APPOINTMENT = auto()  # description
    REMARK = auto()  # harmless remark to keep: description
    MEAL = auto()  # a service that gives food
    WHO = auto()  # for whom
    SERVICE = auto()  # any other service with hours
    FILLER = auto()
    DOUBT = auto()  # makes all hours doubtful: the evaluator's fixed words
    UNKNOWABLE = auto()  # makes the hours unknowable
    WORD = auto()
    NUMBER = auto()


# Between the ends of a range, and between the items of a list.
RANGES = (Kind.DASH, Kind.TO)
CONNECTORS = (Kind.COMMA, Kind.AND, Kind.SLASH)
# Ends of a part of the text; None is the end of the text.
ENDS = (None, Kind.BREAK, Kind.CLOSE, Kind.QUOTE)
# Beginnings of days, and of days or times.
DAY_STARTS = (Kind.DAYS, Kind.ORDINAL, Kind.OTHER, Kind.OF_MONTH)
STARTS = (Kind.DAYS, Kind.CLOCK, Kind.ORDINAL, Kind.EVERY, Kind.OTHER, Kind.BETWEEN)


class Stems(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Word stems that decide the meaning of a run of unknown words."""

    other_service: tuple[str, ...]
    no_food: tuple[str, ...]
    plain_name: tuple[str, ...]
    visitors: tuple[str, ...]
    dangerous: tuple[str, ...]
    harmless: tuple[str, ...]
    telephone: tuple[str, ...]
    not_for_visitors: tuple[str, ...]
    possibly_ended: tuple[str, ...]
    elsewhere: tuple[str, ...]
    not_a_name: tuple[str, ...]
    places: tuple[str, ...]
    venues: tuple[str, ...]
    context_words: tuple[str, ...]
    food_stems: tuple[str, ...]
    about_food: tuple[str, ...]
    about_visits: tuple[str, ...]
    neutral_words: tuple[str, ...]
    opens: tuple[str, ...]
    before_numbers: tuple[str, ...]
    worship: tuple[str, ...]
    other_activities: tuple[str, ...]


class _Lexicon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of `lexicon.yaml`; comments there explain the members."""

    weekdays: list[list[str]]
    short_days: frozenset[str]
    day_sets: dict[str, list[str]]
    months: list[list[str]]
    ordinals: dict[int, list[str]]
    clocks: dict[int, list[str]]
    numbers: dict[int, list[str]]
    phrases: dict[Kind, list[str]]
    meanings: dict[Kind, dict[str, list[str]]]
    meal_adjectives: frozenset[str]
    meal_nouns: frozenset[str]
    never_food: frozenset[str]
    parts_of_meals: dict[str, str]
    stems: Stems

    def __post_init__(self) -> None:
        """Raise ValueError for words that the evaluator does not know, or a wrong count of days."""
        if (len(self.weekdays), len(self.months)) != (7, 12):
            raise ValueError("a week has seven days, a year twelve months")
        if unknown := self.meanings[Kind.SERVICE].keys() - {OFFICE_HOURS, *UNDATED_SEASONS}:
            raise ValueError(f"service: the evaluator does not know {sorted(unknown)}")
        if others := self.never_food - set(self.phrases[Kind.SERVICE]):
            raise ValueError(f"never_food: no services: {sorted(others)}")
        if unknown := self.meanings[Kind.DOUBT].keys() - DOUBTS_OF_ALL:
            raise ValueError(f"doubt: the evaluator does not know {sorted(unknown)}")

    def entries(self) -> Iterator[tuple[list[str], Kind, object]]:
        """Return phrases with their kind and value; None means the phrase itself."""
        for kind, phrases in self.phrases.items():
            yield phrases, kind, None
        for kind, meanings in self.meanings.items():
            for value, phrases in meanings.items():
                yield phrases, kind, value
        for number, phrases in self.ordinals.items():
            yield phrases, Kind.ORDINAL, number
        for hour, phrases in self.clocks.items():
            yield phrases, Kind.CLOCK, Clock(hour, 0, is_exact=True)
        for number, phrases in enumerate(self.months, start=1):
            yield phrases, Kind.MONTH, number
        for days, phrases in self.day_sets.items():
            yield phrases, Kind.DAYS, tuple(map(int, days))
        for number, phrases in enumerate(self.weekdays):
            yield phrases, Kind.DAYS, (number,)


def read_lexicon(content: bytes) -> _Lexicon:
    """Decode a lexicon. Raises msgspec.ValidationError naming the invalid member."""
    return msgspec.yaml.decode(content, type=_Lexicon)


def phrase_table(lexicon: _Lexicon) -> dict[str, tuple[Kind, object]]:
    """Return phrases with kind and value. Raises ValueError for a phrase with two."""
    table: dict[str, tuple[Kind, object]] = {}
    for phrases, kind, value in lexicon.entries():
        for phrase in phrases:
            if phrase in table:
                raise ValueError(f"{phrase!r} is listed twice, as {table[phrase][0]} and {kind}")
            table[phrase] = (kind, phrase if value is None else value)
    for word, days in _days_by_letter().items():
        table.setdefault(word, (Kind.DAYS, days))
    for word, number in misspelled_days().items():
        table.setdefault(word, (Kind.DAYS, (number,)))
    return table


def _days_by_letter() -> dict[str, tuple[int, ...]]:
    """Return sets of three days or more by their letters: "mwf", "tuthsa", "m t w th"; not "mrs",
    "mths"."""
    letters = (("", "m"), ("", "t", "tu"), ("", "w"), ("", "th", "r"), ("", "f"), ("", "s", "sa"))
    table = {}
    for choice in product(*letters):
        days = tuple(day for day, letter in enumerate(choice) if letter)
        if len(days) >= 3 + (choice[-1] == "s"):
            table["".join(choice)] = table[" ".join(filter(None, choice))] = days
    return table


def has_stem(word: str, stems: tuple[str, ...]) -> bool:
    """Return whether a word equals a stem, or begins with a stem of four letters or more."""
    return any(word == stem or (len(stem) > 3 and word.startswith(stem)) for stem in stems)


# Recognizes misspelled weekdays: "Mondy", "Thursady", "Wednessday".

_NAMES: dict[str, int] = {
    "monday": 0,
    "tuesday": 1,
    "wednesday": 2,
    "thursday": 3,
    "friday": 4,
    "saturday": 5,
    "sunday": 6,
    "miercoles": 2,
    "domingo": 6,
}
_SPANISH = ("lunes", "martes", "miercoles", "jueves", "viernes", "sabado", "domingo")
_SHORT = (
    *dict.fromkeys(name[:3] for name in (*_NAMES, *_SPANISH)),
    *("tues", "weds", "thur", "thurs", "mier", "vier"),
)


# "M onday", "Tu es day"
_TORN_DAY = re.compile(
    rf"\b(?:{'|'.join(' ?'.join(name) for name in [*list(_NAMES)[:7], 'thurs'])})(?=s?\b)",
    re.IGNORECASE,
)
# "1O:00am - l2:00pm", "9-l2"; "FRl", "M0N"
_GLYPHS = re.compile(r"\b(?:(?=[\dOIl:]*\d)[\dOIl]{1,2}:[\dOol]{2}|[Il]\d|\dO)(?![A-Zb-oq-z\d])")
_DIGITS = str.maketrans("OoIl", "0011")
_LETTERED = re.compile(r"\b[A-Za-z0]{3,9}\b")
_LETTERS = str.maketrans("0l", "oi")


def repair_days(text: str) -> str:
    """Join weekdays split by spaces, as in lists from a PDF; replace letters with digits in times,
    and digits with letters in weekdays."""
    text = _TORN_DAY.sub(lambda name: name[0].replace(" ", ""), text)
    text = _GLYPHS.sub(lambda time: time[0].translate(_DIGITS), text)
    return _LETTERED.sub(_with_letters, text)


def _with_letters(word: re.Match[str]) -> str:
    day = word[0].translate(_LETTERS).lower()
    is_day = day in _SHORT or day.removesuffix("s") in _NAMES
    return day if is_day and word[0].lower() != day else word[0]


def misspelled_days() -> dict[str, int]:
    """Return weekdays written with one letter left out, doubled or exchanged with the next, and
    their plurals.

    The first and last letters never change ("Frida" is a name). Slips equally close to another
    weekday are omitted: "tursday" may be Tuesday.
    """
    days: dict[str, int] = {}
    for name, weekday in _NAMES.items():
        inner = range(1, len(name) - 1)
        slips = {name[:n] + name[n + 1 :] for n in inner}
        slips |= {name[:n] + name[n] + name[n:] for n in inner}
        slips |= {name[:n] + name[n + 1] + name[n] + name[n + 2 :] for n in inner[:-1]}
        for slip in slips - {name}:
            others = [other for other in _NAMES if len(other) == len(slip)]
            if all(sum(map(ne, slip, other)) != 1 for other in others):
                days[slip] = days[slip + "s"] = weekday
    return days


def may_be_day(word: str) -> bool:
    """Return whether an unknown word may be a weekday with more than one slip ("Mndy", "Wexnesday",
    "Frq").

    Such a word cannot name a service or visitors.
    """
    return (
        any(OSA.distance(word, name, score_cutoff=2) <= 2 for name in _NAMES)
        or any(OSA.distance(word, name, score_cutoff=1) <= 1 for name in _SPANISH)
        or any(word[:1] == n[0] and OSA.distance(word, n, score_cutoff=1) <= 1 for n in _SHORT)
    )


_LEXICON = read_lexicon(Path(__file__).with_name("lexicon.yaml").read_bytes())
PHRASES = phrase_table(_LEXICON)
SHORT_DAYS = _LEXICON.short_days
NEVER_FOOD = _LEXICON.never_food
PARTS_OF_MEALS = _LEXICON.parts_of_meals
STEMS = _LEXICON.stems
MEAL_ADJECTIVES, MEAL_NOUNS = _LEXICON.meal_adjectives, _LEXICON.meal_nouns
NUMBERS = {word: number for number, words in _LEXICON.numbers.items() for word in words}
