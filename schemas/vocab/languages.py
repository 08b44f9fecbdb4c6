"""Languages by tag: English name and ISO 639 code."""

from functools import lru_cache
from importlib import resources

import msgspec

from schemas.languages import Language
from schemas.values.names import fold_name

# BCP 47 language subtags are ISO 639-1 codes, or ISO 639-3 for a language without one: the code is
# the subtag.
LANGUAGE_NAMES: dict[str, str] = {
    "am": "Amharic", "ar": "Arabic", "ase": "American Sign Language", "bn": "Bengali",
    "cmn": "Mandarin Chinese", "de": "German", "el": "Greek", "en": "English", "es": "Spanish",
    "fa": "Persian", "fr": "French", "gu": "Gujarati", "he": "Hebrew", "hi": "Hindi",
    "hmn": "Hmong", "ht": "Haitian Creole", "hy": "Armenian", "it": "Italian", "ja": "Japanese",
    "km": "Khmer", "ko": "Korean", "lo": "Lao", "my": "Burmese", "ne": "Nepali", "nv": "Navajo",
    "pa": "Punjabi", "pl": "Polish", "ps": "Pashto", "pt": "Portuguese", "ru": "Russian",
    "so": "Somali", "sw": "Swahili", "ti": "Tigrinya", "tl": "Tagalog", "tr": "Turkish",
    "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese", "yi": "Yiddish",
    "yue": "Cantonese Chinese", "zh": "Chinese",
}  # fmt: skip

# People who ask for Chinese are also served in Mandarin and in Cantonese.
ALSO_SPOKEN: dict[str, tuple[str, ...]] = {"zh": ("cmn", "yue")}


def with_also_spoken(tags: frozenset[str]) -> frozenset[str]:
    """Add the language tags that serve the same speakers."""
    return tags.union(*(ALSO_SPOKEN.get(tag, ()) for tag in tags))


# Detects the language of a publisher's name or text, if its words show it.

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
