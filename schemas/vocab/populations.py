"""Residents of states and territories, with publisher and date of each count.

The numbers are in `schemas.vocab.states`. The ZIP table's residents are not summed by state: ZIP
code areas cross state lines, and the table has no residents if the geography comes from packages.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

from schemas.vocab.states import STATES

_ESTIMATES = "U.S. Census Bureau, Vintage 2025 population estimates (NST-EST2025)"
_CENSUS = "U.S. Census Bureau, 2020 Census"
_ISLANDS = ("AS", "GU", "MP", "VI")


@dataclass(frozen=True)
class Population:
    """Residents on a day, by a source."""

    people: int
    source: str
    on: date


def _population(code: str) -> Population:
    if code in _ISLANDS:
        return Population(STATES[code].population, _CENSUS, date(2020, 4, 1))
    return Population(STATES[code].population, _ESTIMATES, date(2025, 7, 1))


POPULATIONS: Mapping[str, Population] = MappingProxyType({c: _population(c) for c in STATES})
