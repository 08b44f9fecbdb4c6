"""Suggests cities and ZIP codes for the text typed so far."""

from collections.abc import Collection

import msgspec

from schemas.api.lists import Suggestion, Suggestions
from schemas.values.names import fold_name
from schemas.vocab.state_words import MAX_WORDS, state_by_words
from schemas.vocab.states import STATES
from serving.search.suggest_index import SuggestIndex
from warehouse.index.reader import OpenRelease

# Fewer results suggest that the text is misspelt or ends in a state.
_FEW = 3
# Names are stored with the short word; a typed long word may be unfinished.
_SHORT_WORDS = (("saint", "st"), ("fort", "ft"), ("mount", "mt"))
_STATE_NAMES = {
    code: {code.lower(), fold_name(state.names.en), fold_name(state.names.es)}
    for code, state in STATES.items()
}


def suggestions_json(release: OpenRelease, index: SuggestIndex, text: str, limit: int) -> bytes:
    """Suggest places for a text of at least two characters, as JSON."""
    matches = suggestions(index, text, limit)
    return msgspec.json.encode(Suggestions(True, text, matches, release.is_synthetic))


def suggestions(index: SuggestIndex, text: str, limit: int) -> list[Suggestion]:
    """Return ZIP codes for digits, else cities: by prefix, plus misspelt ones if that gives few."""
    plain = text.lstrip()
    digits = plain.rstrip()[:5]
    if digits.isdigit() and digits.isascii():
        return index.zips(digits, limit)
    name, comma, rest = plain.partition(",")
    states = _states_beginning(rest) if comma and rest.strip() else None
    whole = fold_name(name)
    cities = index.cities(beginnings(name), whole, states, limit)
    if len(cities) < min(_FEW, limit) and not index.is_name(whole):
        with_state = [] if comma else _with_state_words(index, plain, limit)
        _add(cities, with_state or index.misspelt(whole, states, limit), limit)
    return [index.city(at) for at in cities]


def beginnings(text: str) -> list[str]:
    """Return the folded name prefixes that a text may stand for.

    The last word may be unfinished: "ste" begins "Stephenville" and is "St." too, "sain" may become
    "Saint".
    """
    folded = fold_name(text)
    if not folded:
        return []
    if fold_name(text + "x") == folded + " x":
        # The blank ends the word; the name may end there too.
        return [folded + " ", folded + "\0"]
    unfinished = fold_name(text + "x")[:-1]
    head, _, last = unfinished.rpartition(" ")
    prefixes = [folded, unfinished]
    for long, short in _SHORT_WORDS:
        if len(last) > 1 and long.startswith(last):
            prefixes.append(f"{head} {short} ".lstrip())
    return list(dict.fromkeys(prefixes))


def _states_beginning(text: str) -> frozenset[str]:
    """Return codes of the states whose code or name begins with a text, or that it abbreviates."""
    exact, folded = state_by_words(text), fold_name(text)
    codes = {
        code for code, names in _STATE_NAMES.items() if any(n.startswith(folded) for n in names)
    }
    return frozenset(codes | {exact} if exact else codes)


def _with_state_words(index: SuggestIndex, text: str, limit: int) -> list[int]:
    """Return cities for a text whose last words are, or begin, a state: "springfield il", "fargo
    north d"."""
    words = text.split()
    for count in range(min(MAX_WORDS, len(words) - 1), 0, -1):
        states = _states_beginning(" ".join(words[-count:]))
        cities = (
            index.cities_of_name(fold_name(" ".join(words[:-count])), states, limit)
            if states
            else []
        )
        if cities:
            return cities
    return []


def _add(cities: list[int], more: Collection[int], limit: int) -> None:
    present = set(cities)
    cities.extend([at for at in more if at not in present][: limit - len(cities)])
