"""Authorizations: ended ones are set aside, derived rows never replace the USDA's own."""

import pandas as pd

from tests.support.source_files import fixture_rows

HI = "Statewide_SNAP_Retailers_Historical-FNS.HI.2022-05.csv"
NATIONAL = "Historical SNAP Retailer Locator Data.csv"


def test_both_forms_of_the_header_give_the_same_rows() -> None:
    dotted, plain = (
        fixture_rows("usda_snap_historical", HI),
        fixture_rows("usda_snap_historical", NATIONAL),
    )
    of_file = ["file_name", "source_updated_date", "listed_date"]
    pd.testing.assert_frame_equal(dotted.drop(columns=of_file), plain.drop(columns=of_file))
