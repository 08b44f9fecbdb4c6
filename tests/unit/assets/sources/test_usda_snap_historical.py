"""Authorizations: ended ones are set aside, derived rows never replace the USDA's own."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_rows, fixture_value, shared_rows

HI = "Statewide_SNAP_Retailers_Historical-FNS.HI.2022-05.csv"
NATIONAL = "Historical SNAP Retailer Locator Data.csv"
DERIVED = "derived_walmarts.national.2022.csv"


@cases(
    "file, row, field, expected",
    {
        "ended": (HI, 1, "reject_reason", "authorization_ended"),
        "its last day": (HI, 1, "reject_detail", "until 01/31/2008"),
        "renewed under the same Record ID": (HI, 2, "reject_reason", None),
        "Record ID": (HI, 2, "source_key", "990001"),
        "padding": (HI, 2, "name", "Palm Mart"),
        "number, street, second line": (HI, 2, "address", "2100 Palm Ave Unit 2"),
        "first day": (HI, 2, "notes", "SNAP authorization since 02/11/2008"),
        "a blank for no number": (HI, 3, "address", "PO Box 2619"),
        "0, 0 is no point": (HI, 3, "lat", None),
        "Unknown says nothing": (HI, 3, "services_text", None),
        "a delivery route": (HI, 4, "reject_reason", "no_fixed_place"),
        "public domain": (HI, 2, "is_public", True),
        "the header of the publisher": (NATIONAL, 2, "name", "Palm Mart"),
        "a key of its own": (DERIVED, 1, "source_key", "derived:990001"),
        "no licence is stated": (DERIVED, 1, "is_public", False),
        "NA for no second line": (DERIVED, 1, "address", "8900 Old Palm Hwy"),
        "ended, derived": (DERIVED, 2, "reject_reason", "authorization_ended"),
        "NA for no number": (DERIVED, 2, "address", "Corner of Palm and Main"),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value("usda_snap_historical", file, row, field) == expected


def test_both_forms_of_the_header_give_the_same_rows() -> None:
    dotted, plain = (
        fixture_rows("usda_snap_historical", HI),
        fixture_rows("usda_snap_historical", NATIONAL),
    )
    of_file = ["file_name", "source_updated_date", "listed_date"]
    pd.testing.assert_frame_equal(dotted.drop(columns=of_file), plain.drop(columns=of_file))


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "count", "keys", "rejects"),
    [
        (
            "Statewide_SNAP_Retailers_Historical-FNS.HI.2022-05.csv",
            4099,
            891,
            {"authorization_ended": 3200, "no_fixed_place": 8},
        ),
        ("derived_localfoods.national.2022.csv", 8574, 3151, {"authorization_ended": 5423}),
        ("derived_walmarts.national.2022.csv", 5070, 4613, {"authorization_ended": 457}),
    ],
)
def test_real_files(file: str, count: int, keys: int, rejects: dict[str, int]) -> None:
    rows = shared_rows("usda_snap_historical", "snap_retailers_historical", file)
    assert list(rows["source_row"]) == list(range(1, count + 1))
    assert rows["source_key"].notna().all()
    assert rows["reject_reason"].value_counts().to_dict() == rejects
    kept = rows[rows["reject_reason"].isna()]
    assert kept["source_key"].nunique() == keys
    assert kept["source_key"].is_unique
    assert kept[["name", "city", "state", "zip"]].notna().all().all()
