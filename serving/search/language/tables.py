"""Tables for parsing questions: data in content/language, compiled once per process."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any, TypeVar

import msgspec

from schemas.values.names import fold_name
from schemas.vocab.states import STATES

T = TypeVar("T")
_LETTERS = re.compile(r"[a-z]{2,}")
Phrases = list[str]
Lists = Mapping[str, Phrases]
_NO_LISTS: Lists = {}
_LIST_NAME = re.compile(r"\{([a-z_]+)\}")
# What matches the words between two others.
_GAP = r"(?:[a-z#,]+ ){0,3}?"
# A capturing group. No caller reads its text, and keeping it costs up to four fifths of a search.
_GROUP = re.compile(r"(?<!\\)\((?!\?)")


class _Vocabulary(msgspec.Struct, forbid_unknown_fields=True):
    en: str
    en_asking: str
    es: str
    es_asking: str
    both: str
    countries: str
    abroad: str
    spellings: dict[str, str]
    sounds: list[tuple[str, str]]


class _CommonWords(msgspec.Struct, forbid_unknown_fields=True):
    en: str
    es: str
    people: str
    ignored_words: str


class WishWords(msgspec.Struct, forbid_unknown_fields=True):
    """Word lists of wishes; see content/language/wishes.yaml."""

    wishes: dict[str, dict[str, Phrases]]
    unsupported: dict[str, Phrases]
    lists: dict[str, Phrases]
    negators: dict[str, Phrases]
    filler: Phrases
    negated_after: Phrases
    no_car: Phrases
    open_now: Phrases
    languages: dict[str, Phrases]
    spoken: Phrases
    text: dict[str, str]


class NumberWords(msgspec.Struct, forbid_unknown_fields=True):
    """Values of words; see content/language/numbers.yaml."""

    articles: dict[str, int]
    numbers: dict[str, int]
    fractions: dict[str, float]
    vague: dict[str, int]
    patterns: dict[str, str]

    @property
    def amounts(self) -> dict[str, float]:
        """Return the values of words that can precede a unit."""
        return {**self.articles, **self.numbers, **self.fractions, **self.vague}


class Places(msgspec.Struct, forbid_unknown_fields=True):
    """Names outside the gazetteer; see content/language/places.yaml."""

    cities: dict[str, list[str]]
    parts: dict[str, list[str]]
    states: dict[str, list[str]]
    wordy_codes: frozenset[str]
    city_before_state: frozenset[str]
    codes_of_cities: dict[str, str]
    counties: dict[str, list[str]]
    street_words: frozenset[str]
    street_before: frozenset[str]
    facility_before: frozenset[str]
    given_names: frozenset[str]
    no_state_before: dict[str, str]
    shortened: dict[str, str]
    directions: dict[str, str]


@dataclass(frozen=True)
class Tables:
    """Word lists for parsing questions. `en` and `es` share no word."""

    en: frozenset[str]
    es: frozenset[str]
    vocabulary: frozenset[str]
    common: frozenset[str]
    # Words that request nothing, or something in every answer.
    ignored_words: frozenset[str]
    countries: frozenset[str]
    abroad: frozenset[str]
    spellings: dict[str, tuple[str, ...]]
    key_words: tuple[str, ...]
    # Letters with their sound.
    sounds: tuple[tuple[re.Pattern[str], str], ...]
    places: Places
    states: dict[str, str]
    # By the first word of each two-word state: the second, and the code.
    states_by_first: dict[str, list[tuple[str, str]]]
    patterns: dict[str, re.Pattern[str]]
    # Types of places with a pattern `kind.`.
    kinds: tuple[str, ...]
    # Words of organization names that are not in the vocabulary.
    organizations: tuple[str, ...]
    words: dict[str, frozenset[str]]


def source_of(phrases: Phrases, lists: Lists = _NO_LISTS) -> str:
    """Return phrases as the source of one expression: `{name}` is any phrase of that list, `...`
    up to three words."""
    return _LIST_NAME.sub(
        lambda m: f"(?:{source_of(lists[m[1]], lists)})", "|".join(phrases)
    ).replace("... ", _GAP)


def compile_phrases(phrases: Phrases, lists: Lists = _NO_LISTS) -> re.Pattern[str]:
    """Return an expression for whole words with one blank between and around them (`source_of`)."""
    return re.compile(rf"(?<= )(?:{_GROUP.sub('(?:', source_of(phrases, lists))})(?= )")


def read_words(name: str, shape: type[T]) -> T:
    """Return a file of content/language. Raises msgspec.ValidationError when it is damaged."""
    return msgspec.yaml.decode(
        (resources.files("content") / "language" / name).read_bytes(), type=shape
    )


@lru_cache(maxsize=1)
def wish_words() -> WishWords:
    """Return the patterns of wishes. Raises when the file is damaged."""
    return read_words("wishes.yaml", WishWords)


@lru_cache(maxsize=1)
def number_words() -> NumberWords:
    """Return numbers in words. Raises when the file is damaged."""
    return read_words("numbers.yaml", NumberWords)


@lru_cache(maxsize=1)
def number_patterns() -> dict[str, re.Pattern[str]]:
    """Return the patterns of numbers by name."""
    words = number_words()
    lists = {"amount": [*words.amounts], "number": [*words.numbers]}
    return {name: re.compile(source_of([text], lists)) for name, text in words.patterns.items()}


@lru_cache(maxsize=1)
def nicknames() -> dict[str, str]:
    """Return cities ("New York, NY") by their other names, folded. Raises when the file is
    damaged."""
    places = read_words("places.yaml", Places)
    return {fold_name(name): city for city, names in places.cities.items() for name in names}


_PIECE = r"(?:[a-z]|\[[a-z]+\]|\([a-z]+(?:\|[a-z]+)*\))\??"
_WHOLE_WORD = re.compile(rf"(?<![\w\])?])[a-z](?:{_PIECE})*(?![a-z\[*?]|\((?![ ?]))")
_PIECES = re.compile(_PIECE)


def words_in(source: str) -> set[str]:
    """Expand an expression of words: "abuel[oa]s?" gives four."""
    all_words = set[str]()
    for match in _WHOLE_WORD.finditer(source):
        words = [""]
        for piece in _PIECES.findall(match[0]):
            plain = piece.rstrip("?")
            choices = plain[1:-1].split("|") if plain[0] == "(" else list(plain.strip("[]"))
            if piece.endswith("?"):
                choices.append("")
            words = [word + choice for word in words for choice in choices]
        all_words.update(word for word in words if len(word) > 1)
    return all_words


def _words_of_wishes() -> set[str]:
    data = wish_words()
    lists = [
        *(phrases for values in data.wishes.values() for phrases in values.values()),
        # Holidays are also town names: "Independence food bank".
        *(phrases for name, phrases in data.unsupported.items() if not name.startswith("holiday")),
        *(phrases for name, phrases in data.lists.items() if name != "holiday"),
        *data.languages.values(),
        data.no_car,
    ]
    return words_in(_LIST_NAME.sub("#", "|".join(phrase for each in lists for phrase in each)))


_WORD_LISTS = (
    *("transparent", "before_places", "before_articles", "after_places", "living"),
    *("institutions", "food_after", "food_before", "providers", "abbreviations"),
    *("around_names", "joins"),
)
_ENDINGS = ("possessed", "apply_before", "declined")


@lru_cache(maxsize=1)
def tables() -> Tables:
    """Return the tables. Raises when a file of the package is damaged."""
    base = read_words("vocabulary.yaml", _Vocabulary)
    everyday = read_words("common_words.yaml", _CommonWords)
    places = read_words("places.yaml", Places)
    phrases = read_words("phrases.yaml", dict[str, Any])
    kinds = phrases.pop("kinds")
    groups = {
        "program": phrases.pop("programs"),
        "kind": kinds,
        "state": phrases.pop("state_programs"),
        "topic": phrases.pop("topics"),
    }
    words = {name: frozenset(phrases.pop(name)) for name in _WORD_LISTS}
    endings = {name: phrases.pop(name) for name in _ENDINGS}
    phrases |= {f"{group}.{k}": v for group, named in groups.items() for k, v in named.items()}
    patterns = {name: compile_phrases(value) for name, value in phrases.items()}
    patterns |= {
        name: re.compile(rf"(?:^|.* )(?P<found>{_GROUP.sub('(?:', source_of(value))})")
        for name, value in endings.items()
    }
    no_sources = ("former_places", "compounds", "loan_names", "organizations")
    sources = " ".join(
        source_of(value) for name, value in (phrases | endings).items() if name not in no_sources
    )
    asking = {*base.en_asking.split(), *base.es_asking.split()}
    en = {*base.en.split(), *base.en_asking.split()}
    es = {*base.es.split(), *base.es_asking.split()}
    both = set(base.both.split()) | (en & es)
    ignored = (en | es | both | {*everyday.people.split()}) - asking
    ignored |= {*everyday.ignored_words.split()}
    vocabulary = en | es | both | words["transparent"] | set(_LETTERS.findall(sources))
    vocabulary |= _words_of_wishes() | set(number_words().numbers) | set(number_words().fractions)
    more_en, more_es = set(everyday.en.split()) - vocabulary, set(everyday.es.split()) - vocabulary
    common = (more_en | more_es | set(everyday.people.split())) - vocabulary
    both |= more_en & more_es
    en, es = en | more_en, es | more_es
    # English, Spanish and colloquial names.
    states = {fold_name(name): s.code for s in STATES.values() for name in (s.names.en, s.names.es)}
    states.pop(fold_name("District of Columbia"), None)
    states |= {fold_name(name): code for code, more in places.states.items() for name in more}
    states_by_first: dict[str, list[tuple[str, str]]] = {}
    for name, code in states.items():
        first, *rest = name.split()
        of_first = states_by_first.setdefault(first, [])
        if len(rest) == 1:
            of_first.append((rest[0], code))
    return Tables(
        en=frozenset(en - both),
        es=frozenset(es - both),
        vocabulary=frozenset(vocabulary),
        common=frozenset(common),
        ignored_words=frozenset(ignored),
        countries=frozenset(base.countries.split()),
        abroad=frozenset(f"{base.countries} {base.abroad}".split()),
        spellings={wrong: tuple(right.split()) for wrong, right in base.spellings.items()},
        sounds=tuple((re.compile(letters), sound) for letters, sound in base.sounds),
        key_words=tuple(sorted(w for w in vocabulary if len(w) >= 4)),
        places=places,
        states=states,
        states_by_first=states_by_first,
        patterns=patterns,
        kinds=tuple(kinds),
        organizations=tuple(sorted(words_in(source_of(phrases["organizations"])))),
        words=words,
    )
