"""Files of known publishers in the layouts of other years, recognized by their columns or set aside
with the missing ones.

Headings are the publishers', rows are invented.
"""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from assets.sources.assemble import SourceRows, assemble
from assets.sources.contract import UnreadableFileError
from schemas.sources.registry import sources
from tests.support.cases import labelled
from tests.support.source_files import FIXTURES, raw_file

Row = dict[str, Any]


def read(folder: Path, source_id: str, *files: tuple[str, str]) -> SourceRows:
    for name, content in files:
        (folder / name).write_text(content, encoding="utf-8")
    source = sources()[source_id]
    return assemble(source, [raw_file(source, folder / name) for name, _ in files])


@pytest.mark.parametrize(
    ("source", "header", "message"),
    [
        (
            "samhsa_mental_health",
            "name1,name2,street1,street2,city,state,zip,phone,intake1,website,latitude,longitude",
            r"new\.csv as locator_csv: columns \['type_facility'\] are missing",
        ),
        (
            "va_facilities",
            "id,name",
            r"as api_json: members \['kind', 'address1', 'city', 'state', 'zip'\] are missing",
        ),
    ],
)
def test_an_unreadable_file_names_the_missing_columns_of_its_layouts(
    tmp_path: Path, source: str, header: str, message: str
) -> None:
    row = "1" + ",1" * header.count(",")
    with pytest.raises(UnreadableFileError, match=message):
        read(tmp_path, source, ("new.csv", f"{header}\n{row}\n"))


WA = (FIXTURES / "wic_clinics" / "WA_wic_clinics.test.csv").read_text(encoding="utf-8")
ODD = "Vendor,Street\nAcorn,1 A St\n"


@pytest.mark.parametrize(
    "odd", ["stores.csv", "WA_wic_clinics.2019.csv"], ids=["no layout", "older"]
)
def test_the_other_files_are_read_without_the_one_set_aside(tmp_path: Path, odd: str) -> None:
    rows = read(tmp_path, "wic_clinics", ("WA_wic_clinics.2026-03.csv", WA), (odd, ODD))
    assert len(rows.accepted) > 1
    aside = rows.rejects[rows.rejects["reject_reason"] == "file_set_aside"]
    assert aside["file_name"].tolist() == [odd]
    assert "are missing; found ['Vendor', 'Street']" in aside["reject_detail"].item()


def test_a_newest_edition_that_cannot_be_read_stops_the_source(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFileError, match=r"WA_wic_clinics\.2027\.csv: columns"):
        read(
            tmp_path,
            "wic_clinics",
            ("WA_wic_clinics.2026-03.csv", WA),
            ("WA_wic_clinics.2027.csv", ODD),
        )


@labelled("source_id, name, row, expected")
def test_a_missing_optional_column_is_no_fault(
    tmp_path: Path, source_id: str, name: str, row: Row, expected: Row
) -> None:
    rows = read(tmp_path, source_id, (name, pd.DataFrame([row]).to_csv(index=False)))
    assert rows.rejects.empty
    assert {field: rows.accepted[field].iloc[0] for field in expected} == expected
