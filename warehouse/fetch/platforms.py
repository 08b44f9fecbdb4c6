"""Fetches records by platform: one class for each kind of paging, one row for each platform.

Google My Maps, Google Sheets, extracts and tables are single files: `warehouse/fetch/downloads.py`.
"""

from typing import Any, ClassVar

import httpx
import msgspec

from schemas.sources.platforms import Platform
from schemas.sources.registry import LiveFeed
from warehouse.fetch.answers import Answer, Client, Params
from warehouse.fetch.arcgis import ArcgisPaging
from warehouse.fetch.errors import TooLargeError, WrongContentError
from warehouse.fetch.page_file import Position
from warehouse.fetch.paging import Paging, Request, count_in

# Number of locations per request for hours, so that its address stays short.
_VIVERY_IDS = 100


class SocrataPaging(Paging):
    """Rows of a Socrata data set, address https://<host>/resource/<id>.json (dev.socrata.com).

    Without an order rows may repeat; every data set can be ordered by `:id`.
    """

    size_name, offset_name = "$limit", "$offset"
    fixed: ClassVar[Params] = {"$order": ":id"}

    def count(self) -> int | None:
        """Return count(*) under the feed's own $where."""
        rows = self.client.ask_about(self.url, {"$select": "count(*) as count"}).body
        first = rows[0] if isinstance(rows, list) and rows else {}
        try:
            return int(first["count"])
        except (KeyError, TypeError, ValueError):
            raise WrongContentError(self.url, f"no count of rows in {first!r}") from None


class CkanPaging(Paging):
    """Rows of a CKAN DataStore resource, address <site>/api/3/action/datastore_search with
    params {resource_id: ...} (docs.ckan.org, DataStore extension)."""

    path = ("result", "records")
    envelope_names = ("success",)
    id_name = "_id"
    size_name, offset_name = "limit", "offset"
    fixed: ClassVar[Params] = {"sort": "_id"}
    total_path = ("result", "total")


class OpenfemaPaging(Paging):
    """Rows of an OpenFEMA data set (fema.gov/about/openfema/api), the list named by the data
    set."""

    id_name = "id"
    size_name, offset_name = "$top", "$skip"
    fixed: ClassVar[Params] = {"$count": "true", "$orderby": "id", "$format": "json"}
    total_path = ("metadata", "count")

    def total_in(self, answer: Answer) -> int:
        """Return metadata.count, which every page has."""
        count = super().total_in(answer)
        if count is None:
            raise WrongContentError(self.url, "the metadata give no count of rows")
        return count

    def records(self, answer: Answer) -> list[bytes]:
        """Return the one list of the answer."""
        body = answer.body if isinstance(answer.body, dict) else {}
        names = [n for n, value in body.items() if n != "metadata" and isinstance(value, list)]
        if len(names) != 1:
            raise WrongContentError(self.url, f"a page with {len(names)} lists of rows, not one")
        self.path = (names[0],)
        return answer.records(self.path)


class JsonApiPaging(Paging):
    """Resources of a JSON:API (jsonapi.org) as the VA pages them: `page` and `per_page`, the count
    in meta.pagination (department-of-veterans-affairs/lighthouse-facilities)."""

    path = ("data",)
    id_name = "id"
    size_name, page_name = "per_page", "page"

    def total_in(self, answer: Answer) -> int | None:
        """Return the count of all resources; version 0 of the VA's API writes it in snake case."""
        names = ("totalEntries", "total_entries")
        counts = [count_in(answer, "meta", "pagination", name) for name in names]
        return next((count for count in counts if count is not None), None)


class FindtreatmentPaging(Paging):
    """Rows of SAMHSA's locator, address https://findtreatment.gov/locator/exportsAsJson/v2:
    {"page", "totalPages", "recordCount", "rows": []}."""

    path = ("rows",)
    envelope_names = ("recordCount",)
    id_name = "frid"
    size_name, page_name = "pageSize", "page"
    total_path = ("recordCount",)


class HsdsPaging(Paging):
    """Records of an Open Referral API: 3.x pages {"total_items", "total_pages", "last_page",
    "contents"}, 2.0 plain lists (openapi.json of the HSDS specification).

    `full` requests nested records. A server that does not support it lists records without
    locations and schedules: then each is fetched by its own address.
    """

    path: tuple[str, ...] = ("contents",)
    id_name = "id"
    size_name, page_name = "per_page", "page"
    fixed: ClassVar[Params] = {"full": "true"}
    total_path = ("total_items",)

    def records(self, answer: Answer) -> list[bytes]:
        """Return the full records of a page."""
        if isinstance(answer.body, list):
            self.path = ()
        services = answer.records(self.path)
        members = answer.value(*self.path) if self.path else answer.body
        return [
            raw if _is_full(member) else self._whole(member, raw)
            for raw, member in zip(services, members, strict=True)
        ]

    def _whole(self, member: Any, raw: bytes) -> bytes:
        key = member.get("id") if isinstance(member, dict) else None
        if not isinstance(key, str) or not key:
            return raw
        address = f"{self.url.rstrip('/')}/{key}"
        return self.client.get(address, {}).content

    def is_last(self, answer: Answer, count: int, at: Position) -> bool:
        """Return whether the page is the last by the count, else by last_page or total_pages, else
        if empty."""
        pages = answer.value("total_pages")
        is_end = answer.value("last_page") is True or (isinstance(pages, int) and at.pages >= pages)
        return (self.total is None and is_end) or super().is_last(answer, count, at)


class ListPaging(Paging):
    """Whole lists: one answer, or one for each value of `each`, whose records may overlap.

    `max_results` in the feed's params is the server's maximum: an answer of that length is
    truncated, and the feed needs more and smaller areas.
    """

    has_overlap = True

    def request(self, at: Position) -> Request:
        """Return the request of the next value."""
        for names, values in self.feed.each.items():
            value = values[at.pages]
            pairs = zip(names.split(","), value.split(","), strict=True)
            return Request(self.url, {name.strip(): part.strip() for name, part in pairs})
        return Request(self.url, {})

    def records(self, answer: Answer) -> list[bytes]:
        """Return the records of an answer. Raises TooLargeError for a list that the server
        truncated."""
        records = answer.records(self.path)
        most = self.feed.params.get("max_results", "")
        if most.isdecimal() and len(records) >= int(most):
            raise TooLargeError(
                answer.address,
                f"{len(records)} records, the most that the server gives",
                "Ask for more and smaller areas in `each` of the feed",
            )
        return records

    def is_last(self, answer: Answer, count: int, at: Position) -> bool:
        """Return whether every value was requested."""
        return at.pages >= max((len(values) for values in self.feed.each.values()), default=1)


class WpStoreLocatorPaging(ListPaging):
    """WP Store Locator, address <site>/wp-admin/admin-ajax.php: a list of stores.

    Without `each` it requests the plugin's start list, which its settings may truncate.
    """

    id_name = "id"

    def request(self, at: Position) -> Request:
        """Return the start list, or the search of the next point."""
        url, params = super().request(at)
        start = {} if self.feed.each else {"autoload": "1"}
        return Request(url, {"action": "store_search", **start, **params})


class WpGoogleMapsPaging(ListPaging):
    """WP Google Maps (WP Go Maps), address <site>/wp-json/wpgmza/v1/markers: a list of markers;
    /wp-json/wpgmza/v1/features holds them in "markers"."""

    id_name = "id"

    def records(self, answer: Answer) -> list[bytes]:
        """Return the markers of either form."""
        self.path = ("markers",) if isinstance(answer.body, dict) else ()
        return super().records(answer)


class LocationsPaging(ListPaging):
    """Storepoint (api.storepoint.co/v1/<id>/locations) and StoreRocket
    (storerocket.io/api/user/<id>/locations): {"success", "results": {"locations": []}}."""

    path = ("results", "locations")
    envelope_names = ("success",)
    id_name = "id"


class FreshtrakPaging(ListPaging):
    """FreshTrak's pantry-finder-api/api/agencies, `each` by zip_code: {"agencies": []}."""

    path = ("agencies",)
    id_name = "id"


class ViveryPaging(ListPaging):
    """Vivery (AccessFood), address https://api.accessfood.org/api/MapInformation/LocationSearch
    with params {regionId, regionMapId, radius} and `each` by lat,lng: {"item1": locations, "item5":
    their number}, pages from 0.

    Hours are requested by location and stored with it as "schedules".
    """

    path = ("item1",)
    id_name = "locationId"

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
        self._add_schedules(locations)
        return [msgspec.json.encode(each) for each in locations.values()]

    def _add_schedules(self, locations: dict[Any, dict[str, Any]]) -> None:
        url = f"{self.url.rpartition('/')[0]}/LocationServiceSchedules"
        ids = list(locations)
        for start in range(0, len(ids), _VIVERY_IDS):
            id_list = ",".join(str(key) for key in ids[start : start + _VIVERY_IDS])
            answer = self.client.ask_about(url, {"LocationIds": id_list})
            answer.records(())
            for schedule in answer.body:
                location = locations.get(schedule.get("locationId"))
                if location is not None:
                    location.setdefault("schedules", []).append(schedule)


class OverpassPaging(ListPaging):
    """Overpass API: {"elements": []} of the feed's query, which must request [out:json]."""

    path = ("elements",)
    envelope_names = ("version", "generator", "osm3s")

    def request(self, at: Position) -> Request:
        """Return the query."""
        return Request(self.url, {"data": self.feed.query or ""})

    def identify(self, record: Any) -> object:
        """Return type and id: ids of nodes and ways overlap."""
        return (record.get("type"), record.get("id")) if isinstance(record, dict) else None


PAGINGS: dict[Platform, type[Paging]] = {
    Platform.ARCGIS: ArcgisPaging,
    Platform.SOCRATA: SocrataPaging,
    Platform.CKAN: CkanPaging,
    Platform.OPENFEMA: OpenfemaPaging,
    Platform.JSON_API: JsonApiPaging,
    Platform.FINDTREATMENT: FindtreatmentPaging,
    Platform.HSDS_API: HsdsPaging,
    Platform.WP_STORE_LOCATOR: WpStoreLocatorPaging,
    Platform.WP_GOOGLE_MAPS: WpGoogleMapsPaging,
    Platform.STOREPOINT: LocationsPaging,
    Platform.STOREROCKET: LocationsPaging,
    Platform.FRESHTRAK: FreshtrakPaging,
    Platform.VIVERY: ViveryPaging,
    Platform.OVERPASS: OverpassPaging,
}


def paging_of(feed: LiveFeed, client: Client) -> Paging | None:
    """Return the paging of a feed; None for a single file."""
    if feed.platform == Platform.CKAN and feed.resource:
        return None
    kind = PAGINGS.get(feed.platform)
    return kind(feed, client) if kind else None


def _is_full(member: Any) -> bool:
    return isinstance(member, dict) and any(isinstance(value, list) for value in member.values())
