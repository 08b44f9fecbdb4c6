"""How densely the directory covers a state: three tiers with fixed thresholds.

The thresholds are fixed, not relative to the other states, so that a state's tier changes only when its
own listings or residents do. A complete directory holds about one place for every 1,000 residents (most
of them shops that take EBT); a state with fewer than half of that is thinly listed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TierId = Literal["sparse", "fair", "good"]


@dataclass(frozen=True)
class CoverageTier:
    """A tier begins at `minimum` active resources per 1,000 residents and ends where the next begins."""

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
        "Fewer than one listed place for every 2,000 residents. Places are very likely missing from the directory.",
    ),
    CoverageTier(
        "fair",
        0.5,
        "Fair",
        "Regular",
        "At least one listed place for every 2,000 residents, fewer than one for every 1,000.",
    ),
    CoverageTier(
        "good",
        1.0,
        "Good",
        "Buena",
        "At least one listed place for every 1,000 residents.",
    ),
)
TIER_IDS: tuple[str, ...] = tuple(tier.id for tier in COVERAGE_TIERS)
