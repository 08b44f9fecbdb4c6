"""Finds words of a question that may name a listed place: "St. Mary's Food Bank"."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from serving.search.language.spelling import correct_organization_word
from serving.search.language.tables import tables
from serving.search.language.text import Token

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
    names = (
        _name(text, tokens, place_tokens, start, end) for start, end in _runs(tokens, place_tokens)
    )
    return [name for name in names if name is not None]


def _runs(tokens: list[Token], place_tokens: frozenset[int]) -> Iterator[tuple[int, int]]:
    """Yield token runs between pauses, numbers and places, trimmed of words around a name."""
    ends = [i for i, t in enumerate(tokens) if t.is_break or t.is_number or i in place_tokens]
    around = tables().words["around_names"]
    for before, after in pairwise([-1, *ends, len(tokens)]):
        if before >= 0 and tokens[before].is_number and before not in place_tokens:
            continue  # a street after its house number
        own = [i for i in range(before + 1, after) if tokens[i].word not in around]
        if own:
            yield own[0], own[-1] + 1


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
        run = _without_sentence(run, *(words.count(" ", 0, n) - 1 for n in organization.span()))
    own = [t for t in run if t.word not in food]
    is_sure = organization is not None
    is_sure |= any(_is_owner(a, b) for a, b in pairwise(run))
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


def _without_sentence(run: list[Token], start: int, last: int) -> list[Token]:
    """Return the words from the organization's on, up to the everyday words at the end: "can you
    tell me if Catholic Charities gives food". `last` is its last word."""
    end = len(run)
    while end - 1 > last and run[end - 1].word in tables().vocabulary and not run[end - 1].is_title:
        end -= 1
    return run[start:end]


def _is_owner(token: Token, following: Token) -> bool:
    """Return whether a name is a possessive before the next word: "St. Mary's", but not
    "that's"."""
    is_s = following.word == "s" and token.end + 1 == following.start
    return is_s and token.word not in tables().vocabulary


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
