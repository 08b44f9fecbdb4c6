"""Parameters of the access measure: types counted, radii, and the source of residents."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from schemas.vocab.resource_types import TYPES_BY_MODE

# Radii in miles. A place counts within a radius when its distance, rounded to hundredths of a mile,
# is not more.
FREE_RADII = (5, 10, 25)
SNAP_RADII = (1, 5, 10)
PEOPLE_RADII = (1, 5, 10, 25)
# Shares of places with known hours and exact points are of the free places within this radius.
SHARE_MILES = 25
# Distances are stated to this many decimals of a mile: the length of a house, far below what a
# ZIP's point can say.
MILE_DECIMALS = 2
SHARE_DECIMALS = 4

FREE_TYPES = TYPES_BY_MODE["free"]
SNAP_TYPE = "snap_retailer"

NATION = "US"
ZIP_RESIDENTS = (
    "U.S. Census Bureau, ACS 2019-2023 (5-year), table B01003, ZIP code tabulation areas"
)
COUNTY_RESIDENTS = "U.S. Census Bureau, ACS 2019-2023 (5-year), table B01003, counties"

# Folder and files of the product.
ACCESS_FOLDER = "access"
COUNTIES_CSV, ZIPS_CSV, COUNTY_MAP = "counties.csv", "zips.csv", "counties.svg"


@dataclass(frozen=True)
class AccessClass:
    """A map class: shares from `minimum` up; `hatch` is a path drawn in `ink`."""

    id: str
    minimum: float | None
    label: str
    label_es: str
    color: str
    ink: str
    hatch: str | None


# By share of residents within 5 miles of listed free food. Lightness falls from class to class, and
# each class has a hatching of its own: the map reads without color, on paper and for color-blind
# eyes.
ACCESS_CLASSES: tuple[AccessClass, ...] = (
    AccessClass("least", 0.0, "under 25 %", "menos del 25 %", "#f1eef6", "#1a1a1a", "M3 3h1"),
    AccessClass("less", 0.25, "25 to 49 %", "25 a 49 %", "#bdc9e1", "#1a1a1a", "M0 6L6 0"),
    AccessClass("more", 0.5, "50 to 74 %", "50 a 74 %", "#74a9cf", "#1a1a1a", "M0 3h6"),
    AccessClass("most", 0.75, "75 % and more", "75 % o más", "#045a8d", "#ffffff", None),
    AccessClass(
        "nothing",
        None,
        "nothing listed",
        "nada en la lista",
        "#ffffff",
        "#767676",
        "M0 0L6 6M6 0L0 6",
    ),
    AccessClass("unknown", None, "not known", "no se sabe", "#d0d0d0", "#767676", "M3 0v6"),
)
NOTHING_LISTED, UNKNOWN_CLASS = ACCESS_CLASSES[4], ACCESS_CLASSES[5]


def class_of(share: float | None, free_places: int) -> AccessClass:
    """Return the class of an area by the share of its residents within 5 miles, and its number of
    free places.

    If the directory lists no free place, the share describes the neighbors' listings: such an area
    has a separate class unless the neighbors reach a quarter of its residents. Classes use whole
    per cents, as shown.
    """
    share = None if share is None else round(100 * share) / 100
    if not free_places and (share is None or share < 0.25):
        return NOTHING_LISTED
    if share is None:
        return UNKNOWN_CLASS
    return [c for c in ACCESS_CLASSES if c.minimum is not None and share >= c.minimum][-1]


# Density of coverage of a state: three tiers with fixed thresholds.
#
# Only places that give food free of charge count: a state of which the directory holds stores and
# schools only is thinly listed, however many there are. The thresholds are fixed, not relative to
# the other states, so that a state's tier changes only when its own listings or residents do. Where
# whole lists of pantries were taken in, the directory holds about one place for every 10,000
# residents; a state with fewer than half of that is thinly listed.

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


# Answers to the question of whether a place serves a ZIP code.

ServesArea = Literal["yes", "no", "not_known"]
# A ZIP code may reach into a county or town next to its own: nearer than this, it is not excluded.
MAX_AREA_MILES = 40.0
