"""What in a question may be the name of a city, and how much speaks for it."""

from __future__ import annotations

import math
from typing import NamedTuple

from schemas.vocab.states import STATES
from serving.language.names import ARTICLES, MAX_WORDS, PlaceNames
from serving.language.spelling import meant
from serving.language.states import StateMention
from serving.language.tables import tables
from serving.language.text import Token
from warehouse.gazetteer import City

# What speaks for a candidate and against it; one that stays below the least is no place.
LEAST = 12.0
_STATE_AFTER, _STATE_BEFORE, _STATE_NAMED, _IN, _OTHER_NAME = 100.0, 60.0, 40.0, 30.0, 45.0
_TITLE, _PER_WORD, _AT_END = 8.0, 12.0, 35.0
_ORDINARY_WORD, _ORDINARY_WORDS, _NAMED_AFTER, _PER_WRONG_LETTER = -70.0, -45.0, -45.0, -4.0
_AFTER_PERSONS = frozenset(["high", "elementary", "middle", "school", "church", "hospital", "university", "college", "park", "library", "isd", "nation", "tribe", "tribal", "reservation", "baptist", "methodist", "lutheran", "catholic"])  # fmt: skip
_MAX_BACK = 4
# Beside these a word that is both a town and an everyday word is the town, if it is a large one.
_BESIDE_FOOD = 66.0
_FOOD_AFTER = frozenset(["food", "pantry", "pantries", "foodbank", "soup", "groceries", "grocery", "free", "hot", "meals", "comida", "despensa", "despensas", "comedor", "banco"])  # fmt: skip
_FOOD_BEFORE = frozenset(["food", "pantry", "pantries", "bank", "banks", "foodbank", "kitchen", "kitchens", "groceries", "shelf", "comida", "despensa", "despensas", "comedor", "comedores", "alimentos"])  # fmt: skip
_AFTER_NAMES = frozenset(["today", "tonight", "tomorrow", "now", "this", "next", "on", "for", "please", "that", "who", "hoy", "ahora", "ahorita", "manana", "esta", "este", "para", "por", "que", "el"])  # fmt: skip
# Below this a name that another town, a hundred times larger, misses by one letter may be a misspelling.
_TINY, _TOWN, _LARGE = 1_000, 15_000, 100_000
# Misspellings are looked for in so many groups of strange words: a question has few, an attack many.
_MOST_GUESSES = 40


class Candidate(NamedTuple):
    """A name that may be meant: its tokens (`end` not included), the city, the score, and why."""

    start: int
    end: int
    city: City
    score: float
    is_former: bool
    reason: str
    state: StateMention | None = None

    @property
    def is_guess(self) -> bool:
        """Whether letters of the name are wrong."""
        return ": misspelt " in self.reason


class View(NamedTuple):
    """A question as its candidates are looked for: words, names to look up, what is set aside."""

    tokens: list[Token]
    names: PlaceNames
    states: list[StateMention]
    masked: frozenset[int]
    former: frozenset[int]
    ordinary: frozenset[str]
    everyday: frozenset[str]


def candidates(view: View) -> list[Candidate]:
    """Every name of a city in a question, likely or not."""
    found: list[Candidate] = []
    tokens, guesses = view.tokens, _MOST_GUESSES
    for start in range(len(tokens)):
        for end in range(min(start + MAX_WORDS, len(tokens)), start, -1):
            span = tokens[start:end]
            if any(t.is_break or t.word == "#" for t in span) or view.masked & set(
                range(start, end)
            ):
                continue
            exact = _exact(view, start, end)
            found += exact
            after = _state_after(view, end)
            if not any(_is_certain(candidate, after) for candidate in exact):
                guessed = _misspelt(view, start, end) if guesses > 0 else []
                guesses -= any(t.word not in view.ordinary for t in span)
                found += guessed
    return found


def _is_certain(candidate: Candidate, after: StateMention | None) -> bool:
    """Whether a name needs no look for a misspelling: its state agrees, or it is known beyond its county."""
    if candidate.state is not None or "another name" in candidate.reason:
        return True
    return after is None and (candidate.city.population or 0) >= _TINY


def _exact(view: View, start: int, end: int) -> list[Candidate]:
    words = [t.key for t in view.tokens[start:end]]
    other = view.names.other(" ".join(words))
    after = _state_after(view, end)
    if other is not None and (
        after is None or after.code == other.state or not view.names.cities(words)
    ):
        if words == ["la"] or (len(words) == 1 and words[0] in tables().known):
            return []
        state = after if after and after.code == other.state else None
        bonus = _OTHER_NAME + (_STATE_AFTER if state else 0)
        return [_scored(view, start, end, other, bonus, "another name of", state)]
    if words == ["la"]:
        return _los_angeles(view, start, after)
    cities = view.names.cities(["new", *words[1:]] if words[0] == "nueva" else words)
    if not cities or (
        _is_state(view, start, end) and after is None and words[0] not in ("new", "nueva")
    ):
        return []
    if (
        words[0] in ("new", "nueva")
        and _is_state(view, start, end)
        and not _means_new_york(view, start, after)
    ):
        return []
    return [_with_state(view, start, end, cities, after)]


def _with_state(
    view: View, start: int, end: int, cities: list[City], after: StateMention | None
) -> Candidate:
    """The city of the state beside the name, of a state named elsewhere, or the largest."""
    if after is not None:
        beside = next((c for c in cities if c.state == after.code), None) or _like(
            view, start, end, after
        )
        if beside:
            return _scored(view, start, end, beside, _STATE_AFTER, "with its state", after)
    before = next((m for m in view.states if m.end in (start, start - 1) and m.start < start and (m.is_name or m.is_sure)), None)  # fmt: skip
    if before is not None:
        beside = next((c for c in cities if c.state == before.code), None)
        if beside:
            return _scored(view, start, end, beside, _STATE_BEFORE, "with its state", before)
    for mention in view.states:
        if (mention.is_name or mention.is_sure) and not start <= mention.start < end:
            named = next((c for c in cities if c.state == mention.code), None)
            if named:
                return _scored(view, start, end, named, _STATE_NAMED, "in the state named", None)
    elsewhere = (after is not None and after.is_sure and after.code in STATES) or _is_abroad(view.tokens, end)  # fmt: skip
    return _scored(
        view, start, end, cities[0], -200.0 if elsewhere else 0.0, "the largest of", None
    )


def _is_abroad(tokens: list[Token], end: int) -> bool:
    """Whether a country is named right after a name: "London, England"."""
    at = end + (end < len(tokens) and tokens[end].is_break)
    return at < len(tokens) and tokens[at].word in tables().abroad


def _like(view: View, start: int, end: int, state: StateMention) -> City | None:
    """The city of a state whose name is the same but for blanks and abbreviations: "De Kalb, IL"."""
    name = " ".join(t.key for t in view.tokens[start:end])
    found = view.names.gazetteer.cities_like(name, state.code) if state.is_sure else []
    return found[0] if found else None


def _scored(
    view: View, start: int, end: int, city: City, bonus: float, reason: str, state: StateMention | None
) -> Candidate:  # fmt: skip
    """A candidate with everything that speaks for and against it."""
    tokens, known = view.tokens, tables()
    span = tokens[start:end]
    score = bonus + _PER_WORD * (end - start - 1) + 4 * math.log10(city.population or 1)
    is_after_in = follows_in(tokens, start)
    is_title = all(t.is_title for t in span) and not all(
        t.is_title for t in tokens if t.word.isalpha()
    )
    score += _IN * is_after_in + _TITLE * (is_title and start > 0)
    is_other_name = reason == "another name of"
    if not is_other_name and _is_ordinary(view, span, city):
        score += _ORDINARY_WORDS if end - start > 1 else _ORDINARY_WORD
        is_end = _is_end(tokens, end, is_title) if end - start == 1 else is_title
        score += _AT_END * (is_after_in and is_end and span[0].word not in known.words["before_articles"])  # fmt: skip
        score += _BESIDE_FOOD * (end - start == 1 and not is_after_in and _is_beside_food(view, start))  # fmt: skip
        if state is None and all(t.word in known.words["before_articles"] for t in span):
            score += _ORDINARY_WORD
    if end < len(tokens) and tokens[end].word in _AFTER_PERSONS and state is None:
        score += _NAMED_AFTER
    said = " ".join(t.raw for t in span)
    return Candidate(start, end, city, score, start in view.former, f"{said!r}: {reason} {city.name}, {city.state}", state)  # fmt: skip


def _is_ordinary(view: View, span: list[Token], city: City) -> bool:
    """Whether a name is of ordinary words: everyday ones only where one stands alone or after an article.

    Together they may well be a town, "Rock Hill", and so may a large one with its article, "El Paso".
    """
    known = tables()
    if all(t.word in view.ordinary or t.word in known.countries for t in span):
        return True
    is_large = (city.population or 0) >= _TOWN
    if len(span) > 1 and is_large:
        return False
    own = [t for t in span if t.word not in ARTICLES]
    if len(own) != 1:
        return False
    return own[0].word in view.everyday or (own[0].word in known.abroad and not is_large)


def _is_end(tokens: list[Token], end: int, is_title: bool) -> bool:
    """Whether a name may end here: nothing follows, a pause, a number, or a word of time or purpose.

    After a capital letter in the middle of a question, any word that goes on with neither "of" nor a capital.
    """
    following = tokens[end] if end < len(tokens) else None
    if following is None or following.is_break or following.is_number:
        return True
    goes_on = following.is_title or following.word in {"of", "de", "city"}
    return following.word in _AFTER_NAMES or (is_title and not goes_on)


def _is_beside_food(view: View, at: int) -> bool:
    """Whether an everyday word begins or ends the question next to a word of food: "orange food bank".

    Or ends it after a pause with a capital letter: "food for my kids, Reading".
    """
    tokens = view.tokens
    if tokens[at].word not in view.everyday:
        return False
    if at == 0:
        return len(tokens) > 1 and tokens[1].word in _FOOD_AFTER
    before = tokens[at - 1]
    follows = before.word in _FOOD_BEFORE or (before.is_break and tokens[at].is_title)
    return at == len(tokens) - 1 and follows


def _misspelt(view: View, start: int, end: int) -> list[Candidate]:
    """A name with letters wrong: where a word is unknown, or the state beside it has no such city."""
    tokens, known = view.tokens, tables()
    span = tokens[start:end]
    if end - start > 3 or _is_state(view, start, end):
        return []
    after = _state_after(view, end)
    beside = after if after and (after.start == end or tokens[end].is_break) else None
    strange = [
        t
        for t in span
        if t.word not in known.known
        and t.word not in known.countries
        and (beside or t.word not in view.everyday)
    ]
    exact = view.names.cities([t.key for t in span])
    sure = after if after and not any(c.state == after.code for c in exact) else None
    if not strange:
        return []
    words = [t.key for t in span]
    guess = view.names.guess(words, sure.code) if sure else None
    if guess and sure and exact and not sure.is_sure and guess.distance > 1:
        guess = None
    if guess is None:
        sure, guess = None, view.names.guess(words)
        size = (view.names.cities(guess.name.split())[0].population or 0) if guess else 0
        if exact and (
            guess is None
            or guess.distance != 1
            or size < _LARGE
            or (exact[0].population or 0) >= _TINY
        ):
            return []
    if guess is None or (guess.name.count(" ") + 1 != len(words) and len(words) > 1):
        return []
    nearer = meant(words[0]) if len(words) == 1 else None
    is_after_in = follows_in(tokens, start)
    if nearer and nearer[1] < guess.distance + (0 if is_after_in or sure else 1):
        return []
    found = view.names.cities(guess.name.split())
    city = next((c for c in found if sure is None or c.state == sure.code), found[0])
    if sure is None and after is not None:
        city = next((c for c in found if c.state == after.code), city)
        sure = after if after.code == city.state else None
    bonus = _PER_WRONG_LETTER * guess.distance + (_STATE_AFTER if sure else 0)
    if sure is None:
        named = next((m for m in view.states if m.is_name), None)
        city = next((c for c in found if named and c.state == named.code), city)
    return [_scored(view, start, end, city, bonus, "misspelt", sure)]


def _state_after(view: View, end: int) -> StateMention | None:
    """The state named right after a name, with at most a comma or "in" between."""
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


def _is_state(view: View, start: int, end: int) -> bool:
    return any(m.start <= start and end <= m.end and m.is_name and m.is_sure for m in view.states)


def _means_new_york(view: View, start: int, after: StateMention | None) -> bool:
    """Whether "New York" is the city: not after another city, not with "state" or "upstate"."""
    mention = next(m for m in view.states if m.start <= start < m.end)
    if mention.end - mention.start > 2:
        return False
    if after is not None:
        return after.code == "NY"
    before = view.tokens[start - 1] if start else None
    if before is None or before.word in tables().known:
        return True
    previous = view.tokens[start - 2] if before.is_break and start > 1 else before
    return previous.is_number or previous.word in tables().known


def _los_angeles(view: View, at: int, after: StateMention | None) -> list[Candidate]:
    """LA in capitals, or "in la" at the end of a question in English: Los Angeles."""
    token = view.tokens[at]
    angeles = view.names.gazetteer.cities("Los Angeles", "CA")
    if not angeles or any(m.start == at and m.is_sure and at and view.tokens[at - 1].word not in tables().known and not view.tokens[at - 1].is_break for m in view.states):  # fmt: skip
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
            _scored(
                view, at, at + 1, angeles[0], _OTHER_NAME + _STATE_NAMED, "another name of", None
            )
        ]
    return []


def follows_in(tokens: list[Token], start: int) -> bool:
    """Whether a word like "in" stands before, with at most articles between."""
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
