"""Test that failed pages keep the last good file, report the reason and start again."""

import gzip
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from schemas.sources.registry import LiveFeed, Source
from tests.integration.fetch.platform_servers import (
    Server,
    arcgis_server,
    as_json,
    findtreatment_server,
    hsds_server,
    json_api_server,
    socrata_server,
)
from tests.integration.fetch.publisher_server import Answer, Publisher, Reply, Request
from tests.integration.fetch.support import PAGE, SETTINGS, fetch, leftovers, source_of
from tests.support.cases import cases
from warehouse.fetch.errors import (
    AnswerError,
    ChangedWhileReadingError,
    ConnectionFailedError,
    FetchError,
    RefusedAddressError,
    ServerBusyError,
    TooLargeError,
    TruncatedError,
    WrongContentError,
)
from warehouse.raw_store import RawStore

ROWS = [{"id": f"s{n}", "_id": n, "ObjectId": n, "name": f"Pantry {n}"} for n in range(1, 26)]
GOOD = {"/good": [as_json({"results": {"locations": ROWS[:3]}})]}
PATHS = {
    "arcgis": "/layer/0",
    "openfema": "/api/open/v2/Declarations",
    "json_api": "/facilities",
    "findtreatment": "/locator/exportsAsJson/v2",
    "socrata": "/resource/ab12-cd34.json",
    "hsds_api": "/services",
    "overpass": "/api/interpreter",
    "storepoint": "/v1/16/locations",
    "wp_store_locator": "/wp-admin/admin-ajax.php",
}


def source_for(publisher: Publisher, platform: str, **facts: Any) -> Source:
    if platform == "overpass":
        facts["query"] = "[out:json];node(1);out;"
    url = publisher.url(PATHS[platform])
    return source_of(LiveFeed(platform, url, "list.json", page_size=10, **facts))


def fetch_good(publisher: Publisher, store: RawStore) -> Any:
    """Fetch another feed of the same name without faults; return its files."""
    publisher.answers = {path: list(answers) for path, answers in GOOD.items()}
    feed = LiveFeed("storepoint", publisher.url("/good"), "list.json")
    files, _ = fetch(source_of(feed), store)
    publisher.requests.clear()
    return files


def answers(reply: Answer) -> Callable[[str], Server]:
    return lambda platform: {PATHS[platform]: [reply]}


def repeat_first_page(answer: Answer) -> Callable[[Request], Reply]:
    """Return a server's answer that repeats the first page as the second."""

    def reply(request: Request) -> Reply:
        query = dict(request.query)
        for name in ("resultOffset", "$offset"):
            if query.get(name) == "10":
                query[name] = "0"
        if query.get("page") == "2":
            query["page"] = "1"
        assert callable(answer)
        return answer(replace(request, query=query))

    return reply


def with_repetition(server: Server) -> Server:
    return {
        path: [repeat_first_page(a) if callable(a) else a for a in all_]
        for path, all_ in server.items()
    }


NOT_JSON = answers(Reply(PAGE))
CUT = answers(Reply(b'{"features": [', length=-1))
BOMB = Reply(gzip.compress(b'{"count": 1' + b" " * 10**6), headers={"Content-Encoding": "gzip"})
TIMEOUT = 'runtime error: Query timed out in "query" at line 2 after 25 seconds.'
NO_MEMORY = 'runtime error: Query run out of memory in "recurse" using about 2048 MB of RAM.'
FAULTS: list[Any] = [
    ("arcgis error under 200", "arcgis", answers(as_json({"error": {"code": 400, "message": "Invalid query", "details": ["'ObjectId' is unknown"]}})), AnswerError, "answers with an error: 400 Invalid query 'ObjectId' is unknown. Check"),
    ("arcgis busy under 200", "arcgis", answers(as_json({"error": {"code": 504, "message": "Timed out", "details": []}})), ServerBusyError, "answers with an error: 504 Timed out"),
    ("arcgis HTML under 200", "arcgis", NOT_JSON, WrongContentError, "a web page instead of application/json"),
    ("arcgis cut JSON", "arcgis", CUT, TruncatedError, "the JSON has no end"),
    ("arcgis gzip bomb", "arcgis", answers(BOMB), TooLargeError, "more than 50000 bytes"),
    ("arcgis count moves", "arcgis", lambda _: arcgis_server(ROWS, counts=[25, 26] * 2), ChangedWhileReadingError, "counts 25 rows before and 26 after"),
    ("arcgis counts too many", "arcgis", lambda _: arcgis_server(ROWS, counts=[40] * 4), ChangedWhileReadingError, "25 of 40 rows came"),
    ("arcgis counts too few", "arcgis", lambda _: arcgis_server(ROWS, counts=[24] * 4), ChangedWhileReadingError, "25 rows came, counted 24"),
    ("arcgis a row twice", "arcgis", lambda _: arcgis_server([*ROWS, ROWS[0]]), ChangedWhileReadingError, "a row came twice"),
    ("arcgis a page twice", "arcgis", lambda _: with_repetition(arcgis_server(ROWS)), ChangedWhileReadingError, "a page came twice"),
    ("arcgis empty layer", "arcgis", lambda _: arcgis_server([]), WrongContentError, "counts 0 records"),
    ("json_api count moves", "json_api", lambda _: json_api_server(ROWS, counts=[25, 26] * 2), ChangedWhileReadingError, "the count went from 25 to 26 between pages"),
    ("json_api another layout", "json_api", answers(as_json({"features": []})), WrongContentError, "a page without a list of records in data"),
    ("findtreatment rows run out", "findtreatment", lambda _: findtreatment_server(ROWS, counts=[31] * 8), ChangedWhileReadingError, "25 of 31 rows came"),
    ("openfema no count", "openfema", answers(as_json({"metadata": {}, "Declarations": ROWS})), WrongContentError, "give no count"),
    ("openfema another layout", "openfema", answers(as_json({"metadata": {"count": 3}})), WrongContentError, "a page with 0 lists of rows"),
    ("socrata count moves", "socrata", lambda _: socrata_server(ROWS, counts=[25, 24] * 2), ChangedWhileReadingError, "counts 25 rows before and 24 after"),
    ("socrata error", "socrata", answers(as_json({"error": True, "message": "No such column: zip"})), AnswerError, "answers with an error: No such column: zip"),
    ("socrata still computing", "socrata", answers(Reply(b"[]", 202)), ServerBusyError, "status 202 Accepted"),
    ("hsds a page twice", "hsds_api", lambda _: with_repetition(hsds_server([{**r, "schedules": []} for r in ROWS])), ChangedWhileReadingError, "a page came twice"),
    ("hsds another layout", "hsds_api", answers(as_json({"items": ROWS})), WrongContentError, "without a list of records in contents"),
    ("overpass timed out", "overpass", answers(as_json({"elements": [], "remark": TIMEOUT})), ServerBusyError, "Query timed out"),
    ("overpass out of memory", "overpass", answers(as_json({"elements": [], "remark": NO_MEMORY})), AnswerError, "out of memory"),
    ("overpass gateway", "overpass", answers(Reply(b"", 504)), ServerBusyError, "status 504"),
    ("overpass nothing found", "overpass", answers(as_json({"elements": []})), WrongContentError, "no record came"),
    ("storepoint unknown key", "storepoint", answers(as_json({"success": False})), AnswerError, "answers with an error: without a reason"),
    ("wp store locator says 0", "wp_store_locator", answers(Reply(b"0")), WrongContentError, "not JSON"),
    ("wp store locator finds nothing", "wp_store_locator", answers(as_json([])), WrongContentError, "no record came"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("platform", "server", "kind", "message"),
    [pytest.param(*fault[1:], id=fault[0]) for fault in FAULTS],
)
def test_a_failed_fetch_keeps_the_last_good_file(
    publisher: Publisher,
    store: RawStore,
    platform: str,
    server: Callable[[str], Server],
    kind: type[FetchError],
    message: str,
) -> None:
    good = fetch_good(publisher, store)
    publisher.answers = server(platform)
    if "/layer/0" in publisher.answers and platform == "arcgis":
        publisher.answers.setdefault("/layer/0/query", publisher.answers["/layer/0"])
    with pytest.raises(kind, match=re.escape(message)) as error:
        fetch(source_for(publisher, platform), store)
    assert str(error.value).startswith(f"agency_list: {publisher.url('')}")
    assert "The last good files stay in use." in str(error.value)
    assert store.files("agency_list") == good
    if kind in (ChangedWhileReadingError, AnswerError, WrongContentError):
        assert leftovers(store) == []


def test_a_list_of_the_servers_maximum_length_is_refused(
    publisher: Publisher, store: RawStore
) -> None:
    publisher.answers = {PATHS["wp_store_locator"]: [as_json(ROWS)]}
    facts = {"each": {"lat,lng": ["40,-75"]}, "params": {"max_results": "25"}}
    with pytest.raises(TooLargeError, match="the most that the server gives"):
        fetch(source_for(publisher, "wp_store_locator", **facts), store)


def test_a_count_that_changes_once_restarts_the_reading(
    publisher: Publisher, store: RawStore
) -> None:
    publisher.answers = arcgis_server(ROWS, counts=[24, 25, 25])
    files, lines = fetch(source_for(publisher, "arcgis"), store)
    assert "25 rows came, counted 24; reading again from the first page" in lines[0]
    assert len(json.loads(files[0].path.read_bytes())["features"]) == 25


def test_too_many_pages_are_refused(publisher: Publisher, store: RawStore) -> None:
    publisher.answers = socrata_server(ROWS)
    with pytest.raises(TooLargeError, match="more than 2 pages"):
        fetch(source_for(publisher, "socrata", max_pages=2), store)


# ------------------------------------------------------------------ waits, interruptions, redirects

OFFSETS = {"arcgis": "resultOffset", "socrata": "$offset"}
SERVERS = {
    "arcgis": arcgis_server,
    "socrata": socrata_server,
}


def failing_at(server: Server, name: str, offset: str, reply: Reply, times: int) -> Server:
    """Return a server whose first `times` answers for the page at `offset` are `reply`."""
    replies = [reply] * times

    def guard(answer: Answer) -> Answer:
        def reply_to(request: Request) -> Reply:
            if request.query.get(name) == offset and replies:
                return replies.pop()
            return answer(request) if callable(answer) else answer

        return reply_to

    return {path: [guard(each) for each in all_] for path, all_ in server.items()}


@pytest.mark.parametrize("platform", OFFSETS)
def test_a_busy_server_is_retried_after_its_wait(
    publisher: Publisher, store: RawStore, platform: str
) -> None:
    busy = Reply(status=429, headers={"Retry-After": "0"})
    server = SERVERS[platform](ROWS)
    publisher.answers = failing_at(server, OFFSETS[platform], "10", busy, times=2)
    files, lines = fetch(source_for(publisher, platform), store)
    assert files[0].path.read_bytes().count(b'"name"') >= 25
    assert any("attempt 3 of 3" in line for line in lines)


@pytest.mark.parametrize("platform", OFFSETS)
@cases(
    "reply, kind",
    {
        "503": (Reply(status=503), ServerBusyError),
        "cut body": (Reply(b'{"a": [1, 2]}', cut_at=5), TruncatedError),
        "silence": (Reply(b"{}", drip_seconds=2), ConnectionFailedError),
    },
)
def test_a_list_cut_in_half_keeps_the_last_good_file(
    publisher: Publisher, store: RawStore, platform: str, reply: Reply, kind: type[FetchError]
) -> None:
    good = fetch_good(publisher, store)
    settings = replace(SETTINGS, attempts=1, read_timeout_seconds=0.5)
    publisher.answers = failing_at(SERVERS[platform](ROWS), OFFSETS[platform], "20", reply, times=1)
    source = source_for(publisher, platform)
    with pytest.raises(kind):
        fetch(source, store, settings)
    assert store.files("agency_list") == good
    assert leftovers(store) == []
    files, _ = fetch(source, store)
    assert files[0].path.read_bytes().count(b'"name"') >= len(ROWS)


def test_a_page_that_redirects_into_a_private_network_is_refused(
    publisher: Publisher, store: RawStore
) -> None:
    to = {"Location": "http://169.254.169.254/latest/meta-data"}
    publisher.answers = {PATHS["socrata"]: [Reply(status=302, headers=to)]}
    with pytest.raises(RefusedAddressError, match=r"169\.254\.169\.254 is not declared"):
        fetch(source_for(publisher, "socrata"), store)
    strict = replace(SETTINGS, allow_private=False)
    with pytest.raises(RefusedAddressError, match=r"127\.0\.0\.1, not a public address"):
        fetch(source_for(publisher, "socrata"), store, strict)
