"""Looks up names of cities, counties and states: in the gazetteer of a release, as nicknames, and
misspelt."""

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
            (n for n, size in sizes.items() if size >= _LARGE_TOWN), key=lambda n: (sizes[n], n)
        )
        self._by_sound = {sound_of(name): name for name in large}
        self._run_together = {
            n.replace(" ", ""): n for n, size in sizes.items() if " " in n and size >= _LARGE_TOWN
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
    lexicon = tables()
    if tokens[at].key in lexicon.states_by_first:
        words = [t.key for t in tokens[at : at + _MAX_WORDS]]
        for count in range(len(words), 0, -1):
            if code := lexicon.states.get(" ".join(words[:count])):
                return StateMention(at, at + count, code, is_name=True, is_sure=True)
        return _misspelt_state(tokens, at) or _half_misspelt_at(tokens, at)
    return _misspelt_state(tokens, at)


def _misspelt_state(tokens: list[Token], at: int) -> StateMention | None:
    word, lexicon = tokens[at].key, tables()
    if (
        len(word) < _SHORTEST_MISSPELT
        or word in lexicon.vocabulary
        or word in lexicon.common
        or correct_word(word)
    ):
        return None
    single = [name for name in tables().states if " " not in name and name[0] == word[0]]
    most = 1 if len(word) < 8 else 2
    nearest = process.extractOne(word, single, scorer=OSA.distance, score_cutoff=most)
    if nearest is None:
        return None
    return StateMention(at, at + 1, tables().states[nearest[0]], is_name=True, is_sure=False)


def _half_misspelt_at(tokens: list[Token], at: int) -> StateMention | None:
    """Return a two-word state whose second word has two letters swapped or one wrong: "new yrok",
    "north carolna"."""
    if at + 1 >= len(tokens) or tokens[at + 1].is_break:
        return None
    first, second, lexicon = tokens[at].key, tokens[at + 1].key, tables()
    if len(second) < _SHORTEST_HALF or second in lexicon.vocabulary or second in lexicon.common:
        return None
    for end, code in lexicon.states_by_first.get(first, ()):
        if OSA.distance(second, end, score_cutoff=1) == 1:
            return StateMention(at, at + 2, code, is_name=True, is_sure=False)
    return None


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
