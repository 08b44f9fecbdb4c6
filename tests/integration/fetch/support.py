"""Invented sources, settings with short waits, and a fetch with its report."""

from schemas.sources.registry import FileLayout, LiveFeed, Source
from tests.integration.fetch.publisher_server import Publisher
from tests.support.source_files import make_source
from warehouse.fetch.live import fetch_live
from warehouse.fetch.settings import FetchSettings
from warehouse.raw_store import RawFile, RawStore

OLD = b"name,zip\nOld Pantry,00601\n"
NEW = b"name,zip\n" + b"".join(b"Invented Pantry %05d,00601\n" % n for n in range(400))
HALF = len(NEW) // 2
CSV = {"Content-Type": "text/csv; charset=utf-8"}
PAGE = b"<!DOCTYPE html>\n<html><body>We have moved</body></html>"

SETTINGS = FetchSettings(
    user_agent="open-larder-test/1",
    connect_timeout_seconds=10,
    read_timeout_seconds=10,
    progress_window_seconds=10,
    min_bytes_per_second=10_000,
    attempts=3,
    wait_initial_seconds=0.01,
    wait_max_seconds=0.02,
    wait_jitter_seconds=0.005,
    max_retry_after_seconds=2,
    max_file_bytes=100_000,
    max_unpacked_bytes=200_000,
    max_page_bytes=50_000,
    pause_seconds=0,
    allow_private=True,
)


def source_of(*feeds: LiveFeed) -> Source:
    return make_source(
        files=[
            FileLayout("*.csv", "csv"),
            FileLayout("*.json", "json", media_type="application/json"),
            FileLayout("*.kml", "kml", media_type="application/vnd.google-earth.kml+xml"),
            FileLayout("*.ics", "calendar", media_type="text/calendar"),
            FileLayout("*.pdf", "pdf", media_type="application/pdf"),
            FileLayout("*.osm.pbf", "pbf", media_type="application/vnd.openstreetmap.data+pbf"),
        ],
        live=list(feeds),
    )


def csv_source(publisher: Publisher) -> Source:
    return source_of(LiveFeed("table", publisher.url("/list.csv"), "list.csv"))


def fetch(
    source: Source, store: RawStore, settings: FetchSettings = SETTINGS
) -> tuple[list[RawFile], list[str]]:
    lines: list[str] = []
    return fetch_live(settings, source, store, lines.append), lines


def list_headers(publisher: Publisher, *names: str) -> list[tuple[str | None, ...]]:
    return [tuple(request.headers.get(name) for name in names) for request in publisher.requests]


def leftovers(store: RawStore) -> list[str]:
    return sorted(path.name for path in store.parts_folder("agency_list").iterdir())
