"""Identifiers of other registers from the keys of source records."""

import pandas as pd
import pytest

from assets.directory.identity import crosswalk
from schemas.sources.registry import sources

DECLARED = {s.id: s.identifiers for s in sources().values() if s.identifiers}
RESOURCES = pd.DataFrame(
    {
        "resource_id": [1, 2, 3, 4],
        "is_active": [True, True, False, True],
        "is_confidential": [False, False, False, True],
    }
)


def found(*records: tuple[int, str, str]) -> list[tuple[int, str, str]]:
    frame = pd.DataFrame(records, columns=["resource_id", "source_id", "source_key"])
    rows = crosswalk(RESOURCES, frame, DECLARED)
    columns = rows[["resource_id", "identifier_scheme", "identifier"]]
    return list(columns.itertuples(index=False, name=None))


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        pytest.param(
            [(1, "nces_schools", "060000103278")], [(1, "nces", "060000103278")], id="school"
        ),
        pytest.param(
            [(1, "hrsa_health_centers", "H80CS99999:BPS-H80-000001")],
            [(1, "hrsa_site", "BPS-H80-000001")],
            id="a part of the key",
        ),
        pytest.param([(1, "usda_snap", "9b92b6ee4c10f71404e1")], [], id="a digest"),
        pytest.param([(1, "usda_snap", "12345678901234567890")], [], id="a digest of figures"),
        pytest.param([(1, "nyc_pantries_2023", "17")], [], id="a list that is no register"),
        pytest.param(
            [(1, "osm_regions", "node/5"), (2, "osm_regions", "node/5")], [], id="two places"
        ),
        pytest.param(
            [(1, "usda_snap", "77"), (1, "usda_snap_historical", "derived:77")],
            [(1, "fns_retailer", "77")],
            id="one identifier in two lists",
        ),
        pytest.param([(3, "osm_regions", "way/5")], [], id="a place that is gone"),
        pytest.param([(4, "osm_regions", "way/5")], [], id="a confidential place"),
        pytest.param([], [], id="nothing"),
    ],
)
def test_identifiers(
    records: list[tuple[int, str, str]], expected: list[tuple[int, str, str]]
) -> None:
    assert found(*records) == expected
