"""Fetches one file from an address that no source declares, to draft a source."""

from pathlib import Path

import httpx

from warehouse.fetch.addresses import HostGuard
from warehouse.fetch.settings import read_fetch_settings
from warehouse.fetch.web import Web, whole_body


def fetch_file(address: str, folder: Path) -> Path:
    """Store the file at an address in a folder and return its path. Raises FetchError.

    Requests only the address's own host, politely (robots.txt, pauses) and up to the size of one
    page.
    """
    url = httpx.URL(address)
    host = f"{url.host}:{url.port}" if url.port else url.host
    settings = read_fetch_settings()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (Path(url.path).name or "list")
    guard = HostGuard(frozenset({host}), settings.allow_private)
    with (
        Web(settings, guard, folder / ".turns") as web,
        web.open(url, {"Accept-Encoding": "gzip"}) as response,
    ):
        path.write_bytes(whole_body(response, address, settings))
    return path
