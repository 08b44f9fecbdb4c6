"""Pittsburgh: five lists in one shape, a list of spring 2020, and copies that are no further
places.
"""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_value, shared_rows

FOOD_BANK = "gpcfb-raw.csv"
MARKETS = "jh-fresh-access-raw.csv"
FMNP = "fmnp-raw.csv"
MERGED = "merged-raw-sources.csv"
SPRING = "PUBLIC_COVID19_Food_Access_2020.csv"


@cases(
    "file, row, field, expected",
    {
        "the publisher's id without braces": (FOOD_BANK, 1, "source_key", "list:ab-1"),
        "hours inside HTML": (FOOD_BANK, 1, "hours_text", "Mondays & Fridays 11 a.m. to 1 p.m."),
        "who may come": (FOOD_BANK, 1, "eligibility_text", "Everyone"),
        "no name, no e-mail address, no tags": (
            FOOD_BANK,
            1,
            "notes",
            "Call at . Groceries for all.",
        ),
        "groceries": (FOOD_BANK, 1, "resource_type", "food_pantry"),
        "meals for school children": (FOOD_BANK, 2, "resource_type", "summer_meal"),
        "diapers": (FOOD_BANK, 3, "resource_type", "diaper_bank"),
        "lunches": (FOOD_BANK, 4, "resource_type", "soup_kitchen"),
        "0, 0 is no point": (FOOD_BANK, 4, "lat", None),
        "for residents": (FOOD_BANK, 5, "reject_reason", "not_public"),
        "meals on wheels": (FOOD_BANK, 6, "reject_reason", "home_delivery_only"),
        "in error": (FOOD_BANK, 7, "reject_reason", "invalid_by_source"),
        "SNAP at a market": (MARKETS, 1, "resource_type", "snap_retailer"),
        "season and day": (MARKETS, 1, "hours_text", "June 20th-September 12th\nThursday 3pm-7pm"),
        "flags set for all alike": (FMNP, 1, "reject_reason", "not_in_catalog"),
        "a copy": (MERGED, 1, "reject_reason", "derived_copy"),
        "id of the spring list": (SPRING, 1, "source_key", "covid:CD-1"),
        "two languages": (SPRING, 1, "hours_text", "Self serve, 24 hours per day.\nAutoservicio."),
        "two address lines": (SPRING, 1, "address", "1 Heron Road, Rear"),
        "(none) says nothing": (SPRING, 1, "notes", "Selection of canned food and produce"),
        "closed": (SPRING, 2, "reject_reason", "closed_by_source"),
        "one day in June": (SPRING, 3, "reject_reason", "season_over"),
        "a school while schools were shut": (SPRING, 4, "resource_type", "summer_meal"),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value("pittsburgh_food_access_2025", file, row, field) == expected


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
