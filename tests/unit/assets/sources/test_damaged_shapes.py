"""Files of known publishers in another shape, or damaged: refused with name and reason."""

from pathlib import Path

import pytest

from assets.sources.contract import UnreadableFileError
from tests.support.cases import labelled
from tests.support.source_files import FIXTURES, rows_of

SNAP_JSON, PUEBLO = "snap_retailer_location_data.json", "snap-pueblo-county.2026-06.arcgis.json"
SCHOOLS = "egret_schools.test.html"


@labelled("source, file, old, new, message")
def test_another_shape_is_refused(
    tmp_path: Path, source: str, file: str, old: str, new: str, message: str
) -> None:
    text = (FIXTURES / source / file).read_text("utf-8")
    assert old in text
    (tmp_path / file).write_text(text.replace(old, new), "utf-8")
    with pytest.raises(UnreadableFileError, match=message):
        rows_of(source, tmp_path / file)


@labelled("source, file, content, message")
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
