"""Opioid treatment programs: one byte breaks UTF-8, and names are no keys."""

from tests.support.source_files import fixture_rows

FILE = "Opioid_Treatment_Directory_Geocoded.test.csv"


def test_sites_of_one_name_have_their_own_keys() -> None:
    keys = fixture_rows("samhsa_otp", FILE).set_index("source_row")["source_key"]
    assert keys[1] != keys[3]
    assert keys[3] == keys[4]
