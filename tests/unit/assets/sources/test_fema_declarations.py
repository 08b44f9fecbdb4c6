"""FEMA's declarations in every form: one row per disaster and per designated area, one key for
both.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pandas as pd
import pytest

from assets.sources.contract import UnreadableFileError
from schemas.sources.registry import sources
from tests.support.cases import cases
from tests.support.source_files import FIXTURES, fixture_value, rows_of, shared_rows

SOURCE = "fema_declarations"
OLD = "FemaWebDisasterDeclarations.2023-10.csv"
NEW = "FemaWebDisasterDeclarations.2024-11.csv"
AREAS = "DisasterDeclarationsSummaries.tornado1000.2024-08.csv"
WEB_PAGES = "FemaWebDisasterDeclarations.json"
AREA_PAGES = "DisasterDeclarationsSummaries.json"


@cases(
    "file, row, field, expected",
    {
        "key of a disaster": (OLD, 1, "source_key", "DR-9001"),
        "same key in the next edition": (NEW, 1, "source_key", "DR-9001"),
        "blanks in the title": (NEW, 1, "title", "STORMS, FLOODING"),
        "declaration string": (NEW, 1, "declaration_string", "DR-9001-CO"),
        "number": (NEW, 1, "disaster_number", 9001),
        "one of the two programs": (NEW, 1, "has_individual_assistance", True),
        "0 is no": (NEW, 1, "has_hazard_mitigation", False),
        "last refresh": (NEW, 1, "source_updated_date", date(2024, 10, 9)),
        "no end": (OLD, 1, "incident_end_date", None),
        "a whole disaster has no area": (NEW, 1, "designated_area", None),
        "nor a tribe": (NEW, 1, "is_tribal_area", False),
        "emergency": (NEW, 2, "declaration_type", "EM"),
        "both programs 0": (NEW, 2, "has_individual_assistance", False),
        "fire management": (NEW, 3, "declaration_type", "FM"),
        "closed": (NEW, 3, "closeout_date", date(2009, 12, 3)),
        "fire suppression": (NEW, 4, "declaration_type", "FS"),
        "empty flags are unknown": (NEW, 4, "has_individual_assistance", None),
        "empty flag is unknown": (NEW, 4, "has_public_assistance", None),
        "Micronesia": (NEW, 5, "reject_reason", "outside_area"),
        "a new word": (NEW, 6, "reject_reason", "unknown_declaration_type"),
        "key of a county": (AREAS, 1, "source_key", "DR-9001:08001"),
        "leading zero": (AREAS, 1, "county_fips", "08001"),
        "True of pandas": (AREAS, 1, "has_individual_assistance", True),
        "filing date": (AREAS, 1, "last_ia_filing_date", date(2023, 10, 23)),
        "a county is no tribe": (AREAS, 1, "is_tribal_area", False),
        "key of a reservation": (AREAS, 2, "source_key", "DR-9001:49700"),
        "000 is no county": (AREAS, 2, "county_fips", None),
        "tribe": (AREAS, 2, "is_tribal_area", True),
        "area": (AREAS, 2, "designated_area", "Red Mesa Tribe of the Blue Reservation"),
        "a ward is not its county": (AREAS, 3, "source_key", "DR-9001:93440"),
        "but lies in it": (AREAS, 3, "county_fips", "08001"),
        "key of a whole state": (AREAS, 4, "source_key", "EM-9007:00000"),
        "a state is no tribe": (AREAS, 4, "is_tribal_area", False),
        "a school district is no tribe": (AREAS, 5, "is_tribal_area", False),
        "true of JSON": (WEB_PAGES, 1, "has_public_assistance", True),
        "null of JSON": (WEB_PAGES, 1, "has_hazard_mitigation", None),
        "second page": (WEB_PAGES, 2, "source_key", "FM-9102"),
        "the Marianas are in the area": (WEB_PAGES, 2, "reject_reason", None),
        "area of JSON": (AREA_PAGES, 1, "county_fips", "50001"),
        "statewide as 0": (AREA_PAGES, 2, "source_key", "DR-9101:00000"),
    },
)
def test_fixture(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


@cases(
    "file, old, new, message",
    {
        "column gone": (NEW, "lastRefresh", "refreshed", "lastRefresh"),
        "member gone": (WEB_PAGES, '"lastRefresh"', '"refreshed"', "lastRefresh"),
        "other data set": (WEB_PAGES, '"FemaWeb', '"Web', "page 1 has no list"),
        "cut off": (AREA_PAGES, "}]}]", "}]", "truncated"),
    },
)
def test_another_shape_is_refused(
    file: str, old: str, new: str, message: str, tmp_path: Path
) -> None:
    text = (FIXTURES / SOURCE / file).read_text("utf-8")
    (tmp_path / file).write_text(text.replace(old, new), "utf-8")
    with pytest.raises(UnreadableFileError, match=message):
        rows_of(SOURCE, tmp_path / file)


def test_every_live_feed_has_a_layout() -> None:
    source = sources()[SOURCE]
    layouts = [source.layout_of(feed.file_name) for feed in source.live]
    assert [found.layout for found in layouts if found] == ["disasters_pages", "areas_pages"]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("folder", "file", "count", "outside"),
    [
        ("fema_web_declarations", OLD, 4_832, 34),
        ("fema_web_declarations", NEW, 5_008, 34),
        ("fema_declarations_summaries", AREAS, 1_000, 0),
    ],
)
def test_real_files(folder: str, file: str, count: int, outside: int) -> None:
    rows = shared_rows(SOURCE, folder, file)
    assert list(rows["source_row"]) == list(range(1, count + 1))
    assert rows["source_key"].nunique() == count
    assert (rows["reject_reason"] == "outside_area").sum() == outside
    assert rows["reject_reason"].notna().sum() == outside
    required = ["disaster_number", "title", "incident_type", "declaration_date", "is_tribal_area"]
    assert rows[required].notna().all().all()
    assert not rows["title"].str.contains(r"  | $").any()


@pytest.mark.shared
def test_the_next_edition_has_every_disaster_of_the_last_and_is_newer() -> None:
    old = shared_rows(SOURCE, "fema_web_declarations", OLD).set_index("source_key")
    new = shared_rows(SOURCE, "fema_web_declarations", NEW).set_index("source_key")
    assert set(old.index) <= set(new.index)
    assert (old["source_updated_date"] < new.loc[old.index, "source_updated_date"]).all()


@pytest.mark.shared
def test_real_areas() -> None:
    rows = shared_rows(SOURCE, "fema_declarations_summaries", AREAS)
    assert rows["disaster_number"].nunique() == 114
    assert rows.loc[rows["is_tribal_area"], "source_key"].tolist() == ["DR-1280:49700"]
    assert rows["county_fips"].dropna().str.fullmatch("[0-9]{5}").all()
    assert rows["county_fips"].isna().sum() == 1


def test_an_edition_without_programs_leaves_them_unknown(tmp_path: Path) -> None:
    frame = pd.read_csv(FIXTURES / SOURCE / NEW, dtype=str)
    frame = frame.drop(columns=[name for name in frame if "ProgramDeclared" in name])
    path = tmp_path / "FemaWebDisasterDeclarations.2021-06.csv"
    frame.to_csv(path, index=False)
    rows = rows_of(SOURCE, path)
    assert len(rows) == len(frame)
    assert rows["has_individual_assistance"].isna().all()
    assert rows["has_public_assistance"].isna().all()
