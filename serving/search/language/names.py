"""Looks up place names: in the gazetteer of a release, as nicknames, and with a letter wrong."""

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from schemas.values.names import fold_name
from serving.search.language.spelling import sound_of
from serving.search.language.tables import Places, tables
from warehouse.index.gazetteer import City, County, Gazetteer

MAX_WORDS = 5
# Without a state, only towns of this size are candidates for a misspelling.
_KNOWN_TOWN, _LARGE_TOWN = 8_000, 50_000
_SHORTEST_COUNTY = 5
_SHORT_FORMS = {"fort": "ft", "saint": "st", "mount": "mt"}
ARTICLES = frozenset(["the", "el", "la", "los", "las"])


class Guess(NamedTuple):
    """A name that a misspelt text may mean."""

    name: str
    distance: int


class PlaceNames:
    """Lookup of city and county names; built once per release."""

    def __init__(self, gazetteer: Gazetteer) -> None:
        self.gazetteer = gazetteer
        self._other = self._other_names(tables().places)
        sizes: dict[str, int] = {}
        self._of_state: dict[str, list[str]] = {}
        names, states, people, _ = gazetteer.city_columns
        for name, state, size in zip(names, states, people.tolist(), strict=True):
            sizes.setdefault(name, size)  # the most populous city of a name comes first
            of_state = self._of_state.setdefault(state, [])
            if not of_state or of_state[-1] != name:
                of_state.append(name)
        self._large = _by_length(n for n, size in sizes.items() if size >= _KNOWN_TOWN)
        # Words of names by position and word count.
        self._parts: dict[tuple[int, int], set[str]] = {}
        for words in map(str.split, sizes):
            for at, word in enumerate(words):
                self._parts.setdefault((at, len(words)), set()).add(word)
        self._may_be_part: dict[tuple[str, int, int], bool] = {}
        several = [n.split() for group in self._large.values() for n in group if " " in n]
        self._firsts, self._lasts = {w[0] for w in several}, {w[-1] for w in several}
        large = sorted(
            (n for n, size in sizes.items() if size >= _LARGE_TOWN), key=lambda n: (sizes[n], n)
        )
        self._by_sound = {sound_of(name): name for name in large}
        self._run_together = {
            n.replace(" ", ""): n for n, size in sizes.items() if " " in n and size >= _LARGE_TOWN
        }

    def _other_names(self, places: Places) -> dict[str, City]:
        cities: dict[str, City] = {}
        for group in (places.cities, places.parts):
            for label, names in group.items():
                city = self._label_city(label)
                if city is not None:
                    cities |= {fold_name(name): city for name in names}
        return cities

    def _label_city(self, label: str) -> City | None:
        name, _, state = label.rpartition(", ")
        cities = self.gazetteer.cities(name, state)
        return cities[0] if cities else None

    def other(self, name: str) -> City | None:
        """Return the city of a nickname or of a named part of a city."""
        return self._other.get(name)

    def cities(self, words: list[str]) -> list[City]:
        """Return cities with this name (folded words), the most populous first."""
        find = self.gazetteer.find_named
        cities = find(" ".join(words))
        if len(words) == 1:
            return cities or find(self._run_together.get(words[0], ""))
        places = tables().places
        if words[-1] in places.shortened:
            # The Postal Service has "Colorado Spgs" as a separate name.
            cities = find(" ".join([*words[:-1], places.shortened[words[-1]]])) or cities
        if words[0] in places.directions:
            # The Postal Service writes "E Saint Louis" for East St. Louis.
            cities = find(" ".join([places.directions[words[0]], *words[1:]])) or cities
        if not cities and len(words) == 2:
            in_one_word = find("".join(words))
            cities = (
                in_one_word
                if in_one_word and (in_one_word[0].population or 0) >= _KNOWN_TOWN
                else []
            )
        return cities

    def in_state(self, words: list[str], state: str) -> City | None:
        return next((city for city in self.cities(words) if city.state == state), None)

    def counties(self, words: list[str]) -> list[County]:
        """Return counties with this name: first the one with this short name, then by
        population."""
        name, short_names = " ".join(words), tables().places.counties
        full = [long for long, short in short_names.items() if long != "words" and name in short]
        return [
            county for full_name in (*full, name) for county in self.gazetteer.counties(full_name)
        ]

    def counties_alike(self, words: list[str]) -> list[County]:
        """Return counties whose name differs from the text in one letter."""
        name = " ".join(words)
        if len(name) < _SHORTEST_COUNTY or any(w in tables().vocabulary for w in words):
            return []
        near = process.extract(
            name, [*self.gazetteer.county_names()], scorer=OSA.distance, score_cutoff=1, limit=8
        )
        return [county for full_name, *_ in near for county in self.gazetteer.counties(full_name)]

    def guess(self, words: list[str], state: str | None = None) -> Guess | None:
        """Return the known name nearest to a misspelt one, among towns of some size or all of one
        state."""
        text = " ".join(words)
        if len(text) < 5:
            return None
        if len(words) > 1 and not self._may_begin_and_end(words):
            return None
        # Articles do not count as similarity: "la vida" is not La Vista.
        own = len(" ".join(words[1:] if words[0] in ARTICLES else words))
        if own < (5 if state is None else 4):
            return None
        most = 1 if own < 7 else 2 if own < 12 else 3
        # Without a state names of larger towns, of about as many letters.
        sizes = range(len(text) - most, len(text) + most + 1)
        large = chain.from_iterable(self._large.get(size, ()) for size in sizes)
        choices = self._of_state.get(state, []) if state else [*large]
        nearest = process.extract(text, choices, scorer=OSA.distance, score_cutoff=most, limit=6)
        alike = [f for f in nearest if f[0][0] == text[0] or f[1] == 1]
        if not alike and (shortened := _with_short_form(words)) != words:
            return self.guess(shortened, state)
        if not alike:
            sounding = self._by_sound.get(sound_of(text)) if state is None else None
            return Guess(sounding, most) if sounding else None
        name, distance, _ = min(
            alike, key=lambda f: (f[1], f[0][0] != text[0], -self._size(f[0], state), f[0])
        )
        return Guess(name, int(distance))

    def may_be_part(self, word: str, at: int, count: int) -> bool:
        """Return whether a name of `count` words has this word at a position, or one of four
        letters or more with one letter different. `word` is in the vocabulary: each is looked up
        once."""
        key = (word, at, count)
        if key not in self._may_be_part:
            parts = self._parts.get((at, count), set())
            near = process.extract_iter(word, parts, scorer=OSA.distance, score_cutoff=1)
            self._may_be_part[key] = word in parts or any(len(name) > 3 for name, *_ in near)
        return self._may_be_part[key]

    def _may_begin_and_end(self, words: list[str]) -> bool:
        """Return whether some large name begins with the first word or ends with the last."""
        return words[0] in self._firsts or words[-1] in self._lasts

    def _size(self, name: str, state: str | None) -> int:
        group = [c for c in self.gazetteer.find_named(name) if state is None or c.state == state]
        return group[0].population or 0 if group else 0


def _with_short_form(words: list[str]) -> list[str]:
    """Return the words with a misspelt "Fort", "Saint" or "Mount" folded as in names: "forrt wayne"
    is "ft wayne"."""
    for long, short in _SHORT_FORMS.items():
        if OSA.distance(words[0], long, score_cutoff=1) == 1 and len(words) > 1:
            return [short, *words[1:]]
    return words


def _by_length(names: Iterable[str]) -> dict[int, list[str]]:
    by_length: dict[int, list[str]] = {}
    for name in sorted(names):
        by_length.setdefault(len(name), []).append(name)
    return by_length
