"""Facilities for veterans: three registers, one id each, web addresses joined from a fourth file."""

import pytest

from tests.support.source_files import fixture_rows, shared_rows

VAST = "vast.test.csv"
VBA = "vba.test.csv"
NCA = "nca.test.csv"
SITES = "websites.test.csv"


def test_web_addresses_are_joined_and_give_no_rows() -> None:
    rows = fixture_rows("va_facilities", VAST, VBA, NCA, SITES).set_index("source_key")
    assert len(rows) == 9
    assert rows["website"].dropna().to_dict() == {
        "vha_990": "https://www.example.gov/heron-center",
        "vc_0990V": "https://www.example.gov/heron-vet",
        "vba_952": "https://www.example.gov/heron",
        "nca_998": "https://www.example.gov/heron-cemetery",
    }


@pytest.mark.shared
def test_real_files_together() -> None:
    names = ["nca.2020-09.csv", "vast.2020-05.csv", "vba.2020-08.csv", "websites.2020-10.csv"]
    rows = shared_rows("va_facilities", "va_facilities", *names)
    assert len(rows) == 1_695 + 459 + 184
    assert rows["source_key"].is_unique
    of_health = rows["source_key"].str.startswith("vha_")
    assert rows[of_health]["website"].notna().sum() == 1_130
    is_mobile = rows["notes"].str.startswith("Mobile unit").fillna(False)
    assert is_mobile.sum() == 140
    assert rows[is_mobile]["address"].isna().all()
