"""Pittsburgh: five lists in one shape, a list of spring 2020, and copies that are no further
places.
"""

from __future__ import annotations

import pytest

from tests.support.source_files import fixture_rows, plain, shared_rows

FOOD_BANK = "gpcfb-raw.csv"
MARKETS = "jh-fresh-access-raw.csv"
FMNP = "fmnp-raw.csv"
MERGED = "merged-raw-sources.csv"
SPRING = "PUBLIC_COVID19_Food_Access_2020.csv"


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(FOOD_BANK, 1, "source_key", "list:ab-1", id="the publisher's id without braces"),
        pytest.param(FOOD_BANK, 1, "hours_text", "Mondays & Fridays 11 a.m. to 1 p.m.", id="hours inside HTML"),
        pytest.param(FOOD_BANK, 1, "eligibility_text", "Everyone", id="who may come"),
        pytest.param(FOOD_BANK, 1, "notes", "Call at . Groceries for all.", id="no name, no e-mail address, no tags"),
        pytest.param(FOOD_BANK, 1, "resource_type", "food_pantry", id="groceries"),
        pytest.param(FOOD_BANK, 2, "resource_type", "summer_meal", id="meals for school children"),
        pytest.param(FOOD_BANK, 3, "resource_type", "diaper_bank", id="diapers"),
        pytest.param(FOOD_BANK, 4, "resource_type", "soup_kitchen", id="lunches"),
        pytest.param(FOOD_BANK, 4, "lat", None, id="0, 0 is no point"),
        pytest.param(FOOD_BANK, 5, "reject_reason", "not_public", id="for residents"),
        pytest.param(FOOD_BANK, 6, "reject_reason", "home_delivery_only", id="meals on wheels"),
        pytest.param(FOOD_BANK, 7, "reject_reason", "invalid_by_source", id="in error"),
        pytest.param(MARKETS, 1, "resource_type", "snap_retailer", id="SNAP at a market"),
        pytest.param(MARKETS, 1, "hours_text", "June 20th-September 12th\nThursday 3pm-7pm", id="season and day"),
        pytest.param(FMNP, 1, "reject_reason", "not_in_catalog", id="flags set for all alike"),
        pytest.param(MERGED, 1, "reject_reason", "derived_copy", id="a copy"),
        pytest.param(SPRING, 1, "source_key", "covid:CD-1", id="id of the spring list"),
        pytest.param(SPRING, 1, "hours_text", "Self serve, 24 hours per day.\nAutoservicio.", id="two languages"),
        pytest.param(SPRING, 1, "address", "1 Heron Road, Rear", id="two address lines"),
        pytest.param(SPRING, 1, "notes", "Selection of canned food and produce", id="(none) says nothing"),
        pytest.param(SPRING, 2, "reject_reason", "closed_by_source", id="closed"),
        pytest.param(SPRING, 3, "reject_reason", "season_over", id="one day in June"),
        pytest.param(SPRING, 4, "resource_type", "summer_meal", id="a school while schools were shut"),
    ],
)  # fmt: skip
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    rows = fixture_rows("pittsburgh_food_access_2025", file).set_index("source_row")
    assert plain(rows.loc[row, field]) == expected


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "count", "rejects"),
    [
        (FOOD_BANK, 146, {"not_public": 2, "invalid_by_source": 2, "home_delivery_only": 1}),
        (MARKETS, 22, {"invalid_by_source": 1}),
        (FMNP, 75, {"not_in_catalog": 75}),
        ("wic-raw.csv", 81, {"not_in_catalog": 81}),
        ("grow-pgh-raw.csv", 137, {"not_in_catalog": 137}),
        (MERGED, 1_444, {"derived_copy": 1_444}),
        ("deduped-merged-data.csv", 1_378, {"derived_copy": 1_378}),
        ("duplicate-merged-data.csv", 138, {"derived_copy": 138}),
        ("invalid-raw-sources.csv", 16, {"derived_copy": 16}),
        (SPRING, 186, {"season_over": 11, "closed_by_source": 6, "not_public": 3}),
    ],
)
def test_real_files(file: str, count: int, rejects: dict[str, int]) -> None:
    rows = shared_rows("pittsburgh_food_access_2025", "pittsburgh_food_access_2025", file)
    assert list(rows["source_row"]) == list(range(1, count + 1))
    assert rows["source_key"].notna().all()
    assert rows["reject_reason"].value_counts().to_dict() == rejects
    texts = rows[rows["reject_reason"].isna()][["hours_text", "notes", "eligibility_text"]]
    assert not texts.stack().dropna().str.contains(r"<br|&amp;|\w@\w").any()
