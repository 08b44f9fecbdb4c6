"""Finds misspelt city names."""

from rapidfuzz.distance import OSA

from serving.search.language.city_ranking import (
    STATE_AFTER,
    Candidate,
    View,
    follows_in,
    is_state,
    score_city,
)
from serving.search.language.spelling import correct_word
from serving.search.language.states import StateMention
from serving.search.language.tables import tables
from serving.search.language.text import Token

_PER_WRONG_LETTER = -4.0
_MAX_WORDS = 3
# Below this population, a name one letter from that of a town a hundred times larger may be a
# misspelling.
TINY, _LARGE = 1_000, 100_000


def find_misspelt_cities(
    view: View, start: int, end: int, after: StateMention | None
) -> list[Candidate]:
    """Return a misspelt city name with one unknown word: if that word is not an everyday one, or is
    next to a state, or its state has no such city. `after` is the state right after it."""
    if end - start > _MAX_WORDS or is_state(view, start, end):
        return []
    tokens = view.tokens
    span = tokens[start:end]
    adjacent = after if after and (after.start == end or tokens[end].is_break) else None
    strange = [
        tokens[i]
        for i in range(start, end)
        if i in view.unknown and (adjacent or tokens[i].word not in view.everyday)
    ]
    if not strange or (len(span) > 1 and not _may_be_parts(view, span)):
        return []
    words = [t.key for t in span]
    exact = view.names.cities(words)
    sure = after if after and not any(c.state == after.code for c in exact) else None
    guess = view.names.guess(words, sure.code) if sure else None
    # A correctly spelt word is at most one letter from the intended town: "Central Texas" is not
    # Centralia.
    is_right = all(t.word in view.everyday for t in strange)
    if guess and sure and (is_right or (exact and not sure.is_sure)) and guess.distance > 1:
        guess = None
    if guess is None:
        sure, guess = None, view.names.guess(words)
        size = (view.names.cities(guess.name.split())[0].population or 0) if guess else 0
        if exact and (
            guess is None
            or guess.distance != 1
            or size < _LARGE
            or (exact[0].population or 0) >= TINY
        ):
            return []
    if guess is None or (len(words) > 1 and not _may_be_several(view, span, guess.name, sure)):
        return []
    nearer = correct_word(words[0]) if len(words) == 1 else None
    is_after_in = follows_in(tokens, start)
    if nearer and nearer[1] < guess.distance + (0 if is_after_in or sure else 1):
        return []
    cities = view.names.cities(guess.name.split())
    city = next((c for c in cities if sure is None or c.state == sure.code), cities[0])
    if sure is None and after is not None:
        city = next((c for c in cities if c.state == after.code), city)
        sure = after if after.code == city.state else None
    bonus = _PER_WRONG_LETTER * guess.distance + (STATE_AFTER if sure else 0)
    if sure is None:
        state = next((m for m in view.states if m.is_name), None)
        city = next((c for c in cities if state and c.state == state.code), city)
    # "San Vicente, PR" is not Vincent in California.
    is_elsewhere = after is not None and after.is_sure and sure != after
    return [] if is_elsewhere else [score_city(view, start, end, city, bonus, "misspelt", sure)]


def _may_be_several(view: View, span: list[Token], name: str, state: StateMention | None) -> bool:
    """Return whether several words may be a misspelt name: word by word, and without "de" before a
    correct name.

    "near Palo Alto" is not East Palo Alto, "wic Englewood" is not West Englewood, "de Reno" is not
    De Leon.
    """
    rights, word_lists = name.split(), tables().words
    if len(rights) != len(span) or not all(map(_may_be_wrong, span, rights)):
        return False
    if span[0].word not in word_lists["before_places"] | word_lists["before_articles"]:
        return True
    rest = view.names.cities([t.key for t in span[1:]])
    return not any(state is None or city.state == state.code for city in rest)


def _may_be_parts(view: View, span: list[Token]) -> bool:
    """Return whether every known word may belong to some name at its position (`_may_be_wrong`)."""
    vocabulary, count = tables().vocabulary, len(span)
    return all(
        t.word not in vocabulary
        or t.key in ("nuevo", "nueva")
        or view.names.may_be_part(t.key, at, count)
        for at, t in enumerate(span)
    )


def _may_be_wrong(token: Token, right: str) -> bool:
    """Return whether a word may be a misspelling of another; for a known word nearly all letters
    must agree ("Sioux Fall")."""
    if (
        token.key == right
        or token.word not in tables().vocabulary
        or (right == "new" and token.key in ("nuevo", "nueva"))
    ):
        return True
    return len(right) > 3 and OSA.distance(token.key, right) <= 1
