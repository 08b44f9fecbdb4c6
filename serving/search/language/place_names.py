"""Finds names of cities, counties and states, also nicknames and misspelt ones, and weighs the
evidence for each city that a question may name."""

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from schemas.values.names import fold_name
from schemas.vocab.states import STATES
from serving.search.language.tables import tables
from serving.search.language.text import Language, Token, correct_word, sound_of
from warehouse.index.gazetteer import City, County, Gazetteer

MAX_WORDS, MISSPELT_WORDS = 5, 3
# Without a state, only towns of this size are candidates for a misspelling.
_KNOWN_TOWN, _NOTED_TOWN = 8_000, 50_000
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
        # Cities by nickname, and by the name of a part.
        self.other_names: dict[str, City] = {}
        for group in (tables().places.cities, tables().places.parts):
            for label, other_names in group.items():
                name, _, state = label.rpartition(", ")
                if cities := gazetteer.cities(name, state):
                    self.other_names |= {fold_name(other): cities[0] for other in other_names}
        sizes: dict[str, int] = {}
        names, states, people, _ = gazetteer.city_columns
        for name, size in zip(names, people.tolist(), strict=True):
            sizes.setdefault(name, size)  # the most populous city of a name comes first
        known = sorted(name for name, size in sizes.items() if size >= _KNOWN_TOWN)
        # By state, or None for towns of the whole country: names by their first letter, and by
        # the letters after it.
        self._by_letter: dict[tuple[str | None, str], list[str]] = {}
        self._by_rest: dict[tuple[str | None, str], list[str]] = {}
        of_states = dict.fromkeys(zip(states, names, strict=True))
        keys: list[tuple[str | None, str]] = [*of_states, *((None, name) for name in known)]
        for area, name in keys:
            self._by_letter.setdefault((area, name[0]), []).append(name)
            self._by_rest.setdefault((area, name[1:]), []).append(name)
        # By the first word of names: the number of words of the longest, at least that of a
        # misspelt one.
        self.longest: dict[str, int] = {"nueva": MAX_WORDS}
        for name in chain(sizes, self.other_names):
            first = name.split(" ", 1)[0]
            longest = self.longest.get(first, MISSPELT_WORDS)
            self.longest[first] = max(longest, name.count(" ") + 1)
        for short in tables().places.directions:
            self.longest[short] = MAX_WORDS
        several = [name.split() for name in known if " " in name]
        self._firsts, self._lasts = {w[0] for w in several}, {w[-1] for w in several}
        self.words = {word for words in several for word in words}
        large = sorted(
            (n for n, size in sizes.items() if size >= _NOTED_TOWN),
            key=lambda n: (sizes[n], n),
        )
        self._by_sound = {sound_of(name): name for name in large}
        self._run_together = {
            n.replace(" ", ""): n for n, size in sizes.items() if " " in n and size >= _NOTED_TOWN
        }

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
        if len(words) > 1 and not (words[0] in self._firsts or words[-1] in self._lasts):
            return None
        # Articles do not count as similarity: "la vida" is not La Vista.
        own = len(" ".join(words[1:] if words[0] in ARTICLES else words))
        if own < (5 if state is None else 4):
            return None
        most = 1 if own < 7 else 2 if own < 12 else 3
        letter, rest = text[0], text[1:]
        of_letter = self._by_letter.get((state, letter), [])
        alike = process.extract(text, of_letter, scorer=OSA.distance, score_cutoff=most, limit=6)
        # Another first letter is the only error: it is wrong, missing, too many, or swapped.
        for key in (rest, text, rest[1:], f"{letter}{text[2:]}"):
            others = self._by_rest.get((state, key), ())
            alike += [
                (name, 1, 0)
                for name in others
                if name[0] != letter and OSA.distance(name, text, score_cutoff=1) == 1
            ]
        if not alike and len(words) > 1:
            # "forrt wayne" is "ft wayne", as names are folded.
            for long, short in _SHORT_FORMS.items():
                if OSA.distance(words[0], long, score_cutoff=1) == 1:
                    return self.guess([short, *words[1:]], state)
        if not alike:
            sounding = self._by_sound.get(sound_of(text)) if state is None else None
            return Guess(sounding, most) if sounding else None

        def size(name: str) -> int:
            cities = (c for c in self.gazetteer.find_named(name) if state in (None, c.state))
            return next((city.population or 0 for city in cities), 0)

        name, distance, _ = min(alike, key=lambda f: (f[1], f[0][0] != letter, -size(f[0]), f[0]))
        return Guess(name, int(distance))


_MAX_WORDS = 4
_SHORTEST_MISSPELT, _SHORTEST_HALF = 6, 4
_SPANISH_WORDS = frozenset({"la", "de", "al", "mi", "va", "me", "id", "in", "as"})


class StateMention(NamedTuple):
    """Tokens `start` to `end` (exclusive) that name a state; a bare code counts only next to a
    place."""

    start: int
    end: int
    code: str
    is_name: bool
    is_sure: bool


def state_mentions(
    tokens: list[Token], names: PlaceNames, language: Language
) -> list[StateMention]:
    """Return every state named, in order; of overlapping names the longest."""
    mentions: list[StateMention] = []
    # In a question all in capitals they tell nothing.
    words = [t for t in tokens if len(t.raw) > 3 and t.raw.isalpha()]
    shouts = bool(words) and sum(t.is_caps for t in words) > len(words) / 2
    at = 0
    while at < len(tokens):
        mention = _name_at(tokens, at) or _code_at(tokens, at, names, language, shouts)
        if mention is None:
            at += 1
            continue
        mentions.append(mention)
        at = mention.end
    return mentions


def _name_at(tokens: list[Token], at: int) -> StateMention | None:
    """Return the state whose name, also misspelt, begins at a token."""
    word, lexicon = tokens[at].key, tables()
    if word in lexicon.states_by_first:
        words = [t.key for t in tokens[at : at + _MAX_WORDS]]
        for count in range(len(words), 0, -1):
            if code := lexicon.states.get(" ".join(words[:count])):
                return StateMention(at, at + count, code, is_name=True, is_sure=True)
    if len(word) >= _SHORTEST_MISSPELT and (code := _misspelt_state(word)):
        return StateMention(at, at + 1, code, is_name=True, is_sure=False)
    if word not in lexicon.states_by_first or at + 1 >= len(tokens) or tokens[at + 1].is_break:
        return None
    # The second of two words has two letters swapped or one wrong: "new yrok", "north carolna".
    second = tokens[at + 1].key
    if len(second) < _SHORTEST_HALF or second in lexicon.vocabulary or second in lexicon.common:
        return None
    for end, code in lexicon.states_by_first[word]:
        if OSA.distance(second, end, score_cutoff=1) == 1:
            return StateMention(at, at + 2, code, is_name=True, is_sure=False)
    return None


@lru_cache(maxsize=1 << 12)
def _misspelt_state(word: str) -> str | None:
    """Return the code of the state whose one-word name a word misspells."""
    lexicon = tables()
    if word in lexicon.vocabulary or word in lexicon.common or correct_word(word):
        return None
    single = [name for name in lexicon.states if " " not in name and name[0] == word[0]]
    most = 1 if len(word) < 8 else 2
    nearest = process.extractOne(word, single, scorer=OSA.distance, score_cutoff=most)
    return lexicon.states[nearest[0]] if nearest else None


def _code_at(
    tokens: list[Token], at: int, names: PlaceNames, language: Language, shouts: bool
) -> StateMention | None:
    token = tokens[at]
    if len(token.word) != 2 or (code := token.word.upper()) not in STATES:
        return None
    wordy = token.word in tables().places.wordy_codes
    is_caps = token.is_caps and not shouts
    if wordy and not is_caps and not _may_be_state(tokens, at, names, language):
        return None
    return StateMention(at, at + 1, code, is_name=False, is_sure=not wordy or is_caps)


def _may_be_state(tokens: list[Token], at: int, names: PlaceNames, language: Language) -> bool:
    """Return whether a lower-case two-letter word can be a state in its context."""
    if at == 0 or tokens[at - 1].is_number or at + 1 >= len(tokens) or tokens[at + 1].is_break:
        return at > 0 and not tokens[at - 1].is_number
    following = tokens[at + 1]
    if following.is_number:
        return True
    word = tokens[at].word
    if following.word in tables().places.no_state_before.get(word, "").split():
        return False
    if word in ("or", "in") and _is_place(tokens, at + 1, names):
        return False
    lexicon = tables()
    spanish = language == "es" or following.word in lexicon.es
    if not (spanish and word in _SPANISH_WORDS) or following.word in {"y", "pero"}:
        return True
    return following.word in {
        "en",
        "para",
        "por",
        "cerca",
        "hoy",
        "ahora",
        "gratis",
        "con",
    } and word not in {"la", "de", "al", "mi"}


def _is_place(tokens: list[Token], at: int, names: PlaceNames) -> bool:
    """Return whether a city or state name starts here: "Dallas or Fort Worth", "Columbus in
    Ohio"."""
    if tokens[at].word in tables().vocabulary:
        return False
    words = [t.key for t in tokens[at : at + 3]]
    if any(" ".join(words[:n]) in tables().states for n in (1, 2, 3)):
        return True
    groups = (names.cities(words[:n]) for n in (3, 2, 1))
    return any(group and (group[0].population or 0) >= 2_000 for group in groups)


# ---------------------------------------------------------------- cities

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
        # "i live in normal and need groceries"
        is_home = start > 1 and tokens[start - 1].word in {"in", "en"}
        is_home = is_home and tokens[start - 2].word in lexicon.words["living"]
        is_end |= is_home and (city.population or 0) >= LARGE_TOWN
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
        word, before = tokens[at].word, tokens[at - 1].word if at else ""
        if word == "a" and before in tables().en:
            return False  # the English article: "got a letter"
        if word in words["before_places"]:
            return True
        if tokens[at].word not in words["before_articles"]:
            return False
    return False


_PER_WRONG_LETTER = -4.0
# Below this population, a name one letter from that of a town a hundred times larger may be a
# misspelling.
TINY, _LARGE = 1_000, 100_000


def find_misspelt_cities(
    view: View, start: int, end: int, after: StateMention | None
) -> list[Candidate]:
    """Return a misspelt city name with one unknown word: if that word is not an everyday one, or is
    next to a state, or its state has no such city. `after` is the state right after it."""
    if end - start > MISSPELT_WORDS or is_state(view, start, end):
        return []
    tokens = view.tokens
    span = tokens[start:end]
    # "beats me and", "turned in my papers": a state's code that is also a word ends the sentence.
    is_word = after is not None and not (after.is_name or after.is_sure)
    if after and is_word and after.end < len(tokens):
        following = tokens[after.end]
        is_name_over = following.is_break or following.is_number
        food_words = tables().words["food_after"] | tables().words["food_before"]
        if not (is_name_over or following.word in food_words):
            after = None
    adjacent = after if after and (after.start == end or tokens[end].is_break) else None
    strange = [
        tokens[i]
        for i in range(start, end)
        if i in view.unknown and (adjacent or tokens[i].word not in view.everyday)
    ]
    # Words that matter are part of a misspelt name only if they are in some name.
    known = {t.key for t in span if t.word in tables().vocabulary} - {"nuevo", "nueva"}
    if not strange or (len(span) > 1 and not known <= view.names.words):
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
    is_hamlet = sure is not None and is_word and (city.population or 0) < TINY
    # "San Vicente, PR" is not Vincent in California.
    is_elsewhere = after is not None and after.is_sure and sure != after
    return (
        []
        if is_elsewhere or is_hamlet
        else [score_city(view, start, end, city, bonus, "misspelt", sure)]
    )


def _may_be_several(view: View, span: list[Token], name: str, state: StateMention | None) -> bool:
    """Return whether several words may be a misspelt name of as many, and without "de" before a
    correct name.

    "near Palo Alto" is not East Palo Alto, "wic Englewood" is not West Englewood, "de Reno" is not
    De Leon.
    """
    if len(name.split()) != len(span):
        return False
    word_lists = tables().words
    if span[0].word not in word_lists["before_places"] | word_lists["before_articles"]:
        return True
    rest = view.names.cities([t.key for t in span[1:]])
    return not any(state is None or city.state == state.code for city in rest)


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
        # A name is not misspelt if its state agrees, or if it is known beyond its county.
        is_right = bool(exact) and (
            exact[0].state is not None
            or "another name" in exact[0].reason
            or (after is None and (exact[0].city.population or 0) >= TINY)
        )
        if not is_right:
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
        longest = view.names.longest.get(view.keys[start], MISSPELT_WORDS)
        for end in range(min(start + longest, limit), start, -1):
            is_compound = end - start == 1 and start in view.compounds
            # "Oak Ridge, North Carolina" is not Oak Ridge North.
            if not is_compound and not any(start < m.start < end < m.end for m in states):
                yield start, end


def _exact(view: View, start: int, end: int) -> list[Candidate]:
    """Return the city that words name exactly, if any."""
    words = view.keys[start:end]
    other = view.names.other_names.get(" ".join(words))
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
        adjacent = next((c for c in cities if c.state == after.code), None)
        if adjacent is None and after.is_sure:
            # "De Kalb, IL": the name may differ in blanks and abbreviations.
            name = " ".join(view.keys[start:end])
            alike = view.names.gazetteer.cities_like(name, after.code)
            adjacent = alike[0] if alike else None
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
    # "London, England"
    at = end + (end < len(view.tokens) and view.tokens[end].is_break)
    is_abroad = at < len(view.tokens) and view.tokens[at].word in tables().abroad
    elsewhere = is_abroad or (after is not None and after.is_sure and after.code in STATES)
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
