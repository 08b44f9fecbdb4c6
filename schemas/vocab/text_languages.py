"""Detects the language of a publisher's name or text, if its words show it."""

from functools import lru_cache
from importlib import resources

import msgspec

from schemas.languages import Language
from schemas.values.names import fold_name

_WORDS: dict[Language, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in msgspec.yaml.decode(
        (resources.files("schemas") / "vocab" / "text_languages.yaml").read_bytes()
    ).items()
}


@lru_cache(maxsize=1 << 12)
def language_of_text(text: str) -> Language | None:
    """Return the only language of which a text has words; None of words that show none, or two:
    "Vision Urbana", "Iglesia Nueva Vida Food Pantry"."""
    text_words = set(fold_name(text).split())
    languages = [language for language, words in _WORDS.items() if text_words & words]
    return languages[0] if len(languages) == 1 else None
