"""Files that hang a reader or take all memory: their source fails by name, and nothing else."""

import os
import zlib
from pathlib import Path

import dagster as dg
import msgspec
import pytest

from assets.sources.assemble import TooManyRejectsError, assemble
from assets.sources.assets import source_assets
from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.failures import failure_of
from assets.sources.own_process import ReadingLimitError, read_within
from assets.steps.workspace import Workspace
from pipelines.run import failures_of
from schemas.sources.mapping import Mapping
from schemas.sources.registry import FileLayout, ReadingLimits, Source, sources
from tests.support.source_files import FIXTURES, make_source, raw_file
from tests.support.steps import run_steps
from tests.support.workspaces import write_geography

FEW = ReadingLimits(seconds=2, memory_mb=300, rows=1000)
COLUMNS = {"name": "name", "state": {"value": "OR"}}


def list_source(limits: ReadingLimits = FEW) -> Source:
    return make_source(
        id="agency_list",
        files=[FileLayout("*", "list")],
        layouts={"list": msgspec.convert({"columns": COLUMNS}, Mapping)},
        default_type="food_pantry",
        limits=limits,
    )


def wide_html() -> bytes:
    return b"<table><tr>" + b"<td colspan=1000 rowspan=1000>name" * 25 + b"</table>"


def kml_without_a_folder_name() -> bytes:
    marks = b"<x/><Placemark><name>a</name></Placemark>" * 150_000
    return b'<kml xmlns="http://www.opengis.net/kml/2.2"><Document>' + marks + b"</Document></kml>"


def kml_of_many_columns() -> bytes:
    marks = b"".join(
        b'<Placemark><name>a</name><Data name="%d"><value>1</value></Data></Placemark>' % n
        for n in range(20_000)
    )
    return b'<kml xmlns="http://www.opengis.net/kml/2.2"><Document>' + marks + b"</Document></kml>"


def pdf_of_many_lines() -> bytes:
    """Return a page of scattered lines, each of which crosses all others: 3 kB."""
    at = [(n * 13 % 1990 + 5) for n in range(300)]
    drawing = b"".join(b"%d 0 m %d 1990 l S\n0 %d m 1990 %d l S\n" % (x, x, x, x) for x in at)
    content = zlib.compress(drawing, 9)
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 2000 2000]/Contents 4 0 R/Resources<<>>>>",
        b"<</Length %d/Filter/FlateDecode>>\nstream\n" % len(content) + content + b"\nendstream",
    ]
    file, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(file))
        file += b"%d 0 obj\n" % number + part + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        file
        + b"xref\n0 5\n0000000000 65535 f \n"
        + table
        + b"trailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(file)
    )


def csv_of_one_cell() -> bytes:
    return b'name\n"' + b"a" * 150_000_000 + b'"\n'


def csv_of_many_rows() -> bytes:
    return b"name\n" + b"a\n" * 1001


HOSTILE = {
    "list.html": (wide_html, UnreadableFileError, "more than 2,000 columns"),
    "list.kml": (kml_of_many_columns, UnreadableFileError, "more than 2,000 columns"),
    "list.pdf": (pdf_of_many_lines, ReadingLimitError, "more than 2 seconds"),
    "cell.csv": (csv_of_one_cell, (ReadingLimitError, UnreadableFileError), "memory"),
    "rows.csv": (csv_of_many_rows, UnreadableFileError, "more than 1,000 rows"),
}


def file_of(source: Source, folder: Path, name: str, content: bytes) -> RawFile:
    path = folder / name
    path.write_bytes(content)
    return raw_file(source, path)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_fails_by_name(name, tmp_path):
    make, error, words = HOSTILE[name]
    source = list_source()
    with pytest.raises(error, match=words):
        read_within(FEW, assemble, source, [file_of(source, tmp_path, name, make())])


def test_placemarks_without_a_folder_name_take_linear_time(tmp_path):
    source = list_source(ReadingLimits(seconds=30))
    file = file_of(source, tmp_path, "list.kml", kml_without_a_folder_name())
    assert read_within(source.limits, assemble, source, [file]).rows_read == 150_000


def test_rows_are_those_of_this_process(tmp_path):
    source = list_source()
    file = file_of(source, tmp_path, "list.csv", b"name\nLarkspur Pantry\nQuince Kitchen\n")
    here, there = assemble(source, [file]), read_within(FEW, assemble, source, [file])
    assert there.rows_read == here.rows_read == 2
    assert there.accepted.equals(here.accepted)
    assert there.accepted.dtypes.equals(here.accepted.dtypes)


def test_errors_keep_their_type_and_rows(tmp_path):
    source = list_source()
    file = file_of(source, tmp_path, "list.csv", b"name\n-\n-\n")
    with pytest.raises(TooManyRejectsError) as caught:
        read_within(FEW, assemble, source, [file])
    assert len(caught.value.rows.rejects) == 2


def test_a_killed_process_is_named():
    with pytest.raises(ReadingLimitError, match="ended with code 9"):
        read_within(FEW, os._exit, 9)


def test_the_build_continues_with_the_last_good_tables(tmp_path):
    source = msgspec.structs.replace(sources()["diaper_banks"], limits=FEW)
    folder = tmp_path / "sources" / source.folders[0]
    folder.mkdir(parents=True)
    for path in (FIXTURES / source.id).iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    workspace = Workspace(
        data_dir=str(tmp_path / "data"), profile="folder", sources_dir=str(tmp_path)
    )
    write_geography(workspace)

    def run() -> dg.ExecuteInProcessResult:
        return run_steps(source_assets(source), workspace)

    assert run().success
    before = workspace.read(source.core_table)
    path = next(folder.iterdir())
    header = path.read_bytes().splitlines()[0]
    path.write_bytes(header + b'\n"' + b"a" * 150_000_000 + b'"\n')
    result = run()
    assert result.success
    assert failures_of(result.all_events) == []
    assert "memory" in failure_of(source, workspace).reason
    assert workspace.read(source.core_table).equals(before)
