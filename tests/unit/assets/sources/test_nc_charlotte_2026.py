"""North Carolina: two lists of NC 211 and a food bank's, each with its own addresses."""

import pytest

from tests.support.source_files import shared_rows

SOURCE = "nc_charlotte_2026"
PANTRIES = "nc211-food-pantries.json"
MEALS = "nc211-soup-kitchens.json"


@pytest.mark.shared
def test_real_sites_in_both_lists() -> None:
    pantries, meals = shared_rows(SOURCE, SOURCE, PANTRIES), shared_rows(SOURCE, SOURCE, MEALS)
    assert len(set(pantries["source_key"]) & set(meals["source_key"])) == 26
