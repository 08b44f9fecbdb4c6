"""Names of places folded for comparison: the batch side and the service use the same function."""

import re
import unicodedata
from functools import lru_cache

_NOT_WORD = re.compile(r"[^a-z0-9]+")
# The okina marks a sound inside Hawaiian words (Kapaʻa); other apostrophes part words (Coeur
# d'Alene).
_OKINA = str.maketrans("", "", "ʻʼ‘")
_ABBREVIATIONS = {
    "saint": "st",
    "sainte": "st",
    "ste": "st",
    "fort": "ft",
    "mount": "mt",
}


@lru_cache(maxsize=1 << 16)
def fold_name(text: str) -> str:
    """Return a place name for comparison: lower case, no accents, punctuation as blanks, St, Ft and
    Mt short.

    Two spellings of one place fold to the same text: "Saint Paul", "ST. PAUL" and "St Paul" are all
    "st paul". A folded name is never shown; the official spelling is stored elsewhere.
    """
    words = _NOT_WORD.sub(" ", without_accents(text.translate(_OKINA)).lower()).split()
    return " ".join(_ABBREVIATIONS.get(word, word) for word in words)


def without_accents(text: str) -> str:
    """Return a text in its compatible letters, without the marks above and below them."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c))
