"""Density of coverage of a state: three tiers with fixed thresholds.

Only places that give food free of charge count: a state of which the directory holds stores and
schools only is thinly listed, however many there are. The thresholds are fixed, not relative to the
other states, so that a state's tier changes only when its own listings or residents do. Where whole
lists of pantries were taken in, the directory holds about one place for every 10,000 residents; a
state with fewer than half of that is thinly listed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TierId = Literal["sparse", "fair", "good"]


@dataclass(frozen=True)
class CoverageTier:
    """A tier begins at `minimum` places with free food per 1,000 residents and ends where the next
    begins.
    """

    id: TierId
    minimum: float
    label: str
    label_es: str
    meaning: str


COVERAGE_TIERS: tuple[CoverageTier, ...] = (
    CoverageTier(
        "sparse",
        0.0,
        "Sparse",
        "Escasa",
        "Fewer than one listed place with free food for every 20,000 residents. Places are very likely missing from the directory.",
    ),
    CoverageTier(
        "fair",
        0.05,
        "Fair",
        "Regular",
        "At least one listed place with free food for every 20,000 residents, fewer than one for every 10,000.",
    ),
    CoverageTier(
        "good",
        0.1,
        "Good",
        "Buena",
        "At least one listed place with free food for every 10,000 residents.",
    ),
)
TIER_IDS: tuple[str, ...] = tuple(tier.id for tier in COVERAGE_TIERS)
