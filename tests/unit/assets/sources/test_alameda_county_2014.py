"""A general directory: food is kept, whatever only touches food is not."""

from pathlib import Path

import pytest

from assets.sources.contract import UnreadableFileError
from tests.support.source_files import rows_of

SOURCE = "alameda_county_2014"
FILE = "alamedaco.json"


def test_an_organisation_without_locations(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"name": "Heron", "places": []}\n', "utf-8")
    with pytest.raises(UnreadableFileError, match="page 1 has no locs"):
        rows_of(SOURCE, tmp_path / FILE)
