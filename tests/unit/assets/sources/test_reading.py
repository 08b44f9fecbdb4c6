"""Readers of file formats: every value text or None, every row numbered, every fault named."""

import json
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.reading import (
    as_number,
    as_text,
    join_texts,
    read_csv_text,
    read_xlsx_text,
    with_rejects,
    without_sentinels,
)
from assets.sources.reading_arcgis import read_arcgis_json
from assets.sources.reading_html import read_long_html_table
from assets.sources.reading_records import read_records
from tests.support.cases import cases, labelled
from tests.support.source_files import file_of


def _plain(column: pd.Series) -> list[object]:
    return [None if pd.isna(value) else value for value in column]


@cases(
    "value, expected",
    {
        "nothing": (None, None),
        "text keeps its zeros": ("01970", "01970"),
        "whole number": (19401, "19401"),
        "whole number kept as float": (19401.0, "19401"),
        "coordinate": (-75.341034, "-75.341034"),
        "not a number": (float("nan"), None),
        "spreadsheet day": (datetime(2024, 6, 1), "2024-06-01"),
        "day and time": (datetime(2024, 6, 1, 9, 30), "2024-06-01T09:30:00"),
        "date": (date(2024, 6, 1), "2024-06-01"),
        "time": (time(9, 30), "09:30:00"),
        "truth": (True, "True"),
    },
)
def test_a_cell_as_text(value: object, expected: str | None) -> None:
    assert as_text(value) == expected


def _page(*names: str | None, more: bool | None = None) -> str:
    flag = "" if more is None else f'"exceededTransferLimit":{str(more).lower()},'
    features = ",".join(
        '{"attributes":{"Name":%s,"Size":7}}' % ("null" if n is None else f'"{n}"') for n in names
    )
    return f'{{{flag}"fields":[{{"name":"Name"}},{{"name":"Zip4"}}],"features":[{features}]}}'


@labelled("content, names")
def test_arcgis_pages(tmp_path: Path, content: str, names: list[str | None]) -> None:
    rows = read_arcgis_json(file_of(tmp_path / "file", content))
    assert _plain(rows["Name"]) == names if names else rows.empty
    assert list(rows["source_row"]) == list(range(1, len(names) + 1))


def test_a_long_arcgis_answer_is_read_in_slices_and_its_flag_is_of_one_page(tmp_path: Path) -> None:
    names = [f"Pantry {n}" for n in range(4001)]
    features = [{"attributes": {"Name": name}} for name in names]
    content = json.dumps({"features": features, "exceededTransferLimit": True})
    rows = read_arcgis_json(file_of(tmp_path / "file", content))
    assert rows["Name"].tolist() == names
    assert rows["source_row"].tolist() == list(range(1, 4002))


def test_arcgis_fields_without_values_are_columns(tmp_path: Path) -> None:
    rows = read_arcgis_json(
        file_of(tmp_path / "file", _page("a")), required=["Name", "Zip4", "Size"]
    )
    assert _plain(rows["Zip4"]) == [None]
    assert _plain(rows["Size"]) == ["7"]


@cases(
    "content, message",
    {
        "an error answer": ('{"error":{"code":400,"message":"Invalid"}}', "Invalid"),
        "cut off": ('{"features":[', "truncated"),
        "a web page": ("<html>", "malformed"),
        "a list of something else": ('["x"]', "page 1 has no features"),
        "more to come": (f"[{_page('a', more=True)},{_page('b', more=True)}]", "not the last"),
    },
)
def test_arcgis_faults(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(UnreadableFileError, match=message):
        read_arcgis_json(file_of(tmp_path / "file", content))


@labelled("path, content, message")
def test_faults_of_records(tmp_path: Path, path: str, content: str, message: str) -> None:
    with pytest.raises(UnreadableFileError, match=message):
        read_records(file_of(tmp_path / "file", content), path)


def _workbook(folder: Path, *rows: list[object]) -> RawFile:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in rows:
        book.active.append(row)
    book.save(folder / "book.xlsx")
    return file_of(folder / "book.xlsx")


def test_a_workbook_as_text(tmp_path: Path) -> None:
    file = _workbook(tmp_path, ["Zip", " Name ", "Lat"], [1970, " a ", 40.5], [None, "", 40.0])
    rows = read_xlsx_text(file, required=["Zip", "Name"])
    assert _plain(rows["Zip"]) == ["1970", None]
    assert _plain(rows["Name"]) == ["a", None]
    assert _plain(rows["Lat"]) == ["40.5", "40"]
    assert list(rows["source_row"]) == [1, 2]


def test_merged_cells_are_filled_and_titles_are_not(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    page = book.active
    assert page is not None
    for row in (
        ["Name", "City", "Mon", "Tue"],
        ["Acorn", "Utica", "9-11", None],
        [None, None, None, "1-3"],
        ["Oneida County", None, None, None],
        ["Birch", "Rome", "9-11", None],
    ):
        page.append(row)
    for area in ("A2:A3", "B2:B3", "A4:D4", "C5:D5"):
        page.merge_cells(area)
    book.save(tmp_path / "book.xlsx")
    file = file_of(tmp_path / "book.xlsx")
    rows = read_xlsx_text(file, required=["Name", "City"])
    assert _plain(rows["Name"]) == ["Acorn", "Acorn", "Oneida County", "Birch"]
    assert _plain(rows["City"]) == ["Utica", "Utica", None, "Rome"]
    assert _plain(rows["Tue"]) == [None, "1-3", None, "9-11"]


@cases(
    "rows, message",
    {
        "a cell beyond the header": ([["Zip"], [1, 2]], "longer than the header"),
        "a required column is missing": ([["Name"], ["a"]], "'Zip'"),
        "an empty sheet": ([], "empty"),
    },
)
def test_workbook_faults(tmp_path: Path, rows: list[list[object]], message: str) -> None:
    with pytest.raises(UnreadableFileError, match=message):
        read_xlsx_text(_workbook(tmp_path, *rows), required=["Zip"])


def test_a_file_that_is_no_workbook(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFileError, match="zip"):
        read_xlsx_text(file_of(tmp_path / "file", "Zip,Name"))


_TABLE = """<html><meta charset=windows-1252><!-- <table><tr><td>Id</table> --><table>
<tr><td colspan=2>It holds (<B>2</B>) records<br>of schools</td></tr>
<TR><TD><b>Id</b></TD><td>Name</TD></TR>
<TR><TD>01</TD><TD>A &amp; B&nbsp;</TD></TR>
<tr><td>02<td>&dagger;
</TABLE>"""


def test_a_web_page_as_text(tmp_path: Path) -> None:
    above, rows = read_long_html_table(file_of(tmp_path / "file", _TABLE), required=["Id", "Name"])
    assert above == "It holds (2) records of schools"
    assert _plain(rows["Id"]) == ["01", "02"]
    assert _plain(rows["Name"]) == ["A & B", "†"]
    assert list(rows["source_row"]) == [1, 2]


@cases(
    "read, content, message",
    {
        "other columns": (read_long_html_table, "<table><tr><td>Key</table>", "no table has"),
        "an empty page": (read_long_html_table, "", "no element found"),
        "a cell too few": (
            read_long_html_table,
            _TABLE.replace("<td>&dagger;", ""),
            "row 2 has 1 cells",
        ),
        "an empty file": (read_csv_text, "", "the file is empty"),
        "a file that was cut off": (read_csv_text, 'Id,Name\n1,"Elm', "the file may be cut off"),
    },
)
def test_faults_of_text_files(tmp_path: Path, read: Any, content: str, message: str) -> None:
    with pytest.raises(UnreadableFileError, match=message):
        read(file_of(tmp_path / "file", content), required=["Id", "Name"])


def test_parts_are_joined_without_the_missing_ones() -> None:
    streets = pd.Series(["402 Rindge", "1 Elm", None, None], dtype="str")
    right = pd.Series(["Avenue", None, "Unit 4", None], dtype="str")
    assert _plain(join_texts(streets, right)) == ["402 Rindge Avenue", "1 Elm", "Unit 4", None]


def test_text_without_a_number_is_missing() -> None:
    column = pd.Series(["-71.5", "n/a", None], dtype="str")
    assert _plain(as_number(column)) == [-71.5, None, None]


def test_only_whole_cells_are_sentinels() -> None:
    rows = pd.DataFrame({"a": ["–", "A – B"], "source_row": [1, 2]})
    assert _plain(without_sentinels(rows, ["–"])["a"]) == [None, "A – B"]


def test_the_first_matching_reason_wins() -> None:
    places = pd.DataFrame({"name": ["a", "b", "c"]})
    detail = pd.Series(["1", "2", "3"])
    checks = (
        ("first", pd.Series([True, False, False]), detail),
        ("second", pd.Series([True, True, False]), detail),
    )
    rejected = with_rejects(places, checks)
    assert _plain(rejected["reject_reason"]) == ["first", "second", None]
    assert _plain(rejected["reject_detail"]) == ["1", "2", None]
