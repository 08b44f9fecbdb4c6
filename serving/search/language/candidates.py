"""Finds words of a question that may be a city name."""

from collections.abc import Iterator

from schemas.vocab.states import STATES
from serving.search.language.city_ranking import (
    LARGE_TOWN,
    STATE_AFTER,
    Candidate,
    View,
    is_capitalised,
    is_state,
    score_city,
    state_after,
)
from serving.search.language.fuzzy import TINY, find_misspelt_cities
from serving.search.language.names import MAX_WORDS
from serving.search.language.states import StateMention
from serving.search.language.tables import tables
from serving.search.language.text import Token
from warehouse.index.gazetteer import City

# Evidence for and against a candidate; below the minimum it is no place.
LEAST = 12.0
_STATE_BEFORE, _STATE_NAMED, _OTHER_NAME, _NO_PLACE = 60.0, 40.0, 45.0, -200.0
_IN_BEFORE = frozenset(["in", "near", "around", "en"])
# Limit on groups of strange words checked for misspellings: a question has few, an attack many.
_MAX_GUESSES = 40


def candidates(view: View) -> list[Candidate]:
    """Return city names in a question, likely or not, except within a likely one."""
    names: list[Candidate] = []
    guesses, last_end = _MAX_GUESSES, 0
    for start, end in _spans(view):
        # Likely ones so far begin no later, so a name that ends within the last one is inside it.
        if end <= last_end:
            continue
        exact = _exact(view, start, end)
        names += exact
        last_end = max([last_end, *(c.end for c in exact if c.score >= LEAST)])
        if not guesses or view.unknown.isdisjoint(range(start, end)):
            continue
        after = state_after(view, end)
        if not (exact and _is_certain(exact[0], after)):
            guesses -= 1
            names += find_misspelt_cities(view, start, end, after)
    return names


def _spans(view: View) -> Iterator[tuple[int, int]]:
    """Yield tokens that may be a name (`end` exclusive), longest first per start: without pauses,
    numbers or excluded tokens."""
    tokens = view.tokens
    states = [m for m in view.states if m.is_name and m.is_sure]
    ends = [i for i, t in enumerate(tokens) if t.is_break or t.word == "#" or i in view.masked]
    for start in range(len(tokens)):
        limit = next((i for i in ends if i >= start), len(tokens))
        for end in range(min(start + MAX_WORDS, limit), start, -1):
            is_compound = end - start == 1 and start in view.compounds
            if not is_compound and not (states and _cuts_state(states, start, end)):
                yield start, end


def _is_certain(candidate: Candidate, after: StateMention | None) -> bool:
    """Return whether a name needs no misspelling check: its state agrees, or it is known beyond its
    county."""
    if candidate.state is not None or "another name" in candidate.reason:
        return True
    return after is None and (candidate.city.population or 0) >= TINY


def _exact(view: View, start: int, end: int) -> list[Candidate]:
    """Return the city that words name exactly, if any."""
    words = view.keys[start:end]
    other = view.names.other(" ".join(words))
    cities = view.names.cities(["new", *words[1:]] if words[0] == "nueva" else words)
    if other is None and not cities and words != ["la"]:
        return []
    after = state_after(view, end)
    if other is not None and (
        after is None or after.code == other.state or not view.names.cities(words)
    ):
        if words == ["la"] or (len(words) == 1 and words[0] in tables().vocabulary):
            return []
        state = after if after and after.code == other.state else None
        bonus = _OTHER_NAME + (STATE_AFTER if state else 0)
        return [score_city(view, start, end, other, bonus, "another name of", state)]
    if words == ["la"]:
        return _los_angeles(view, start, after)
    if is_state(view, start, end):
        is_city_too = " ".join(words) in tables().places.city_before_state
        if not (_means_new_york(view, start, after) if is_city_too else after):
            return []
    return [_with_state(view, start, end, cities, after)]


def _with_state(
    view: View, start: int, end: int, cities: list[City], after: StateMention | None
) -> Candidate:
    """Return the city in the adjacent state, in a state named elsewhere, or the largest."""
    if after is not None:
        adjacent = next((c for c in cities if c.state == after.code), None) or _like(
            view, start, end, after
        )
        if adjacent:
            is_word = _is_word_before_state(view, start, end, adjacent, after)
            bonus = _NO_PLACE if is_word else STATE_AFTER
            return score_city(view, start, end, adjacent, bonus, "with its state", after)
    before = next(
        (
            m
            for m in view.states
            if m.end in (start, start - 1) and m.start < start and (m.is_name or m.is_sure)
        ),
        None,
    )
    if before is not None:
        adjacent = next((c for c in cities if c.state == before.code), None)
        if adjacent:
            return score_city(view, start, end, adjacent, _STATE_BEFORE, "with its state", before)
    for mention in view.states:
        if (mention.is_name or mention.is_sure) and not start <= mention.start < end:
            city = next((c for c in cities if c.state == mention.code), None)
            if city:
                return score_city(view, start, end, city, _STATE_NAMED, "in the state named", None)
    elsewhere = (after is not None and after.is_sure and after.code in STATES) or _is_abroad(
        view.tokens, end
    )
    return score_city(
        view, start, end, cities[0], _NO_PLACE if elsewhere else 0.0, "the largest of", None
    )


def _is_word_before_state(
    view: View, start: int, end: int, city: City, state: StateMention
) -> bool:
    """Return whether a word that is also a town is an ordinary word before a state: "comida gratis
    Ohio", "register in Georgia".

    It is the town if it is capitalized, if a pause, "in" or a pantry comes before it, or if it has
    enough people; if "in" separates it from the state ("free turkey in Texas"), only a capital
    letter, or "in" before a word that is no key word, makes it a town.
    """
    if end - start > 1:
        return False
    tokens = view.tokens
    word = tokens[start].word
    is_key = word in tables().vocabulary and word in view.ordinary
    if not is_key and word not in tables().common:
        return False
    if is_capitalised(tokens, start, end):
        return False
    before = tokens[start - 1] if start else None
    follows = before is not None and before.word in _IN_BEFORE
    if state.start > end and not tokens[end].is_break:
        return is_key or not follows
    if not is_key or follows or not state.is_name or (city.population or 0) >= LARGE_TOWN:
        return False
    return not (
        before is None
        or before.is_break
        or before.is_number
        or before.word in tables().words["providers"]
        or tokens[end].is_break
    )


def _is_abroad(tokens: list[Token], end: int) -> bool:
    """Return whether a country follows a name: "London, England"."""
    at = end + (end < len(tokens) and tokens[end].is_break)
    return at < len(tokens) and tokens[at].word in tables().abroad


def _like(view: View, start: int, end: int, state: StateMention) -> City | None:
    """Return the city of a state whose name differs only in blanks and abbreviations: "De Kalb,
    IL"."""
    name = " ".join(t.key for t in view.tokens[start:end])
    cities = view.names.gazetteer.cities_like(name, state.code) if state.is_sure else []
    return cities[0] if cities else None


def _cuts_state(states: list[StateMention], start: int, end: int) -> bool:
    """Return whether a name would end inside a state's name: "Oak Ridge, North Carolina" is not Oak
    Ridge North."""
    return any(start < m.start < end < m.end for m in states)


def _means_new_york(view: View, start: int, after: StateMention | None) -> bool:
    """Return whether "New York" means the city: after a street, not after another city, not with
    "state" or "upstate"."""
    mention = next(m for m in view.states if m.start <= start < m.end)
    if mention.end - mention.start > 2:
        return False
    if after is not None:
        return after.code == "NY"
    before = view.tokens[start - 1] if start else None
    if before is None or before.word in tables().vocabulary:
        return True
    at = start - 2 if before.is_break and start > 1 else start - 1
    previous = view.tokens[at]
    # "14th St New York"
    return previous.is_number or previous.word in tables().vocabulary or at in view.masked


def _los_angeles(view: View, at: int, after: StateMention | None) -> list[Candidate]:
    """Return Los Angeles for LA in capitals, or for "in la" at the end of an English question."""
    token = view.tokens[at]
    angeles = view.names.gazetteer.cities("Los Angeles", "CA")
    if not angeles or any(
        m.start == at
        and m.is_sure
        and at
        and view.tokens[at - 1].word not in tables().vocabulary
        and not view.tokens[at - 1].is_break
        for m in view.states
    ):
        return []
    following = view.tokens[at + 1] if at + 1 < len(view.tokens) else None
    shouts = sum(t.is_caps for t in view.tokens) > len(view.tokens) / 2 and len(view.tokens) > 3
    english_in = at > 0 and view.tokens[at - 1].word in {"in", "near", "around"}
    is_last = (
        following is None
        or following.is_break
        or following.is_number
        or following.word in tables().en
    )
    if (
        (token.is_caps and not shouts)
        or (english_in and is_last)
        or (after is not None and after.code == "CA")
    ):
        return [
            score_city(
                view, at, at + 1, angeles[0], _OTHER_NAME + _STATE_NAMED, "another name of", None
            )
        ]
    return []
