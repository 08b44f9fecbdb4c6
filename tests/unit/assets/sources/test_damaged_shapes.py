"""Files of known publishers in another shape, or damaged: refused with name and reason."""

from pathlib import Path

import pytest

from assets.sources.contract import UnreadableFileError
from tests.support.cases import cases
from tests.support.source_files import FIXTURES, rows_of

SNAP_JSON, PUEBLO = "snap_retailer_location_data.json", "snap-pueblo-county.2026-06.arcgis.json"
DISASTERS = "FemaWebDisasterDeclarations.json"
SCHOOLS = "egret_schools.test.html"


@cases(
    "source, file, old, new, message",
    {
        "a renamed column": (
            "usda_snap",
            "snap_retailer_location_data.MA.csv",
            "City",
            "Place",
            "City.*missing",
        ),
        "a field not asked for": (
            "usda_snap",
            PUEBLO,
            "Store_Name",
            "Shop",
            "Store_Name.*missing",
        ),
        "an error answer": ("usda_snap", SNAP_JSON, '"features"', '"error"', "no features"),
        "a column gone": (
            "fema_declarations",
            "FemaWebDisasterDeclarations.2024-11.csv",
            "lastRefresh",
            "refreshed",
            "lastRefresh",
        ),
        "a member gone": (
            "fema_declarations",
            DISASTERS,
            '"lastRefresh"',
            '"refreshed"',
            "lastRefresh",
        ),
        "another data set": (
            "fema_declarations",
            DISASTERS,
            '"FemaWeb',
            '"Web',
            "page 1 has no FemaWeb",
        ),
        "cut off": (
            "fema_declarations",
            "DisasterDeclarationsSummaries.json",
            "}]}]",
            "}]",
            "truncated",
        ),
        "another number": (
            "nces_schools",
            SCHOOLS,
            "<B>3</B>",
            "<B>4</B>",
            "says 4 records and has 3",
        ),
        "no number": ("nces_schools", SCHOOLS, "The file contains", "Here are", "does not say how"),
        "a renamed heading": (
            "nces_schools",
            SCHOOLS,
            "<b>Status</b>",
            "<b>State of it</b>",
            "no table has",
        ),
    },
)
def test_another_shape_is_refused(
    tmp_path: Path, source: str, file: str, old: str, new: str, message: str
) -> None:
    text = (FIXTURES / source / file).read_text("utf-8")
    assert old in text
    (tmp_path / file).write_text(text.replace(old, new), "utf-8")
    with pytest.raises(UnreadableFileError, match=message):
        rows_of(source, tmp_path / file)


NAPA = "community_action_of_napa_valley_food_bank_ca.jsonl"


@cases(
    "source, file, content, message",
    {
        "a line cut off": ("haarrrvest_2025", NAPA, '{"name": "A"}\n{"name": ', "line 2"),
        "a list": ("haarrrvest_2025", NAPA, '{"name": "A"}\n[1]', "line 2 is no object"),
        "other members": (
            "haarrrvest_2025",
            NAPA,
            '{"title": "A"}',
            r"columns \['name'\] are missing",
        ),
        "nothing": ("haarrrvest_2025", NAPA, "\n", r"no valid JSON \(Input data was truncated\)"),
        "no locations": (
            "alameda_county_2014",
            "alamedaco.json",
            '{"name": "Heron", "places": []}\n',
            "page 1 has no locs",
        ),
    },
)
def test_a_file_of_something_else_is_refused(
    tmp_path: Path, source: str, file: str, content: str, message: str
) -> None:
    (tmp_path / file).write_text(content, "utf-8")
    with pytest.raises(UnreadableFileError, match=message):
        rows_of(source, tmp_path / file)


def test_a_page_without_its_end_has_lost_nothing(tmp_path: Path) -> None:
    whole = (FIXTURES / "nces_schools" / SCHOOLS).read_text("ascii")
    (tmp_path / SCHOOLS).write_text(whole.replace("</TABLE></BODY></HTML>", ""), "ascii")
    assert len(rows_of("nces_schools", tmp_path / SCHOOLS)) == 3
