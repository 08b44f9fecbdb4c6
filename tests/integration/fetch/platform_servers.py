"""Serve publishers' platforms on loopback, each as its documentation describes it.

A server is a table of answers by path. `cap` is the most rows of one answer.
"""

import json
from collections.abc import Callable
from typing import Any

from tests.integration.fetch.publisher_server import Answer, Reply, Request

Rows = list[dict[str, Any]]
Server = dict[str, list[Answer]]


def as_json(value: object, status: int = 200) -> Reply:
    return Reply(json.dumps(value).encode(), status, {"Content-Type": "application/json"})


def make_counter(rows: Rows, counts: list[int] | None) -> Callable[[], int]:
    """Return a function that gives `counts` in order, then the number of rows."""
    numbers = list(counts or [])
    return lambda: numbers.pop(0) if numbers else len(rows)


def arcgis_server(
    rows: Rows,
    cap: int = 1000,
    counts: list[int] | None = None,
    *,
    flag: bool = True,
    is_paged: bool = True,
    id_field: str = "ObjectId",
) -> Server:
    """A layer. Without `is_paged` it takes object ids only, as before 10.3; without `flag` it
    leaves exceededTransferLimit out."""
    count = make_counter(rows, counts)

    def query(request: Request) -> Reply:
        query = request.query
        if query.get("returnCountOnly") == "true":
            return as_json({"count": count()})
        if query.get("returnIdsOnly") == "true":
            ids = [row[id_field] for row in rows]
            return as_json({"objectIdFieldName": id_field, "objectIds": ids})
        if not is_paged and "resultOffset" in query:
            return as_json({"error": {"code": 400, "message": "Pagination is not supported."}})
        if "objectIds" in query:
            ids = {int(text) for text in query["objectIds"].split(",")}
            page, more = [row for row in rows if row[id_field] in ids][:cap], False
        else:
            start = int(query["resultOffset"])
            page = rows[start : start + min(cap, int(query["resultRecordCount"]))]
            more = start + len(page) < len(rows)
        if query["f"] == "geojson":
            body: dict[str, Any] = {
                "type": "FeatureCollection",
                "features": [_geojson(row, row[id_field]) for row in page],
            }
        else:
            body = {
                "objectIdFieldName": id_field,
                "fields": [{"name": name, "type": "esriFieldTypeString"} for name in rows[0]]
                if rows
                else [],
                "features": [{"attributes": row} for row in page],
            }
        if flag and more:
            body["exceededTransferLimit"] = True
        return as_json(body)

    about = {
        "id": 0,
        "objectIdField": id_field,
        "advancedQueryCapabilities": {"supportsPagination": is_paged},
    }
    return {"/layer/0": [as_json(about)], "/layer/0/query": [query]}


def _geojson(row: dict[str, Any], key: int) -> dict[str, Any]:
    point = {"type": "Point", "coordinates": [-75.0, 40.0]}
    return {"type": "Feature", "id": key, "geometry": point, "properties": row}


def openfema_server(rows: Rows, cap: int = 1000, counts: list[int] | None = None) -> Server:
    count = make_counter(rows, counts)

    def answer(request: Request) -> Reply:
        start = int(request.query["$skip"])
        page = rows[start : start + min(cap, int(request.query["$top"]))]
        return as_json({"metadata": {"skip": start, "count": count()}, "Declarations": page})

    return {"/api/open/v2/Declarations": [answer]}


def json_api_server(rows: Rows, cap: int = 1000, counts: list[int] | None = None) -> Server:
    """A JSON:API as the VA pages it."""
    count = make_counter(rows, counts)

    def answer(request: Request) -> Reply:
        size, number = min(cap, int(request.query["per_page"])), int(request.query["page"])
        page = {"currentPage": number, "perPage": size, "totalEntries": count()}
        page_rows = rows[(number - 1) * size : number * size]
        return as_json({"data": page_rows, "links": {}, "meta": {"pagination": page}})

    return {"/facilities": [answer]}


def findtreatment_server(rows: Rows, cap: int = 2000, counts: list[int] | None = None) -> Server:
    """SAMHSA's locator: JSON rows behind their count."""
    count = make_counter(rows, counts)

    def answer(request: Request) -> Reply:
        size, number = min(cap, int(request.query["pageSize"])), int(request.query["page"])
        page_rows = rows[(number - 1) * size : number * size]
        pages = -(-len(rows) // size)
        about = {"page": number, "totalPages": pages, "recordCount": count()}
        return as_json({**about, "rows": page_rows})

    return {"/locator/exportsAsJson/v2": [answer]}


def socrata_server(rows: Rows, cap: int = 50_000, counts: list[int] | None = None) -> Server:
    count = make_counter(rows, counts)

    def answer(request: Request) -> Reply:
        if "count(*)" in request.query.get("$select", ""):
            return as_json([{"count": str(count())}])
        start = int(request.query["$offset"])
        return as_json(rows[start : start + min(cap, int(request.query["$limit"]))])

    return {"/resource/ab12-cd34.json": [answer]}


def ckan_server(rows: Rows, cap: int = 32_000, counts: list[int] | None = None) -> Server:
    count = make_counter(rows, counts)

    def answer(request: Request) -> Reply:
        if request.query.get("resource_id") != "r-1":
            error = {"__type": "Not Found Error", "message": "Not found: Resource was not found."}
            return as_json({"success": False, "error": error})
        start = int(request.query["offset"])
        page = rows[start : start + min(cap, int(request.query["limit"]))]
        result = {"resource_id": "r-1", "records": page, "total": count(), "_links": {}}
        return as_json({"help": "...", "success": True, "result": result})

    return {"/api/3/action/datastore_search": [answer]}


def hsds_server(
    rows: Rows, cap: int = 100, counts: list[int] | None = None, *, knows_full: bool = True
) -> Server:
    """An API of HSDS 3: lists have one-to-one fields only, unless it knows `full`."""
    count = make_counter(rows, counts)

    def list_services(request: Request) -> Reply:
        size = min(cap, int(request.query["per_page"]))
        number = int(request.query["page"])
        page = rows[(number - 1) * size : number * size]
        if not (knows_full and request.query.get("full") == "true"):
            page = [{k: v for k, v in row.items() if not isinstance(v, list)} for row in page]
        pages = -(-len(rows) // size)
        return as_json(
            {
                "total_items": count(),
                "total_pages": pages,
                "page_number": number,
                "size": len(page),
                "first_page": number == 1,
                "last_page": number >= pages,
                "empty": not page,
                "contents": page,
            }
        )

    details: Server = {f"/services/{row['id']}": [as_json(row)] for row in rows}
    return {"/services": [list_services], **details}


def hsds2_server(rows: Rows, cap: int = 100) -> Server:
    """An API of HSDS 2.0: plain lists."""

    def list_services(request: Request) -> Reply:
        size, number = min(cap, int(request.query["per_page"])), int(request.query["page"])
        return as_json(rows[(number - 1) * size : number * size])

    return {"/services": [list_services]}


def vivery_server(rows: Rows, cap: int = 20) -> Server:
    """AccessFood: pages of locations, and their schedules by location."""

    def search(request: Request) -> Reply:
        number = int(request.query["page"])
        page = rows[number * cap : (number + 1) * cap]
        return as_json({"item1": page, "item2": 0, "item3": number, "item4": 0, "item5": len(rows)})

    def schedules(request: Request) -> Reply:
        ids = request.query["LocationIds"].split(",")
        return as_json([{"locationId": int(key), "weekDayDescr": "Monday"} for key in ids])

    base = "/api/MapInformation"
    return {f"{base}/LocationSearch": [search], f"{base}/LocationServiceSchedules": [schedules]}


def by_value_server(path: str, name: str, lists: dict[str, Rows], member: str | None) -> Server:
    """A search that gives the list of one value of a parameter."""

    def answer(request: Request) -> Reply:
        page_rows = lists[request.query[name]]
        return as_json({member: page_rows} if member else page_rows)

    return {path: [answer]}
