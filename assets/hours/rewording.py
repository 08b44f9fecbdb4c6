"""Repairs and rewordings of publishers' texts, from rewording.yaml, and words of other scripts, from
translations.yaml, compiled."""

import re
import unicodedata
from pathlib import Path

import msgspec


class _Rewordings(msgspec.Struct, forbid_unknown_fields=True):
    parts: dict[str, str]
    rewordings: list[tuple[str, str]]


_TABLE = msgspec.yaml.decode(
    Path(__file__).with_name("rewording.yaml").read_bytes(), type=_Rewordings
)
_PART = re.compile("<([A-Z_]+)>")


def _fill(pattern: str) -> str:
    """Return a pattern with its parts written out. Raises KeyError for an unknown one."""
    return _PART.sub(lambda part: _fill(_TABLE.parts[part[1]]), pattern)


# In the order in which they are applied.
REWORDINGS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(_fill(pattern)), words) for pattern, words in _TABLE.rewordings
)

_TRANSLATIONS = msgspec.yaml.decode(
    Path(__file__).with_name("translations.yaml").read_bytes(), type=dict[str, list[str]]
)
_ENGLISH = {word.casefold(): english for english, words in _TRANSLATIONS.items() for word in words}
# Chinese, Japanese and Korean words stand without blanks; others are whole words.
_IDEOGRAPHS = re.compile("[\u3040-\u9fff\uac00-\ud7af]")
_FOREIGN = re.compile(
    "|".join(
        re.escape(word) if _IDEOGRAPHS.match(word) else rf"(?<!\w){re.escape(word)}(?!\w)"
        for word in sorted(_ENGLISH, key=len, reverse=True)
    ),
    re.IGNORECASE,
)


def translate(text: str) -> str:
    """Return a text with the words of other scripts in English: "星期六 9至11"."""
    return _FOREIGN.sub(
        lambda word: f" {_ENGLISH[word[0].casefold()]} ", unicodedata.normalize("NFC", text)
    )
