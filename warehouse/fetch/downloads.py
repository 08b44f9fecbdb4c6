"""Addresses of platforms that serve a single file."""

import re
from collections.abc import Callable
from typing import Any

import httpx

from schemas.sources.registry import LiveFeed
from warehouse.fetch.answers import Client
from warehouse.fetch.errors import AnswerError, FetchError

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
