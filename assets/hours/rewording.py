"""Repairs and rewordings of publishers' texts, from rewording.yaml, compiled."""

from __future__ import annotations

import re
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
