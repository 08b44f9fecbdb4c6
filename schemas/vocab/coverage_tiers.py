"""Density of coverage of a state: three tiers with fixed thresholds.

Only places that give food free of charge count: a state of which the directory holds stores and
schools only is thinly listed, however many there are. The thresholds are fixed, not relative to the
other states, so that a state's tier changes only when its own listings or residents do. Where whole
lists of pantries were taken in, the directory holds about one place for every 10,000 residents; a
state with fewer than half of that is thinly listed.
"""

from pathlib import Path
from typing import Literal

import msgspec

TierId = Literal["sparse", "fair", "good"]


class CoverageTier(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tier from `minimum` free-food places per 1,000 residents to the next."""

    id: TierId
    minimum: float
    label: str
    label_es: str
    meaning: str


COVERAGE_TIERS: tuple[CoverageTier, ...] = msgspec.yaml.decode(
    Path(__file__).with_name("coverage_tiers.yaml").read_bytes(), type=tuple[CoverageTier, ...]
)
TIER_IDS: tuple[str, ...] = tuple(tier.id for tier in COVERAGE_TIERS)
