"""Publishers that give out data in pages: ArcGIS layers and OpenFEMA data sets."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from schemas.sources.registry import LiveFeed, Source
from tests.integration.fetch.publisher_server import (
    Answer,
    Asked,
    Publisher,
    Reply,
)
from tests.integration.fetch.support import (
    PAGE,
    fetch,
    leftovers,
    source_of,
)
from warehouse.fetch.errors import (
    AnswerError,
    ChangedWhileReadingError,
    FetchError,
    ServerBusyError,
    TooLargeError,
    TruncatedError,
    WrongContentError,
)
from warehouse.raw_store import RawStore

ROWS = [
    {"ObjectId": n, "Store_Name": f"Invented Market {n}", "Latitude": 18.10} for n in range(1, 26)
]


def as_json(value: object) -> Reply:
    return Reply(json.dumps(value).encode(), headers={"Content-Type": "application/json"})


def arcgis_layer(
    rows: list[dict[str, Any]], most: int = 1000, counts: list[int] | None = None, flag: bool = True
) -> Callable[[Asked], Reply]:
    """A layer that gives at most `most` rows a page; `counts` are its answers to returnCountOnly."""
    left = list(counts or [])

    def answer(asked: Asked) -> Reply:
        if asked.query.get("returnCountOnly") == "true":
            return as_json({"count": left.pop(0) if left else len(rows)})
        start = int(asked.query["resultOffset"])
        end = start + min(most, int(asked.query["resultRecordCount"]))
        features = [{"attributes": row} for row in rows[start:end]]
        page: dict[str, Any] = {"objectIdFieldName": "ObjectId", "features": features}
        if flag and end < len(rows):
            page["exceededTransferLimit"] = True
        return as_json(page)

    return answer


def arcgis_source(publisher: Publisher, url: str = "/layer/0", **params: str) -> Source:
    return source_of(LiveFeed("arcgis_pages", publisher.url(url), "stores.json", 10, params))


def offsets(publisher: Publisher) -> list[str | None]:
    return [a.query.get("resultOffset") for a in publisher.asked]


@pytest.mark.parametrize(
    ("url", "layer", "expected_offsets"),
    [
        pytest.param("/layer/0", arcgis_layer(ROWS), [None, "0", "10", "20", None], id="pages"),
        pytest.param(
            "/layer/0/query",
            arcgis_layer(ROWS),
            [None, "0", "10", "20", None],
            id="address of the query",
        ),
        pytest.param(
            "/layer/0",
            arcgis_layer(ROWS, most=9),
            [None, "0", "9", "18", None],
            id="layer's own cap",
        ),
        pytest.param(
            "/layer/0",
            arcgis_layer(ROWS, flag=False),
            [None, "0", "10", "20", None],
            id="no flag, short page",
        ),
        pytest.param(
            "/layer/0",
            arcgis_layer(ROWS[:20], flag=False),
            [None, "0", "10", None],
            id="no flag, full last page",
        ),
    ],
)
def test_arcgis_pages_are_kept_word_for_word(
    publisher: Publisher,
    store: RawStore,
    url: str,
    layer: Answer,
    expected_offsets: list[str | None],
) -> None:
    publisher.answers = {"/layer/0/query": [layer]}
    kept, lines = fetch(arcgis_source(publisher, url, returnGeometry="false"), store)
    pages = json.loads(kept[0].path.read_bytes())
    rows = [feature["attributes"] for page in pages for feature in page["features"]]
    assert rows == ROWS[: len(rows)]
    assert offsets(publisher) == expected_offsets
    assert lines[0] == f"agency_list: stores.json: {len(rows)} rows"
    asked = publisher.asked[1].query
    wanted = {
        "where": "1=1",
        "outFields": "*",
        "orderByFields": "ObjectId",
        "f": "json",
        "returnGeometry": "false",
    }
    assert wanted.items() <= asked.items()
    assert leftovers(store) == []
    again, _ = fetch(arcgis_source(publisher, url), store)
    assert again == kept


ARCGIS_FAILURES: list[Any] = [
    pytest.param(
        [as_json({"error": {"code": 400, "message": "Invalid query", "details": ["'ObjectId' is unknown"]}})],
        AnswerError, "answers with an error: 400 Invalid query 'ObjectId' is unknown. Check", 1, id="error under 200",
    ),
    pytest.param(
        [as_json({"error": {"code": 504, "message": "Timed out", "details": []}})],
        ServerBusyError, "answers with an error: 504 Timed out", 3, id="busy under 200",
    ),
    pytest.param([Reply(PAGE)], WrongContentError, "a web page instead of application/json", 2, id="HTML under 200"),
    pytest.param([arcgis_layer(ROWS, counts=[25, 26, 25, 26])], ChangedWhileReadingError, "counts 25 rows before and 26 after, 25 came", 10, id="count moves each time"),
    pytest.param([arcgis_layer(ROWS, counts=[40] * 4, flag=False)], ChangedWhileReadingError, "40 rows before and 40 after, 25 came", 10, id="fewer rows than counted"),
    pytest.param([arcgis_layer(ROWS[:20], counts=[25] * 4, flag=False)], ChangedWhileReadingError, "20 of 25 rows came", 8, id="rows run out"),
    pytest.param([arcgis_layer([*ROWS, ROWS[0]])], ChangedWhileReadingError, "a row came twice", 8, id="a row twice"),
    pytest.param([arcgis_layer([])], WrongContentError, "the layer gives 0 as its count", 1, id="an empty layer"),
    pytest.param([Reply(b'{"count": 2', length=-1)], TruncatedError, "the JSON has no end", 3, id="cut JSON without length"),
    pytest.param([arcgis_layer([{"ObjectId": 1, "x": "y" * 60_000}])], TooLargeError, "more than 50000 bytes", 2, id="a page too large"),
    pytest.param(
        [Reply(gzip.compress(b'{"count": 1' + b" " * 10**6 + b"}"), headers={"Content-Encoding": "gzip"})],
        TooLargeError, "more than 50000 bytes", 1, id="a page that is a gzip bomb",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("answers", "kind", "message", "requests"), ARCGIS_FAILURES)
def test_failed_arcgis_pages_keep_the_last_good_set(
    publisher: Publisher,
    store: RawStore,
    answers: list[Answer],
    kind: type[FetchError],
    message: str,
    requests: int,
) -> None:
    publisher.answers = {"/layer/0/query": [arcgis_layer(ROWS[:3])]}
    good, _ = fetch(arcgis_source(publisher), store)
    publisher.asked.clear()
    publisher.answers = {"/layer/0/query": answers}
    with pytest.raises(kind, match=re.escape(message)) as caught:
        fetch(arcgis_source(publisher), store)
    assert str(caught.value).startswith(f"agency_list: {publisher.url('/layer/0/query')}")
    assert len(publisher.asked) == requests
    assert store.files("agency_list") == good
    assert leftovers(store) == []


def test_a_count_that_moved_once_is_read_again(publisher: Publisher, store: RawStore) -> None:
    publisher.answers = {"/layer/0/query": [arcgis_layer(ROWS, counts=[24, 25, 25, 25])]}
    kept, lines = fetch(arcgis_source(publisher), store)
    assert "24 rows before and 25 after, 25 came; reading again from the first page" in lines[0]
    assert len(json.loads(kept[0].path.read_bytes())) == 3
    assert len(publisher.asked) == 10


FEMA_ROWS = [{"id": f"id-{n:02}", "disasterNumber": 4000 + n} for n in range(25)]


def openfema_set(
    rows: list[dict[str, Any]], most: int = 1000, counts: list[int | None] | None = None
) -> Callable[[Asked], Reply]:
    left = list(counts or [])

    def answer(asked: Asked) -> Reply:
        start = int(asked.query["$skip"])
        end = start + min(most, int(asked.query["$top"]))
        count = left.pop(0) if left else len(rows)
        return as_json(
            {"metadata": {"skip": start, "count": count}, "Declarations": rows[start:end]}
        )

    return answer


def openfema_source(publisher: Publisher) -> Source:
    feed = LiveFeed("openfema_pages", publisher.url("/api/open/v2/Declarations"), "areas.json", 10)
    return source_of(feed)


@pytest.mark.parametrize(
    ("most", "skips"),
    [
        pytest.param(1000, ["0", "10", "20"], id="a short page at the end"),
        pytest.param(8, ["0", "8", "16", "24"], id="short pages all along"),
    ],
)
def test_openfema_pages_are_read_until_the_count(
    publisher: Publisher, store: RawStore, most: int, skips: list[str]
) -> None:
    publisher.answers = {"/api/open/v2/Declarations": [openfema_set(FEMA_ROWS, most)]}
    kept, _ = fetch(openfema_source(publisher), store)
    pages = json.loads(kept[0].path.read_bytes())
    assert [row for page in pages for row in page["Declarations"]] == FEMA_ROWS
    assert [a.query["$skip"] for a in publisher.asked] == skips
    assert {a.query["$orderby"] for a in publisher.asked} == {"id"}
    assert {a.query["$count"] for a in publisher.asked} == {"true"}


@pytest.mark.parametrize(
    ("answers", "kind", "message"),
    [
        pytest.param([openfema_set(FEMA_ROWS, counts=[25, 26] * 2)], ChangedWhileReadingError, "the count went from 25 to 26 between pages", id="count moves"),
        pytest.param([openfema_set(FEMA_ROWS, counts=[31] * 8)], ChangedWhileReadingError, "25 of 31 rows came", id="rows run out"),
        pytest.param([openfema_set(FEMA_ROWS, counts=[24] * 6)], ChangedWhileReadingError, "25 rows came, counted 24", id="more rows than counted"),
        pytest.param([openfema_set(FEMA_ROWS, counts=[None])], WrongContentError, "the metadata give None as the count", id="no count"),
        pytest.param([as_json({"metadata": {"count": 3}})], WrongContentError, "a page with 0 lists of rows", id="no rows"),
        pytest.param([as_json([])], WrongContentError, "a JSON list instead of a page object", id="a list"),
        pytest.param([openfema_set([FEMA_ROWS[0]] * 2)], ChangedWhileReadingError, "a row came twice", id="a row twice in one page"),
    ],
)  # fmt: skip
def test_failed_openfema_pages_keep_nothing(
    publisher: Publisher,
    store: RawStore,
    answers: list[Answer],
    kind: type[FetchError],
    message: str,
) -> None:
    publisher.answers = {"/api/open/v2/Declarations": answers}
    with pytest.raises(kind, match=re.escape(message)):
        fetch(openfema_source(publisher), store)
    assert store.files("agency_list") == []
    assert leftovers(store) == []
