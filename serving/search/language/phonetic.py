"""Words as they sound, for those who write by ear, mostly in Spanish: "fenix", "nesesito",
"estanpiyas".
"""

import re

_SOUNDS = tuple(
    (re.compile(letters), sound)
    for letters, sound in (
        ("ph", "f"),
        ("oe", "e"),
        ("ck|qu|k", "c"),
        ("c(?=[ei])", "s"),
        ("z", "s"),
        ("v", "b"),
        ("n(?=[pb])", "m"),
        ("ll", "y"),
        ("h", ""),
        ("ee|ea|ey", "i"),
        ("oo|ou", "u"),
        ("w", "u"),
        ("y", "i"),
        (r"(.)\1", r"\1"),
    )
)


def sound_of(text: str) -> str:
    """Return a phonetic key of a text; two words that sound alike have the same."""
    for letters, sound in _SOUNDS:
        text = letters.sub(sound, text)
    return text
