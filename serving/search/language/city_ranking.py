"""Scores a name in a question as a city name."""

import math
from typing import NamedTuple

from serving.search.language.names import ARTICLES, PlaceNames
from serving.search.language.states import StateMention
from serving.search.language.tables import tables
from serving.search.language.text import Token
from warehouse.index.gazetteer import City

# Evidence for and against a candidate, in addition to the caller's.
STATE_AFTER = 100.0
_IN, _TITLE, _PER_WORD, _AT_END = 30.0, 8.0, 12.0, 35.0
_ORDINARY_WORD, _ORDINARY_WORDS, _NAMED_AFTER = -70.0, -45.0, -45.0
_OWNER, _PERSON = -200.0, -80.0
_MAX_BACK = 4
# Next to these, a word that is both a town and an everyday word is the town, if it is large.
_NEXT_TO_FOOD = 66.0
LARGE_TOWN = 15_000


class Candidate(NamedTuple):
    """A possible name: its tokens (`end` exclusive), the city, the score, and the reasons."""

    start: int
    end: int
    city: City
    score: float
    is_former: bool
    reason: str
    state: StateMention | None = None

    @property
    def is_guess(self) -> bool:
        """Whether the name is misspelt."""
        return ": misspelt " in self.reason


class View(NamedTuple):
    """A question prepared for the candidate search: words, names to look up, excluded tokens."""

    tokens: list[Token]
    names: PlaceNames
    states: list[StateMention]
    masked: frozenset[int]
    former: frozenset[int]
    ordinary: frozenset[str]
    everyday: frozenset[str]
    keys: list[str]
    compounds: frozenset[int] = frozenset()
    # Tokens outside the vocabulary that name no country or state.
    unknown: frozenset[int] = frozenset()


def score_city(
    view: View,
    start: int,
    end: int,
    city: City,
    bonus: float,
    reason: str,
    state: StateMention | None,
) -> Candidate:
    """Return a candidate with all evidence for and against it."""
    tokens, lexicon = view.tokens, tables()
    span = tokens[start:end]
    score = bonus + _PER_WORD * (end - start - 1) + 4 * math.log10(city.population or 1)
    is_after_in = follows_in(tokens, start)
    is_title = is_capitalised(tokens, start, end)
    score += _IN * is_after_in + _TITLE * (is_title and start > 0)
    is_other_name = reason == "another name of"
    if not is_other_name and _is_ordinary(view, span, city):
        score += _ORDINARY_WORDS if end - start > 1 else _ORDINARY_WORD
        is_end = _is_end(tokens, end, is_title) if end - start == 1 else is_title
        is_end |= _is_home(tokens, start) and (city.population or 0) >= LARGE_TOWN
        score += _AT_END * (
            is_after_in and is_end and span[0].word not in lexicon.words["before_articles"]
        )
        score += _NEXT_TO_FOOD * (
            end - start == 1 and not is_after_in and _is_next_to_food(view, start)
        )
        if state is None and all(t.word in lexicon.words["before_articles"] for t in span):
            score += _ORDINARY_WORD
    if end < len(tokens) and tokens[end].word in tables().words["institutions"] and state is None:
        score += _NAMED_AFTER
    # "St. Mary's Food Bank, Phoenix" names an owner, not St. Mary's, Alaska.
    follows = tokens[end] if end < len(tokens) else None
    is_owner = span[-1].word == "s" or (
        follows is not None and follows.word == "s" and follows.start == span[-1].end + 1
    )
    if is_owner and state is None and not is_after_in:
        score += _OWNER
    if state is None and _is_person(tokens, start, end, city):
        score += _PERSON
    name = " ".join(t.raw for t in span)
    return Candidate(
        start,
        end,
        city,
        score,
        start in view.former,
        f"{name!r}: {reason} {city.name}, {city.state}",
        state,
    )


def is_capitalised(tokens: list[Token], start: int, end: int) -> bool:
    """Return whether these words are capitalized in a text that does not capitalize all words."""
    are_titles = all(t.is_title for t in tokens[start:end])
    return are_titles and not all(t.is_title for t in tokens if t.word.isalpha())


def _is_ordinary(view: View, span: list[Token], city: City) -> bool:
    """Return whether a name consists of ordinary words; everyday ones only alone or after an
    article.

    Together they may be a town, "Rock Hill"; so may a large town with its article, "El Paso".
    """
    lexicon = tables()
    if all(t.word in view.ordinary or t.word in lexicon.countries for t in span):
        return True
    is_large = (city.population or 0) >= LARGE_TOWN
    if len(span) > 1 and is_large:
        return False
    own = [t for t in span if t.word not in ARTICLES]
    if len(own) != 1:
        return False
    return own[0].word in view.everyday or (own[0].word in lexicon.abroad and not is_large)


def _is_end(tokens: list[Token], end: int, is_title: bool) -> bool:
    """Return whether a name may end here: before the end, a pause, a number, or a word of time or
    purpose.

    After a capitalized word inside a question, before any word except "of" or another capitalized
    word.
    """
    following = tokens[end] if end < len(tokens) else None
    if following is None or following.is_break or following.is_number:
        return True
    goes_on = following.is_title or following.word in {"of", "de", "city"}
    return following.word in tables().words["after_places"] or (is_title and not goes_on)


def _is_person(tokens: list[Token], start: int, end: int, city: City) -> bool:
    """Return whether a small town's name is a given name that nothing says to be a place:
    "Visitation of Mary", but not "in Mary" or "town of Mary"."""
    words = tables().words
    if (
        end - start > 1
        or tokens[start].word not in tables().places.given_names
        or (city.population or 0) >= LARGE_TOWN
    ):
        return False
    before = tokens[start - 1].word if start else ""
    if before in {"of", "de", "del"}:
        return start < 2 or tokens[start - 2].word not in words["before_places"]
    return before not in words["before_places"]


def _is_home(tokens: list[Token], start: int) -> bool:
    """Return whether somebody lives there: "i live in normal and need groceries"."""
    return (
        start > 1
        and tokens[start - 1].word in {"in", "en"}
        and tokens[start - 2].word in tables().words["living"]
    )


def _is_next_to_food(view: View, at: int) -> bool:
    """Return whether an everyday word begins or ends the question next to a food word: "orange food
    bank".

    Or ends it, capitalized, after a pause: "food for my kids, Reading".
    """
    tokens = view.tokens
    if tokens[at].word not in view.everyday:
        return False
    if at == 0:
        return len(tokens) > 1 and tokens[1].word in tables().words["food_after"]
    before = tokens[at - 1]
    follows = before.word in tables().words["food_before"] or (
        before.is_break and tokens[at].is_title
    )
    return at == len(tokens) - 1 and follows


def state_after(view: View, end: int) -> StateMention | None:
    """Return the state right after a name, with at most a comma or "in" between."""
    tokens = view.tokens
    starts = {end}
    if end < len(tokens) and (tokens[end].is_break or tokens[end].word in {"in", "en", "estado"}):
        starts.add(end + 1)
        if end + 1 < len(tokens) and tokens[end + 1].word in {"el", "de", "the", "estado"}:
            starts |= {end + 2, end + 3}
    for mention in view.states:
        if mention.start in starts:
            is_next = mention.start == end or (mention.start == end + 1 and tokens[end].is_break)
            if is_next or mention.is_name or mention.is_sure:
                return mention
    return None


def is_state(view: View, start: int, end: int) -> bool:
    return any(m.start <= start and end <= m.end and m.is_name and m.is_sure for m in view.states)


def follows_in(tokens: list[Token], start: int) -> bool:
    """Return whether a word like "in" precedes, with at most articles between."""
    words = tables().words
    for back in range(1, _MAX_BACK + 1):
        at = start - back
        if at < 0 or tokens[at].is_break:
            return False
        if tokens[at].word in words["before_places"]:
            return True
        if tokens[at].word not in words["before_articles"]:
            return False
    return False
