"""Test that failed pages keep the last good file, report the reason and resume."""

import gzip
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from schemas.sources.platforms import Platform
from schemas.sources.registry import LiveFeed, Source
from tests.integration.fetch.platform_servers import (
    Server,
    arcgis_server,
    as_json,
    ckan_server,
    findtreatment_server,
    hsds2_server,
    hsds_server,
    json_api_server,
    openfema_server,
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
    Platform.ARCGIS: "/layer/0",
    Platform.OPENFEMA: "/api/open/v2/Declarations",
    Platform.JSON_API: "/facilities",
    Platform.FINDTREATMENT: "/locator/exportsAsJson/v2",
    Platform.SOCRATA: "/resource/ab12-cd34.json",
    Platform.CKAN: "/api/3/action/datastore_search",
    Platform.HSDS_API: "/services",
    Platform.OVERPASS: "/api/interpreter",
    Platform.STOREPOINT: "/v1/16/locations",
    Platform.WP_STORE_LOCATOR: "/wp-admin/admin-ajax.php",
}
PARAMS = {Platform.CKAN: {"resource_id": "r-1"}}


def source_for(publisher: Publisher, platform: Platform, **facts: Any) -> Source:
    facts = {"params": PARAMS.get(platform, {}), **facts}
    if platform == Platform.OVERPASS:
        facts["query"] = "[out:json];node(1);out;"
    url = publisher.url(PATHS[platform])
    return source_of(LiveFeed(platform, url, "list.json", page_size=10, **facts))


def fetch_good(publisher: Publisher, store: RawStore) -> Any:
    """Fetch another feed of the same name without faults; return its files."""
    publisher.answers = {path: list(answers) for path, answers in GOOD.items()}
    feed = LiveFeed(Platform.STOREPOINT, publisher.url("/good"), "list.json")
    files, _ = fetch(source_of(feed), store)
    publisher.requests.clear()
    return files


def answers(reply: Answer) -> Callable[[Platform], Server]:
    return lambda platform: {PATHS[platform]: [reply]}


def repeat_first_page(answer: Answer) -> Callable[[Request], Reply]:
    """Return a server's answer that repeats the first page as the second."""

    def reply(request: Request) -> Reply:
        query = dict(request.query)
        for name in ("resultOffset", "$skip", "$offset", "offset"):
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
BETWEEN_PAGES = "between pages"
TIMEOUT = 'runtime error: Query timed out in "query" at line 2 after 25 seconds.'
NO_MEMORY = 'runtime error: Query run out of memory in "recurse" using about 2048 MB of RAM.'
FAULTS: list[Any] = [
    ("arcgis error under 200", Platform.ARCGIS, answers(as_json({"error": {"code": 400, "message": "Invalid query", "details": ["'ObjectId' is unknown"]}})), AnswerError, "answers with an error: 400 Invalid query 'ObjectId' is unknown. Check"),
    ("arcgis busy under 200", Platform.ARCGIS, answers(as_json({"error": {"code": 504, "message": "Timed out", "details": []}})), ServerBusyError, "answers with an error: 504 Timed out"),
    ("arcgis HTML under 200", Platform.ARCGIS, NOT_JSON, WrongContentError, "a web page instead of application/json"),
    ("arcgis cut JSON", Platform.ARCGIS, CUT, TruncatedError, "the JSON has no end"),
    ("arcgis gzip bomb", Platform.ARCGIS, answers(BOMB), TooLargeError, "more than 50000 bytes"),
    ("arcgis count moves", Platform.ARCGIS, lambda _: arcgis_server(ROWS, counts=[25, 26] * 2), ChangedWhileReadingError, "counts 25 rows before and 26 after"),
    ("arcgis counts too many", Platform.ARCGIS, lambda _: arcgis_server(ROWS, counts=[40] * 4), ChangedWhileReadingError, "25 of 40 rows came"),
    ("arcgis counts too few", Platform.ARCGIS, lambda _: arcgis_server(ROWS, counts=[24] * 4), ChangedWhileReadingError, "25 rows came, counted 24"),
    ("arcgis a row twice", Platform.ARCGIS, lambda _: arcgis_server([*ROWS, ROWS[0]]), ChangedWhileReadingError, "a row came twice"),
    ("arcgis a page twice", Platform.ARCGIS, lambda _: with_repetition(arcgis_server(ROWS)), ChangedWhileReadingError, "a page came twice"),
    ("arcgis empty layer", Platform.ARCGIS, lambda _: arcgis_server([]), WrongContentError, "counts 0 records"),
    ("json_api count moves", Platform.JSON_API, lambda _: json_api_server(ROWS, counts=[25, 26] * 2), ChangedWhileReadingError, "the count went from 25 to 26 between pages"),
    ("json_api another layout", Platform.JSON_API, answers(as_json({"features": []})), WrongContentError, "a page without a list of records in data"),
    ("findtreatment rows run out", Platform.FINDTREATMENT, lambda _: findtreatment_server(ROWS, counts=[31] * 8), ChangedWhileReadingError, "25 of 31 rows came"),
    ("openfema count moves", Platform.OPENFEMA, lambda _: openfema_server(ROWS, counts=[25, 26] * 2), ChangedWhileReadingError, "the count went from 25 to 26 between pages"),
    ("openfema rows run out", Platform.OPENFEMA, lambda _: openfema_server(ROWS, counts=[31] * 8), ChangedWhileReadingError, "25 of 31 rows came"),
    ("openfema no count", Platform.OPENFEMA, answers(as_json({"metadata": {}, "Declarations": ROWS})), WrongContentError, "give no count"),
    ("openfema another layout", Platform.OPENFEMA, answers(as_json({"metadata": {"count": 3}})), WrongContentError, "a page with 0 lists of rows"),
    ("openfema a row twice", Platform.OPENFEMA, lambda _: openfema_server([ROWS[0]] * 2), ChangedWhileReadingError, "a row came twice"),
    ("socrata a page twice", Platform.SOCRATA, lambda _: with_repetition(socrata_server(ROWS)), ChangedWhileReadingError, "a page came twice"),
    ("socrata count moves", Platform.SOCRATA, lambda _: socrata_server(ROWS, counts=[25, 24] * 2), ChangedWhileReadingError, "counts 25 rows before and 24 after"),
    ("socrata error", Platform.SOCRATA, answers(as_json({"error": True, "message": "No such column: zip"})), AnswerError, "answers with an error: No such column: zip"),
    ("socrata still computing", Platform.SOCRATA, answers(Reply(b"[]", 202)), ServerBusyError, "status 202 Accepted"),
    ("ckan total moves", Platform.CKAN, lambda _: ckan_server(ROWS, counts=[25, 26] * 2), ChangedWhileReadingError, BETWEEN_PAGES),
    ("ckan a page twice", Platform.CKAN, lambda _: with_repetition(ckan_server(ROWS)), ChangedWhileReadingError, "a page came twice"),
    ("ckan failure under 200", Platform.CKAN, answers(as_json({"success": False, "error": {"__type": "Validation Error"}})), AnswerError, "answers with an error: Validation Error"),
    ("ckan another layout", Platform.CKAN, answers(as_json({"success": True, "result": {"rows": []}})), WrongContentError, "without a list of records in result.records"),
    ("hsds total moves", Platform.HSDS_API, lambda _: hsds_server(ROWS, counts=[25, 26] * 2), ChangedWhileReadingError, BETWEEN_PAGES),
    ("hsds a page twice", Platform.HSDS_API, lambda _: with_repetition(hsds_server([{**r, "schedules": []} for r in ROWS])), ChangedWhileReadingError, "a page came twice"),
    ("hsds 2 a page twice", Platform.HSDS_API, lambda _: with_repetition(hsds2_server([{**r, "schedules": []} for r in ROWS])), ChangedWhileReadingError, "a page came twice"),
    ("hsds another layout", Platform.HSDS_API, answers(as_json({"items": ROWS})), WrongContentError, "without a list of records in contents"),
    ("overpass timed out", Platform.OVERPASS, answers(as_json({"elements": [], "remark": TIMEOUT})), ServerBusyError, "Query timed out"),
    ("overpass out of memory", Platform.OVERPASS, answers(as_json({"elements": [], "remark": NO_MEMORY})), AnswerError, "out of memory"),
    ("overpass gateway", Platform.OVERPASS, answers(Reply(b"", 504)), ServerBusyError, "status 504"),
    ("overpass nothing found", Platform.OVERPASS, answers(as_json({"elements": []})), WrongContentError, "no record came"),
    ("storepoint unknown key", Platform.STOREPOINT, answers(as_json({"success": False})), AnswerError, "answers with an error: without a reason"),
    ("wp store locator says 0", Platform.WP_STORE_LOCATOR, answers(Reply(b"0")), WrongContentError, "not JSON"),
    ("wp store locator finds nothing", Platform.WP_STORE_LOCATOR, answers(as_json([])), WrongContentError, "no record came"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("platform", "server", "kind", "message"),
    [pytest.param(*fault[1:], id=fault[0]) for fault in FAULTS],
)
def test_a_failed_fetch_keeps_the_last_good_file(
    publisher: Publisher,
    store: RawStore,
    platform: Platform,
    server: Callable[[Platform], Server],
    kind: type[FetchError],
    message: str,
) -> None:
    good = fetch_good(publisher, store)
    publisher.answers = server(platform)
    if "/layer/0" in publisher.answers and platform == Platform.ARCGIS:
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
    publisher.answers = {PATHS[Platform.WP_STORE_LOCATOR]: [as_json(ROWS)]}
    facts = {"each": {"lat,lng": ["40,-75"]}, "params": {"max_results": "25"}}
    with pytest.raises(TooLargeError, match="the most that the server gives"):
        fetch(source_for(publisher, Platform.WP_STORE_LOCATOR, **facts), store)


def test_a_count_that_changes_once_restarts_the_reading(
    publisher: Publisher, store: RawStore
) -> None:
    publisher.answers = arcgis_server(ROWS, counts=[24, 25, 25])
    files, lines = fetch(source_for(publisher, Platform.ARCGIS), store)
    assert "25 rows came, counted 24; reading again from the first page" in lines[0]
    assert len(json.loads(files[0].path.read_bytes())["features"]) == 25


def test_too_many_pages_are_refused(publisher: Publisher, store: RawStore) -> None:
    publisher.answers = socrata_server(ROWS)
    with pytest.raises(TooLargeError, match="more than 2 pages"):
        fetch(source_for(publisher, Platform.SOCRATA, max_pages=2), store)


# ------------------------------------------------------------------ waits, resumption, redirects

OFFSETS = {Platform.ARCGIS: "resultOffset", Platform.SOCRATA: "$offset", Platform.CKAN: "offset"}
SERVERS = {
    Platform.ARCGIS: arcgis_server,
    Platform.SOCRATA: socrata_server,
    Platform.CKAN: ckan_server,
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
    publisher: Publisher, store: RawStore, platform: Platform
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
def test_an_interrupted_fetch_resumes_after_its_last_page(
    publisher: Publisher, store: RawStore, platform: Platform, reply: Reply, kind: type[FetchError]
) -> None:
    settings = replace(SETTINGS, attempts=1, read_timeout_seconds=0.5)
    server = SERVERS[platform](ROWS)
    publisher.answers = failing_at(server, OFFSETS[platform], "20", reply, times=1)
    source = source_for(publisher, platform)
    with pytest.raises(kind):
        fetch(source, store, settings)
    assert store.files("agency_list") == []
    publisher.requests.clear()
    files, lines = fetch(source, store)
    name = OFFSETS[platform]
    assert [a.query[name] for a in publisher.requests if name in a.query] == ["10", "20"]
    assert "agency_list: resuming after page 2, 20 rows" in lines
    assert leftovers(store) == []
    publisher.answers = SERVERS[platform](ROWS)
    again, _ = fetch(source, store)
    assert again == files


@cases(
    "name, damage, is_resumed",
    {
        "half a page after a crash": ("list.json.pages", b',\n{"half', True),
        "an unreadable record": ("list.json.pages.json", b"}{", False),
    },
)
def test_a_fetch_after_a_crash_resumes_after_whole_pages(
    publisher: Publisher, store: RawStore, name: str, damage: bytes, is_resumed: bool
) -> None:
    busy = Reply(status=503)
    publisher.answers = failing_at(arcgis_server(ROWS), "resultOffset", "20", busy, times=1)
    source = source_for(publisher, Platform.ARCGIS)
    with pytest.raises(ServerBusyError):
        fetch(source, store, replace(SETTINGS, attempts=1))
    with (store.parts_folder("agency_list") / name).open("ab") as part:
        part.write(damage)
    files, lines = fetch(source, store)
    features = json.loads(files[0].path.read_bytes())["features"]
    assert [feature["attributes"] for feature in features] == ROWS
    assert any("resuming after page 2" in line for line in lines) is is_resumed


@cases(
    "rows, facts",
    {
        "more rows": ([*ROWS, {**ROWS[0], "ObjectId": 99}], {}),
        "changed row": ([*ROWS[:15], {**ROWS[15], "name": "New"}, *ROWS[16:]], {}),
        "another question": (ROWS, {"params": {"where": "1=1 AND 2=2"}}),
    },
)
def test_a_changed_list_is_read_from_the_first_page(
    publisher: Publisher, store: RawStore, rows: list[dict[str, Any]], facts: dict[str, Any]
) -> None:
    busy = Reply(status=503)
    publisher.answers = failing_at(arcgis_server(ROWS), "resultOffset", "20", busy, times=1)
    with pytest.raises(ServerBusyError):
        fetch(source_for(publisher, Platform.ARCGIS), store, replace(SETTINGS, attempts=1))
    publisher.answers = arcgis_server(rows)
    files, lines = fetch(source_for(publisher, Platform.ARCGIS, **facts), store)
    features = json.loads(files[0].path.read_bytes())["features"]
    assert [feature["attributes"] for feature in features] == rows
    assert not any("resuming" in line for line in lines)


def test_a_page_that_redirects_into_a_private_network_is_refused(
    publisher: Publisher, store: RawStore
) -> None:
    to = {"Location": "http://169.254.169.254/latest/meta-data"}
    publisher.answers = {PATHS[Platform.SOCRATA]: [Reply(status=302, headers=to)]}
    with pytest.raises(RefusedAddressError, match=r"169\.254\.169\.254 is not declared"):
        fetch(source_for(publisher, Platform.SOCRATA), store)
    strict = replace(SETTINGS, allow_private=False)
    with pytest.raises(RefusedAddressError, match=r"127\.0\.0\.1, not a public address"):
        fetch(source_for(publisher, Platform.SOCRATA), store, strict)
