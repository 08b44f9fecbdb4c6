"""Suggests cities and ZIP codes for the beginning of a place."""

from bisect import bisect_left
from collections.abc import Collection, Iterable

import msgspec
import numpy as np
from numpy.typing import NDArray

from schemas.api.lists import Suggestion, Suggestions
from schemas.values.names import fold_name
from schemas.vocab.states import MAX_WORDS, STATE_CODES, STATES, state_by_words
from serving.http.caching import per_release
from warehouse.index.fuzzy_names import errors_allowed
from warehouse.index.gazetteer import Counts
from warehouse.index.reader import OpenRelease

Floats = NDArray[np.float64]
Positions = NDArray[np.int64]
# A completely typed name counts as twenty times the population: "York" before "Yorkville", but Bay
# City before Bay.
_WHOLE_NAME = float(np.log(20))
_STATE_NUMBER = {code: number for number, code in enumerate(STATE_CODES)}


class SuggestIndex:
    """Cities by prefix of their folded names and ZIP codes by their first digits, the best first.

    Ranked by ln(1 + people) + ln(1 + places with free food within 25 miles) / 4: population first,
    or every suburb of New York would precede Salem; the supply decides if the population is
    unknown.
    """

    def __init__(self, release: OpenRelease) -> None:
        gazetteer = self._gazetteer = release.gazetteer
        self._cities, self._zips = gazetteer.all_cities(), gazetteer.all_zips()
        self._names, self._states, *numbers = gazetteer.city_columns
        self._city_ranks = _ranks(*numbers)
        self._city_states = np.array(
            [_STATE_NUMBER.get(state, -1) for state in self._states], np.int16
        )
        self._codes, is_placed, *numbers = gazetteer.zip_columns
        # A ZIP code without a point is not suggested.
        self._zip_ranks = np.where(is_placed, _ranks(*numbers), -np.inf)

    def cities(
        self, beginnings: Iterable[str], whole: str, states: Collection[str] | None, limit: int
    ) -> list[int]:
        """Return positions of the best cities whose name has one of the prefixes; `whole` is the
        text as a name."""
        parts = [self._span(beginning, beginning + "\x7f") for beginning in beginnings]
        if len(parts) > 1:
            parts = [np.unique(np.concatenate(parts))]
        positions = parts[0] if parts else np.empty(0, np.int64)
        if states is not None:
            numbers = [_STATE_NUMBER[state] for state in states]
            positions = positions[np.isin(self._city_states[positions], numbers)]
        ranks = self._city_ranks[positions]
        same = self._span(whole, whole + " ")
        if len(same):
            ranks = ranks + np.where(np.isin(positions, same), _WHOLE_NAME, 0.0)
        return _best(positions, ranks, limit)

    def is_name(self, folded: str) -> bool:
        """Return whether some city has exactly this folded name."""
        return self._gazetteer.is_name(folded)

    def cities_of_name(self, name: str, states: Collection[str], limit: int) -> list[int]:
        """Return positions of the best cities of exactly this folded name in some states."""
        same = self._span(name, name + " ").tolist()
        in_states = [at for at in same if self._states[at] in states]
        return sorted(in_states, key=lambda at: -self._city_ranks[at])[:limit]

    def misspelt(self, name: str, states: Collection[str] | None, limit: int) -> list[int]:
        """Return positions of cities whose name begins like the text with few errors: fewest errors
        first, then those with the same first letter, which is seldom wrong."""
        for errors in range(1, errors_allowed(name) + 1):
            # One error is tried first: that is faster, and two are seldom meant if one suffices.
            near = [
                (
                    count,
                    folded[0] != name[0],
                    # A name of about this length is typed completely.
                    -float(self._city_ranks[at])
                    - (_WHOLE_NAME if abs(len(folded) - len(name)) <= errors else 0.0),
                    at,
                )
                for count, folded in self._gazetteer.names_beginning_near(name, errors)
                for at in self._span(folded, folded + " ").tolist()
                if states is None or self._states[at] in states
            ]
            if near:
                return [at for *_, at in sorted(near)[:limit]]
        return []

    def city(self, at: int) -> Suggestion:
        """Return the suggestion of a city."""
        city = self._cities[at]
        label = f"{city.name}, {city.state}"
        return Suggestion(
            label,
            label,
            "city",
            city.name,
            city.state,
            city.zip,
            city.lat,
            city.lng,
            city.population,
            city.free_food_count,
        )

    def zips(self, digits: str, limit: int) -> list[Suggestion]:
        """Return the best ZIP codes that begin with some digits."""
        low, high = (bisect_left(self._codes, end) for end in (digits, digits + ":"))
        positions = low + np.flatnonzero(self._zip_ranks[low:high] > -np.inf)
        best = _best(positions, self._zip_ranks[positions], limit)
        return [self._zip(at) for at in best]

    def _zip(self, at: int) -> Suggestion:
        place = self._zips[at]
        town = ", ".join(part for part in (place.name, place.state) if part)
        display = f"{place.zip} {town}".strip()
        return Suggestion(
            place.zip,
            display,
            "zip",
            place.name,
            place.state,
            place.zip,
            place.lat or 0.0,
            place.lng or 0.0,
            place.population,
            place.free_food_count,
        )

    def _span(self, first: str, end: str) -> Positions:
        """Return positions of the names from one text up to another."""
        return np.arange(bisect_left(self._names, first), bisect_left(self._names, end))


@per_release
def suggest_index_of(release: OpenRelease) -> SuggestIndex:
    """Build the index of a release."""
    return SuggestIndex(release)


def _best(positions: Positions, ranks: Floats, limit: int) -> list[int]:
    """Return the highest ranks first; of equals the first position."""
    if len(positions) > 4 * limit:
        least = np.partition(ranks, len(ranks) - limit)[-limit]
        highest = np.flatnonzero(ranks >= least)
        positions, ranks = positions[highest], ranks[highest]
    order = np.lexsort((positions, -ranks))[:limit]
    best: list[int] = positions[order].tolist()
    return best


def _ranks(people: Counts, supply: Counts) -> Floats:
    return np.asarray(np.log1p(people) + np.log1p(supply) / 4)


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
        more = with_state or index.misspelt(whole, states, limit)
        cities += [at for at in more if at not in cities][: limit - len(cities)]
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
