"""States named in a question: by name, by code, by the name of a region or county."""

from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from schemas.vocab.states import STATES
from serving.search.language.detection import Language
from serving.search.language.names import PlaceNames
from serving.search.language.spelling import correct_word
from serving.search.language.tables import tables
from serving.search.language.text import Token

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
    shouts = _shouts(tokens)
    at = 0
    while at < len(tokens):
        mention = _name_at(tokens, at) or _code_at(tokens, at, names, language, shouts)
        if mention is None:
            at += 1
            continue
        mentions.append(mention)
        at = mention.end
    return mentions


def _shouts(tokens: list[Token]) -> bool:
    """Return whether the whole question is in capitals, so that capitals carry no information."""
    words = [t for t in tokens if len(t.raw) > 3 and t.raw.isalpha()]
    return bool(words) and sum(t.is_caps for t in words) > len(words) / 2


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
