"""One table in different forms: every reader gives the rows of the plain one.

All rows are invented.
"""

import csv
import io
import json
import zipfile
from datetime import date
from pathlib import Path

import openpyxl
import pandas as pd
import pytest

from assets.sources.contract import UnreadableFileError
from assets.sources.free_text import as_dates, five_digits
from assets.sources.headings import renaming
from assets.sources.readers import read_table
from tests.support.cases import cases, labelled
from tests.support.source_files import file_of, rows_of

HEADER = ["Site Name", "Zip_Code", "Phone", "Start Date"]
ROWS = [
    ["Peña Café Pantry", "02139", "617-555-0100", "6/1/2026"],
    ["Heron House, West", "97201", "", "6/2/2026"],
]


def text_of(rows: list[list[str]], separator: str = ",", end: str = "\n") -> str:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator, lineterminator=end).writerows(rows)
    return text.getvalue()


def workbook(*sheets: list[list[object]]) -> bytes:
    book, content = openpyxl.Workbook(), io.BytesIO()
    book.remove(book.active)
    for number, rows in enumerate(sheets):
        page = book.create_sheet(f"Sheet {number}")
        for row in rows:
            page.append(row)
    book.save(content)
    return content.getvalue()


def archive(**members: bytes) -> bytes:
    archive_bytes = io.BytesIO()
    with zipfile.ZipFile(archive_bytes, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return archive_bytes.getvalue()


PLAIN = text_of([HEADER, *ROWS])
GEOJSON = {
    "type": "FeatureCollection",
    "features": [
        {"type": "Feature", "properties": dict(zip(HEADER, row, strict=True)), "geometry": None}
        for row in ROWS
    ],
}
ARCGIS = {"features": [{"attributes": dict(zip(HEADER, row, strict=True))} for row in ROWS]}


@cases(
    "content",
    {
        "plain": PLAIN.encode(),
        "byte order mark": PLAIN.encode("utf-8-sig"),
        "Windows-1252": PLAIN.encode("cp1252"),
        "UTF-16": PLAIN.encode("utf-16"),
        "semicolons": text_of([HEADER, *ROWS], ";").encode(),
        "tabs": text_of([HEADER, *ROWS], "\t").encode(),
        "bars": text_of([HEADER, *ROWS], "|").encode(),
        "old Macintosh": text_of([HEADER, *ROWS], end="\r").encode(),
        "Windows line ends": text_of([HEADER, *ROWS], end="\r\n").encode(),
        "headings otherwise": text_of(
            [["SITE NAME", "zip code", "Phone ", "start_date"], *ROWS]
        ).encode(),
        "year in a heading": text_of(
            [["Site Name", "Zip_Code", "Phone", "Start Date 2025-26"], *ROWS]
        ).encode(),
        "titles above": text_of(
            [["List of sites"], ["as of June 1, 2026", ""], [], HEADER, *ROWS]
        ).encode(),
        "blank row, header again": text_of(
            [HEADER, ROWS[0], ["", "", "", ""], HEADER, ROWS[1]]
        ).encode(),
        "a word for nothing": text_of(
            [HEADER, ROWS[0], ["Heron House, West", "97201", "NULL", "6/2/2026"]]
        ).encode(),
        "guarded digits": text_of(
            [
                HEADER,
                ["Peña Café Pantry", '="02139"', *ROWS[0][2:]],
                ["Heron House, West", "'97201", *ROWS[1][2:]],
            ]
        ).encode(),
        "columns in another order": text_of([HEADER[::-1], *(row[::-1] for row in ROWS)]).encode(),
        "more columns": text_of(
            [["A", *HEADER, "B"], *(["x", *row, "y"] for row in ROWS)]
        ).encode(),
        "workbook": workbook([HEADER, *ROWS]),
        "second sheet, title": workbook([["About"]], [["Sites 2026"], [], HEADER, *ROWS]),
        "zip archive": archive(**{"sites.csv": PLAIN.encode(), "__MACOSX/._sites.csv": b"x"}),
        "GeoJSON": json.dumps(GEOJSON).encode(),
        "ArcGIS": json.dumps(ARCGIS).encode(),
    },
)
def test_the_form_changes_nothing(tmp_path: Path, content: bytes) -> None:
    rows = read_table(file_of(tmp_path / "file", content), required=HEADER)
    cells = rows[HEADER].astype("object").where(rows[HEADER].notna(), "")
    assert cells.to_numpy().tolist() == ROWS
    assert list(rows["source_row"]) == [1, 2]


@cases(
    "content, message",
    {
        "renamed": (PLAIN.replace("Zip_Code", "Postal").encode(), "Zip_Code.*missing"),
        "two that it could be": (
            PLAIN.replace("Phone", "ZIP CODE").replace("Zip_Code", "zipcode").encode(),
            "Zip_Code.*missing",
        ),
        "no sheet has it": (workbook([["About"]]), "Site Name.*missing"),
    },
)
def test_an_unreadable_edition_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(UnreadableFileError, match=f"file: .*{message}"):
        read_table(file_of(tmp_path / "file", content), required=HEADER)


def test_several_files_in_an_archive_are_refused(tmp_path: Path) -> None:
    content = archive(**{"a.csv": b"x", "b.csv": b"y"})
    with pytest.raises(ValueError, match=r"2 files, not one \(a.csv, b.csv\)"):
        file_of(tmp_path / "file", content).read_bytes()


def test_a_rename_is_declared(tmp_path: Path) -> None:
    other = {"Zip_Code": ["Postal", "Zip5"]}
    content = PLAIN.replace("Zip_Code", "ZIP5").encode()
    rows = read_table(file_of(tmp_path / "file", content, other_names=other), required=HEADER)
    assert list(rows["Zip_Code"]) == ["02139", "97201"]


@cases(
    "header, expected",
    {
        "the exact name counts": (["Longitude", "longitude"], {}),
        "either could be meant": (["LONGITUDE", "longitude"], {}),
        "sign of last year's figures": (["longitude*"], {"longitude*": "Longitude"}),
        "generated table": (
            ["Longitude [Public School] 2022-23"],
            {"Longitude [Public School] 2022-23": "Longitude"},
        ),
        "the first declared one": (["LON", "X"], {"LON": "Longitude"}),
    },
)
def test_renaming(header: list[str], expected: dict[str, str]) -> None:
    assert renaming(header, ["Longitude"], {"Longitude": ["LON", "X"]}) == expected


def test_a_column_of_whole_fractions(tmp_path: Path) -> None:
    content = text_of([["Name", "Zip", "Unit"], ["a", "2139.0", "320.0"], ["b", "", "B"]]).encode()
    rows = read_table(file_of(tmp_path / "file", content), required=["Name", "Zip", "Unit"])
    assert rows["Zip"].iloc[0] == "2139"
    assert rows["Unit"].iloc[0] == "320.0"


@labelled("text, expected")
def test_days_of_other_editions(text: str, expected: date | None) -> None:
    assert as_dates(pd.Series([text], dtype="str"), "%m/%d/%Y").iloc[0] == expected


def test_zip_codes_of_a_key() -> None:
    zip_codes = pd.Series(
        ["02139", "2139", "2139.0", "02139-1234", "021391234", "n. a.", None], dtype="str"
    )
    assert list(five_digits(zip_codes).fillna("")) == ["02139"] * 5 + ["n. a.", ""]


CCD = (
    "SCHOOL_YEAR,ST,SCH_NAME,LEA_NAME,NCESSCH,LSTREET1,LCITY,LSTATE,LZIP,PHONE,UPDATED_STATUS_TEXT"
)


def test_schools_of_the_directory_file(tmp_path: Path) -> None:
    path = tmp_path / "ccd_sch_029_2324_w_1a.csv"
    path.write_text(
        f"{CCD}\n2023-2024,AL,Heron Elementary,Poppy City,10000500870,1 Oak St,Poppy,AL,35950,2565550100,Open\n"
    )
    row = rows_of("nces_schools", path).iloc[0]
    assert (row["source_key"], row["name"], row["organization"]) == (
        "010000500870",
        "Heron Elementary",
        "Poppy City",
    )
    assert (row["address"], row["zip"], pd.isna(row["reject_reason"])) == (
        "1 Oak St",
        "35950",
        True,
    )


def test_the_key_of_a_store_is_stable_across_editions(tmp_path: Path) -> None:
    old, new = tmp_path / "MA-EBT.2026-07.csv", tmp_path / "MA-EBT.2026-08.csv"
    old.write_text(
        "Store_Name,Longitude,Latitude,Address,Address Line #2,City,State,Zip5,Zip4,County\nHeron Market,-71.1,42.3,1 Oak St,,Boston,MA,02139,,SUFFOLK\n"
    )
    new.write_text(
        "STORE NAME;LONGITUDE;LATITUDE;ADDRESS;CITY;STATE;ZIP5;COUNTY\nHeron Market;-71.1;42.3;1 Oak St;Boston;MA;2139;SUFFOLK\n"
    )
    keys = {rows_of("usda_snap", path)["source_key"].iloc[0] for path in (old, new)}
    assert len(keys) == 1


def test_summer_sites_as_a_download(tmp_path: Path) -> None:
    path = tmp_path / "Summer_Meal_Sites_2027.csv"
    path.write_text(
        "X,Y,FNSID,siteName,siteStatus,siteAddress,siteCity,siteState,siteZip,sitePhone\n-83.0,40.0,77,Heron Park,Open,1 Oak St,Columbus,OH,43085,614-555-0100\n"
    )
    row = rows_of("usda_summer_meals", path).iloc[0]
    assert (row["source_key"], row["address"], row["lat"], row["lng"]) == (
        "fns:77",
        "1 Oak St",
        40.0,
        -83.0,
    )


def test_benefits_are_recognised_by_their_answers(tmp_path: Path) -> None:
    path = tmp_path / "vba.2027-01.csv"
    days = "Monday,Tuesday,Wednesday,Thursday,Friday,Saturday,Sunday"
    path.write_text(
        f"Home_Loans,Facility_Name,Facility_Number,Facility_Type,Address_1,Address_2,City,State,Zip,Phone,{days},Other_Services,Lat,Long,Website_URL\nYes,Heron Office,999,Office,1 Oak St,,Dayton,OH,45402,937-555-0100,,,,,,,,,39.7,-84.2,\n"
    )
    assert rows_of("va_facilities", path)["services_text"].iloc[0] == "Home Loans"


HSDS_2 = {
    "service_at_location.csv": "id,service_id,location_id\nl1,s1,p1\n",
    "services.csv": "id,organization_id,name,description,eligibility_description\ns1,o1,Heron Food Pantry,Food,Residents\n",
    "organizations.csv": "id,name\no1,Heron House\n",
    "locations.csv": "id,name,latitude,longitude\np1,Heron House,25.8,-80.2\n",
    "addresses.csv": "location_id,address_1,city,state_province,postal_code\np1,1 Oak St,Miami,FL,33101\n",
    "schedules.csv": "service_id,byday,opens_at,closes_at\ns1,Monday,09:00,12:00\n",
    "taxonomy_terms.csv": "id,name\nt1,Food Pantries\n",
    "service_taxonomy.csv": "service_id,taxonomy_term_id\ns1,t1\n",
}


def test_a_package_of_a_later_standard(tmp_path: Path) -> None:
    for name, content in HSDS_2.items():
        (tmp_path / name).write_text(content)
    row = rows_of("miami211_hsds_2019", *sorted(tmp_path.iterdir())).iloc[0]
    assert (row["address"], row["zip"], row["lat"]) == ("1 Oak St", "33101", 25.8)
    assert (row["hours_text"], row["eligibility_text"]) == ("Monday 09:00-12:00", "Residents")
    assert (row["resource_type"], pd.isna(row["reject_reason"])) == ("food_pantry", True)


@cases(
    "declared, word",
    {
        "lat": ("Latitude", "lat"),
        "lng": ("longitude", "LNG"),
        "postal code": ("Zip", "Postal Code"),
        "telephone": ("Phone", "Telephone Number"),
    },
)
def test_usual_words_are_found(tmp_path: Path, declared: str, word: str) -> None:
    rows = read_table(
        file_of(tmp_path / "file", f"Name,{word}\nAcorn,12345\n".encode()),
        required=["Name", declared],
    )
    assert rows[declared].tolist() == ["12345"]


def test_a_usual_word_for_two_columns_is_ambiguous(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFileError, match="'Phone'"):
        read_table(
            file_of(tmp_path / "file", b"Name,Telephone,telephone.\nAcorn,1,2\n"),
            required=["Name", "Phone"],
        )
