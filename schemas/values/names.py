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


# Characters that a reader cannot see: they hide words from people and rules, turn the text around
# them, or smuggle a message to a language model.
#
# The set is Unicode's Default_Ignorable_Code_Point (DerivedCoreProperties.txt: bidirectional
# controls, zero-width characters, variation selectors, tags, fillers) and the annotation marks
# U+FFF9 to U+FFFB. Some scripts need one joiner between two letters (Persian, the scripts of India,
# Myanmar, Khmer, Mongolian): it stays there and nowhere else.

# As the members of a class that Python's `re` and RE2 (Arrow, DuckDB) read alike.
INVISIBLE_CHARACTERS = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# Blocks whose letters join or stack: Arabic to Sinhala, Myanmar, Khmer, Mongolian.
_JOINING = "\u0620-\u0df4\u1000-\u109f\u1780-\u17b3\u17b6-\u17dd\u1820-\u18aa"
_INVISIBLE = re.compile(
    f"(?<=[{_JOINING}])([\u200c\u200d\u180b-\u180f])(?=[{_JOINING}])|[{INVISIBLE_CHARACTERS}]"
)


def without_invisible(text: str) -> str:
    """Return a text without invisible characters, except one joiner between two letters of a script
    that needs it."""
    return text if text.isascii() else _INVISIBLE.sub(lambda match: match[1] or "", text)
