"""Files of known publishers in the layouts of other years, recognized by their columns or set aside
with the missing ones.

Headings are the publishers', rows are invented.
"""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from assets.sources.assemble import SourceRows, assemble
from assets.sources.contract import BY_COLUMNS, RawFile, UnreadableFileError
from schemas.sources.registry import sources
from tests.support.cases import labelled
from tests.support.source_files import FIXTURES, RETRIEVED

Row = dict[str, Any]


def csv_of(*rows: Row, separator: str = ",", before: str = "", after: str = "") -> str:
    return before + pd.DataFrame(list(rows)).to_csv(index=False, sep=separator) + after


LOCATOR = {
    "name1": "Acorn Behavioral",
    "name2": "Unit A",
    "street1": "12 Elm St",
    "street2": "Ste 3",
    "city": "Akron",
    "state": "OH",
    "zip": "44301",
    "phone": "330-555-0101",
    "intake1": "330-555-0102",
    "website": "http://a.example",
    "latitude": "41.05",
    "longitude": "-81.52",
}


EDGE = {
    "NCESSCH": "010000500870",
    "NAME": "Acorn",
    "STREET": "600 E Alabama Ave",
    "CITY": "Albertville",
    "STATE": "AL",
    "ZIP": "35950",
    "LAT": "34.26",
    "LON": "-86.2",
}


def read(folder: Path, source_id: str, *files: tuple[str, str]) -> SourceRows:
    source, raw_files = sources()[source_id], []
    for name, content in files:
        (folder / name).write_text(content, encoding="utf-8")
        layout = source.layout_of(name)
        raw_files.append(
            RawFile(
                source_id,
                name,
                folder / name,
                "0" * 64,
                layout.layout if layout else BY_COLUMNS,
                RETRIEVED,
                source.vintage_of(name),
            )
        )
    return assemble(source, raw_files)


MISSING = {
    "SAMHSA without the type": (
        "samhsa_mental_health",
        csv_of(LOCATOR),
        r"new\.csv as locator_csv: columns \['type_facility'\] are missing",
    ),
    "the geocodes of EDGE": (
        "nces_schools",
        csv_of(EDGE),
        r"new\.csv as search_csv: columns \['School Name', 'Status'\] are missing",
    ),
    "stores that take WIC": (
        "wic_clinics",
        csv_of({"Vendor": "Acorn", "Street": "1 A St"}),
        r"columns \['Clinic', 'City', 'ZipCode'\] are missing",
    ),
    "VA without addresses": (
        "va_facilities",
        csv_of({"id": "vha_1", "name": "Acorn"}),
        r"as api_json: members \['kind', 'address1', 'city', 'state', 'zip'\] are missing",
    ),
}


@pytest.mark.parametrize(("source", "content", "message"), MISSING.values(), ids=MISSING)
def test_an_unreadable_file_names_its_missing_columns(
    tmp_path: Path, source: str, content: str, message: str
) -> None:
    with pytest.raises(UnreadableFileError, match=message):
        read(tmp_path, source, ("new.csv", content))


WA = (FIXTURES / "wic_clinics" / "WA_wic_clinics.test.csv").read_text(encoding="utf-8")
ODD = csv_of({"Vendor": "Acorn", "Street": "1 A St"})


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
    rows = read(tmp_path, source_id, (name, csv_of(row)))
    assert rows.rejects.empty
    assert {field: rows.accepted[field].iloc[0] for field in expected} == expected
