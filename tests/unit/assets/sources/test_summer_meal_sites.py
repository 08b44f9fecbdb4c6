"""Summer meal sites: seasons stand beside the facts, and what is over is set aside."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_rows, plain, shared_rows

OK = "OK_sites.test.tsv"
PA = "Child_Nutrition.test.geojson"
ALLEGHENY = "derived_allegheny.2019.csv"


# A day of each file's season.
IN_SEASON = {
    OK: datetime(2017, 6, 10, tzinfo=UTC),
    PA: datetime(2021, 6, 10, tzinfo=UTC),
    ALLEGHENY: datetime(2019, 6, 1, tzinfo=UTC),
}


def test_last_year_s_sites_are_over() -> None:
    rows = fixture_rows("summer_meal_sites", OK)
    assert set(rows["reject_reason"].dropna()) == {"not_public", "season_over"}
    assert rows["reject_reason"].notna().all()


@cases(
    "file, row, field, expected",
    {
        "the number of the sponsor goes": (OK, 1, "name", "HERON PUBLIC SCHOOL"),
        "a number behind a blank": (OK, 2, "name", "Positive Herons of Larkton"),
        "a shifted cell": (OK, 2, "state", "OK"),
        "zeros for no number": (OK, 2, "phone", None),
        "not the whole address again": (OK, 1, "address", "100 HERON ROAD"),
        "meals": (OK, 1, "services_text", "Breakfast, Lunch"),
        "S says two things": (OK, 2, "services_text", "Lunch, Supper or snack"),
        "no meals named": (OK, 3, "services_text", None),
        "season": (OK, 1, "notes", "Season: June 5, 2017 - June 23, 2017"),
        "no hours": (OK, 1, "hours_text", None),
        "a camp": (OK, 3, "reject_reason", "not_public"),
        "open": (OK, 1, "reject_reason", None),
        "id of the layer": (PA, 1, "source_key", "a4heron1"),
        "hours with their season": (
            PA,
            1,
            "hours_text",
            "Monday through Friday from 11:45 AM to 12:30 PM, June 7, 2021 - August 28, 2021",
        ),
        "no e-mail address": (PA, 1, "notes", "Ask"),
        "dates in words": (PA, 2, "notes", "Season: June 7, 2021 - August 28, 2021"),
        "second line": (PA, 2, "address", "2 Heron Avenue, Rear"),
        "closed": (PA, 2, "reject_reason", "closed_by_source"),
        "type": (PA, 1, "resource_type", "summer_meal"),
        "id of the site finder": (ALLEGHENY, 1, "source_key", "fns:94808"),
        "a number that went through a spreadsheet": (ALLEGHENY, 1, "phone", "4125550113"),
        "an extension": (ALLEGHENY, 2, "phone", "4125550114x5170"),
        "no licence is stated": (ALLEGHENY, 1, "is_public", False),
        "still in season": (ALLEGHENY, 1, "reject_reason", None),
        "over when the file came": (ALLEGHENY, 2, "reject_reason", "season_over"),
        "its last day": (ALLEGHENY, 2, "reject_detail", "ended May 30, 2019"),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    rows = fixture_rows("summer_meal_sites", file, retrieved_at=IN_SEASON[file]).set_index(
        "source_row"
    )
    assert plain(rows.loc[row, field]) == expected


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "day", "count", "keys", "rejects"),
    [
        ("OK_sites.2017.tsv", (2017, 6, 1), 675, 636, {"not_public": 37, "season_over": 2}),
        ("OK_sites.2017.tsv", (2026, 11, 1), 675, 0, {"not_public": 37, "season_over": 638}),
        ("Child_Nutrition.PA.2021.arcgis.geojson", (2021, 6, 10), 1, 1, {}),
        ("derived_allegheny.2019.csv", (2019, 6, 1), 285, 285, {}),
    ],
)
def test_real_files(
    file: str, day: tuple[int, int, int], count: int, keys: int, rejects: dict[str, int]
) -> None:
    rows = shared_rows(
        "summer_meal_sites", "summer_meal_sites", file, retrieved_at=datetime(*day, tzinfo=UTC)
    )
    assert list(rows["source_row"]) == list(range(1, count + 1))
    assert rows["source_key"].notna().all()
    assert rows["reject_reason"].value_counts().to_dict() == rejects
    kept = rows[rows["reject_reason"].isna()]
    assert kept["source_key"].nunique() == keys
    assert rows["source_key"].is_unique
    assert kept[["name", "address", "city", "state"]].notna().all().all()
    assert (kept["notes"].str.contains("Season: ") | kept["hours_text"].notna()).all()
