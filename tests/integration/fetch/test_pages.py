"""Test the requests and stored files of publishers with pages."""

import json
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from schemas.sources.registry import LiveFeed, Source
from tests.integration.fetch.platform_servers import (
    Rows,
    Server,
    arcgis_server,
    as_json,
    by_value_server,
    ckan_server,
    findtreatment_server,
    hsds2_server,
    hsds_server,
    json_api_server,
    openfema_server,
    socrata_server,
    vivery_server,
)
from tests.integration.fetch.publisher_server import Publisher
from tests.integration.fetch.support import SETTINGS, fetch, leftovers, source_of
from warehouse.raw_store import RawStore

STORES = [{"ObjectId": n, "Store_Name": f"Invented Market {n}", "Lat": 18.1} for n in range(1, 26)]
FIDS = [{"FID": n, "Name": f"Invented Pantry {n}"} for n in range(7, 32)]
AREAS = [{"id": f"id-{n:02}", "disasterNumber": 4000 + n} for n in range(25)]
ROWS = [{"_id": n, "name": f"Invented Pantry {n}", "lat": 40.50} for n in range(25)]
SERVICES = [
    {"id": f"s{n}", "name": f"Invented Service {n}", "schedules": [{"id": f"h{n}"}]}
    for n in range(25)
]
ARCGIS, HSDS = "/layer/0", "/services"
CKAN = "/api/3/action/datastore_search"
LOCATOR = "/locator/exportsAsJson/v2"
OVERPASS_QUERY = '[out:json];nwr["social_facility"="food_bank"];out center;'


class Case(NamedTuple):
    """A feed, its server, and the file of a fetch."""

    platform: str
    path: str
    server: Server
    content: Any
    facts: Any = None


def wrap_features(rows: Rows, **others: Any) -> dict[str, Any]:
    return {**others, "features": [{"attributes": row} for row in rows]}


def fields(row: dict[str, Any]) -> list[dict[str, str]]:
    return [{"name": name, "type": "esriFieldTypeString"} for name in row]


LAYER = wrap_features(STORES, objectIdFieldName="ObjectId", fields=fields(STORES[0]))
OVERPASS = {
    "version": 0.6,
    "generator": "Overpass API",
    "osm3s": {"timestamp_osm_base": "2026-11-01T00:00:00Z"},
    "elements": [{"type": "node", "id": 1, "lat": 44.8, "lon": -68.8, "tags": {"name": "Shelf"}}],
}
MARKERS = [{"id": "1", "title": "Invented Pantry", "lat": "40.1", "lng": "-75.2"}]
STORE_LIST = [{"id": "4", "title": "Invented Pantry", "lat": "40.1", "lng": "-75.2"}]
AGENCIES = {z: [{"id": int(z), "name": z}, {"id": 1, "name": "Both"}] for z in ("43201", "43202")}
PANTRIES = [{"locationId": n, "locationName": f"Invented Pantry {n}"} for n in range(45)]
CASES = {
    "arcgis": Case("arcgis", ARCGIS, arcgis_server(STORES), LAYER),
    "arcgis, address of the query": Case("arcgis", f"{ARCGIS}/query", arcgis_server(STORES), LAYER),
    "arcgis without exceededTransferLimit": Case(
        "arcgis", ARCGIS, arcgis_server(STORES, cap=9, flag=False), LAYER
    ),
    "arcgis, no pagination, another id": Case(
        "arcgis",
        ARCGIS,
        arcgis_server(FIDS, is_paged=False, id_field="FID"),
        wrap_features(FIDS, objectIdFieldName="FID", fields=fields(FIDS[0])),
    ),
    "arcgis, geojson": Case(
        "arcgis",
        ARCGIS,
        arcgis_server(STORES),
        {
            "type": "FeatureCollection",
            "features": [
                {
                    "type": "Feature",
                    "id": row["ObjectId"],
                    "geometry": {"type": "Point", "coordinates": [-75.0, 40.0]},
                    "properties": row,
                }
                for row in STORES
            ],
        },
        {"params": {"f": "geojson", "outSR": "4326"}},
    ),
    "openfema": Case(
        "openfema",
        "/api/open/v2/Declarations",
        openfema_server(AREAS, cap=8),
        {"Declarations": AREAS},
    ),
    "json_api": Case(
        "json_api",
        "/facilities",
        json_api_server(ROWS, cap=8),
        {"data": ROWS},
        {"params": {"type": "health"}},
    ),
    "findtreatment": Case(
        "findtreatment",
        LOCATOR,
        findtreatment_server(ROWS, cap=8),
        {"recordCount": len(ROWS), "rows": ROWS},
        {"params": {"sType": "mh"}},
    ),
    "socrata": Case("socrata", "/resource/ab12-cd34.json", socrata_server(ROWS, cap=8), ROWS),
    "ckan": Case(
        "ckan",
        CKAN,
        ckan_server(ROWS, cap=8),
        {"success": True, "result": {"records": ROWS}},
        {"params": {"resource_id": "r-1"}},
    ),
    "hsds 3": Case("hsds_api", HSDS, hsds_server(SERVICES, cap=8), {"contents": SERVICES}),
    "hsds 3, lists without nested records": Case(
        "hsds_api", HSDS, hsds_server(SERVICES, knows_full=False), {"contents": SERVICES}
    ),
    "hsds 2": Case("hsds_api", HSDS, hsds2_server(SERVICES, cap=8), SERVICES),
    "wp_store_locator": Case(
        "wp_store_locator",
        "/wp-admin/admin-ajax.php",
        {"/wp-admin/admin-ajax.php": [as_json([{"id": 4, "store": "Invented Pantry"}])]},
        [{"id": 4, "store": "Invented Pantry"}],
    ),
    "wp_store_locator by points": Case(
        "wp_store_locator",
        "/wp-admin/admin-ajax.php",
        by_value_server(
            "/wp-admin/admin-ajax.php", "lat", {"40.1": ROWS[:2], "41.2": ROWS[1:3]}, None
        ),
        [ROWS[0], ROWS[1], ROWS[2]],
        {"each": {"lat,lng": ["40.1,-75.0", "41.2,-75.0"]}, "params": {"max_results": "100"}},
    ),
    "wp_google_maps features": Case(
        "wp_google_maps",
        "/wp-json/wpgmza/v1/features",
        {"/wp-json/wpgmza/v1/features": [as_json({"markers": MARKERS, "polygons": []})]},
        {"markers": MARKERS},
    ),
    "freshtrak": Case(
        "freshtrak",
        "/api/agencies",
        by_value_server("/api/agencies", "zip_code", AGENCIES, "agencies"),
        {
            "agencies": [
                {"id": 43201, "name": "43201"},
                {"id": 1, "name": "Both"},
                {"id": 43202, "name": "43202"},
            ]
        },
        {"each": {"zip_code": ["43201", "43202"]}},
    ),
    "vivery": Case(
        "vivery",
        "/api/MapInformation/LocationSearch",
        vivery_server(PANTRIES),
        {
            "item1": [
                {**p, "schedules": [{"locationId": p["locationId"], "weekDayDescr": "Monday"}]}
                for p in PANTRIES
            ]
        },
        {"each": {"lat,lng": ["38.58,-121.49", "39.1,-121.49"]}, "params": {"radius": "60"}},
    ),
    "agile_store_locator": Case(
        "agile_store_locator",
        "/wp-admin/admin-ajax.php",
        {"/wp-admin/admin-ajax.php": [as_json(STORE_LIST)]},
        STORE_LIST,
    ),
    "store_locator_plus": Case(
        "store_locator_plus",
        "/wp-admin/admin-ajax.php",
        {"/wp-admin/admin-ajax.php": [as_json({"success": True, "response": STORE_LIST})]},
        {"success": True, "response": STORE_LIST},
        {"each": {"lat,lng": ["35.2,-94.2"]}},
    ),
    "mapsvg": Case(
        "mapsvg",
        "/wp-json/mapsvg/v1/objects/objects_3",
        {"/wp-json/mapsvg/v1/objects/objects_3": [as_json({"items": STORE_LIST})]},
        {"items": STORE_LIST},
    ),
    "overpass": Case(
        "overpass",
        "/api/interpreter",
        {"/api/interpreter": [as_json(OVERPASS)]},
        OVERPASS,
        {"query": OVERPASS_QUERY},
    ),
}


def source_for(case: Case, publisher: Publisher, **facts: Any) -> Source:
    publisher.answers = {path: list(answers) for path, answers in case.server.items()}
    url = publisher.url(case.path)
    return source_of(
        LiveFeed(case.platform, url, "list.json", page_size=10, **{**(case.facts or {}), **facts})
    )


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_every_platform_is_read_completely(
    publisher: Publisher, store: RawStore, case: Case
) -> None:
    source = source_for(case, publisher)
    files, _ = fetch(source, store)
    assert json.loads(files[0].path.read_bytes()) == case.content
    assert leftovers(store) == []
    again, _ = fetch(source, store)
    assert again == files


FIRST_QUERIES = {
    "arcgis": {
        "where": "1=1",
        "outFields": "*",
        "orderByFields": "ObjectId",
        "resultOffset": "0",
        "resultRecordCount": "10",
        "f": "json",
    },
    "arcgis, no pagination, another id": {"objectIds": ",".join(map(str, range(7, 17)))},
    "openfema": {"$top": "10", "$skip": "0", "$count": "true", "$orderby": "id"},
    "json_api": {"type": "health", "page": "1", "per_page": "10"},
    "findtreatment": {"sType": "mh", "page": "1", "pageSize": "10"},
    "socrata": {"$limit": "10", "$offset": "0", "$order": ":id"},
    "ckan": {"resource_id": "r-1", "limit": "10", "offset": "0", "sort": "_id"},
    "hsds 3": {"page": "1", "per_page": "10", "full": "true"},
    "wp_store_locator": {"action": "store_search", "autoload": "1"},
    "wp_store_locator by points": {"action": "store_search", "lat": "40.1", "lng": "-75.0"},
    "freshtrak": {"zip_code": "43201"},
    "agile_store_locator": {"action": "asl_load_stores", "load_all": "1"},
    "store_locator_plus": {"action": "csl_ajax_onload", "lat": "35.2", "lng": "-94.2"},
    "mapsvg": {"perpage": "0"},
    "vivery": {"lat": "38.58", "lng": "-121.49", "page": "0", "radius": "60"},
    "overpass": {"data": OVERPASS_QUERY},
}


@pytest.mark.parametrize("name", FIRST_QUERIES)
def test_the_first_page_has_the_documented_query(
    publisher: Publisher, store: RawStore, name: str
) -> None:
    fetch(source_for(CASES[name], publisher), store)
    assert any(
        FIRST_QUERIES[name].items() <= request.query.items() for request in publisher.requests
    )


def test_numbers_keep_their_text(publisher: Publisher, store: RawStore) -> None:
    publisher.answers = arcgis_server(STORES)
    body = b'{"features": [{"attributes": {"ObjectId": 1, "Lat": 18.100, "Zip": 1e2}}]}'
    plain = as_json({"count": 1})
    publisher.answers["/layer/0/query"] = [plain, replace(plain, body=body), plain]
    feed = LiveFeed("arcgis", publisher.url(ARCGIS), "list.json")
    files, _ = fetch(source_of(feed), store)
    assert b'"Lat": 18.100, "Zip": 1e2' in files[0].path.read_bytes()


def test_a_secret_is_a_header_of_every_request(
    publisher: Publisher, store: RawStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = {"X-App-Token": "LARDER_SOCRATA_APP_TOKEN", "X-Other": "LARDER_NOT_SET"}
    monkeypatch.setenv("LARDER_SOCRATA_APP_TOKEN", "token-1")
    fetch(source_for(CASES["socrata"], publisher, secrets=secrets), store)
    assert {request.headers.get("x-app-token") for request in publisher.requests} == {"token-1"}
    assert not any("x-other" in request.headers for request in publisher.requests)


def test_counts_use_the_conditions_of_the_feed(publisher: Publisher, store: RawStore) -> None:
    where = {"where": "State='ME'"}
    fetch(source_for(CASES["arcgis"], publisher, params=where), store, SETTINGS)
    queries = [request.query for request in publisher.requests if request.path == "/layer/0/query"]
    assert {query["where"] for query in queries} == {"State='ME'"}
