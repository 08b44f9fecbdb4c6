"""Publishers' platforms on loopback, each as its documentation describes it.

A server is a table of paths with what answers them. `cap` is the most rows that a server gives at
once, whatever was asked for.
"""

import json
from collections.abc import Callable
from typing import Any

from tests.integration.fetch.publisher_server import Answer, Asked, Reply

Rows = list[dict[str, Any]]
Server = dict[str, list[Answer]]


def as_json(value: object, status: int = 200) -> Reply:
    return Reply(json.dumps(value).encode(), status, {"Content-Type": "application/json"})


def counted(rows: Rows, counts: list[int] | None) -> Callable[[], int]:
    """The number of rows, or one number after the other from `counts`."""
    left = list(counts or [])
    return lambda: left.pop(0) if left else len(rows)


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
    count = counted(rows, counts)

    def query(asked: Asked) -> Reply:
        ask = asked.query
        if ask.get("returnCountOnly") == "true":
            return as_json({"count": count()})
        if ask.get("returnIdsOnly") == "true":
            ids = [row[id_field] for row in rows]
            return as_json({"objectIdFieldName": id_field, "objectIds": ids})
        if not is_paged and "resultOffset" in ask:
            return as_json({"error": {"code": 400, "message": "Pagination is not supported."}})
        if "objectIds" in ask:
            wanted = {int(text) for text in ask["objectIds"].split(",")}
            page, more = [row for row in rows if row[id_field] in wanted][:cap], False
        else:
            start = int(ask["resultOffset"])
            page = rows[start : start + min(cap, int(ask["resultRecordCount"]))]
            more = start + len(page) < len(rows)
        if ask["f"] == "geojson":
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
    count = counted(rows, counts)

    def answer(asked: Asked) -> Reply:
        start = int(asked.query["$skip"])
        page = rows[start : start + min(cap, int(asked.query["$top"]))]
        return as_json({"metadata": {"skip": start, "count": count()}, "Declarations": page})

    return {"/api/open/v2/Declarations": [answer]}


def json_api_server(rows: Rows, cap: int = 1000, counts: list[int] | None = None) -> Server:
    """A JSON:API as the VA pages it."""
    count = counted(rows, counts)

    def answer(asked: Asked) -> Reply:
        size, number = min(cap, int(asked.query["per_page"])), int(asked.query["page"])
        page = {"currentPage": number, "perPage": size, "totalEntries": count()}
        found = rows[(number - 1) * size : number * size]
        return as_json({"data": found, "links": {}, "meta": {"pagination": page}})

    return {"/facilities": [answer]}


def findtreatment_server(rows: Rows, cap: int = 2000, counts: list[int] | None = None) -> Server:
    """SAMHSA's locator: JSON rows behind their count."""
    count = counted(rows, counts)

    def answer(asked: Asked) -> Reply:
        size, number = min(cap, int(asked.query["pageSize"])), int(asked.query["page"])
        found = rows[(number - 1) * size : number * size]
        pages = -(-len(rows) // size)
        about = {"page": number, "totalPages": pages, "recordCount": count()}
        return as_json({**about, "rows": found})

    return {"/locator/exportsAsJson/v2": [answer]}


def socrata_server(rows: Rows, cap: int = 50_000, counts: list[int] | None = None) -> Server:
    count = counted(rows, counts)

    def answer(asked: Asked) -> Reply:
        if "count(*)" in asked.query.get("$select", ""):
            return as_json([{"count": str(count())}])
        start = int(asked.query["$offset"])
        return as_json(rows[start : start + min(cap, int(asked.query["$limit"]))])

    return {"/resource/ab12-cd34.json": [answer]}


def ckan_server(rows: Rows, cap: int = 32_000, counts: list[int] | None = None) -> Server:
    count = counted(rows, counts)

    def answer(asked: Asked) -> Reply:
        if asked.query.get("resource_id") != "r-1":
            error = {"__type": "Not Found Error", "message": "Not found: Resource was not found."}
            return as_json({"success": False, "error": error})
        start = int(asked.query["offset"])
        page = rows[start : start + min(cap, int(asked.query["limit"]))]
        result = {"resource_id": "r-1", "records": page, "total": count(), "_links": {}}
        return as_json({"help": "...", "success": True, "result": result})

    return {"/api/3/action/datastore_search": [answer]}


def hsds_server(
    rows: Rows, cap: int = 100, counts: list[int] | None = None, *, knows_full: bool = True
) -> Server:
    """An API of HSDS 3: lists hold one-to-one fields unless `full` is asked for and known."""
    count = counted(rows, counts)

    def listed(asked: Asked) -> Reply:
        size = min(cap, int(asked.query["per_page"]))
        number = int(asked.query["page"])
        page = rows[(number - 1) * size : number * size]
        if not (knows_full and asked.query.get("full") == "true"):
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
    return {"/services": [listed], **details}


def hsds2_server(rows: Rows, cap: int = 100) -> Server:
    """An API of HSDS 2.0: plain lists."""

    def listed(asked: Asked) -> Reply:
        size, number = min(cap, int(asked.query["per_page"])), int(asked.query["page"])
        return as_json(rows[(number - 1) * size : number * size])

    return {"/services": [listed]}


def vivery_server(rows: Rows, cap: int = 20) -> Server:
    """AccessFood: pages of locations, and their schedules by location."""

    def search(asked: Asked) -> Reply:
        number = int(asked.query["page"])
        page = rows[number * cap : (number + 1) * cap]
        return as_json({"item1": page, "item2": 0, "item3": number, "item4": 0, "item5": len(rows)})

    def schedules(asked: Asked) -> Reply:
        ids = asked.query["LocationIds"].split(",")
        return as_json([{"locationId": int(key), "weekDayDescr": "Monday"} for key in ids])

    base = "/api/MapInformation"
    return {f"{base}/LocationSearch": [search], f"{base}/LocationServiceSchedules": [schedules]}


def by_value_server(path: str, name: str, lists: dict[str, Rows], member: str | None) -> Server:
    """A search that gives the list of one value of a parameter."""

    def answer(asked: Asked) -> Reply:
        found = lists[asked.query[name]]
        return as_json({member: found} if member else found)

    return {path: [answer]}
