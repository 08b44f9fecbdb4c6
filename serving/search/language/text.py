"""Splits a question into words, corrects their spelling, and tells English from Spanish."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Literal, NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from schemas.values.names import fold_name
from serving.search.language.tables import tables
from warehouse.index.fuzzy_names import errors_allowed

_OKINA = str.maketrans("", "", "ʻ‘`´")
_APOSTROPHES = re.compile(r"[’ʼ]")
_NOT = re.compile(r"(?i)\b(\w+)n'\s?t\b")
_SHORT = re.compile(r"(?i)\b(i|we|you|they|he|she|it)'(m|ve|re|d|ll|s)\b")
_WITHOUT = re.compile(r"(?i)\bw/o\b")
_DOTTED = re.compile(r"\b(?:[A-Za-z]\.){2,}(?=\W|$)|\b(?:[A-Za-z]\.)+[A-Za-z]\b")
_LONG = re.compile(r"([^\W\d_])\1{2,}")
_PIECE = re.compile(r"\d+[^\W\d_]+|[^\W\d_]+|\d[\d,.]*\d|\d|[,;:!?()¿¡\n.&@]")


class Token(NamedTuple):
    """A word, a number or a pause. `word` is folded; `key` is folded as the gazetteer folds names.

    `is_caps`: in capitals only; `is_title`: begins with a capital.
    """

    word: str
    key: str
    raw: str
    start: int
    end: int
    is_break: bool = False
    is_number: bool = False
    is_caps: bool = False
    is_title: bool = False


def printable(text: str) -> str:
    """Return the text without control and format characters; line ends become blanks."""
    if text.isprintable():
        return text
    spaced = "".join(" " if c in "\t\n\r\v\f\u2028\u2029" else c for c in text)
    return "".join(c for c in spaced if unicodedata.category(c)[0] != "C")


def clean(text: str) -> str:
    """Normalize the text for parsing: compatible forms of letters and digits, short forms
    expanded."""
    plain = unicodedata.normalize("NFKC", printable(text)).translate(_OKINA)
    plain = _APOSTROPHES.sub("'", plain)
    if "'" in plain:
        plain = _SHORT.sub(r"\1\2", _NOT.sub(r"\1nt", plain))
    plain = _WITHOUT.sub("without", plain)
    plain = _DOTTED.sub(lambda m: m[0].replace(".", ""), plain)
    return _LONG.sub(r"\1\1", plain)


def fold(word: str) -> str:
    """Return a word in lower case without accents."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word)
    return "".join(c for c in decomposed if not unicodedata.combining(c)).lower()


def tokens_of(text: str) -> list[Token]:
    """Return the words, numbers and pauses of a cleaned text."""
    tokens: list[Token] = []
    for match in _PIECE.finditer(text):
        raw, (start, end) = match[0], match.span()
        is_caps, is_title = len(raw) > 1 and raw.isupper(), raw[0].isupper()
        if raw[0].isdigit():
            word = fold(raw) if raw[-1].isalpha() else "#"
            tokens.append(Token(word, "#", raw, start, end, False, True, is_caps, is_title))
        elif raw == "&":
            tokens.append(Token("and", "and", raw, start, end))
        elif not raw[0].isalpha():
            last = tokens[-1] if tokens and tokens[-1].end == start else None
            # The full stop of "St." is no pause.
            if raw != "." or last is None or last.word not in tables().words["abbreviations"]:
                tokens.append(Token(",", ",", raw, start, end, is_break=True))
        else:
            word = fold(raw)
            # Other scripts have no letters that names are compared by.
            key = fold_name(raw) or word
            tokens.append(Token(word, key, raw, start, end, False, False, is_caps, is_title))
    return tokens


class TokenText(NamedTuple):
    """Words with single blanks between and around them, and the token that begins at each
    letter."""

    text: str
    token_at: dict[int, int]

    def spans(self, phrases: re.Pattern[str]) -> list[tuple[int, int]]:
        """Return the tokens of each phrase (`end` not included)."""
        at, matches = self.token_at, phrases.finditer(self.text)
        return [(at[match.start()], at[match.end() + 1]) for match in matches]


def join_tokens(tokens: Sequence[Token]) -> TokenText:
    """Join the words of tokens."""
    ends = accumulate((len(token.word) + 1 for token in tokens), initial=1)
    text = "".join([" ", *(f"{token.word} " for token in tokens)])
    return TokenText(text, {start: at for at, start in enumerate(ends)})


Language = Literal["en", "es"]
_SPANISH_MARKS = re.compile(r"[ñ¿¡]")
_ACCENT = re.compile(r"[áéíóú]")
_SPANISH_END = re.compile(r"(?:cion|ciones|mente|ando|iendo|ito|ita|itos|itas|dad|amos|emos)$")
_ENGLISH_END = re.compile(r"(?:tion|tions|ing|ness|ight|ould)$")


def language_of(words: Iterable[str], text: str) -> Language:
    """Return the language of most words (place names excluded); English when undecided."""
    all_words = list(words)
    # "Meals on Wheels para mi abuela" is Spanish: such names count only without other evidence.
    own = tables().patterns["loan_names"].sub("#", f" {' '.join(all_words)} ").split()
    english, spanish = _count(own)
    if not (english or spanish):
        english, spanish = _count(all_words)
    lower = text.lower()
    spanish += 1.0 * bool(_SPANISH_MARKS.search(lower))
    # One accent may be part of a name.
    spanish += 0.4 * bool(_ACCENT.search(lower))
    return "es" if spanish > english else "en"


def _count(words: list[str]) -> tuple[float, float]:
    """Count English and Spanish words; an unknown word counts half by its ending."""
    lexicon = tables()
    english = spanish = 0.0
    for word in words:
        if word in lexicon.es:
            spanish += 1
        elif word in lexicon.en:
            english += 1
        elif word not in lexicon.vocabulary and len(word) > 5:
            spanish += 0.5 * bool(_SPANISH_END.search(word))
            english += 0.5 * bool(_ENGLISH_END.search(word))
    return english, spanish


_SHORTEST, _FIVE, _LONG_WORD = 4, 5, 8


@lru_cache(maxsize=1 << 14)
def correct_word(word: str) -> tuple[str, int] | None:
    """Return the known word nearest to an unknown one and its distance in letters; None if none is
    near.

    One letter (or two neighbours swapped) in a word of four or more, two in a word of eight or
    more, the first letter unchanged; else a word of five or more letters that sounds the same.
    """
    lexicon = tables()
    if (
        word in lexicon.vocabulary
        or word in lexicon.common
        or len(word) < _SHORTEST
        or not word.isascii()
    ):
        return None
    most = 2 if len(word) >= _LONG_WORD else 1
    of_letter = _by_letter().get(word[0], [])
    nearest = process.extract(word, of_letter, scorer=OSA.distance, score_cutoff=most, limit=3)
    if not nearest:
        alike = _by_sound().get(sound_of(word))
        return (alike, most) if alike else None
    # Ties: the word of the same length, then alphabetical, so the result is stable.
    name, distance, _ = min(nearest, key=lambda f: (f[1], abs(len(f[0]) - len(word)), f[0]))
    return name, int(distance)


@lru_cache(maxsize=1 << 12)
def correct_organization_word(word: str) -> str:
    """Return the correct spelling of a word in an organization's name: "armey" of the Salvation
    Army; else the word."""
    lexicon = tables()
    if word in lexicon.vocabulary or word in lexicon.common:
        return word
    most = errors_allowed(word)
    nearest = process.extractOne(
        word, lexicon.organizations, scorer=OSA.distance, score_cutoff=most
    )
    return nearest[0] if nearest else word


def sound_of(text: str) -> str:
    """Return a phonetic key of a text, for spelling by ear: "fenix", "nesesito"; words that sound
    alike share it."""
    for letters, sound in tables().sounds:
        text = letters.sub(sound, text)
    return text


@lru_cache(maxsize=1)
def _by_sound() -> dict[str, str]:
    """Index words by phonetic key; of equal keys the alphabetically first word."""
    return {sound_of(word): word for word in reversed(tables().key_words) if len(word) >= _FIVE}


@lru_cache(maxsize=1)
def _by_letter() -> dict[str, list[str]]:
    by_letter: dict[str, list[str]] = {}
    for word in tables().key_words:
        by_letter.setdefault(word[0], []).append(word)
    return by_letter
