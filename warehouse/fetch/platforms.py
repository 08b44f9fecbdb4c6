"""Platforms whose addresses, requests or answers need more than their declaration."""

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

import httpx
import msgspec

from schemas.sources.platforms import platforms
from schemas.sources.registry import LiveFeed
from warehouse.fetch.answers import Answer, Client
from warehouse.fetch.errors import AnswerError, FetchError, WrongContentError
from warehouse.fetch.pages import Paging, Position, Request, count_in

_SHEET = re.compile(r"/spreadsheets/d/(?P<id>[\w-]+)/(?:edit|view|htmlview)?$")
_GID = re.compile(r"gid=(\d+)")


def file_address(feed: LiveFeed, client: Client) -> httpx.URL:
    """Return the download address with the feed's parameters. Raises FetchError."""
    if feed.platform == "ckan":
        return _ckan_resource(feed, client)
    rewrite = _REWRITES.get(feed.platform)
    url = rewrite(httpx.URL(feed.url)) if rewrite else httpx.URL(feed.url)
    return url.copy_merge_params(feed.params) if feed.params else url


def _my_maps(url: httpx.URL) -> httpx.URL:
    """Return the KML of a map from any of its addresses (viewer, embed, edit): the same mid.

    Without forcekml the server sends KMZ that only links to the map.
    """
    mid = url.params.get("mid")
    if not mid:
        raise FetchError(str(url), "has no mid", "Use the address of the map, ...?mid=...")
    return url.copy_with(path="/maps/d/kml", params={"mid": mid, "forcekml": "1"}, fragment="")


def _google_sheet(url: httpx.URL) -> httpx.URL:
    """Return the CSV export of a sheet from the address in a browser; others stay as they are
    (/export?format=csv, /d/e/.../pub?output=csv)."""
    match = _SHEET.search(url.path)
    if match is None:
        return url
    gid = _GID.search(url.fragment) or _GID.search(url.query.decode())
    params = {"format": "csv", "gid": gid[1] if gid else "0"}
    path = f"/spreadsheets/d/{match['id']}/export"
    return url.copy_with(path=path, params=params, fragment="")


_REWRITES: dict[str, Callable[[httpx.URL], httpx.URL]] = {
    "google_my_maps": _my_maps,
    "google_sheets": _google_sheet,
}


def _ckan_resource(feed: LiveFeed, client: Client) -> httpx.URL:
    """Return the address of the resource that package_show lists under the feed's name or id."""
    answer = client.get(feed.url, {})
    resources: list[dict[str, Any]] = answer.value("result", "resources") or []
    for resource in resources:
        if feed.resource in (resource.get("id"), resource.get("name")) and resource.get("url"):
            return httpx.URL(feed.url).join(str(resource["url"]))
    names = ", ".join(str(resource.get("name")) for resource in resources) or "none"
    raise AnswerError(
        answer.address,
        f"the package has no resource {feed.resource!r}; it has {names}",
        "Correct resource in the feed",
    )


# Lists of ids whose address stays well below the servers' limit of 2,000 characters.
_ARCGIS_IDS = 150
_VIVERY_IDS = 100


class ArcgisPaging(Paging):
    """A layer of a FeatureServer or MapServer, as JSON or (params: {f: geojson}) GeoJSON.

    The layer's own count before and after must equal the rows read. A layer may cap its pages below
    the requested size, so the offset moves by the rows received. A layer without pagination is
    queried by lists of object ids, whose number is unlimited ("Query (Feature Service/Layer)").
    """

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

    @cached_property
    def _is_paged(self) -> bool:
        """Whether the layer supports offsets. Layers before 10.3 do not, and do not say."""
        return bool(
            self._about.value("advancedQueryCapabilities", "supportsPagination")
            or self._about.value("supportsPagination")
        )

    def count(self) -> int:
        """Return the layer's count; without pagination the number of its object ids."""
        question = "returnCountOnly" if self._is_paged else "returnIdsOnly"
        answer = self.client.ask_about(
            self.url,
            {"where": self.feed.params.get("where", "1=1"), question: "true", "f": "json"},
        )
        if self._is_paged:
            count = answer.value("count")
            if not isinstance(count, int):
                raise WrongContentError(self.url, f"the layer gives {count!r} as its count of rows")
            return count
        ids = answer.value("objectIds")
        if not isinstance(ids, list):
            raise WrongContentError(self.url, "the layer gives no list of its object ids")
        self._ids = sorted(ids)
        return len(ids)

    def request(self, at: Position) -> Request:
        """Return a page by offset, ordered by object id, or by the next object ids."""
        if self._is_paged:
            page = {
                "where": "1=1",
                "orderByFields": self._id_field,
                "resultOffset": str(at.rows),
                "resultRecordCount": str(self.feed.page_size),
            }
        else:
            size = min(self.feed.page_size, _ARCGIS_IDS)
            page = {"objectIds": ",".join(map(str, self._ids[at.rows : at.rows + size]))}
        return Request(self.url, {"outFields": "*", "f": "json", **page})

    def identify(self, record: Any) -> object:
        """Return the object id of a feature in JSON or GeoJSON."""
        if not isinstance(record, dict):
            return None
        attributes = record.get("attributes") or record.get("properties") or {}
        return attributes.get(self._id_field, record.get("id"))


class SocrataPaging(Paging):
    """A data set, which answers count(*) under the feed's own $where."""

    def count(self) -> int | None:
        """Return the data set's count. Raises WrongContentError."""
        rows = self.client.ask_about(self.url, {"$select": "count(*) as count"}).body
        first = rows[0] if isinstance(rows, list) and rows else {}
        try:
            return int(first["count"])
        except (KeyError, TypeError, ValueError):
            raise WrongContentError(self.url, f"no count of rows in {first!r}") from None


class OpenfemaPaging(Paging):
    """A data set of OpenFEMA: every page has the count, and one list."""

    def total_in(self, answer: Answer) -> int:
        """Return metadata.count. Raises WrongContentError."""
        count = super().total_in(answer)
        if count is None:
            raise WrongContentError(self.url, "the metadata give no count of rows")
        return count

    def records(self, answer: Answer) -> list[bytes]:
        """Return the one list of the answer. Raises WrongContentError."""
        body = answer.body if isinstance(answer.body, dict) else {}
        names = [n for n, value in body.items() if n != "metadata" and isinstance(value, list)]
        if len(names) != 1:
            raise WrongContentError(self.url, f"a page with {len(names)} lists of rows, not one")
        self.path = (names[0],)
        return answer.records(self.path)


class HsdsPaging(Paging):
    """Records of an Open Referral API: 3.x pages {"total_items", "total_pages", "last_page",
    "contents"}, 2.0 plain lists.

    `full` requests nested records. A server that does not support it lists records without
    locations and schedules: then each is fetched by its own address.
    """

    def records(self, answer: Answer) -> list[bytes]:
        """Return the full records of a page."""
        services = super().records(answer)
        members = answer.value(*self.path)
        return [
            raw if _is_full(member) else self._fetch_whole(member, raw)
            for raw, member in zip(services, members, strict=True)
        ]

    def _fetch_whole(self, member: Any, raw: bytes) -> bytes:
        key = member.get("id") if isinstance(member, dict) else None
        if not isinstance(key, str) or not key:
            return raw
        return self.client.get(f"{self.url.rstrip('/')}/{key}", {}).content

    def is_last(self, answer: Answer, count: int, at: Position) -> bool:
        """Return whether the page is the last by the count, else by last_page or total_pages, else
        if empty."""
        pages = answer.value("total_pages")
        is_end = answer.value("last_page") is True or (isinstance(pages, int) and at.pages >= pages)
        return (self.total is None and is_end) or super().is_last(answer, count, at)


class ViveryPaging(Paging):
    """Vivery (AccessFood): {"item1": locations, "item5": their number}, pages from 0.

    Hours are requested by location and stored with it as "schedules".
    """

    def request(self, at: Position) -> Request:
        """Return the first page of the next point."""
        url, params = super().request(at)
        return Request(url, {**params, "page": "0"})

    def records(self, answer: Answer) -> list[bytes]:
        """Return the locations of all pages of a point, with their schedules."""
        locations: dict[Any, dict[str, Any]] = {}
        for page in range(1, self.feed.max_pages + 1):
            answer.records(self.path)
            page_locations = {each.get("locationId"): each for each in answer.value(*self.path)}
            is_new = not page_locations.keys() <= locations.keys()
            locations.update(page_locations)
            total = count_in(answer, "item5")
            if not is_new or (total is not None and len(locations) >= total):
                break
            address = httpx.URL(answer.address).copy_set_param("page", str(page))
            answer = self.client.follow(str(address))
        url = f"{self.url.rpartition('/')[0]}/LocationServiceSchedules"
        ids = list(locations)
        for start in range(0, len(ids), _VIVERY_IDS):
            id_list = ",".join(str(key) for key in ids[start : start + _VIVERY_IDS])
            schedules = self.client.ask_about(url, {"LocationIds": id_list})
            schedules.records(())
            for schedule in schedules.body:
                location = locations.get(schedule.get("locationId"))
                if location is not None:
                    location.setdefault("schedules", []).append(schedule)
        return [msgspec.json.encode(each) for each in locations.values()]


class OverpassPaging(Paging):
    """Overpass API: the feed's query, which must request [out:json]."""

    def request(self, at: Position) -> Request:
        """Return the query."""
        return Request(self.url, {"data": self.feed.query or ""})


_CLASSES: dict[str, type[Paging]] = {
    "arcgis": ArcgisPaging,
    "socrata": SocrataPaging,
    "openfema": OpenfemaPaging,
    "hsds_api": HsdsPaging,
    "vivery": ViveryPaging,
    "overpass": OverpassPaging,
}


def paging_of(feed: LiveFeed, client: Client) -> Paging | None:
    """Return the paging of a feed; None for a single file."""
    is_file = feed.platform == "ckan" and feed.resource
    if is_file or platforms()[feed.platform].fetch not in ("pages", "list"):
        return None
    return _CLASSES.get(feed.platform, Paging)(feed, client)


def _is_full(member: Any) -> bool:
    return isinstance(member, dict) and any(isinstance(value, list) for value in member.values())
