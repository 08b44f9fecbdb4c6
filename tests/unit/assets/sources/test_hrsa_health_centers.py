"""HRSA's sites in both layouts: confidential places stay hidden, offices stay out."""

import pytest

from tests.support.source_files import fixture_rows, shared_rows

SOURCE = "hrsa_health_centers"
DERIVED = "derived_health_clinics_national.2020-04.csv"


def test_phone_and_point_are_no_part_of_the_derived_key() -> None:
    keys = fixture_rows(SOURCE, DERIVED)["source_key"]
    assert keys[0] == keys[10]
    assert keys.nunique() == len(keys) - 1


@pytest.mark.shared
def test_real_file() -> None:
    rows = shared_rows(SOURCE, SOURCE, DERIVED)
    assert list(rows["source_row"]) == list(range(1, 14_211))
    assert rows["source_key"].nunique() == 14_190
    assert rows["reject_reason"].value_counts().to_dict() == {
        "administrative_site": 268,
        "outside_area": 30,
    }
    used = rows[rows["reject_reason"].isna()]
    assert used[["name", "city", "state"]].notna().all().all()
    hidden = used[used["is_confidential"]]
    assert len(hidden) == 22
    assert hidden[["address", "zip", "lat", "lng"]].isna().all().all()
    shown = used[~used["is_confidential"]]
    assert shown[["lat", "lng"]].notna().all().all()
    assert shown.loc[
        shown["address"].isna(), ["zip", "location_precision"]
    ].to_numpy().tolist() == [["16621", "city"]]
    assert shown["zip"].isna().sum() == 1
    assert not rows["website"].str.contains("@", na=False).any()
