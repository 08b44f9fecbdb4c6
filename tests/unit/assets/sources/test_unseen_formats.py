"""Lists in formats that publishers document and no source declares: drafted, then read.

The places are invented; the shapes are those of the formats. A draft must read 95 of 100 fields.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import openpyxl
import pandas as pd
import pytest

from assets.sources.assemble import assemble
from assets.sources.contract import RawFile
from pipelines.source_drafts import draft_source
from schemas.sources.registry import Source
from tests.support.source_files import RETRIEVED

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
WHOLE = [f"{p['address']}, {p['city']}, OH {p['zip']}" for p in PLACES]


def csv_of(rows: list[dict[str, Any]], separator: str = ",", encoding: str = "utf-8") -> bytes:
    return pd.DataFrame(rows).to_csv(index=False, sep=separator).encode(encoding)


def _latin() -> bytes:
    rows = [
        {
            "Site Name": p["name"].replace("Food", "Food – Café"),
            "Street": p["address"],
            "Town": p["city"],
            "ST": "OH",
            "Postcode": p["zip"],
            "Tel.": p["phone"],
            "Opening Hours": p["hours_text"],
        }
        for p in PLACES
    ]
    return csv_of(rows, ";", "cp1252")


def _bom() -> bytes:
    rows = [
        {
            "Program": p["name"],
            "Address Line 1": p["address"],
            "City": p["city"],
            "State": "Ohio",
            "Zip Code": f"{p['zip']}-1234",
            "Phone": p["phone"] + " ext. 12",
            "Hours": p["hours_text"],
        }
        for p in PLACES
    ]
    return b"\xef\xbb\xbf" + csv_of(rows)


def _two_headers() -> bytes:
    body = (
        csv_of(
            [
                {
                    k: p[k]
                    for k in ("name", "address", "city", "state", "zip", "phone", "hours_text")
                }
                for p in PLACES
            ]
        )
        .decode()
        .splitlines()[1:]
    )
    head = [
        "Partner,Location,,,,Contact,Service",
        "Agency Name,Street Address,City,State,Zip,Phone,Hours",
    ]
    return "\n".join([*head, *body]).encode()


def _weekdays() -> bytes:
    days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    rows = [
        {
            "Location": p["name"],
            "Address": p["address"],
            "City": p["city"],
            "State": "OH",
            "Zip": p["zip"],
            "Phone": p["phone"],
            **{f"{d} Hours": "" for d in days},
            f"{days[at]} Hours": "9am-12pm",
        }
        for at, p in enumerate(PLACES)
    ]
    return csv_of(rows)


def _one_column() -> bytes:
    rows = [
        {
            "Agency": p["name"],
            "Address": whole,
            "Contact Phone": p["phone"],
            "Geo": f"POINT ({p['lng']} {p['lat']})",
            "Distribution Times": p["hours_text"],
        }
        for p, whole in zip(PLACES, WHOLE, strict=True)
    ]
    return csv_of(rows)


def _titled_book() -> bytes:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    sheet = book.worksheets[0]
    sheet.append(["Stark and Summit County partner agencies"])
    sheet.append(["As of January 2026"])
    sheet.append([])
    sheet.append(["Partner Agency", "Address", "City", "State", "Zip", "Phone", "Days & Hours"])
    for p in PLACES:
        sheet.append(
            [p["name"], p["address"], p["city"], "OH", int(p["zip"]), p["phone"], p["hours_text"]]
        )
    book.save(stream)
    return stream.getvalue()


def _table_page() -> bytes:
    head = "".join(
        f"<th>{h}</th>" for h in ("Pantry", "Address", "City", "State", "ZIP", "Phone", "Hours")
    )
    keys = ("name", "address", "city", "state", "zip", "phone", "hours_text")
    body = "".join("<tr>" + "".join(f"<td>{p[k]}</td>" for k in keys) + "</tr>" for p in PLACES)
    menu = "<table><tr><td><a href='/'>Home</a></td><td>Donate</td></tr></table>"
    return f"<html><body>{menu}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></body></html>".encode()


def _pdf(is_ruled: bool = True) -> bytes:
    """Build a PDF with a table, by hand: text and lines at fixed places."""
    head = ["Name", "Address", "City", "State", "Zip", "Phone", "Hours"]
    keys = ("name", "address", "city", "state", "zip", "phone", "hours_text")
    rows = [head, *([str(p[k]) for k in keys] for p in PLACES)]
    x, draw = [30, 150, 250, 320, 360, 410, 500, 600], []
    for at, row in enumerate(rows):
        y = 500 - 20 * at
        for column, text in enumerate(row):
            escaped = text.replace("(", r"\(").replace(")", r"\)")
            draw.append(f"BT /F1 8 Tf {x[column] + 2} {y + 6} Td ({escaped}) Tj ET")
    for at in range(len(rows) + 1):
        draw.append(f"{x[0]} {520 - 20 * at} m {x[-1]} {520 - 20 * at} l S")
    draw += [f"{left} 520 m {left} {520 - 20 * len(rows)} l S" for left in x]
    content = "\n".join(each for each in draw if is_ruled or each.startswith("BT")).encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 630 560]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return out + b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (
        len(objects) + 1,
        start,
    )


def _kmz() -> bytes:
    marks = "".join(
        f"<Placemark><name>{p['name']}</name><description><![CDATA[{whole}<br>{p['phone']}"
        f"<br>{p['hours_text']}]]></description><ExtendedData>"
        f'<Data name="Address"><value>{whole}</value></Data>'
        f'<Data name="Phone"><value>{p["phone"]}</value></Data>'
        f'<Data name="Hours"><value>{p["hours_text"]}</value></Data></ExtendedData>'
        f"<Point><coordinates>{p['lng']},{p['lat']},0</coordinates></Point></Placemark>"
        for p, whole in zip(PLACES, WHOLE, strict=True)
    )
    kml = f'<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Map</name>{marks}</Document></kml>'
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("doc.kml", kml)
    return stream.getvalue()


def _geojson() -> bytes:
    features = [
        {
            "type": "Feature",
            "geometry": {"type": "Point", "coordinates": [p["lng"], p["lat"]]},
            "properties": {
                "FACNAME": p["name"],
                "ADDRESS": p["address"],
                "CITY": p["city"],
                "STATE": "OH",
                "ZIPCODE": p["zip"],
                "PHONE_NUMB": p["phone"],
                "HOURS_OP": p["hours_text"],
            },
        }
        for p in PLACES
    ]
    return json.dumps({"type": "FeatureCollection", "features": features}).encode()


def _jsonld() -> bytes:
    items = [
        {
            "@context": "https://schema.org",
            "@type": "LocalBusiness",
            "name": p["name"],
            "telephone": p["phone"],
            "openingHours": p["hours_text"],
            "address": {
                "@type": "PostalAddress",
                "streetAddress": p["address"],
                "addressLocality": p["city"],
                "addressRegion": "OH",
                "postalCode": p["zip"],
            },
            "geo": {"@type": "GeoCoordinates", "latitude": p["lat"], "longitude": p["lng"]},
        }
        for p in PLACES
    ]
    scripts = "".join(
        f'<script type="application/ld+json">{json.dumps(item)}</script>' for item in items
    )
    return f"<html><head>{scripts}</head><body></body></html>".encode()


def _calendar() -> bytes:
    events = "".join(
        "BEGIN:VEVENT\r\n"
        f"UID:{at}@example.org\r\nDTSTART;TZID=America/New_York:20260105T090000\r\n"
        f"DTEND;TZID=America/New_York:20260105T110000\r\nRRULE:FREQ=WEEKLY;BYDAY=MO\r\n"
        f"SUMMARY:{p['name']}\r\nLOCATION:{whole.replace(',', chr(92) + ',')}\r\nEND:VEVENT\r\n"
        for at, (p, whole) in enumerate(zip(PLACES, WHOLE, strict=True))
    )
    return (
        f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\n{events}END:VCALENDAR\r\n".encode()
    )


def _storepoint() -> bytes:
    found = [
        {
            "id": at,
            "name": p["name"],
            "description": "",
            "streetaddress": whole,
            "phone": p["phone"],
            "website": "",
            "email": "",
            "tags": "Food Pantry",
            "loc_lat": p["lat"],
            "loc_long": p["lng"],
            "monday": p["hours_text"],
            "tuesday": "",
            "wednesday": "",
            "thursday": "",
            "friday": "",
            "saturday": "",
            "sunday": "",
        }
        for at, (p, whole) in enumerate(zip(PLACES, WHOLE, strict=True))
    ]
    return json.dumps({"success": True, "results": {"locations": found}}).encode()


def _storerocket() -> bytes:
    found = [
        {
            "id": at,
            "obf_id": f"x{at}",
            "name": p["name"],
            "slug": f"s{at}",
            "address": f"{p['address']}, {p['city']}",
            "display_address": p["address"],
            "address_line_1": p["address"],
            "address_line_2": None,
            "city": p["city"],
            "state": "OH",
            "postcode": p["zip"],
            "country": "US",
            "lat": str(p["lat"]),
            "lng": str(p["lng"]),
            "phone": p["phone"],
            "email": None,
            "url": None,
            "hours": {"monday": "9:00 am - 12:00 pm", "tuesday": None},
        }
        for at, p in enumerate(PLACES)
    ]
    return json.dumps({"success": True, "results": {"locations": found}}).encode()


def _wpsl() -> bytes:
    return json.dumps(
        [
            {
                "id": str(at),
                "store": p["name"],
                "address": p["address"],
                "address2": "",
                "city": p["city"],
                "state": "OH",
                "zip": p["zip"],
                "country": "United States",
                "lat": str(p["lat"]),
                "lng": str(p["lng"]),
                "phone": p["phone"],
                "fax": "",
                "email": "",
                "url": "",
                "hours": "<table class='wpsl-opening-hours'><tr><td>Monday</td><td><time>9:00 AM - 12:00 PM</time></td></tr></table>",
                "distance": "1.2",
            }
            for at, p in enumerate(PLACES)
        ]
    ).encode()


def _airtable() -> bytes:
    rows = [
        {
            "Name": p["name"],
            "Full Address": whole,
            "Phone Number": p["phone"],
            "Hours of Operation": p["hours_text"],
            "Services": '["Food Pantry"]',
            "Last Modified": "1/15/2026 3:04pm",
            "Photo": "a.jpg (https://dl.example/a.jpg)",
        }
        for p, whole in zip(PLACES, WHOLE, strict=True)
    ]
    return csv_of(rows)


def _freshtrak() -> bytes:
    agencies = [
        {
            "id": at,
            "name": p["name"],
            "nickname": "",
            "address": p["address"],
            "city": p["city"],
            "state": "OH",
            "zip": p["zip"],
            "phone": p["phone"],
            "latitude": str(p["lat"]),
            "longitude": str(p["lng"]),
            "estimated_distance": "3.2",
            "events": [
                {
                    "id": at,
                    "name": p["name"],
                    "service": "Choice Pantry",
                    "address": p["address"],
                    "city": p["city"],
                    "state": "OH",
                    "zip": p["zip"],
                    "event_dates": [
                        {
                            "id": 1,
                            "date": "2026-11-30",
                            "start_time": "9:00 AM",
                            "end_time": "12:00 PM",
                        }
                    ],
                }
            ],
        }
        for at, p in enumerate(PLACES)
    ]
    return json.dumps({"agencies": agencies}).encode()


def _icarol() -> bytes:
    rows = [
        {
            "ResourceAgencyNum": at,
            "PublicName": p["name"],
            "ParentAgency": "Example Inc",
            "AgencyDescription": "Food pantry",
            "PhysicalAddress1": p["address"],
            "PhysicalAddress2": "",
            "PhysicalCity": p["city"],
            "PhysicalStateProvince": "OH",
            "PhysicalPostalCode": p["zip"],
            "PhysicalCountry": "United States",
            "Latitude": p["lat"],
            "Longitude": p["lng"],
            "HoursOfOperation": p["hours_text"],
            "Phone1Number": p["phone"],
            "Phone1Type": "Voice",
            "TaxonomyTerm": "Food Pantries",
            "TaxonomyCodes": "BD-1800.2000",
            "WebsiteAddress": "",
            "EmailAddressMain": "",
        }
        for at, p in enumerate(PLACES)
    ]
    return csv_of(rows)


def _county_only() -> bytes:
    rows = [
        {
            "County": "Summit",
            "Name of Program": p["name"],
            "Street Address": p["address"],
            "City, State": f"{p['city']}, OH",
            "Zip": p["zip"],
            "Telephone #": p["phone"],
            "When": p["hours_text"],
        }
        for p in PLACES
    ]
    return csv_of(rows)


def _pairs() -> bytes:
    rows = [
        {
            "title": p["name"],
            "addr": p["address"],
            "municipality": p["city"],
            "state": "OH",
            "postal": p["zip"],
            "tel": p["phone"].replace("(", "").replace(") ", "."),
            "coordinates": f"{p['lat']}, {p['lng']}",
            "schedule": p["hours_text"],
        }
        for p in PLACES
    ]
    return csv_of(rows, "\t")


def _sheets() -> bytes:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    book.worksheets[0].append(["Lists by county"])
    for county, places in (("Summit", PLACES[:2]), ("Stark", PLACES[2:])):
        sheet = book.create_sheet(county)
        sheet.append([f"{county} County"])
        sheet.append(["Agency", "Street Address", "City", "State", "Zip Code", "Phone", "Hours"])
        for p in places:
            sheet.append([p[k] for k in PLAIN])
    book.save(stream)
    return stream.getvalue()


def _county_tables() -> bytes:
    head = "".join(f"<th>{name}</th>" for name in PLAIN)
    tables = (
        "".join("<tr>" + "".join(f"<td>{p[k]}</td>" for k in PLAIN) + "</tr>" for p in places)
        for places in (PLACES[:2], PLACES[2:])
    )
    return "".join(f"<h2>x</h2><table><tr>{head}</tr>{rows}</table>" for rows in tables).encode()


def _markers() -> bytes:
    marks = "".join(
        f'<marker name="{p["name"]}" address="{whole}" phone="{p["phone"]}" '
        f'hours="{p["hours_text"]}" lat="{p["lat"]}" lng="{p["lng"]}"/>'
        for p, whole in zip(PLACES, WHOLE, strict=True)
    )
    return f"<?xml version='1.0'?><markers>{marks}</markers>".encode()


def _popups() -> bytes:
    keys = {
        "address": "ADDRESS",
        "city": "CITY",
        "state": "STATE",
        "zip": "ZIP",
        "phone": "PHONE",
        "hours_text": "HOURS",
    }
    features = [
        {
            "type": "Feature",
            "geometry": {"type": "Point", "coordinates": [p["lng"], p["lat"], 0]},
            "properties": {
                "Name": p["name"],
                "description": "<html><body><table border='1'>"
                + "".join(f"<tr><td>{t}</td><td>{p[k]}</td></tr>" for k, t in keys.items())
                + "</table></body></html>",
            },
        }
        for p in PLACES
    ]
    return json.dumps({"type": "FeatureCollection", "features": features}).encode()


def _lines(is_packed: bool = True) -> bytes:
    """Write a map with popups of lines without labels, its icons beside it."""
    marks = "".join(
        f"<Placemark><name>{p['name']}</name><description><![CDATA[{p['address']}<br>{p['city']}, "
        f"OH {p['zip']}<br><br>{p['phone']}<br>{p['hours_text']}]]></description>"
        f"<Point><coordinates>\n  {p['lng']},{p['lat']},0\n</coordinates></Point></Placemark>"
        for p in PLACES
    )
    text = f"<kml xmlns='http://www.opengis.net/kml/2.2'><Document>{marks}</Document></kml>"
    if not is_packed:
        return text.encode()
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("doc.kml", text)
        archive.writestr("images/icon-1.png", b"x")
    return stream.getvalue()


def _jsonp() -> bytes:
    stores = [
        {
            "storeid": str(at),
            "name": p["name"],
            "filters": ["Pantry"],
            "data": {
                "address": whole,
                "phone": p["phone"],
                "map_lat": str(p["lat"]),
                "map_lng": str(p["lng"]),
                "week": '{"mon": ["9 AM - 1 PM"], "tue": "0", "wed": "0", "thu": "0"}',
            },
        }
        for at, (p, whole) in enumerate(zip(PLACES, WHOLE, strict=True))
    ]
    return f"slw({json.dumps({'stores': stores})});".encode()


def _geocoded() -> bytes:
    rows = [
        {
            "Loc_name": "StreetAddress",
            "Score": 100,
            "Match_addr": whole,
            "X": p["lng"],
            "Y": p["lat"],
            "USER_Agency": p["name"],
            "USER_Address": p["address"],
            "USER_City": p["city"],
            "USER_State": "OH",
            "USER_Zip": p["zip"],
            "USER_Phone": p["phone"],
            "USER_Hours": p["hours_text"],
        }
        for p, whole in zip(PLACES, WHOLE, strict=True)
    ]
    return csv_of(rows)


def _blocks() -> bytes:
    rows = [
        {
            "Location": f"{p['name']}\n{p['address']}\n{p['city']}, OH {p['zip']}",
            "Contact": p["phone"],
            "Schedule": p["hours_text"],
            "GPS": f"Lat: {p['lat']}, Long: {p['lng']}",
        }
        for p in PLACES
    ]
    return csv_of(rows)


def _towns() -> bytes:
    rows = [
        {
            "Food Pantry": p["name"],
            "Program": "Pantry",
            "Address": f"{p['address']}, {p['city']}",
            "Zip": p["zip"],
            "Phone": p["phone"],
            "Day 1": p["hours_text"].split()[0],
            "Time 1": p["hours_text"].split()[1],
            "Day 2": "",
            "Time 2": "",
        }
        for p in PLACES
    ]
    return csv_of(rows)


def _package() -> bytes:
    tables: dict[str, list[dict[str, Any]]] = {
        "organizations": [{"id": "o", "name": "Example Inc"}],
        "services": [
            {"id": f"s{n}", "organization_id": "o", "name": "Food Pantry"} for n in range(4)
        ],
        "locations": [
            {"id": f"l{n}", "name": p["name"], "latitude": p["lat"], "longitude": p["lng"]}
            for n, p in enumerate(PLACES)
        ],
        "services_at_location": [
            {"id": f"a{n}", "service_id": f"s{n}", "location_id": f"l{n}"} for n in range(4)
        ],
        "physical_addresses": [
            {
                "id": f"p{n}",
                "location_id": f"l{n}",
                "address_1": p["address"],
                "city": p["city"],
                "state_province": "OH",
                "postal_code": p["zip"],
            }
            for n, p in enumerate(PLACES)
        ],
        "phones": [
            {"id": f"t{n}", "location_id": f"l{n}", "number": p["phone"]}
            for n, p in enumerate(PLACES)
        ],
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, rows in tables.items():
            archive.writestr(f"hsds/{name}.csv", csv_of(rows))
    return stream.getvalue()


PLAIN = ("name", "address", "city", "state", "zip", "phone", "hours_text")
POINTS = (*PLAIN, "lat", "lng")
FORMATS: dict[str, tuple[str, Callable[[], bytes], tuple[str, ...]]] = {
    "semicolons and Windows letters": ("list.csv", _latin, PLAIN[1:]),
    "byte order mark, ZIP+4, state names": ("list.csv", _bom, PLAIN),
    "two lines of headings": ("list.csv", _two_headers, PLAIN),
    "hours by weekday": ("list.csv", _weekdays, PLAIN[:6]),
    "one address column, POINT(..)": ("list.csv", _one_column, POINTS),
    "a book with title rows": ("list.xlsx", _titled_book, PLAIN),
    "a table in a page": ("list.html", _table_page, PLAIN),
    "a table in a PDF": ("list.pdf", _pdf, PLAIN),
    "KMZ with extended data": ("list.kmz", _kmz, POINTS),
    "GeoJSON": ("list.geojson", _geojson, POINTS),
    "schema.org in a page": ("list.html", _jsonld, POINTS),
    "iCalendar": ("list.ics", _calendar, PLAIN[:5]),
    "Storepoint": ("list.json", _storepoint, POINTS[:6] + POINTS[7:]),
    "StoreRocket": ("list.json", _storerocket, POINTS[:6] + POINTS[7:]),
    "WP Store Locator": ("list.json", _wpsl, POINTS[:6] + POINTS[7:]),
    "Airtable": ("list.csv", _airtable, PLAIN),
    "FreshTrak": ("list.json", _freshtrak, POINTS[:6] + POINTS[7:]),
    "iCarol": ("list.csv", _icarol, POINTS),
    "county, city and state in one": ("list.csv", _county_only, PLAIN),
    "a book with a sheet for each county": ("list.xlsx", _sheets, PLAIN),
    "a page with a table for each county": ("list.html", _county_tables, PLAIN),
    "XML markers": ("list.xml", _markers, POINTS),
    "popups with tables of labels": ("list.geojson", _popups, POINTS),
    "popups with lines, icons in the KMZ": ("list.kmz", _lines, POINTS),
    "JSONP with a week in a text": ("list.js", _jsonp, POINTS[:6] + POINTS[7:]),
    "a geocoder's columns before the list's": ("list.csv", _geocoded, POINTS),
    "name and address in one cell": ("list.csv", _blocks, POINTS),
    "the town behind the street, numbered days": ("list.csv", _towns, PLAIN[:3] + PLAIN[4:]),
    "HSDS package in a ZIP archive": ("list.zip", _package, POINTS[:6] + POINTS[7:]),
    "a PDF without lines": ("list.pdf", lambda: _pdf(is_ruled=False), PLAIN),
    "tabs and pairs of coordinates": ("list.tsv", _pairs, POINTS),
}


def read(path: Path, folder: Path) -> pd.DataFrame:
    draft_source(path, "unseen", str(path), folder)
    source = msgspec.yaml.decode((folder / "unseen.yaml").read_bytes(), type=Source)
    (layout,) = {entry.layout for entry in source.files}
    file = RawFile("unseen", path.name, path, "0" * 64, layout, RETRIEVED)
    return assemble(source, [file]).accepted.sort_values("source_row")


def wrong_fields(rows: pd.DataFrame, fields: tuple[str, ...]) -> list[str]:
    """Return what differs from `PLACES`, by row and field; text without regard to case."""
    if len(rows) != len(PLACES):
        return [f"{len(rows)} rows"] * len(PLACES) * len(fields)
    wrong = []
    for place, row in zip(PLACES, rows.to_dict("records"), strict=True):
        for name in fields:
            known, found = place[name], row[name]
            if name in ("lat", "lng"):
                is_right = pd.notna(found) and abs(float(found) - float(str(known))) < 1e-4
            else:
                text = str(found).partition(" ext")[0] if name == "phone" else str(found)
                is_right = text.casefold() == str(known).casefold()
            if not is_right:
                wrong.append(f"{place['name']}: {name} is {found!r}")
    return wrong


@pytest.mark.parametrize(("name", "write", "fields"), FORMATS.values(), ids=FORMATS)
def test_a_format_is_drafted_and_read(
    tmp_path: Path, name: str, write: Callable[[], bytes], fields: tuple[str, ...]
) -> None:
    path = tmp_path / name
    path.write_bytes(write())
    wrong = wrong_fields(read(path, tmp_path / "draft"), fields)
    assert len(wrong) <= 0.05 * len(PLACES) * len(fields), wrong


FIXTURES = {
    "GeoJSON": ("list.geojson", _geojson),
    "KMZ": ("list.kmz", _kmz),
    "KML lines": ("list.kml", lambda: _lines(is_packed=False)),
    "PDF": ("list.pdf", _pdf),
}


@pytest.mark.parametrize(("name", "write"), FIXTURES.values(), ids=FIXTURES)
def test_the_fixture_reads_as_the_list_does(
    tmp_path: Path, name: str, write: Callable[[], bytes]
) -> None:
    path = tmp_path / name
    path.write_bytes(write())
    read(path, tmp_path / "draft")
    again = read(tmp_path / "draft" / "fixtures" / "unseen" / name, tmp_path / "again")
    assert again["name"].tolist()[:2] == ["Acorn Food Pantry", "Birch Street Kitchen"]
    assert again["zip"].tolist() == ["62701", "62702", "62703"]
    if not name.endswith("pdf"):
        assert again["lat"].round(4).tolist() == [39.8001, 39.8102, 39.8203]
