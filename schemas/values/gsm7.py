"""The 7-bit alphabet of text messages (3GPP TS 23.038, 6.2.1): fit, cost and substitutes.

One character outside the alphabet turns a whole message into 16-bit text, which halves its room: so
nothing outside it is ever sent. A message of one part has room for 160 units, each part of a longer
one for 153.
"""

import unicodedata

SINGLE, PART = 160, 153
_BASIC = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
# These cost two units: an escape and a code.
_EXTENDED = frozenset("^{}\\[~]|€\f")
_ALLOWED = (_BASIC | _EXTENDED) - {"\f", "\r"}
_INSTEAD = str.maketrans(
    {
        "‘": "'", "’": "'", "‚": "'", "‛": "'", "′": "'", "`": "'", "´": "'", "ʻ": "'", "ʼ": "'",
        "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "″": '"',
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-", "−": "-", "•": "-", "·": "-",
        "…": "...", "⁄": "/", "×": "x", "ç": "c", "ł": "l", "Ł": "L", "đ": "d", "ð": "d",
        "þ": "th", "œ": "oe", "Œ": "OE", "°": " deg", "™": "", "®": "", "©": "", "\t": " ",
        "\u00a0": " ", "\u2009": " ", "\u202f": " ",
    }
)  # fmt: skip


def as_gsm7(text: str) -> str:
    """Return the text in characters of the alphabet, accents replaced, others dropped."""
    characters = []
    for character in unicodedata.normalize("NFC", text).translate(_INSTEAD):
        if character in _ALLOWED:
            characters.append(character)
            continue
        plain = unicodedata.normalize("NFKD", character).translate(_INSTEAD)
        characters += [part for part in plain if part in _ALLOWED]
    return "".join(characters)


def units(text: str) -> int:
    """Return the units of a text. Raises ValueError for a character outside GSM-7."""
    total = 0
    for character in text:
        if character in _BASIC:
            total += 1
        elif character in _EXTENDED:
            total += 2
        else:
            raise ValueError(f"{character!r} is not in the GSM 7-bit alphabet")
    return total


def segments(text: str) -> int:
    """Split a text of the alphabet into parts; a character of two units is never split."""
    if units(text) <= SINGLE:
        return 1
    parts, room = 1, PART
    for character in text:
        cost = 1 if character in _BASIC else 2
        if cost > room:
            parts, room = parts + 1, PART
        room -= cost
    return parts


def cut(text: str, most: int) -> str:
    """Return at most `most` units, cut between words if that leaves over half."""
    if units(text) <= most:
        return text
    room, end = most, 0
    for character in text:
        room -= 1 if character in _BASIC else 2
        if room < 0:
            break
        end += 1
    shorter = text[:end]
    blank = shorter.rfind(" ")
    if blank > len(shorter) // 2:
        shorter = shorter[:blank]
    return shorter.rstrip(" ,.-(")
