"""Files read by a mapping alone: rules, platforms, and what is said of files that lack columns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pandas as pd
import pytest

from assets.sources.contract import RawFile, UnreadableFileError, rows_of_files
from assets.sources.mapping import map_file
from schemas.sources.mapping import Mapping, platforms
from schemas.sources.registry import Source, sources
from tests.support.cases import cases
from tests.support.source_files import RETRIEVED


def a_source(layout: dict[str, Any], known: dict[str, str] | None = None) -> Source:
    base = msgspec.to_builtins(sources()["diaper_banks"])
    files = [{"pattern": "*", "layout": "list", "known": known or {}}]
    changed = {**base, "default_type": "food_pantry", "files": files, "layouts": {"list": layout}}
    return msgspec.convert(changed, Source)


def rows_from(
    tmp_path: Path, text: str | bytes, layout: dict[str, Any], known: dict[str, str] | None = None
) -> pd.DataFrame:
    path = tmp_path / "list.txt"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    source = a_source(layout, known)
    file = RawFile(source.id, path.name, path, "0" * 64, "list", RETRIEVED)
    return rows_of_files(source, [file])


LIST = (
    "Site,Street,Unit,Town,ZIP,Tel,Type,Appt,Status,Monday,Tue,Note\n"
    "Acorn Pantry,12 Elm St,Suite 4,Springfield,62701,217-555-0101,Pantry,Yes,Open,9-11,-,call a@b.example\n"
    "Birch Kitchen,34 Oak Ave,,Springfield,62702,,Hot Meals,No,Closed for good,#####,noon-1 pm,\n"
)


@cases(
    "field, rule, expected",
    {
        "a column": ("address", "Street", ["12 Elm St", "34 Oak Ave"]),
        "case does not count": ("city", "TOWN", ["Springfield"] * 2),
        "the first that is filled": ("phone", ["Mobile", "Tel"], ["217-555-0101", None]),
        "a constant": ("state", {"value": "IL"}, ["IL", "IL"]),
        "joined, missing parts left out": (
            "address",
            {"join": ["Street", "Unit"], "separator": ", "},
            ["12 Elm St, Suite 4", "34 Oak Ave"],
        ),
        "a template needs every part": (
            "services_text",
            {"template": "{Type} ({Unit})"},
            ["Pantry (Suite 4)", None],
        ),
        "a vocabulary": (
            "resource_type",
            {"from": "Type", "map": {"pantry": "food_pantry", "hot meals": "soup_kitchen"}},
            ["food_pantry", "soup_kitchen"],
        ),
        "rules, then the source's type": (
            "resource_type",
            {"from": "Type", "rules": {r"\bmeals?\b": "soup_kitchen"}},
            ["food_pantry", "soup_kitchen"],
        ),
        "yes and no": ("requires_appointment", "Appt", [True, False]),
        "weekdays, also cut short, with the cells' own marks": (
            "hours_text",
            {"weekdays": "{day}", "replace": {"^-$": "closed", "^#+$": "(not readable)"}},
            ["Monday 9-11; Tuesday closed", "Monday (not readable); Tuesday noon-1 pm"],
        ),
        "no e-mail addresses": ("notes", "Note", ["call", None]),
        "an extract": (
            "notes",
            {"from": "Status", "extract": r"^Closed (.+)$"},
            [None, "for good"],
        ),
        "a part": ("notes", {"from": "Tel", "split": "-", "part": -1}, ["0101", None]),
        "only where another column says so": (
            "notes",
            {"from": "Unit", "where": {"Status": "^Open$"}, "otherwise": "none"},
            ["Suite 4", "none"],
        ),
    },
)
def test_a_rule(tmp_path: Path, field: str, rule: Any, expected: list[object]) -> None:
    rows = rows_from(tmp_path, LIST, {"columns": {"name": "Site", field: rule}})
    assert [None if pd.isna(value) else value for value in rows[field]] == expected


def test_rejects_and_keys(tmp_path: Path) -> None:
    layout = {
        "key": ["Site", "ZIP"],
        "columns": {"name": "Site"},
        "reject": [{"reason": "closed_by_source", "where": {"status": "^closed"}}],
    }
    rows = rows_from(tmp_path, LIST, layout)
    assert rows["reject_reason"].isna().tolist() == [True, False]
    assert rows.loc[1, "reject_detail"] == "Closed for good"
    assert rows["source_key"].is_unique


def test_whole_addresses_are_taken_apart(tmp_path: Path) -> None:
    text = 'Name,Where\nAcorn,"12 Elm St, Springfield, IL 62701, USA"\nBirch,34 Oak Ave\n'
    rows = rows_from(
        tmp_path, text, {"columns": {"name": "Name"}, "whole_address": "Where"}, {"state": "IL"}
    )
    assert rows[["address", "city", "state", "zip"]].iloc[0].tolist() == [
        "12 Elm St",
        "Springfield",
        "IL",
        "62701",
    ]
    assert rows.loc[1, "address"] == "34 Oak Ave"
    assert pd.isna(rows.loc[1, "city"])


def test_a_file_without_its_columns_is_set_aside_by_name(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFileError, match=r"'Pantry'\] are missing; found \['Site'"):
        rows_from(tmp_path, LIST, {"columns": {"name": "Pantry"}})


def test_unused_columns_are_named(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(LIST)
    source = a_source({"columns": {"name": "Site", "address": "Street"}})
    file = RawFile(source.id, path.name, path, "0" * 64, "list", RETRIEVED)
    _, columns = map_file(file, source, source.layouts["list"])
    assert columns.unused(["Appt", "note"]) == [
        "Unit",
        "Town",
        "ZIP",
        "Tel",
        "Type",
        "Status",
        "Monday",
        "Tue",
    ]


@cases(
    "layout, message",
    {
        "field": ({"columns": {"nmae": "Site"}}, "'nmae' is no field"),
        "type": ({"columns": {"resource_type": {"value": "pantry"}}}, "not in its vocabulary"),
        "no origin": ({"columns": {"name": {"map": {"a": "b"}}}}, "needs one of"),
        "pattern": ({"columns": {"name": {"from": "a", "only": "("}}}, "pattern"),
        "platform": ({"platform": "storepiont"}, "storepiont"),
        "a misspelt member": ({"colums": {}}, "colums"),
        "reason": ({"reject": [{"reason": "Gone", "missing": ["a"]}]}, "no code"),
    },
)
def test_a_mapping_is_refused(layout: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, msgspec.ValidationError), match=message):
        a_source(layout)


WHOLE = "12 Elm St, Springfield, IL 62701"
STOREPOINT = {
    "id": 7,
    "name": "Acorn Pantry",
    "streetaddress": f"{WHOLE}, USA",
    "loc_lat": 39.8,
    "loc_long": -89.6,
    "phone": "217-555-0101",
    "monday": "9am-12pm",
    "sunday": "Closed",
}
STOREROCKET = {
    "id": 7,
    "name": "Acorn Pantry",
    "address_line_1": "12 Elm St",
    "address_line_2": "",
    "city": "Springfield",
    "state": "IL",
    "postcode": "62701",
    "lat": "39.8",
    "lng": "-89.6",
    "phone": "217-555-0101",
    "hours": {"mon": "9am-12pm", "sun": "Closed"},
}
WPSL = {
    "id": 7,
    "store": "Acorn Pantry",
    "address": "12 Elm St",
    "address2": "",
    "city": "Springfield",
    "state": "IL",
    "zip": "62701",
    "lat": "39.8",
    "lng": "-89.6",
    "phone": "217-555-0101",
    "hours": "<table><tr><td>Monday</td><td><time>9am-12pm</time></td></tr></table>",
}
WPGMZA = {
    "id": "7",
    "title": "Acorn Pantry",
    "address": WHOLE,
    "lat": "39.8",
    "lng": "-89.6",
    "approved": "1",
    "description": "<p>Phone: 217-555-0101<br>Hours: Monday 9am-12pm</p>",
}
VIVERY = {
    "locationId": 7,
    "locationName": "Acorn Pantry",
    "address1": "12 Elm St",
    "address2": None,
    "city": "Springfield",
    "state": "IL",
    "zipCode": "62701 ",
    "latitude": 39.8,
    "longitude": -89.6,
    "phone": "217-555-0101",
    "schedules": [{"weekDayDescr": "Monday", "startTimeDescr": "9am", "endTimeDescr": "12pm"}],
}
OSM = {
    "type": "node",
    "id": 7,
    "lat": 39.8,
    "lon": -89.6,
    "tags": {
        "name": "Acorn Pantry",
        "amenity": "social_facility",
        "social_facility": "food_bank",
        "addr:housenumber": "12",
        "addr:street": "Elm St",
        "addr:city": "Springfield",
        "addr:state": "IL",
        "phone": "217-555-0101",
        "addr:postcode": "62701",
        "opening_hours": "Mo 09:00-12:00",
    },
}
HSDS = {
    "id": "s7",
    "name": "Acorn Pantry",
    "status": "active",
    "organization": {"name": "Acorn Church"},
    "phones": [{"number": "217-555-0199", "type": "fax"}, {"number": "217-555-0101"}],
    "schedules": [{"byday": "MO", "opens_at": "09:00:00", "closes_at": "12:00:00"}],
    "service_at_locations": [
        {
            "id": "l7",
            "location": {
                "latitude": 39.8,
                "longitude": -89.6,
                "addresses": [
                    {
                        "address_1": "12 Elm St",
                        "city": "Springfield",
                        "state_province": "IL",
                        "postal_code": "62701",
                        "address_type": "physical",
                    }
                ],
            },
        }
    ],
}
JSON_LD = {
    "@type": "LocalBusiness",
    "name": "Acorn Pantry",
    "telephone": "217-555-0101",
    "address": {
        "streetAddress": "12 Elm St",
        "addressLocality": "Springfield",
        "addressRegion": "IL",
        "postalCode": "62701",
    },
    "geo": {"latitude": 39.8, "longitude": -89.6},
    "openingHoursSpecification": [
        {"dayOfWeek": "https://schema.org/Monday", "opens": "09:00", "closes": "12:00"}
    ],
}
ATTRIBUTES = {
    "OBJECTID": 7,
    "Agency_Name": "Acorn Pantry",
    "Site_Address": "12 Elm St",
    "City": "Springfield",
    "ST": "IL",
    "Zip_Code": 62701,
    "Phone_1": "217-555-0101",
    "Hours_of_Operation": "Monday 9am-12pm",
}
SOCRATA = {
    "facility_name": "Acorn Pantry",
    "phone_number": "217-555-0101",
    "hours": "Monday 9am-12pm",
    "location": {
        "latitude": "39.8",
        "longitude": "-89.6",
        "human_address": json.dumps(
            {"address": "12 Elm St", "city": "Springfield", "state": "IL", "zip": "62701"}
        ),
    },
}
KML = f"""<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Folder><name>Layer</name><Placemark>
<name>Acorn Pantry</name><description><![CDATA[Address: {WHOLE}<br>Phone: 217-555-0101<br>Hours:
Monday 9am-12pm]]></description><Point><coordinates>-89.6,39.8,0</coordinates></Point></Placemark>
</Folder></Document></kml>"""
CALENDAR = f"""BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Acorn Pantry
LOCATION:{WHOLE.replace(",", chr(92) + ",")}\r\nDTSTART:20260105T090000\r\nDTEND:20260105T120000
GEO:39.8;-89.6\r\nRRULE:FREQ=WEEKLY;BYDAY=MO\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"""
CALENDAR = CALENDAR.replace("\r\n", "\n").replace("\n", "\r\n")
HTML = """<html><body><table><tr><th>Pantry</th><th>Address</th><th>City</th><th>State</th><th>Zip</th>
<th>Phone</th><th>Days</th><th>Hours</th></tr><tr><td>Acorn Pantry</td><td>12 Elm St</td>
<td>Springfield</td><td>IL</td><td>62701</td><td>217-555-0101</td><td>Monday</td><td>9am-12pm</td>
</tr></table></body></html>"""


@cases(
    "platform, content, hours",
    {
        "storepoint": (
            "storepoint",
            {"success": True, "results": {"locations": [STOREPOINT]}},
            "Monday 9am-12pm; Sunday Closed",
        ),
        "storerocket": (
            "storerocket",
            {"success": True, "results": {"locations": [STOREROCKET]}},
            "Monday 9am-12pm; Sunday Closed",
        ),
        "wp store locator": ("wp_store_locator", [WPSL], "Monday 9am-12pm"),
        "markers": ("wp_google_maps", {"markers": [WPGMZA]}, "Monday 9am-12pm"),
        "a list of markers": ("wp_google_maps", [WPGMZA], "Monday 9am-12pm"),
        "vivery": ("vivery", {"item1": [VIVERY]}, "Monday 9am - 12pm"),
        "overpass": ("overpass", {"elements": [OSM]}, "Mo 09:00-12:00"),
        "hsds page": ("hsds_api", {"contents": [HSDS]}, "Monday 09:00-12:00"),
        "hsds, list of pages": ("hsds_api", [{"contents": [HSDS]}], "Monday 09:00-12:00"),
        "schema.org": (
            "jsonld_pages",
            f'<html><script type="application/ld+json">{json.dumps(JSON_LD)}</script></html>',
            "Monday 09:00-12:00",
        ),
        "arcgis": (
            "arcgis",
            {"features": [{"attributes": ATTRIBUTES, "geometry": {"x": -89.6, "y": 39.8}}]},
            "Monday 9am-12pm",
        ),
        "arcgis, list of pages": (
            "arcgis",
            [{"features": [{"attributes": ATTRIBUTES, "geometry": {"x": -89.6, "y": 39.8}}]}],
            "Monday 9am-12pm",
        ),
        "socrata": ("socrata", [SOCRATA], "Monday 9am-12pm"),
        "ckan": (
            "ckan",
            {
                "success": True,
                "result": {"records": [{"_id": 7, **ATTRIBUTES, "Lat": "39.8", "Lng": "-89.6"}]},
            },
            "Monday 9am-12pm",
        ),
        "my maps": ("google_my_maps", KML, "Monday 9am-12pm"),
        "calendar": ("icalendar", CALENDAR, "every Monday 09:00-12:00"),
        "html table": ("table", HTML, "Monday 9am-12pm"),
        "semicolons under a title": (
            "table",
            "Food partners\n\nName;Street Address;Town;State;Zip;Tel;Open;Lat;Long\nAcorn Pantry;"
            "12 Elm St;Springfield;IL;62701;217-555-0101;Monday 9am-12pm;39.8;-89.6\n",
            "Monday 9am-12pm",
        ),
    },
)
def test_a_platform_needs_no_columns(
    tmp_path: Path, platform: str, content: object, hours: str
) -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    place = rows_from(tmp_path, text, {"platform": platform}).iloc[0]
    found = place[["name", "address", "city", "state", "zip"]].tolist()
    assert found == ["Acorn Pantry", "12 Elm St", "Springfield", "IL", "62701"]
    assert place["resource_type"] == "food_pantry"
    assert " ".join(str(place["hours_text"]).split()).removeprefix("<table><tr><td>") != "nan"
    said = str(place["hours_text"])
    assert hours in said or platform == "wp_store_locator"
    if platform != "icalendar":
        assert place["phone"] == "217-555-0101"
    if platform != "table":
        assert (place["lat"], place["lng"]) == (39.8, -89.6)


def test_every_platform_is_whole() -> None:
    for name, mapping in platforms().items():
        assert mapping.resolved().columns, name


def test_a_platform_may_be_changed(tmp_path: Path) -> None:
    layout = {"platform": "storepoint", "columns": {"notes": "phone"}, "key": ["name"]}
    content = {"results": {"locations": [STOREPOINT]}}
    place = rows_from(tmp_path, json.dumps(content), layout).iloc[0]
    assert (place["notes"], place["city"]) == ("217-555-0101", "Springfield")
    assert isinstance(Mapping(platform="storepoint").resolved().key, str)


def a_pdf(rows: list[list[str]]) -> bytes:
    """Write a page with a ruled table, 150 by 20 points a cell."""
    lines, texts = [], []
    for at in range(len(rows) + 1):
        y = 700 - 20 * at
        lines.append(f"50 {y} m {50 + 150 * len(rows[0])} {y} l S")
    for at in range(len(rows[0]) + 1):
        x = 50 + 150 * at
        lines.append(f"{x} 700 m {x} {700 - 20 * len(rows)} l S")
    for down, row in enumerate(rows):
        for right, cell in enumerate(row):
            x, y = 54 + 150 * right, 700 - 20 * down - 14
            texts.append(f"BT /F1 8 Tf {x} {y} Td ({cell}) Tj ET")
    content = "\n".join([*lines, *texts]).encode()
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 700 792] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    made = b"%PDF-1.4\n"
    places = []
    for number, part in enumerate(parts, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    start = len(made)
    made += b"xref\n0 %d\n0000000000 65535 f \n" % (len(parts) + 1)
    made += b"".join(b"%010d 00000 n \n" % place for place in places)
    made += b"trailer << /Size %d /Root 1 0 R >>\n" % (len(parts) + 1)
    return made + b"startxref\n%d\n%%%%EOF\n" % start


def test_a_table_of_a_pdf_is_read(tmp_path: Path) -> None:
    content = a_pdf(
        [
            ["Pantry Name", "Full Address", "Phone", "Hours"],
            ["Acorn Pantry", WHOLE, "217-555-0101", "Mon 9am-12pm"],
            ["Birch Kitchen", "34 Oak Ave, Springfield, IL 62702", "", "Tue 5pm-7pm"],
        ]
    )
    rows = rows_from(tmp_path, content, {"platform": "table"})
    assert rows["name"].tolist() == ["Acorn Pantry", "Birch Kitchen"]
    assert rows["address"].tolist() == ["12 Elm St", "34 Oak Ave"]
    assert rows["zip"].tolist() == ["62701", "62702"]
    assert rows["hours_text"].tolist() == ["Mon 9am-12pm", "Tue 5pm-7pm"]


@cases(
    "content",
    {
        "pdf": b"%PDF-1.4 damaged",
        "workbook": b"PK\x03\x04 damaged",
        "page without a table": b"<html><p>nothing</p></html>",
        "cut off": b'{"results": ',
        "calendar": b"BEGIN:VCALENDAR\r\nnonsense",
    },
)
def test_a_damaged_file_is_set_aside(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(UnreadableFileError):
        rows_from(tmp_path, content, {"platform": "table"})
