"""OpenStreetMap extracts: which objects are places, where they are, what their tags say."""

from __future__ import annotations

from pathlib import Path

import pytest

from assets.sources.contract import UnreadableFileError
from tests.support.source_files import rows_of, shared_rows

FILE = "larkton.osm.pbf"


@pytest.mark.parametrize("content", [b"not a map at all", b""])
def test_a_damaged_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "broken.osm.pbf").write_bytes(content)
    with pytest.raises(UnreadableFileError, match=r"broken\.osm\.pbf"):
        rows_of("osm_regions", tmp_path / "broken.osm.pbf")


@pytest.mark.shared
@pytest.mark.parametrize("file", ["bangor_maine.osm.pbf", "harrisburg.osm.pbf"])
def test_real_extracts_hold_no_food_assistance(file: str) -> None:
    assert shared_rows("osm_regions", "osm_regions", file).empty
