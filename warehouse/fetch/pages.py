"""Reads lists of records, in pages or whole, into one JSON file in the publisher's envelope.

`schemas/vocab/platforms.yaml` says how each platform pages and where its records are; a platform
that needs more has a subclass of `Paging`.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import time
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import httpx
import msgspec

from schemas.sources.platforms import platforms
from schemas.sources.registry import LiveFeed
from warehouse.fetch.answers import Answer, Client, Params
from warehouse.fetch.errors import (
    ChangedWhileReadingError,
    FetchError,
    TooLargeError,
    WrongContentError,
)
from warehouse.fetch.settings import FetchSettings

_PLACE_OF_RECORDS = "records go here"


class Position(NamedTuple):
    """Progress: pages read and records stored."""

    pages: int = 0
    rows: int = 0


class Paging:
    """Requests of one feed, by the declaration of its platform.

    `path` leads to the records, `total` is the publisher's count of all records once it is known.
    """

    def __init__(self, feed: LiveFeed, client: Client) -> None:
        self.feed, self.client = feed, client
        self.platform = platforms()[feed.platform]
        self.url = feed.url
        self.path = self.platform.path[0]
        self.total: int | None = None

    @property
    def is_list(self) -> bool:
        """Return whether each answer is a whole list, whose records other answers may repeat."""
        return self.platform.fetch == "list"

    def count(self) -> int | None:
        """Return the publisher's own count, asked before and after; None if it has none."""
        return None

    def request(self, at: Position) -> Params:
        """Return the parameters of the page after `at`, or of the next value of `each`."""
        rules = self.platform
        if self.is_list:
            for names, values in self.feed.each.items():
                pairs = zip(names.split(","), values[at.pages].split(","), strict=True)
                return {**rules.params, **{name.strip(): v.strip() for name, v in pairs}}
            return {**rules.params, **rules.whole}
        first = {rules.start: str(at.rows)} if rules.start else {rules.page: str(at.pages + 1)}
        return {rules.size: str(self.feed.page_size), **first, **rules.params}

    def records(self, answer: Answer) -> list[bytes]:
        """Return the records of an answer, byte for byte.

        Raises WrongContentError for another layout. `max_results` in the feed's params is the
        server's maximum: raises TooLargeError for a list of that length, which the server cut.
        """
        for path in self.platform.path:
            if isinstance(answer.value(*path), list):
                self.path = path
                break
        records = answer.records(self.path)
        most = self.feed.params.get("max_results", "")
        if self.is_list and most.isdecimal() and len(records) >= int(most):
            raise TooLargeError(
                answer.address,
                f"{len(records)} records, the most that the server gives",
                "Ask for more and smaller areas in `each` of the feed",
            )
        return records

    def identify(self, record: Any) -> object:
        """Return the key of a record; None without one."""
        if not self.platform.id or not isinstance(record, dict):
            return None
        key = tuple(record.get(name) for name in self.platform.id)
        return None if None in key else key

    def total_in(self, answer: Answer) -> int | None:
        """Return the total number of records stated in a page."""
        counts = (count_in(answer, *path) for path in self.platform.total)
        return next((count for count in counts if count is not None), None)

    def is_last(self, answer: Answer, count: int, at: Position) -> bool:
        """Return whether this is the last page; it has `count` records, `at` in total.

        Without a count only an empty page ends the pages: a server may return fewer records than
        requested.
        """
        if self.is_list:
            return at.pages >= max((len(values) for values in self.feed.each.values()), default=1)
        return at.rows >= self.total if self.total is not None else count == 0


def count_in(answer: Answer, *path: str) -> int | None:
    """Return the integer at a path of members."""
    count = answer.value(*path)
    return count if isinstance(count, int) and not isinstance(count, bool) else None


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
        where = self.feed.params.get("where", "1=1")
        answer = self.client.ask_about(self.url, {"where": where, question: "true", "f": "json"})
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

    def request(self, at: Position) -> Params:
        """Return the parameters of a page by offset, ordered by object id, or by the next ids."""
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
        return {"outFields": "*", "f": "json", **page}

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
        return [self._whole(member, raw) for raw, member in zip(services, members, strict=True)]

    def _whole(self, member: Any, raw: bytes) -> bytes:
        """Return a record with its nested objects, fetched by its id if the list omits them."""
        key = member.get("id") if isinstance(member, dict) else None
        is_full = isinstance(member, dict) and any(isinstance(v, list) for v in member.values())
        if is_full or not isinstance(key, str) or not key:
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

    def request(self, at: Position) -> Params:
        """Return the parameters of the first page of the next point."""
        return {**super().request(at), "page": "0"}

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

    def request(self, at: Position) -> Params:
        """Return the query."""
        return {"data": self.feed.query or ""}


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
    if platforms()[feed.platform].fetch not in ("pages", "list"):
        return None
    return _CLASSES.get(feed.platform, Paging)(feed, client)


_SHEET = re.compile(r"/spreadsheets/d/(?P<id>[\w-]+)/(?:edit|view|htmlview)?$")
_GID = re.compile(r"gid=(\d+)")


def file_address(feed: LiveFeed) -> httpx.URL:
    """Return the download address with the feed's parameters. Raises FetchError."""
    url = httpx.URL(feed.url)
    if feed.platform == "google_my_maps":
        # The KML of a map has the same mid as its other addresses (viewer, embed, edit). Without
        # forcekml the server sends KMZ that only links to the map.
        mid = url.params.get("mid")
        if not mid:
            raise FetchError(str(url), "has no mid", "Use the address of the map, ...?mid=...")
        params = {"mid": mid, "forcekml": "1"}
        url = url.copy_with(path="/maps/d/kml", params=params, fragment="")
    # The address in a browser; others (/export?format=csv, /d/e/.../pub?output=csv) stay.
    elif feed.platform == "google_sheets" and (sheet := _SHEET.search(url.path)):
        gid = _GID.search(url.fragment) or _GID.search(url.query.decode())
        params = {"format": "csv", "gid": gid[1] if gid else "0"}
        path = f"/spreadsheets/d/{sheet['id']}/export"
        url = url.copy_with(path=path, params=params, fragment="")
    return url.copy_merge_params(feed.params) if feed.params else url


def save_pages(paging: Paging, part: Path, target: Path, settings: FetchSettings) -> int:
    """Write all records to `target`, by way of `part`; return their number.

    Raises ChangedWhileReadingError if a page or record repeats, the count changes or the records
    end before it, WrongContentError without records, TooLargeError beyond the limits.
    """
    before = paging.total = paging.count()
    if before == 0:
        raise WrongContentError(paging.url, "the publisher counts 0 records")
    ends_at = time.monotonic() + settings.max_seconds_per_file
    at, first = Position(), None
    with part.open("w+b") as stream:
        records_file = _Records(stream, paging, settings.max_file_bytes)
        while True:
            if at.pages >= paging.feed.max_pages:
                raise TooLargeError(
                    paging.url,
                    f"more than {paging.feed.max_pages} pages",
                    "If the list truly is that long, raise max_pages or page_size of the feed",
                )
            if time.monotonic() > ends_at:
                limit = settings.max_seconds_per_file
                raise TooLargeError(
                    paging.url,
                    f"{at.pages} pages in {limit:g} seconds, and more follow",
                    "Ask for a part of the list, or for another address",
                )
            answer = paging.client.get(paging.url, paging.request(at), paging.platform.post)
            first = first or answer
            records = paging.records(answer)
            total = paging.total_in(answer)
            if total == 0:
                raise WrongContentError(paging.url, "the publisher counts 0 records")
            if total is not None and paging.total not in (None, total):
                raise ChangedWhileReadingError(
                    paging.url, f"the count went from {paging.total} to {total} between pages"
                )
            paging.total = paging.total if total is None else total
            at = Position(at.pages + 1, at.rows + records_file.add(records))
            if paging.is_last(answer, len(records), at):
                break
            if not records and not paging.is_list:
                raise ChangedWhileReadingError(paging.url, f"{at.rows} of {paging.total} rows came")
        if at.rows == 0:
            raise WrongContentError(paging.url, "no record came")
        if not paging.is_list:
            if paging.total not in (None, at.rows):
                raise ChangedWhileReadingError(
                    paging.url, f"{at.rows} rows came, counted {paging.total}"
                )
            after = paging.count()
            if after != before:
                raise ChangedWhileReadingError(
                    paging.url, f"the publisher counts {before} rows before and {after} after"
                )
        stream.seek(0)
        _write_envelope(stream, target, first, paging)
    return at.rows


class _Records:
    """The records read so far, each once."""

    def __init__(self, stream: BinaryIO, paging: Paging, max_bytes: int) -> None:
        self._stream, self._paging, self._max_bytes = stream, paging, max_bytes
        self._seen: set[object] = set()
        self._pages: set[str] = set()

    def add(self, records: Sequence[bytes]) -> int:
        """Append a page; return how many of its records are new. Raises
        ChangedWhileReadingError if pages repeat a record, or TooLargeError."""
        address = self._paging.url
        if not self._paging.is_list:
            digest = hashlib.sha256(b"\n".join(records)).hexdigest()
            if records and digest in self._pages:
                raise ChangedWhileReadingError(address, "a page came twice")
            self._pages.add(digest)
        count = 0
        for record in records:
            key = self._paging.identify(msgspec.json.decode(record))
            if key is None and self._paging.is_list:
                key = record
            if key is not None and key in self._seen:
                if self._paging.is_list:
                    continue
                raise ChangedWhileReadingError(address, "a row came twice: the order moved")
            self._seen.add(key)
            self._stream.write(b",\n" + record if self._stream.tell() else record)
            count += 1
        if self._stream.tell() > self._max_bytes:
            raise TooLargeError(address, f"more than {self._max_bytes} bytes of pages")
        return count


def _write_envelope(records: BinaryIO, target: Path, first: Answer | None, paging: Paging) -> None:
    """Write the kept members of the first answer, with the records at their path."""
    body = first.body if first and isinstance(first.body, dict) else {}
    whole: Any = _PLACE_OF_RECORDS
    for name in reversed(paging.path):
        whole = {name: whole}
    if paging.path:
        whole = {**{name: body[name] for name in paging.platform.keep if name in body}, **whole}
    before, _, after = msgspec.json.encode(whole).decode().partition(f'"{_PLACE_OF_RECORDS}"')
    with target.open("wb") as file:
        file.write(f"{before}[\n".encode())
        shutil.copyfileobj(records, file)
        file.write(f"\n]{after}\n".encode())
