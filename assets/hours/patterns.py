"""Splits a plain text into words, times and marks, and rewrites runs of them by `patterns.yaml`.

A pattern names words and kinds of tokens: "doors open CLOCK" is written "; doorsbefore ;", which
the lexicon knows. So the grammar need not know each way to say it.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec

from assets.hours.lexicon import MEAL_ADJECTIVES, PHRASES, SHORT_DAYS, Kind

# Words that keep their hyphen; every other hyphen is a dash ("mon-fri").
_SPELLED = (w for phrase in (*PHRASES, *MEAL_ADJECTIVES) for w in phrase.split() if "-" in w)
_HYPHENATED = "|".join(sorted(set(_SPELLED), key=len, reverse=True))
_WORD = re.compile(
    r"""(?P<iso>\d{4}-\d\d-\d\d)
    | (?P<us>\d{1,2}/\d{1,2}/(?:\d{4}|\d\d)\b)
    | (?P<allday>24\s?/\s?7(?:/365)?
        |24\s?-?\s?(?:hours?|hrs?|horas|hs)\b(?:[ /](?:(?:a|per|al)[ ])?d[ai][ya]\b|[ ]daily\b)?)
    | (?P<ordinal>\d(?:st|nd|rd|th|rth|ero|er|eme|do|da|to|ra|ta|ro|yem|ye|o|e)\b
        |\d\d(?:st|nd|rd|th)\b)
    | (?P<clock>\d{1,2}(?:[:.]\d\d(?::\d\d)?)?(?:\s?(?:am|pm|noon|midnight)\b)?(?!\d)
        (?:\s?(?:hs|hrs|hr|h|horas|o'?clock)\b)?)
    | (?P<number>[\d#$]+)
    | (?P<word>%(hyphenated)s|[a-z']+)
    | (?P<mark>[-,&/:;.()"\n+])
    | (?P<blank>[^\S\n]+)
    | (?P<odd>.)""".replace("%(hyphenated)s", rf"(?:{_HYPHENATED})\b"),
    re.VERBOSE,
)
_KINDS = {"clock": Kind.CLOCK, "number": Kind.NUMBER, "ordinal": Kind.ORDINAL, "word": Kind.WORD}
_TIMES = (Kind.DAYS, Kind.ORDINAL, Kind.MONTH, Kind.CLOCK)
# Day codes that are not everyday words.
_CERTAIN_DAYS = ("mon", "sat", "sun")
_LONGEST_RUN = {"WORD": 4}
_MARKERS = (">", "!")


class Word(NamedTuple):
    """A word, time, number or mark of a text; `group` is its form, `start` and `end` its place."""

    group: str
    text: str
    start: int
    end: int

    @property
    def names(self) -> frozenset[str]:
        """What a pattern may call the word: its text and its kinds."""
        return _names(self.group, self.text)


class _Row(msgspec.Struct, forbid_unknown_fields=True):
    find: str
    write: str


class _Group(msgspec.Struct, forbid_unknown_fields=True):
    about: str
    rows: list[_Row]
    guard: bool = False


class _Table(msgspec.Struct, forbid_unknown_fields=True):
    """Contents of `patterns.yaml`; comments there explain the members."""

    weekday: str = msgspec.field(name="WEEKDAY")
    spellings: list[tuple[str, str]]
    words: dict[str, frozenset[str]]
    patterns: list[_Group]


class _Item(NamedTuple):
    """An item of a pattern: `least` to `most` words with one of the names; `same_as`: an item."""

    names: frozenset[str]
    least: int
    most: int
    same_as: int | None


class Pattern(NamedTuple):
    """A pattern of `patterns.yaml`; `after` must follow, or must not (`is_barred`)."""

    about: str
    is_guard: bool
    write: str
    items: list[_Item]
    after: list[_Item]
    is_barred: bool


def words_of(text: str) -> list[Word]:
    """Return the words of a plain text, rewritten by the patterns."""
    words = split(text)
    for pattern in PATTERNS:
        words = [*rewrite(words, pattern)]
    return words


def rewrite(words: list[Word], pattern: Pattern) -> Iterator[Word]:
    """Yield the words with each match of a pattern replaced; replacements have its place."""
    names = frozenset().union(*(word.names for word in words))
    at = 0
    if all(item.least == 0 or not names.isdisjoint(item.names) for item in pattern.items):
        while at < len(words):
            places = _match(pattern.items, words, [at])
            if places and pattern.after:
                follows = _match([*pattern.items, *pattern.after], words, places)
                places = places if (follows is None) is pattern.is_barred else None
            if places and places[-1] > at:
                parts = {
                    f"${n}": " ".join(word.text for word in words[one:two])
                    for n, (one, two) in enumerate(pairwise(places), start=1)
                }
                text = " ".join(parts.get(word, word) for word in pattern.write.split(" "))
                start, end = words[at].start, words[places[-1] - 1].end
                yield from (Word(word.group, word.text, start, end) for word in split(text))
                at = places[-1]
            else:
                yield words[at]
                at += 1
    yield from words[at:]


def split(text: str) -> list[Word]:
    """Return the words of a text as they are."""
    return [
        Word(match.lastgroup or "odd", match[0], match.start(), match.end())
        for match in _WORD.finditer(text)
        if match.lastgroup != "blank"
    ]


def _match(items: list[_Item], words: list[Word], places: list[int]) -> list[int] | None:
    """Return the place after each item, as many words as possible for each; `places` has those of
    the items before. None: no match."""
    at, number = places[-1], len(places) - 1
    if number == len(items):
        return places
    item = items[number]
    names = item.names
    if item.same_as is not None:
        first = words[places[item.same_as - 1]].text
        names = frozenset(w for w in PHRASES if PHRASES.get(first) == PHRASES[w])
    most = at
    while most < len(words) and most - at < item.most and not names.isdisjoint(words[most].names):
        most += 1
    for end in range(most, at + item.least - 1, -1):
        found = _match(items, words, [*places, end])
        if found:
            return found
    return None


@cache
def _names(group: str, text: str) -> frozenset[str]:
    kind = _KINDS.get(group)
    known = PHRASES.get(text)
    if known and (text not in SHORT_DAYS or text in _CERTAIN_DAYS):
        kind = known[0]
    is_word = group == "word" and kind not in _TIMES
    return frozenset({text, *([kind.name] if kind else []), *(["WORD"] if is_word else [])})


def _pattern(group: _Group, row: _Row, lists: dict[str, frozenset[str]]) -> Pattern:
    words = row.find.split(" ")
    marks = [at for at, word in enumerate(words) if word in _MARKERS]
    at = marks[0] if marks else len(words)
    items, after = ([_item(word, lists) for word in part] for part in (words[:at], words[at + 1 :]))
    is_barred = words[at : at + 1] == ["!"]
    return Pattern(group.about, group.guard, row.write, items, after, is_barred)


def _item(text: str, lists: dict[str, frozenset[str]]) -> _Item:
    is_optional = len(text) > 1 and text[-1] in "?*"
    choices = text.removesuffix(text[-1]).split("|") if is_optional else text.split("|")
    known = {*lists, *Kind.__members__}
    if unknown := [choice for choice in choices if choice.isupper() and choice not in known]:
        raise ValueError(f"{text!r}: no list of words or kind of token {unknown}")
    names = frozenset().union(*(lists.get(choice, {choice}) for choice in choices))
    most = _LONGEST_RUN.get(choices[0], 20) if text[-1] == "*" and is_optional else 1
    same_as = int(text[1:]) if text[0] == "=" else None
    return _Item(names, 0 if is_optional else 1, most, same_as)


def read_table(content: bytes) -> _Table:
    """Decode a table of patterns. Raises msgspec.ValidationError naming the invalid member."""
    return msgspec.yaml.decode(content, type=_Table)


_TABLE = read_table(Path(__file__).with_name("patterns.yaml").read_bytes())
PATTERNS = [_pattern(group, row, _TABLE.words) for group in _TABLE.patterns for row in group.rows]
# Spellings of characters and what replaces them, for the text before it is plain.
SPELLINGS = [
    (re.compile(spelling.replace("<WEEKDAY>", _TABLE.weekday)), text)
    for spelling, text in _TABLE.spellings
]
