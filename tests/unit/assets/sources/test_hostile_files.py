"""Hostile files: bombs, entities, names and cells outside their bounds. Each is a real file."""

import contextlib
import gzip
import io
import resource
import zipfile
from pathlib import Path

import openpyxl
import pytest

from assets.geography import official_files
from assets.sources import contract, reading
from assets.sources.contract import UnreadableFileError
from assets.sources.reading import read_csv_text, read_xlsx_text
from assets.sources.reading_html import read_long_html_table
from assets.sources.reading_osm import read_osm_pbf
from assets.sources.reading_xml import read_kml_placemarks
from tests.support.source_files import file_of
from warehouse.gzip_files import OversizedFileError

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
KML = '<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><name>{name}</name></Placemark></kml>'


def workbook(rows: list[list[object]], parts: dict[str, str] | None = None) -> bytes:
    """Return a workbook with some parts replaced."""
    book, archive, copy = openpyxl.Workbook(), io.BytesIO(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(archive)
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, (parts or {}).get(name) or old.read(name))
    return copy.getvalue()


def sheet(cells: str, before: str = "") -> str:
    return f'{before}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{cells}</sheetData></worksheet>'


@pytest.fixture(autouse=True)
def little_memory():
    """Limit memory, so that a bomb ends in MemoryError instead of harming the machine."""
    before = resource.getrlimit(resource.RLIMIT_DATA)
    resident_bytes = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_DATA, (resident_bytes + 2**30, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_DATA, before)


def test_entities_of_a_kml_are_not_resolved(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("confidential")
    for head in (
        f'<!DOCTYPE kml [<!ENTITY l0 "ha">{LAUGHS}<!ENTITY x "&l11;">]>',
        f'<!DOCTYPE kml [<!ENTITY x SYSTEM "{secret.as_uri()}">]>',
        f'<!DOCTYPE kml SYSTEM "{secret.as_uri()}" [<!ENTITY x "a">]>',
    ):
        file = file_of(tmp_path / "a.kml", (head + KML.format(name="Pantry &x;")).encode())
        try:
            names = read_kml_placemarks(file)["name"].tolist()
        except UnreadableFileError:
            continue
        assert len(names[0]) < 100
        assert "confidential" not in names[0]


@pytest.mark.parametrize(
    "part",
    ["xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/sharedStrings.xml", "[Content_Types].xml"],
)
def test_entities_of_a_workbook_are_not_resolved(tmp_path, part):
    head = f'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY l0 "ha">{LAUGHS}<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    for entity in ("&l11;", "&x;"):
        body = sheet(f'<row r="1"><c r="A1" t="inlineStr"><is><t>{entity}</t></is></c></row>', head)
        content = workbook(
            [["name"], ["Pantry"]], {part: body if "sheet1" in part else f"{head}<a>{entity}</a>"}
        )
        file = file_of(tmp_path / "a.xlsx", content)
        try:
            text_sheet = read_xlsx_text(file)
        except UnreadableFileError:
            continue
        assert "root:" not in f"{list(text_sheet.columns)}{text_sheet.to_numpy().tolist()}"


def test_a_cell_far_out_is_not_an_empty_table_of_billions(tmp_path, monkeypatch):
    rows = "".join(f'<row r="{n}"><c r="XFD{n}"><v>1</v></c></row>' for n in range(1, 40))
    content = workbook([["a"]], {"xl/worksheets/sheet1.xml": sheet(rows)})
    monkeypatch.setattr(reading, "MAX_CELLS", 200_000)
    with pytest.raises(UnreadableFileError, match="more than 200000 cells"):
        read_xlsx_text(file_of(tmp_path / "a.xlsx", content))


def test_a_workbook_that_unpacks_to_more_than_there_is_memory(tmp_path, monkeypatch):
    content = workbook([["a"]], {"xl/worksheets/sheet1.xml": sheet(" " * 50_000_000)})
    assert len(content) < 100_000
    monkeypatch.setattr(reading, "MAX_WORKBOOK_BYTES", 10_000_000)
    with pytest.raises(UnreadableFileError, match="unpacks to more than"):
        read_xlsx_text(file_of(tmp_path / "a.xlsx", content))


@pytest.mark.parametrize("name", ["../../etc/cron.d/x", "/etc/x", "a\\..\\x", "xl/../../x"])
def test_names_in_an_archive_are_never_paths(tmp_path, name):
    workbook_file = io.BytesIO(workbook([["name"], ["Pantry"]]))
    with zipfile.ZipFile(workbook_file, "a") as archive:
        archive.writestr(name, "owned")
    folder = tmp_path / "in"
    folder.mkdir()
    sheet = read_xlsx_text(file_of(folder / "a.xlsx", workbook_file.getvalue()))
    assert sheet["name"].tolist() == ["Pantry"]
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == ["a.xlsx"]


def test_a_gzip_that_does_not_end(tmp_path, monkeypatch):
    bomb = gzip.compress(bytes(30_000_000))
    monkeypatch.setattr(contract, "MAX_UNPACKED_BYTES", 1_000_000)
    with pytest.raises(ValueError, match="unpacks to more than 1000000 bytes"):
        file_of(tmp_path / "a.csv.gz", bomb).read_bytes()


def test_official_files_unpack_within_bounds(tmp_path, monkeypatch):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(b"GEOID"))
    assert official_files._bytes(path) == b"GEOID"
    path.write_bytes(gzip.compress(bytes(30_000_000)))
    whole = official_files.unpack_chunks
    monkeypatch.setattr(official_files, "unpack_chunks", lambda p: whole(p, 1_000_000))
    with pytest.raises(OversizedFileError):
        official_files._bytes(path)


def test_a_page_with_entities_and_depth_without_end(tmp_path):
    head = f'<!DOCTYPE html [<!ENTITY l0 "ha">{LAUGHS}]>'
    body = f"{head}<html>{'<div>' * 50_000}<table><tr><td>name</td></tr><tr><td>&l11;</td></tr></table>"
    file = file_of(tmp_path / "a.xls", body.encode())
    with contextlib.suppress(UnreadableFileError):
        assert len(read_long_html_table(file, ["name"])[1]["name"].iloc[0]) < 100


@pytest.mark.parametrize(
    "content",
    [b"", b"\x00\x00\x00\x0d\x0a\x09OSMHeader\x18\x7f", b"\xff" * 64, b"\x7f\xff\xff\xff" * 8],
)
def test_a_file_that_is_no_extract(tmp_path, content):
    with contextlib.suppress(UnreadableFileError):  # an empty file is no fault to the library
        assert read_osm_pbf(file_of(tmp_path / "a.osm.pbf", content), ("amenity",)) == []


def test_a_row_longer_than_its_header_is_not_cut(tmp_path):
    with pytest.raises(UnreadableFileError, match="length of data"):
        read_csv_text(file_of(tmp_path / "a.csv", b"name,zip\nA,1,lost\nB,2,lost\n"))
