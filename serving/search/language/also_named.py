"""Finds other places a question may mean: further names in it, namesakes, and similar spellings."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from serving.search.language.city_ranking import View, follows_in, is_capitalised
from serving.search.language.landmarks import is_facility
from serving.search.language.tables import tables
from warehouse.index.fuzzy_names import errors_allowed
from warehouse.index.gazetteer import City, County

MAX_CHOICES = 8
# A namesake with a smaller share of the population is seldom meant.
_PART, _LEAST_PEOPLE = 10, 5_000
_MAX_GUESSED_WORDS, _SPELT_ALIKE, _SHORTEST = 3, 4, 5


class PlaceMention(NamedTuple):
    """Tokens `start` to `end` (exclusive) that name a place, and its written form."""

    start: int
    end: int
    label: str


def labels_of(places: Iterable[City | County]) -> tuple[str, ...]:
    """Return unique labels of places as the API writes them: "Salem, OR"."""
    return tuple(dict.fromkeys(f"{one.name}, {one.state}" for one in places))[:MAX_CHOICES]


def find_other_names(
    view: View, place: PlaceMention, others: Sequence[PlaceMention]
) -> list[PlaceMention]:
    """Return the chosen place with those that "or" or "and" joins to it: "Sacramento o
    Stockton"."""
    group = [place]
    apart = sorted(one for one in others if not _overlap(one, place))
    for one in (o for o in apart if o.start >= place.end):
        if one.start >= group[-1].end and _are_joined(view, group[-1].end, one.start):
            group.append(one)
    for one in (o for o in reversed(apart) if o.end <= place.start):
        if one.end <= group[0].start and _are_joined(view, one.end, group[0].start):
            group.insert(0, one)
    return group


def span_of(view: View, start: int, end: int) -> tuple[int, int]:
    """Return the character span of some tokens in the text."""
    return view.tokens[start].start, view.tokens[end - 1].end


def _overlap(one: PlaceMention, other: PlaceMention) -> bool:
    return one.start < other.end and other.start < one.end


def _are_joined(view: View, start: int, end: int) -> bool:
    between = [token.word for token in view.tokens[start:end]]
    lists = tables().words
    joins = lists["joins"].intersection(between)
    return bool(joins) and lists["joins"] | lists["before_places"] | {",", "the"} >= set(between)


def namesakes(view: View, city: City) -> tuple[str, ...]:
    """Return other cities with the same name that may be meant: those of its state, then by
    population."""
    people = max((city.population or 0) // _PART, _LEAST_PEOPLE)
    same = view.names.gazetteer.cities(city.folded)
    large = (c for c in same if c != city and (c.population or 0) >= people)
    return labels_of([*view.names.gazetteer.namesakes(city), *large])


def spelt_alike(view: View) -> tuple[tuple[str, ...], tuple[int, int]]:
    """Return cities spelt almost like an unknown word, and its span in the text, if nothing else
    names a place."""
    for start, end in _strange_runs(view):
        name = " ".join(t.key for t in view.tokens[start:end])
        enough = len(name) >= _SHORTEST
        cities = view.names.gazetteer.cities_near(name, errors_allowed(name)) if enough else []
        if cities:
            by_people = sorted(cities, key=lambda city: -(city.population or 0))
            # A hamlet may really have this spelling: "Pitsburg, OH".
            exact = [city for city in cities if city.folded == name]
            choices = [*by_people[:_SPELT_ALIKE], *exact[:1]]
            return labels_of(choices), span_of(view, start, end)
    return (), (0, 0)


def _strange_runs(view: View) -> list[tuple[int, int]]:
    """Return runs of words outside everyday vocabulary (`end` exclusive)."""
    strange = [i for i in sorted(view.unknown - view.masked) if _is_strange(view, i)]
    runs: list[tuple[int, int]] = []
    for i in strange:
        if runs and runs[-1][1] == i:
            runs[-1] = (runs[-1][0], i + 1)
        else:
            runs.append((i, i + 1))
    # "Fenway Park" is not a misspelt town.
    return [
        (start, end)
        for start, end in runs
        if end - start <= _MAX_GUESSED_WORDS and not is_facility(view.tokens, end)
    ]


def _is_strange(view: View, at: int) -> bool:
    """Return whether a word is unknown and placed like a name: capitalized, after "in" or before a
    food word."""
    tokens, token = view.tokens, view.tokens[at]
    is_word = token.word in view.everyday or token.is_break or token.is_number
    if is_word or at in view.compounds or any(m.start <= at < m.end for m in view.states):
        return False
    is_before_food = at + 1 < len(tokens) and tokens[at + 1].word in tables().words["food_after"]
    return is_capitalised(tokens, at, at + 1) or follows_in(tokens, at) or is_before_food
