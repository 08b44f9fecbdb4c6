"""Food banks with and without a living source of places of free food in their area."""

import pandas as pd

from assets.release.publish import GAP_COLUMNS, source_gaps
from schemas.sources.registry import sources

LIVING = "osm_regions"
DEAD = "maine_pantries_2014"


def test_gaps() -> None:
    assert sources()[LIVING].live
    assert not sources()[DEAD].live
    banks = pd.DataFrame(
        [
            ("Second Bank", "OH", ["44203", "44314"]),
            ("First Bank", "OH", ["43001"]),
            ("Far Bank", "ME", []),
        ],
        columns=["name", "state", "served_zips"],
    )
    resources = pd.DataFrame(
        [
            (1, "food_pantry", "44203", True),
            (2, "food_pantry", "44203", True),
            (3, "food_pantry", "43001", False),
            (4, "snap_retailer", "43001", True),
            (5, "soup_kitchen", None, True),
        ],
        columns=["resource_id", "resource_type", "zip", "is_active"],
    )
    behind = pd.DataFrame(
        [(1, LIVING), (2, DEAD), (3, LIVING), (4, LIVING)], columns=["resource_id", "source_id"]
    )
    gaps = source_gaps(banks, resources, behind, sources())
    assert list(gaps.columns) == GAP_COLUMNS
    assert list(gaps.itertuples(index=False, name=None)) == [
        ("ME", "Far Bank", 0, 0, 0, ""),
        ("OH", "First Bank", 1, 0, 0, ""),
        ("OH", "Second Bank", 2, 1, 2, LIVING),
    ]
