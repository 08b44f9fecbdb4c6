"""Read languages in words as BCP 47 tags; only plain names, not "Spanish (limited)"."""

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
    """Return each text's tags in the order named; missing if none is known."""
    tags_of_text = {text: tags_of(text) for text in column.dropna().unique()}
    values = [tags_of_text.get(text) or None if pd.notna(text) else None for text in column]
    return pd.Series(values, index=column.index, dtype="object")


def tags_of(text: str) -> list[str]:
    """Return the tags of a list of names, without parts that are no plain name."""
    parts = (part.strip(" .").casefold() for part in _BETWEEN.split(text))
    return list(dict.fromkeys(_TAGS[part] for part in parts if part in _TAGS))
