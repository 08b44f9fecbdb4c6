"""Languages named in words as BCP 47 tags. Only plain names count: "Spanish (limited)" promises
nothing.
"""

from __future__ import annotations

import re

import pandas as pd

_TAGS = {
    "english": "en",
    "spanish": "es",
    "espanol": "es",
    "español": "es",
    "french": "fr",
    "portuguese": "pt",
    "haitian creole": "ht",
    "creole": "ht",
    "italian": "it",
    "german": "de",
    "hebrew": "he",
    "yiddish": "yi",
    "russian": "ru",
    "arabic": "ar",
    "chinese": "zh",
    "mandarin": "cmn",
    "cantonese": "yue",
    "vietnamese": "vi",
    "korean": "ko",
    "japanese": "ja",
    "amharic": "am",
    "hindi": "hi",
    "tagalog": "tl",
    "american sign language": "ase",
    "asl": "ase",
    "sign language": "ase",
}
_BETWEEN = re.compile(r"[,;&/]|\band\b|\bonly\b", re.IGNORECASE)


def language_tags(column: pd.Series) -> pd.Series:
    """Return a list of tags for every text, in the order named; missing where a text names no
    known language."""
    known = {text: tags_of(text) for text in column.dropna().unique()}
    values = [known.get(text) or None if pd.notna(text) else None for text in column]
    return pd.Series(values, index=column.index, dtype="object")


def tags_of(text: str) -> list[str]:
    """Return the tags of the languages that a list of names holds; parts that are no plain name
    are left out."""
    parts = (part.strip(" .").casefold() for part in _BETWEEN.split(text))
    return list(dict.fromkeys(_TAGS[part] for part in parts if part in _TAGS))
