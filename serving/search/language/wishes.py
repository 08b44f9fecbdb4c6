"""Reads wishes from a question: food, papers, delivery, people, language, transport, distance, day,
hour. Finds the words that had no effect, so that the answer can name them."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from schemas.attributes import WISHES
from schemas.vocab.constraints import DAYS, KINDS, MAX_ASKED_MILES, OPEN_NOW
from serving.search.language.intent import deciding_patterns
from serving.search.language.place import Where
from serving.search.language.tables import (
    compile_phrases,
    number_patterns,
    number_words,
    source_of,
    tables,
    wish_words,
)
from serving.search.language.text import Language, Token
from serving.search.language.times import AskedTime, words_of_time

# Words before a mention that exclude it, in addition to those for all kinds.
_NEGATORS = {
    "diet": "goods",
    "item": "goods",
    "audience": "people",
    **dict.fromkeys(WISHES, "service"),
    "transport": "service",
}
# These words are themselves a "no".
_NEVER_NEGATED = frozenset({"papers", "appointment"})
_MAX_BACK = 90
# These contain numbers, or words that look misspelt: "lift".
_IN_TEXT = frozenset({"week_of_month", "always", "lifting", "minors", "holiday"})
_NO_WORD = re.compile(r"[^a-z0-9]+")


class Wish(NamedTuple):
    """A wish: a kind and one of its values (`schemas.vocab.constraints`); the day may be `+2`,
    counted from today."""

    kind: str
    value: str | bool | float


def wishes_of(
    words: str, text: str, time: AskedTime | None, language: Language
) -> tuple[Wish, ...]:
    """Return the unique wishes of a question in the order of the kinds.

    `words` are its correctly spelt words, with place names and numbers as `#`; `text` is the folded
    question.
    """
    patterns, wishes = _patterns(), set[Wish]()
    for mention in _find_mentions(words, patterns):
        wishes.add(Wish(mention.kind, True if mention.value == "true" else mention.value))
    wishes |= {Wish("language", code) for code in _languages(words, language, patterns)}
    # "A senior box for those over 60" wants the box.
    is_senior_box = Wish("item", "senior_box") in wishes
    if patterns.text["own_age"].search(text) or (
        not is_senior_box and patterns.text["any_senior"].search(text)
    ):
        wishes.add(Wish("audience", "seniors"))
    # Without a car and with a request for delivery, the person does not travel.
    is_way_said = any(w.kind in ("transport", "delivery") for w in wishes)
    if not is_way_said and patterns.no_car.search(words):
        wishes |= {Wish("transport", "bus"), Wish("transport", "walk")}
    wishes |= {Wish("distance", miles) for miles in miles_of(text)}
    wishes |= {Wish("serves_zip", home["zip"]) for home in patterns.text["home"].finditer(text)}
    if patterns.open_now.search(words):
        masked = tables().patterns["not_urgent"].sub(lambda m: "#" * len(m[0]), words)
        wishes |= {Wish("time", OPEN_NOW)} if patterns.open_now.search(masked) else set()
    if time is not None:
        wishes |= set(wishes_of_time(time))
    return in_order(wishes)


def find_unsupported_wishes(words: str, text: str) -> tuple[str, ...]:
    """Return the keys of the wishes that no filter supports, in declaration order.

    `words` are those of `wishes_of`; `text`, the folded question, contains "24/7" and "1st" intact.
    """
    spaced_text = f" {_NO_WORD.sub(' ', text)} "
    return tuple(
        name
        for name, pattern in _patterns().unsupported
        if pattern.search(words) or (name in _IN_TEXT and pattern.search(spaced_text))
    )


def deciding_wishes() -> Iterator[re.Pattern[str]]:
    """Yield the patterns whose match is a wish, supported or not."""
    patterns = _patterns()
    yield from (pattern for _, _, pattern in patterns.wishes)
    yield from (pattern for _, pattern in patterns.unsupported)
    yield from (patterns.no_car, patterns.open_now, patterns.spoken)


def in_order(wishes: set[Wish]) -> tuple[Wish, ...]:
    """Return wishes in the order of the kinds."""
    return tuple(sorted(wishes, key=_order))


def _order(wish: Wish) -> tuple[int, float, str]:
    place = DAYS.index(str(wish.value)) if wish.value in DAYS else -1.0
    place = float(wish.value) if wish.kind == "distance" else place
    return KINDS.index(wish.kind), place, str(wish.value)


# ---------------------------------------------------------------- mentions


class _Mention(NamedTuple):
    kind: str
    value: str
    start: int
    end: int


@dataclass(frozen=True)
class _Patterns:
    wishes: tuple[tuple[str, str, re.Pattern[str]], ...]
    unsupported: tuple[tuple[str, re.Pattern[str]], ...]
    negated: Mapping[str, re.Pattern[str]]
    negated_after: re.Pattern[str]
    no_car: re.Pattern[str]
    open_now: re.Pattern[str]
    spoken: re.Pattern[str]
    codes: Mapping[str, re.Pattern[str]]
    text: Mapping[str, re.Pattern[str]]


def _find_mentions(words: str, patterns: _Patterns) -> Iterator[_Mention]:
    """Yield the mentions that are wishes: not inside a longer one, not negated."""
    mentions = [
        _Mention(kind, value, match.start(), match.end())
        for kind, value, pattern in patterns.wishes
        # Most have none; a search is the fastest test.
        if pattern.search(words)
        for match in pattern.finditer(words)
    ]
    mentions.sort(key=lambda m: (m.start, -m.end))
    masked, last_end = words, 0
    for mention in mentions:
        if mention.end <= last_end and mention.kind != "papers":
            continue  # part of a longer one: "cajas para adultos mayores"; "no ID or lease" are two
        if _is_negated(masked, mention, patterns):
            # "No diapers or formula": the following item shares the same "no".
            mask = "~" * (mention.end - mention.start)
            masked = f"{masked[: mention.start]}{mask}{masked[mention.end :]}"
            continue
        last_end = max(last_end, mention.end)
        yield mention


def _is_negated(words: str, mention: _Mention, patterns: _Patterns) -> bool:
    if mention.kind in _NEVER_NEGATED:
        return False
    before = words[max(0, mention.start - _MAX_BACK) : mention.start].rstrip()
    pattern = patterns.negated[_NEGATORS.get(mention.kind, "all")]
    return bool(
        pattern.search(f" {before}") or patterns.negated_after.match(words, mention.end + 1)
    )


def _languages(words: str, language: Language, patterns: _Patterns) -> set[str]:
    """Return codes of the languages that the question wants spoken."""
    languages = set[str]()
    for match in patterns.spoken.finditer(words):
        mention = _Mention("language", "", match.start(), match.end())
        before = words[max(0, mention.start - _MAX_BACK) : mention.start].rstrip()
        if patterns.negated["service"].search(f" {before}"):
            # A person who asks in Spanish and speaks no English wants Spanish.
            if language == "es" and patterns.codes["en"].search(f"{match[0]} "):
                languages.add("es")
            continue
        padded = f" {match[0]} "
        codes = {code for code, pattern in patterns.codes.items() if pattern.search(padded)}
        if "bilingu" in match[0] and not codes:
            codes = {"es"}
        languages |= codes
    return languages - {"en"} if "es" in languages and len(languages) > 1 else languages


def strange_languages(text: str) -> list[str]:
    """Return languages in a folded question that the tables lack: "hablen mixteco"."""
    return [
        m[1] for m in _patterns().text["speaks"].finditer(text) if m[1] not in tables().vocabulary
    ]


def wishes_of_time(time: AskedTime) -> Iterator[Wish]:
    """Yield the days and hours of a time as wishes."""
    for one in time.each:
        yield from _of_days(one)


def _of_days(time: AskedTime) -> Iterator[Wish]:
    if time.days_ahead == 1:
        yield Wish("day", "tomorrow")
    elif time.days_ahead is not None:
        yield Wish("day", f"+{time.days_ahead}")
    elif time.is_today:
        yield Wish("day", "today")
    elif not time.is_any_day:
        yield from (Wish("day", DAYS[weekday]) for weekday in time.weekdays)
    if time.parts:
        yield from (Wish("time", part) for part in time.parts)
    elif time.after is not None and time.before is not None:
        is_moment = time.before == time.after + 1 and not time.is_until
        end = time.after + 60 if is_moment else time.before
        yield Wish("time", f"{clock_text(time.after)}-{clock_text(end)}")
    elif time.after is not None:
        yield Wish("time", f"after {clock_text(time.after)}")
    elif time.before is not None:
        yield Wish("time", f"before {clock_text(time.before)}")


def clock_text(minutes: int) -> str:
    """Format minutes as "17:30"."""
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


# ---------------------------------------------------------------- patterns


@lru_cache(maxsize=1)
def _patterns() -> _Patterns:
    data = wish_words()
    names = [name for names in data.languages.values() for name in names]
    # One language, or several.
    series = ["{one}(?:(?: ,)? (?:or|and|y|o|e|u) {one}| , {one})*"]
    filler = source_of(data.filler)
    return _Patterns(
        wishes=tuple(
            (kind, value, compile_phrases(phrases, data.lists))
            for kind, values in data.wishes.items()
            for value, phrases in values.items()
        ),
        unsupported=tuple(
            (name, compile_phrases(phrases, data.lists))
            for name, phrases in data.unsupported.items()
        ),
        negated={
            # A negation at the end of a text, with nothing but filler after it.
            name: re.compile(
                rf"(?<= )(?:{source_of([*data.negators['all'], *more])})(?: (?:{filler}|~+))*$"
            )
            for name, more in {**data.negators, "all": []}.items()
        },
        negated_after=re.compile(rf"(?:{source_of(data.negated_after)})(?= )"),
        no_car=compile_phrases(data.no_car),
        open_now=compile_phrases(data.open_now),
        spoken=compile_phrases(data.spoken, {"lang": series, "one": names}),
        text={n: re.compile(source_of([text], data.lists)) for n, text in data.text.items()},
        codes={code: compile_phrases(phrases) for code, phrases in data.languages.items()},
    )


_WORDS = number_words().amounts
_MILES = {"k": 0.621371, "m": 1.0}
_MAX_BACK_MILES = 60


def miles_of(text: str) -> Iterator[float]:
    """Yield the distances of a folded question that are wishes, rounded to a tenth of a mile."""
    patterns = number_patterns()
    for match in patterns["distance"].finditer(text):
        before = text[max(0, match.start() - _MAX_BACK_MILES) : match.start()].rstrip()
        is_cap = patterns["distance_cap"].search(before) is not None
        if not is_cap and (
            patterns["distance_spoken_of"].search(before)
            or patterns["distance_of_something"].match(text, match.end())
        ):
            continue
        amount = match["number"]
        if match["unit"] in ("mi", "mis") and not amount[0].isdigit():
            continue  # "una mi" is "one my"
        number = _WORDS.get(amount) or float(amount.replace(",", "."))
        miles = round(number * _MILES[match["unit"][0]], 1)
        if 0 < miles <= MAX_ASKED_MILES:
            yield miles


_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_SHORTEST = 3
# Words between "need" and what is needed.
_FARTHEST = 4
# A pattern is tried for a word only if it contains its beginning.
_BEGINNING = 3


def unused_words(
    text: str,
    tokens: list[Token],
    spelled: list[list[str]],
    where: Where,
    words: str,
    folded: str,
) -> list[str]:
    """Return runs of content words without effect, as written in `text`.

    `words` are the correctly spelt words of the question, `folded` the folded question.
    """
    lexicon, candidates, asked = tables(), dict[int, list[str]](), set[int]()
    for i, (token, group) in enumerate(zip(tokens, spelled, strict=True)):
        is_word = token.word.isalpha() or _ORDINAL.fullmatch(token.word) is not None
        if (
            len(token.word) >= _SHORTEST
            and is_word
            and lexicon.ignored_words.isdisjoint((token.word, *group))
        ):
            candidates[i] = [token.word] if token.is_number else group
            # The preceding words say that the person needs what follows.
            before = " ".join(token.word for token in tokens[max(0, i - _FARTHEST) : i])
            if i not in where.former and lexicon.patterns["asked_for"].search(f" {before} "):
                asked.add(i)
    if not asked:
        return []
    question_words = frozenset(word for group in candidates.values() for word in group)
    # In `words` a number is `#`.
    effective = _find_effective(question_words, f"{words}{_NO_WORD.sub(' ', folded)} ")
    effective |= words_of_time(question_words, words, folded)
    runs, end = list[list[int]](), -1
    for i, group in candidates.items():
        if effective.intersection(group):
            continue
        if end != i:
            runs.append([i, i])
        runs[-1][1] = end = i + 1
    return [
        text[tokens[start].start : tokens[stop - 1].end] for start, stop in runs if start in asked
    ]


def _find_effective(question_words: Collection[str], words: str) -> set[str]:
    """Return the words that a pattern of wishes, programs or kinds matched."""
    return {
        word
        for word in question_words
        if any(
            f" {word} " in f" {match[0]} "
            for pattern in _patterns_with(word[:_BEGINNING])
            for match in pattern.finditer(words)
        )
    }


@lru_cache(maxsize=1 << 12)
def _patterns_with(beginning: str) -> tuple[re.Pattern[str], ...]:
    every = (*deciding_wishes(), *deciding_patterns())
    return tuple(pattern for pattern in every if beginning in pattern.pattern)
