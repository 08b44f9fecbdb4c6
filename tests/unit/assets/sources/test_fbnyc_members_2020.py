"""Open members of a food bank: KML without points, hours by weekday."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from assets.sources.contract import UnreadableFileError
from tests.support.source_files import FIXTURES, rows_of

SOURCE = "fbnyc_members_2020"
FILE = "Food_Bank_For_NYC_Open_Members_as_of_42820.kml"


def test_a_cut_file(tmp_path: Path) -> None:
    whole = (FIXTURES / SOURCE / FILE).read_text("utf-8")
    (tmp_path / FILE).write_text(whole[: len(whole) // 2], "utf-8")
    with pytest.raises(UnreadableFileError, match=r"kml: "):
        rows_of(SOURCE, tmp_path / FILE)


def test_entities_are_not_resolved(tmp_path: Path) -> None:
    """A file that asks for another file, or for a flood of text, gets neither."""
    whole = (FIXTURES / SOURCE / FILE).read_text("utf-8")
    first = whole.index("<kml")
    trick = '<!DOCTYPE kml [<!ENTITY secret SYSTEM "file:///etc/hostname">]>'
    text = whole[:first] + trick + whole[first:].replace("718-555-0101", "&secret;")
    (tmp_path / FILE).write_text(text, "utf-8")
    assert pd.isna(rows_of(SOURCE, tmp_path / FILE).loc[1, "phone"])
