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
from tests.support.source_files import FIXTURES, fixture_value, rows_of, shared_rows

SOURCE = "fema_declarations"
OLD = "FemaWebDisasterDeclarations.2023-10.csv"
NEW = "FemaWebDisasterDeclarations.2024-11.csv"
AREAS = "DisasterDeclarationsSummaries.tornado1000.2024-08.csv"
WEB_PAGES = "FemaWebDisasterDeclarations.json"
AREA_PAGES = "DisasterDeclarationsSummaries.json"


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(OLD, 1, "source_key", "DR-9001", id="key of a disaster"),
        pytest.param(NEW, 1, "source_key", "DR-9001", id="same key in the next edition"),
        pytest.param(NEW, 1, "title", "STORMS, FLOODING", id="blanks in the title"),
        pytest.param(NEW, 1, "declaration_string", "DR-9001-CO", id="declaration string"),
        pytest.param(NEW, 1, "disaster_number", 9001, id="number"),
        pytest.param(NEW, 1, "has_individual_assistance", True, id="one of the two programs"),
        pytest.param(NEW, 1, "has_hazard_mitigation", False, id="0 is no"),
        pytest.param(NEW, 1, "source_updated_date", date(2024, 10, 9), id="last refresh"),
        pytest.param(OLD, 1, "incident_end_date", None, id="no end"),
        pytest.param(NEW, 1, "designated_area", None, id="a whole disaster has no area"),
        pytest.param(NEW, 1, "is_tribal_area", False, id="nor a tribe"),
        pytest.param(NEW, 2, "declaration_type", "EM", id="emergency"),
        pytest.param(NEW, 2, "has_individual_assistance", False, id="both programs 0"),
        pytest.param(NEW, 3, "declaration_type", "FM", id="fire management"),
        pytest.param(NEW, 3, "closeout_date", date(2009, 12, 3), id="closed"),
        pytest.param(NEW, 4, "declaration_type", "FS", id="fire suppression"),
        pytest.param(NEW, 4, "has_individual_assistance", None, id="empty flags are unknown"),
        pytest.param(NEW, 4, "has_public_assistance", None, id="empty flag is unknown"),
        pytest.param(NEW, 5, "reject_reason", "outside_area", id="Micronesia"),
        pytest.param(NEW, 6, "reject_reason", "unknown_declaration_type", id="a new word"),
        pytest.param(AREAS, 1, "source_key", "DR-9001:08001", id="key of a county"),
        pytest.param(AREAS, 1, "county_fips", "08001", id="leading zero"),
        pytest.param(AREAS, 1, "has_individual_assistance", True, id="True of pandas"),
        pytest.param(AREAS, 1, "last_ia_filing_date", date(2023, 10, 23), id="filing date"),
        pytest.param(AREAS, 1, "is_tribal_area", False, id="a county is no tribe"),
        pytest.param(AREAS, 2, "source_key", "DR-9001:49700", id="key of a reservation"),
        pytest.param(AREAS, 2, "county_fips", None, id="000 is no county"),
        pytest.param(AREAS, 2, "is_tribal_area", True, id="tribe"),
        pytest.param(
            AREAS, 2, "designated_area", "Red Mesa Tribe of the Blue Reservation", id="area"
        ),
        pytest.param(AREAS, 3, "source_key", "DR-9001:93440", id="a ward is not its county"),
        pytest.param(AREAS, 3, "county_fips", "08001", id="but lies in it"),
        pytest.param(AREAS, 4, "source_key", "EM-9007:00000", id="key of a whole state"),
        pytest.param(AREAS, 4, "is_tribal_area", False, id="a state is no tribe"),
        pytest.param(AREAS, 5, "is_tribal_area", False, id="a school district is no tribe"),
        pytest.param(WEB_PAGES, 1, "has_public_assistance", True, id="true of JSON"),
        pytest.param(WEB_PAGES, 1, "has_hazard_mitigation", None, id="null of JSON"),
        pytest.param(WEB_PAGES, 2, "source_key", "FM-9102", id="second page"),
        pytest.param(WEB_PAGES, 2, "reject_reason", None, id="the Marianas are in the area"),
        pytest.param(AREA_PAGES, 1, "county_fips", "50001", id="area of JSON"),
        pytest.param(AREA_PAGES, 2, "source_key", "DR-9101:00000", id="statewide as 0"),
    ],
)
def test_fixture(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        pytest.param(NEW, "lastRefresh", "refreshed", "lastRefresh", id="column gone"),
        pytest.param(WEB_PAGES, '"lastRefresh"', '"refreshed"', "lastRefresh", id="member gone"),
        pytest.param(WEB_PAGES, '"FemaWeb', '"Web', "page 1 has no list", id="other data set"),
        pytest.param(AREA_PAGES, "}]}]", "}]", "truncated", id="cut off"),
    ],
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
