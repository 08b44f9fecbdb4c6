"""Answers of every platform as its documentation describes them, with invented places.

A layer or a file with names of its own has them in `OWN_NAMES`: the publisher's heading by the
member of a `Place`.
"""

import json
from functools import cache
from typing import Any, NamedTuple

from schemas.sources.registry import LiveFeed, Source
from tests.integration.fetch.platform_servers import (
    Server,
    arcgis_server,
    as_json,
    hsds_server,
    socrata_server,
    vivery_server,
)
from tests.integration.fetch.publisher_server import Reply
from tests.support.geography import zips_and_cities


@cache
def town_of(state: str) -> tuple[str, str, float, float]:
    """Return name, ZIP code and point of a town of a state; Ohio's for a feed of the country."""
    zips, _ = zips_and_cities()
    known = zips[(zips["state"] == state.replace("US", "OH")) & (zips["zip_kind"] == "standard")]
    town = known.dropna(subset=["lat"]).sort_values("population").iloc[-1]
    return town["place_name"], town["zip"], float(town["lat"]), float(town["lng"])


# Nobody's: it may not reach a published field.
PERSON, EMAIL = "Wilhelmina Quist", "wilhelmina.quist@mail.example"

OWN_NAMES: dict[str, dict[str, str]] = {
    "feed_food_help_nyc": {
        "name": "name", "street": "address", "zip": "zip", "city": "city", "phone": "phone",
    },
    "feed_capital_area": {
        "name": "name", "street": "address1", "city": "city", "state": "state", "zip": "zip", "phone": "phone",
    },
    "feed_harvest_hope_sc": {
        "name": "Name_of_Facility_Organization_Resource", "whole": "Address", "phone": "Phone_Number",
    },
    "feed_feeding_alabama": {
        "name": "Agency_Name_Location", "street": "Street_Adress_1", "city": "City", "state": "State", "zip": "ZIP", "phone": "Phone",
    },
    "feed_heart_of_alabama": {
        "name": "Agency", "street": "Agency_Address___Address_Line1", "city": "Agency_Address___City",
        "zip": "Agency_Address___Postal_Code", "phone": "Agency_Contact___Telephone",
    },
    "feed_mississippi_pantries": {
        "name": "Name_", "street": "Physical_Address", "city": "City", "state": "State", "zip": "Zip_Code", "phone": "Phone_No_",
    },
    "feed_maine_meal_sites": {"name": "NAME", "whole": "ADDRESS"},
    "feed_los_angeles_county_distribution": {
        "name": "food_distrib_name", "street": "food_distrib_address", "city": "food_distrib_city", "zip": "food_distrib_zipcode",
    },
    "feed_dupage_il": {"name": "Provider", "phone": "Phone", "street": "Address", "city": "City", "zip": "Zip"},
    "feed_arizona_wic": {"name": "CLINICNAME", "street": "N_ADDRESS", "city": "N_CITY", "zip": "N_ZIP"},
    "feed_washington_wic": {"name": "ClinicName", "street": "Address1", "city": "City", "zip": "ZipCode"},
    "feed_colorado_wic": {"name": "Name", "street": "Address", "city": "City", "zip": "Zip", "phone": "Phone"},
    "feed_florida_wic": {"name": "CLINIC_NAME", "street": "ADDRESS", "city": "CITY", "zip": "ZIP", "phone": "CLINIC_PHONE"},
    "feed_oklahoma_wic": {"name": "ClinicName", "street": "Address", "city": "City", "zip": "Zip", "phone": "Phone1"},
    "feed_oregon_wic": {"name": "Local_agency_map", "street": "Address", "city": "City", "zip": "ZIP", "phone": "Phone"},
    "feed_nebraska_wic": {
        "name": "Clinic_Name", "street": "Street_Address", "city": "Town", "zip": "Zip_Code", "phone": "Phone_Number",
    },
    "feed_maryland_wic": {"name": "USER_NAME", "whole": "Address", "phone": "Phone_Number"},
    "feed_west_michigan": {
        "name": "AgencyName", "street": "Addr1", "city": "City", "zip": "Zip", "phone": "Phone", "lat": "Lat", "lng": "Lng",
    },
    "feed_greater_lansing": {
        "name": "AgencyName", "street": "Addr1", "city": "City", "zip": "Zip", "phone": "Phone", "lat": "Lat", "lng": "Lng",
    },
    "feed_northern_vermont": {"name": "Name", "street": "Address", "city": "City"},
}  # fmt: skip
_GENERIC = {
    "name": "Name", "street": "Address", "city": "City", "state": "State", "zip": "Zip", "phone": "Phone", "hours": "Hours",
}  # fmt: skip


class Place(NamedTuple):
    """An invented place."""

    key: int
    name: str
    street: str
    city: str
    state: str
    zip: str
    lat: float
    lng: float
    phone: str
    hours: str = "Monday 9:00 AM - 12:00 PM"

    @property
    def whole(self) -> str:
        return f"{self.street}, {self.city}, {self.state} {self.zip}"


def places_of(source: Source) -> list[Place]:
    """Return three invented places in a feed's first state."""
    state = source.states[0]
    city, code, lat, lng = town_of(state)
    state = "OH" if state == "US" else state
    word = {"wic_office": "WIC Clinic", "community_fridge": "Community Fridge"}
    kind = word.get(source.default_type or "", "Church")
    return [
        Place(
            key=n,
            name=f"{name} {kind}",
            street=f"{100 + n} Main St",
            city=city,
            state=state,
            zip=code,
            lat=lat + n / 1000,
            lng=lng,
            phone=f"212-664-{7600 + n}",
        )
        for n, name in enumerate(("Acorn", "Birch", "Cedar"), start=1)
    ]


def server_of(source: Source, feed: LiveFeed, path: str) -> Server:
    """Return the answers of a feed's address."""
    places = places_of(source)
    names = OWN_NAMES.get(source.id, _GENERIC)
    rows = [{"ObjectId": place.key, **_own(place, names)} for place in places]
    special = _SERVERS.get(feed.platform)
    if special is not None:
        return special(places, rows, path)
    if source.id in _ROWS:
        return {path: [as_json(_rows(source.id, places))]}
    body = _rows(feed.platform, places)
    return {path: [as_json(_AROUND[feed.platform](body) if feed.platform in _AROUND else body)]}


def _own(place: Place, names: dict[str, str]) -> dict[str, Any]:
    row = {heading: getattr(place, member) for member, heading in names.items()}
    return {**row, "Contact_Name": PERSON, "Contact_Email": EMAIL}


# The row of a place at each platform: "{lat}" is its latitude as text, "=lat" as a number.
_ADDRESS = {
    "address": "{street}", "address2": "", "city": "{city}", "state": "{state}", "zip": "{zip}", "phone": "{phone}",
    "email": EMAIL, "lat": "{lat}", "lng": "{lng}",
}  # fmt: skip
_MONDAY = "9:00 AM - 12:00 PM"
_ROWS: dict[str, dict[str, Any]] = {
    "wp_store_locator": {
        "id": "=key", "store": "{name}", **_ADDRESS, "url": "", "description": "",
        "hours": f"<table><tr><td>Monday</td><td><time>{_MONDAY}</time></td></tr></table>",
    },
    "wp_google_maps": {
        "id": "{key}", "title": "{name}", "address": "{whole}", "lat": "{lat}", "lng": "{lng}", "link": "",
        "description": f"<p>Phone: {{phone}}<br>Hours: {{hours}}<br>Email: {EMAIL}</p>",
        "category": "1", "map_id": "1", "approved": "1",
    },
    "agile_store_locator": {
        "id": "{key}", "title": "{name}", "street": "{street}", "city": "{city}", "state": "{state}",
        "postal_code": "{zip}", "lat": "{lat}", "lng": "{lng}", "phone": "{phone}", "email": EMAIL, "website": "",
        "open_hours": json.dumps({"mon": [_MONDAY], "tue": "0", "sun": "0"}),
    },
    "store_locator_plus": {"id": "{key}", "name": "{name}", **_ADDRESS, "url": "", "hours": "{hours}"},
    "store_locator_widgets": {
        "storeid": "=key", "name": "{name}",
        "data": {
            "address": "{whole}", "phone": "{phone}", "map_lat": "=lat", "map_lng": "=lng", "email": EMAIL,
            "hours_Monday": _MONDAY,
        },
    },
    "mapsvg": {
        "id": "=key", "title": "{name}", **_ADDRESS, "latitude": "=lat", "longitude": "=lng", "hours": "{hours}",
    },
    "food_finder": {
        "id": "=key", "name": "{name}", "address": "{whole}", "latitude": "=lat", "longitude": "=lng",
        "phone": "{phone}", "website": [], "contact_name": PERSON, "location_categories": ["Food Pantry"],
        "grouped_location_hours": [
            {"days": "Monday", "open_time": "9:00 AM", "close_time": "12:00 PM", "comment": None},
        ],
    },
    "storepoint": {
        "id": "=key", "name": "{name}", "streetaddress": "{whole}", "loc_lat": "=lat", "loc_long": "=lng",
        "phone": "{phone}", "email": EMAIL, "monday": _MONDAY, "tags": "",
    },
    "storerocket": {
        "id": "=key", "name": "{name}", "address_line_1": "{street}", "city": "{city}", "state": "{state}",
        "postcode": "{zip}", "lat": "{lat}", "lng": "{lng}", "phone": "{phone}", "email": EMAIL,
        "hours": {"mon": _MONDAY},
    },
    "freshtrak": {
        "id": "=key", "name": "{name}", "address": "{street}", "city": "{city}", "state": "{state}", "zip": "{zip}",
        "latitude": "=lat", "longitude": "=lng", "phone": "{phone}", "events": [],
    },
    "table": {
        "siteId": "=key", "name": "{name}", "street": "{street}", "city": "{city}", "state": "{state}",
        "zip": "{zip}", "lat": "=lat", "lng": "=lng",
        "schedules": [{"day": "Monday", "start_time": "9:00 AM", "end_time": "12:00 PM"}],
    },
    "feed_city_harvest_ny": {
        "id": "=key", "name": "{name}", "streetAddress": "{street}", "addressLocality": "{city}",
        "addressRegion": "{state}", "postalCode": "{zip}", "phoneNumbers": [{"phoneNumber": "{phone}"}],
        "geolocation": {"type": "Point", "coordinates": ["=lng", "=lat"]},
    },
    "vivery": {
        "locationId": "=key", "locationName": "{name}", "address1": "{street}", "city": "{city}", "state": "{state}",
        "zipCode": "{zip}", "latitude": "=lat", "longitude": "=lng", "phone": "{phone}", "contactName": PERSON,
        "contactEmail": EMAIL,
    },
    "hsds_api": {
        "id": "s{key}", "name": "{name} Food Pantry", "status": "active", "phones": [{"number": "{phone}"}],
        "contacts": [{"name": PERSON, "email": EMAIL}],
        "schedules": [{"byday": "MO", "opens_at": "09:00:00", "closes_at": "12:00:00"}],
        "service_at_locations": [{
            "id": "l{key}",
            "location": {
                "latitude": "=lat", "longitude": "=lng",
                "addresses": [{
                    "address_1": "{street}", "city": "{city}", "state_province": "{state}", "postal_code": "{zip}",
                    "address_type": "physical",
                }],
            },
        }],
    },
}  # fmt: skip
# What is around the rows; elsewhere they are a bare list.
_AROUND: dict[str, Any] = {
    "store_locator_plus": lambda rows: {"success": True, "count": len(rows), "response": rows},
    "mapsvg": lambda rows: {"items": rows},
    "food_finder": lambda rows: {"allLocations": rows},
    "storepoint": lambda rows: {"success": True, "results": {"locations": rows}},
    "storerocket": lambda rows: {"success": True, "results": {"locations": rows}},
    "freshtrak": lambda rows: {"agencies": rows},
    "table": lambda rows: {"locations": {str(row["siteId"]): row for row in rows}},
}


def _fill(template: Any, place: Place) -> Any:
    """Return a row of a platform with the values of a place."""
    if isinstance(template, dict):
        return {heading: _fill(part, place) for heading, part in template.items()}
    if isinstance(template, list):
        return [_fill(part, place) for part in template]
    if not isinstance(template, str):
        return template
    if template.startswith("="):
        return getattr(place, template[1:])
    if template.startswith('{"'):  # JSON
        return template
    return template.format_map({**place._asdict(), "whole": place.whole})


def _rows(platform: str, places: list[Place]) -> list[Any]:
    return [_fill(_ROWS[platform], place) for place in places]


def _kml(places: list[Place]) -> bytes:
    marks = "".join(
        f"<Placemark><name>{p.name}</name><description><![CDATA[Address: {p.whole}<br>Phone: {p.phone}<br>"
        f"Hours: {p.hours}]]></description><Point><coordinates>{p.lng},{p.lat},0</coordinates></Point></Placemark>"
        for p in places
    )
    return (
        f'<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Folder><name>Layer</name>{marks}'
        "</Folder></Document></kml>"
    ).encode()


def _layer(places: list[Place], rows: list[dict[str, Any]], path: str) -> Server:
    about, query = arcgis_server(rows).values()
    return {path: about, f"{path}/query": query}


def _data_set(places: list[Place], rows: list[dict[str, Any]], path: str) -> Server:
    return {path: next(iter(socrata_server(rows).values()))}


def _network(places: list[Place], rows: list[dict[str, Any]], path: str) -> Server:
    server = vivery_server(_rows("vivery", places))
    folder = path.rpartition("/")[0]
    return {f"{folder}/{name.rpartition('/')[2]}": answers for name, answers in server.items()}


def _hsds_api(places: list[Place], rows: list[dict[str, Any]], path: str) -> Server:
    server = hsds_server(_rows("hsds_api", places))
    return {name.replace("/services", path): answers for name, answers in server.items()}


def _my_maps(places: list[Place], rows: list[dict[str, Any]], path: str) -> Server:
    kind = {"Content-Type": "application/vnd.google-earth.kml+xml"}
    return {"/maps/d/kml": [Reply(_kml(places), 200, kind)]}


def _page(places: list[Place], rows: list[dict[str, Any]], path: str) -> Server:
    script = f"<script>var places = {json.dumps(rows)};</script>"
    page = f"<html><head>{script}</head><body></body></html>"
    return {path: [Reply(page.encode(), 200, {"Content-Type": "text/html"})]}


def _widgets(places: list[Place], rows: list[dict[str, Any]], path: str) -> Server:
    body = json.dumps({"stores": _rows("store_locator_widgets", places)})
    return {path: [Reply(f"slw({body})".encode())]}


_SERVERS = {
    "arcgis": _layer,
    "socrata": _data_set,
    "vivery": _network,
    "hsds_api": _hsds_api,
    "google_my_maps": _my_maps,
    "web_page": _page,
    "store_locator_widgets": _widgets,
}
