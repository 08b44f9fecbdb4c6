"""Head Start locations in both layouts: closed ones stay out, two programs of one house are one
place.
"""

from tests.support.source_files import fixture_rows

SOURCE = "acf_head_start"
CSV = "HS_Service_Locations.test.csv"


def test_two_programs_of_one_house_share_a_key() -> None:
    keys = fixture_rows(SOURCE, CSV)["source_key"]
    assert keys[0] == keys[1]
    assert keys.nunique() == len(keys) - 1
