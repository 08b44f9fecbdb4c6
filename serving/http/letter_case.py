"""Accepts values of closed vocabularies in the query in either case, for every endpoint."""

import re

_CAPITALS = frozenset((b"state",))
_SMALL = frozenset(
    (b"format", b"mode", b"type", b"cadence", b"vehicle", b"theme", b"sort", b"filing", b"lang")
)
_NAMES = b"|".join(sorted(_CAPITALS | _SMALL))
# Percent-encoded values are none of a vocabulary; a state is two letters.
_PARAMETER = re.compile(rb"(?<![^&])(" + _NAMES + rb")=([A-Za-z_,]+)(?=&|$)")


def in_declared_case(query: bytes) -> bytes:
    """Return a raw query with `state=ny` as `state=NY` and `format=CSV` as `format=csv`."""
    return _PARAMETER.sub(_convert, query)


def _convert(match: re.Match[bytes]) -> bytes:
    name, value = match.groups()
    if name in _CAPITALS:
        return name + b"=" + (value.upper() if len(value) == 2 else value)
    return name + b"=" + value.lower()
