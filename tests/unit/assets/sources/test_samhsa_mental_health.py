"""The treatment locator of 2020: names in two parts, intake numbers, empty web addresses."""

from tests.support.source_files import fixture_rows

FILE = "mentalhealth_clean.test.csv"


def test_case_does_not_change_a_key() -> None:
    keys = fixture_rows("samhsa_mental_health", FILE).set_index("source_row")["source_key"]
    assert keys[2] == keys[4]
    assert keys.nunique() == 4
