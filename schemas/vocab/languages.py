"""Languages by tag: English name and ISO 639 code."""

# BCP 47 language subtags are ISO 639-1 codes where there is one, else ISO 639-3: the code is the
# subtag.
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
