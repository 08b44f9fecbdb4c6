"""Finds names outside the gazetteer: landmarks ("near Fenway Park", "on 5th Avenue") and listed
places ("St. Mary's Food Bank")."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import msgspec

from serving.search.language.tables import read_words, tables
from serving.search.language.text import Token, TokenText, correct_organization_word

_MAX_WORDS, _ZIP_DIGITS = 6, 5
_SAINTS = frozenset({"san", "santa", "santo", "st", "saint"})
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")


class _File(msgspec.Struct, forbid_unknown_fields=True):
    patterns: dict[str, str]
    words: dict[str, str]


class _Lexicon(NamedTuple):
    """Patterns and words around landmarks; see content/language/landmarks.yaml."""

    patterns: Mapping[str, re.Pattern[str]]
    words: Mapping[str, frozenset[str]]


@lru_cache(maxsize=1)
def _lexicon() -> _Lexicon:
    file = read_words("landmarks.yaml", _File)
    return _Lexicon(
        {name: re.compile(pattern) for name, pattern in file.patterns.items()},
        {name: frozenset(words.split()) for name, words in file.words.items()},
    )


def landmarks_of(
    text: str,
    tokens: Sequence[Token],
    token_text: TokenText,
    place_tokens: frozenset[int],
    streets: frozenset[int],
    *,
    by_bus: bool,
) -> tuple[str, ...]:
    """Return the landmarks and streets of a cleaned text, each in its own words.

    `place_tokens` are the tokens of the starting place. `by_bus`: bus and train stops are a wish,
    not landmarks."""
    spans = [
        *_find_after_near(tokens, token_text, place_tokens, by_bus=by_bus),
        *_streets(tokens, streets),
        *_corners(tokens),
    ]
    spans.sort(key=lambda span: (span[0], -span[1]))
    landmarks, last_end = list[str](), 0
    for start, end in spans:
        if start >= last_end:
            landmarks.append(text[tokens[start].start : tokens[end - 1].end])
            last_end = end
    place_starts = {tokens[i].start for i in place_tokens}
    parts = (
        m for m in _lexicon().patterns["in_text"].finditer(text) if m.start() not in place_starts
    )
    landmarks += [part[0] for part in parts if not any(part[0] in one for one in landmarks)]
    return tuple(dict.fromkeys(landmarks))


def is_facility(tokens: Sequence[Token], end: int) -> bool:
    """Return whether the word at `end` makes the preceding name a landmark: "Fenway Park"."""
    return end < len(tokens) and tokens[end].word in _lexicon().words["facilities"]


def _find_after_near(
    tokens: Sequence[Token],
    token_text: TokenText,
    place_tokens: frozenset[int],
    *,
    by_bus: bool,
) -> Iterator[tuple[int, int]]:
    """Yield the tokens after "near" and similar words (`end` exclusive)."""
    lexicon = _lexicon()
    for pattern in (lexicon.patterns["beside"], lexicon.patterns["before_names"]):
        for _, after in token_text.spans(pattern):
            start, end = _phrase(tokens, place_tokens, after)
            words = {t.word for t in tokens[start:end]}
            is_name = pattern is lexicon.patterns["beside"] or any(
                t.is_title for t in tokens[start:end]
            )
            is_name |= bool(words & lexicon.words["facilities"])
            is_stop = by_bus and words <= lexicon.words["stops"]
            if is_name and not is_stop and words - lexicon.words["nowhere"]:
                yield start, end


def _phrase(tokens: Sequence[Token], place_tokens: frozenset[int], start: int) -> tuple[int, int]:
    lexicon = _lexicon()
    while start < len(tokens) and tokens[start].word in lexicon.words["articles"]:
        start += 1
    end = start
    while end < min(len(tokens), start + _MAX_WORDS):
        token = tokens[end]
        if token.is_break or token.word == "#":
            break
        if end in place_tokens:
            # A town's name may be part of a landmark: "St Joseph Church", "Iglesia San Jose".
            after = end
            while after in place_tokens:
                after += 1
            is_saint = token.word in _SAINTS or tokens[end - 1].word in _SAINTS
            is_after = end > start and tokens[start].word in lexicon.words["facilities"]
            if not (is_facility(tokens, after) or (is_saint and is_after)):
                break
        if token.word in lexicon.words["ends"] or token.word in lexicon.words["inner_ends"]:
            break
        end += 1
    of = end - 2 if end > start and tokens[end - 1].word in ("of", "de") else end - 1
    is_of = (
        of >= start and tokens[of].word in lexicon.words["facilities"] and tokens[of + 1 : of + 2]
    )
    if is_of and tokens[of + 1].word in ("of", "de") and of + 2 in place_tokens:
        # "University of Michigan" is not Michigan.
        end = of + 2
        while end in place_tokens:
            end += 1
    return start, end


def _streets(tokens: Sequence[Token], streets: frozenset[int]) -> Iterator[tuple[int, int]]:
    """Yield runs of tokens that name a street, with a preceding house number."""
    lexicon, last_end = _lexicon(), 0
    for first in sorted(streets):
        # "5th Ave y 14th St" are two.
        if first < last_end:
            continue
        around = lexicon.words["ends"] | lexicon.words["inner_ends"]
        start = first
        while start in streets and tokens[start].word in around | lexicon.words["articles"]:
            start += 1
        end = start
        while end in streets and tokens[end].word not in around:
            end += 1
        last_end = max(end, first + 1)
        # "Calle 14"
        first_word = {t.word for t in tokens[start : min(end, start + 1)]}
        has_number = bool(first_word & lexicon.words["numbered"]) and any(
            t.is_number for t in tokens[start + 1 : end]
        )
        is_numbered = end > start and end < len(tokens) and len(tokens[end].raw) < _ZIP_DIGITS
        if (
            is_numbered
            and tokens[end].is_number
            and tokens[end - 1].word in lexicon.words["numbered"]
        ):
            yield start, end + 1
        elif has_number or (
            {t.word for t in tokens[start:end]}
            - lexicon.words["nowhere"]
            - lexicon.words["stops"]
            - {"#"}
        ):
            yield start, end


def _corners(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Yield "14th and Mission", "Main and 3rd"."""
    for at in range(1, len(tokens) - 1):
        first, second = tokens[at - 1], tokens[at + 1]
        is_one = any(_ORDINAL.fullmatch(one.word) for one in (first, second))
        if tokens[at].word in ("and", "y") and is_one and not (first.is_break or second.is_break):
            is_street = all(_ORDINAL.fullmatch(t.word) or t.is_title for t in (first, second))
            # "1st and 3rd Saturday"
            after = tokens[at + 2].word if at + 2 < len(tokens) else ""
            if is_street and after not in _lexicon().words["ends"]:
                yield at - 1, at + 2


_MIN_LETTERS = 3


class ListingName(NamedTuple):
    """Words that may be the name of a listed place.

    `whole` begins with a town name, which is not a location if a place has this name: "Houston Food
    Bank"; empty without one. `own` excludes the food words, for people who use half the name.
    `is_sure`: an organization's name, so the answer reports if none is listed. `is_guess`: the only
    evidence is unknown lower-case words, so it needs an exact match.
    """

    whole: str
    text: str
    own: str
    is_sure: bool
    is_guess: bool = False


def listing_names(
    text: str, tokens: list[Token], place_tokens: frozenset[int]
) -> list[ListingName]:
    """Return words that may be names; none if all are everyday words.

    `place_tokens` are the tokens that name the starting place.
    """
    ends = [i for i, t in enumerate(tokens) if t.is_break or t.is_number or i in place_tokens]
    around, names = tables().words["around_names"], list[ListingName]()
    # Names are between pauses, numbers and places, without the words around a name.
    for before, after in pairwise([-1, *ends, len(tokens)]):
        if before >= 0 and tokens[before].is_number and before not in place_tokens:
            continue  # a street after its house number
        own = [i for i in range(before + 1, after) if tokens[i].word not in around]
        if own and (name := _name(text, tokens, place_tokens, own[0], own[-1] + 1)) is not None:
            names.append(name)
    return names


def _name(
    text: str, tokens: list[Token], place_tokens: frozenset[int], start: int, end: int
) -> ListingName | None:
    lexicon, run = tables(), tokens[start:end]
    food = (
        lexicon.words["food_after"] | lexicon.words["food_before"] | lexicon.words["around_names"]
    )
    words = f" {' '.join(correct_organization_word(t.word) for t in run)} "
    organization = lexicon.patterns["organizations"].search(words)
    if organization is not None:
        # "can you tell me if Catholic Charities gives food": without the sentence around it.
        first, last = (words.count(" ", 0, at) - 1 for at in organization.span())
        while (
            run[-1] is not run[last] and run[-1].word in lexicon.vocabulary and not run[-1].is_title
        ):
            run = run[:-1]
        run = run[first:]
    own = [t for t in run if t.word not in food]
    is_sure = organization is not None
    # A possessive before the next word: "St. Mary's", but not "that's".
    is_sure |= any(
        b.word == "s" and a.end + 1 == b.start and a.word not in lexicon.vocabulary
        for a, b in pairwise(run)
    )
    is_named = any(a.is_title and b.is_title and a in own and b in own for a, b in pairwise(run))
    is_named |= any(_is_strange(token) and token.is_title for token in own)
    whole = _with_town(tokens, place_tokens, start, end)
    is_small = not any(token.is_title for token in tokens[1:])
    is_guess = not (is_sure or is_named) and is_small and any(map(_is_strange, own))
    if is_guess:
        # A single unknown word is too weak.
        run = run[run.index(next(filter(_is_strange, own))) :]
        own = [t for t in run if t.word not in food]
        is_guess = len(own) > 1
    if not (own and (is_sure or is_named or is_guess)):
        own, run = [], []
    if not run and whole is None:
        return None
    return ListingName(
        text[tokens[whole].start : tokens[end - 1].end] if whole is not None else "",
        text[run[0].start : run[-1].end] if run else "",
        text[own[0].start : own[-1].end] if own else "",
        is_sure,
        is_guess,
    )


def _is_strange(token: Token) -> bool:
    lexicon = tables()
    is_word = token.word in lexicon.vocabulary or token.word in lexicon.common
    return len(token.word) >= _MIN_LETTERS and not is_word


def _with_town(
    tokens: list[Token], place_tokens: frozenset[int], start: int, end: int
) -> int | None:
    """Return the start of a name that begins with its town's name; None without a town, or if it is
    not capitalized like a name."""
    first = start
    while first - 1 in place_tokens and not tokens[first - 1].is_number:
        first -= 1
    words = tables().words
    follows_in = first > 0 and tokens[first - 1].word in words["before_places"] - {"of", "de"}
    is_title = all(t.is_title for t in tokens[first:end] if t.word not in words["around_names"])
    return first if first < start and is_title and not follows_in else None
