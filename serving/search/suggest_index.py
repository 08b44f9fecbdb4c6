"""Indexes every city and ZIP code of a release by name and rank; built once per release."""

from bisect import bisect_left
from collections.abc import Collection, Iterable

import numpy as np
from numpy.typing import NDArray

from schemas.api.lists import Suggestion
from schemas.vocab.states import STATE_CODES
from serving.http.per_release import per_release
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
                    -self._rank(at, is_whole=abs(len(folded) - len(name)) <= errors),
                    at,
                )
                for count, folded in self._gazetteer.names_beginning_near(name, errors)
                for at in self._span(folded, folded + " ").tolist()
                if states is None or self._states[at] in states
            ]
            if near:
                return [at for *_, at in sorted(near)[:limit]]
        return []

    def _rank(self, at: int, *, is_whole: bool) -> float:
        return float(self._city_ranks[at]) + (_WHOLE_NAME if is_whole else 0.0)

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
