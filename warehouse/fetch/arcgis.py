"""Paging of ArcGIS layers (REST services reference, "Query (Feature Service/Layer)")."""

from functools import cached_property
from typing import Any

from schemas.sources.registry import LiveFeed
from warehouse.fetch.answers import Answer, Client
from warehouse.fetch.errors import WrongContentError
from warehouse.fetch.page_file import Position
from warehouse.fetch.paging import Paging, Request

_EVERY_ROW = {"where": "1=1"}
# "objectIds=1234567,..." with this many ids stays well below the servers' limit of 2,000
# characters.
_MAX_IDS = 150


class ArcgisPaging(Paging):
    """A layer of a FeatureServer or MapServer, as JSON or (params: {f: geojson}) GeoJSON.

    The layer's own count before and after must equal the rows read. A layer may cap its pages below
    the requested size, so the offset moves by the rows received. A layer without pagination is
    queried by lists of object ids, whose number is unlimited.
    """

    path = ("features",)
    envelope_names = (
        "objectIdFieldName",
        "globalIdFieldName",
        "geometryType",
        "spatialReference",
        "fields",
        "type",
        "crs",
    )

    def __init__(self, feed: LiveFeed, client: Client) -> None:
        super().__init__(feed, client)
        self._layer = feed.url.rstrip("/").removesuffix("/query")
        self.url = f"{self._layer}/query"
        self._ids: list[int] = []

    @cached_property
    def _about(self) -> Answer:
        return self.client.ask_about(self._layer, {"f": "json"})

    @cached_property
    def _id_field(self) -> str:
        fields = self._about.value("fields") or []
        oid_names = [f.get("name") for f in fields if f.get("type") == "esriFieldTypeOID"]
        return str(self._about.value("objectIdField") or next(iter(oid_names), "OBJECTID"))

    def _is_paged(self) -> bool:
        """Return whether the layer supports offsets; layers before 10.3 that do not say so do
        not."""
        return bool(
            self._about.value("advancedQueryCapabilities", "supportsPagination")
            or self._about.value("supportsPagination")
        )

    def count(self) -> int:
        """Return the layer's count; without pagination the number of its object ids."""
        if self._is_paged():
            answer = self._question("returnCountOnly")
            count = answer.value("count")
            if not isinstance(count, int):
                raise WrongContentError(self.url, f"the layer gives {count!r} as its count of rows")
            return count
        ids = self._question("returnIdsOnly").value("objectIds")
        if not isinstance(ids, list):
            raise WrongContentError(self.url, "the layer gives no list of its object ids")
        self._ids = sorted(ids)
        return len(ids)

    def _question(self, name: str) -> Answer:
        where = self.feed.params.get("where", _EVERY_ROW["where"])
        return self.client.ask_about(self.url, {"where": where, name: "true", "f": "json"})

    def request(self, at: Position) -> Request:
        """Return a page by offset, ordered by object id, or by the next object ids."""
        common = {"outFields": "*", "f": "json"}
        if self._is_paged():
            page = {
                **_EVERY_ROW,
                "orderByFields": self._id_field,
                "resultOffset": str(at.rows),
                "resultRecordCount": str(self.feed.page_size),
            }
        else:
            size = min(self.feed.page_size, _MAX_IDS)
            ids = self._ids[at.rows : at.rows + size]
            page = {"objectIds": ",".join(map(str, ids))}
        return Request(self.url, {**common, **page})

    def identify(self, record: Any) -> object:
        """Return the object id of a feature in JSON or GeoJSON."""
        if not isinstance(record, dict):
            return None
        attributes = record.get("attributes") or record.get("properties") or {}
        return attributes.get(self._id_field, record.get("id"))
