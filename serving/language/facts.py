"""Dated facts that answers are made from: hotlines, WIC, where to apply by state."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from importlib import resources
from typing import Any

import msgspec


class Portal(msgspec.Struct, forbid_unknown_fields=True):
    """The page on which a state takes applications."""

    url: str
    source: str
    as_of: date
    second_source_agrees: bool
    name: str | None = None


class Phone(msgspec.Struct, forbid_unknown_fields=True):
    """A telephone number and the day it was checked."""

    number: str
    source: str
    as_of: date


class StateProgram(msgspec.Struct, forbid_unknown_fields=True):
    """SNAP, or what a territory has instead, in one state."""

    program: str
    agency: str | None
    portal: Portal | None = None
    phone: Phone | None = None
    is_snap: bool = True


class Wic(msgspec.Struct, forbid_unknown_fields=True):
    """The income limit of WIC, in percent of the poverty guideline, and when it holds."""

    pct_of_poverty: int
    effective_from: date
    effective_to: date
    source: str
    as_of: date


class _Portals(msgspec.Struct, forbid_unknown_fields=True):
    title: str
    as_of: date
    sources: dict[str, dict[str, Any]]
    states: dict[str, StateProgram]


class _Hotlines(msgspec.Struct, forbid_unknown_fields=True):
    as_of: date
    sources: dict[str, dict[str, Any]]
    hotlines: dict[str, Phone]
    wic: Wic


class Facts(msgspec.Struct, frozen=True):
    """All of them."""

    programs: dict[str, StateProgram]
    hunger: Phone
    wic: Wic


@lru_cache(maxsize=1)
def facts() -> Facts:
    """The facts of the package. Raises msgspec.ValidationError when a file of it is damaged."""
    folder = resources.files("content") / "facts"
    portals = msgspec.yaml.decode((folder / "state_portals.yaml").read_bytes(), type=_Portals)
    lines = msgspec.yaml.decode((folder / "hotlines.yaml").read_bytes(), type=_Hotlines)
    return Facts(portals.states, lines.hotlines["hunger"], lines.wic)
