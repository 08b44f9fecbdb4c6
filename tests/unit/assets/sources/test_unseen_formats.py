"""Lists in formats that publishers document and no source declares: drafted, then read.

The places are invented; the shapes are those of the formats. A draft must read 95 of 100 fields.
"""

from pathlib import Path

import pandas as pd
import pytest

from assets.sources.assemble import assemble
from pipelines.source_drafts import Facts, write_source
from schemas.sources.registry import read_source
from tests.support.source_files import raw_file

PLACES = [
    {
        "name": f"{word} Food Pantry",
        "address": f"{number} {street}",
        "city": city,
        "state": "OH",
        "zip": code,
        "phone": f"(330) 555-01{number:02d}",
        "lat": lat,
        "lng": lng,
        "hours_text": hours,
    }
    for word, number, street, city, code, lat, lng, hours in [
        ("Acorn", 12, "Elm Street", "Akron", "44301", 41.0531, -81.5221, "Mon-Fri 9am-12pm"),
        ("Birch", 34, "Oak Avenue", "Barberton", "44203", 41.0128, -81.6051, "Tue 5pm-7pm"),
        ("Cedar", 56, "Pine Road", "Canton", "44702", 40.7989, -81.3784, "Sat 10am-1pm"),
        ("Dogwood", 78, "Main Street", "Kent", "44240", 41.1537, -81.3579, "Wed 2pm-4pm"),
    ]
]
PLAIN = ("name", "address", "city", "state", "zip", "phone", "hours_text")
POINTS = (*PLAIN, "lat", "lng")
_FOLDER = Path(__file__).with_name("formats")
FORMATS: dict[str, tuple[str, ...]] = {
    "semicolons_and_windows_letters.csv": PLAIN[1:],
    "byte_order_mark_zip_4_state_names.csv": PLAIN,
    "two_lines_of_headings.csv": PLAIN,
    "hours_by_weekday.csv": PLAIN[:6],
    "one_address_column_point.csv": POINTS,
    "a_book_with_title_rows.xlsx": PLAIN,
    "a_table_in_a_page.html": PLAIN,
    "a_table_in_a_pdf.pdf": PLAIN,
    "kmz_with_extended_data.kmz": POINTS,
    "geojson.geojson": POINTS,
    "schema_org_in_a_page.html": POINTS,
    "icalendar.ics": PLAIN[:5],
    "storepoint.json": POINTS[:6] + POINTS[7:],
    "storerocket.json": POINTS[:6] + POINTS[7:],
    "wp_store_locator.json": POINTS[:6] + POINTS[7:],
    "airtable.csv": PLAIN,
    "freshtrak.json": POINTS[:6] + POINTS[7:],
    "icarol.csv": POINTS,
    "county_city_and_state_in_one.csv": PLAIN,
    "a_book_with_a_sheet_for_each_county.xlsx": PLAIN,
    "a_page_with_a_table_for_each_county.html": PLAIN,
    "xml_markers.xml": POINTS,
    "popups_with_tables_of_labels.geojson": POINTS,
    "popups_with_lines_icons_in_the_kmz.kmz": POINTS,
    "jsonp_with_a_week_in_a_text.js": POINTS[:6] + POINTS[7:],
    "a_geocoder_s_columns_before_the_list_s.csv": POINTS,
    "name_and_address_in_one_cell.csv": POINTS,
    "the_town_behind_the_street_numbered_days.csv": PLAIN[:3] + PLAIN[4:],
    "hsds_package_in_a_zip_archive.zip": POINTS[:6] + POINTS[7:],
    "a_pdf_without_lines.pdf": PLAIN,
    "tabs_and_pairs_of_coordinates.tsv": POINTS,
}


def read(path: Path, folder: Path) -> pd.DataFrame:
    facts = Facts("Example", "https://example.org", "CC0-1.0")
    write_source(path, "unseen", facts, folder)
    source = read_source((folder / "schemas" / "sources" / "unseen.yaml").read_bytes())
    return assemble(source, [raw_file(source, path)]).accepted.sort_values("source_row")


def wrong_fields(rows: pd.DataFrame, fields: tuple[str, ...]) -> list[str]:
    """Return differences from `PLACES` by row and field, ignoring case."""
    if len(rows) != len(PLACES):
        return [f"{len(rows)} rows"] * len(PLACES) * len(fields)
    wrong = []
    for place, row in zip(PLACES, rows.to_dict("records"), strict=True):
        for name in fields:
            expected_value, actual_value = place[name], row[name]
            if name in ("lat", "lng"):
                is_right = (
                    pd.notna(actual_value)
                    and abs(float(actual_value) - float(str(expected_value))) < 1e-4
                )
            else:
                text = (
                    str(actual_value).partition(" ext")[0] if name == "phone" else str(actual_value)
                )
                is_right = text.casefold() == str(expected_value).casefold()
            if not is_right:
                wrong.append(f"{place['name']}: {name} is {actual_value!r}")
    return wrong


@pytest.mark.parametrize(("name", "fields"), FORMATS.items(), ids=FORMATS)
def test_a_format_is_drafted_and_read(tmp_path: Path, name: str, fields: tuple[str, ...]) -> None:
    wrong = wrong_fields(read(_FOLDER / name, tmp_path / "draft"), fields)
    assert len(wrong) <= 0.05 * len(PLACES) * len(fields), wrong


@pytest.mark.parametrize(
    "name", ["geojson.geojson", "a_book_with_title_rows.xlsx", "a_table_in_a_page.html"]
)
def test_the_fixture_reads_as_the_list_does(tmp_path: Path, name: str) -> None:
    read(_FOLDER / name, tmp_path)
    fixture = f"{Path(name).stem}.csv"
    path = tmp_path / "tests/unit/assets/sources/fixtures/unseen" / fixture
    source = read_source((tmp_path / "schemas/sources/unseen.yaml").read_bytes())
    again = assemble(source, [raw_file(source, path)]).accepted
    assert again["name"].tolist()[:2] == ["Acorn Food Pantry", "Birch Street Kitchen"]
    assert again["zip"].tolist() == ["62701", "62702", "62703"]
    if name.startswith("geojson"):
        assert again["lat"].round(4).tolist() == [39.8001, 39.8102, 39.8203]
