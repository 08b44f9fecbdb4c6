"""Walk the cache times of the interface: each answer has its time, and a tag that HEAD and
`If-None-Match` understand.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from serving.documents.registry import STATE
from serving.documents.renderer import library
from serving.settings import Settings
from serving.sibling.app import create_sibling_app
from tests.support.clients import Client, open_client
from tests.support.declared import declaration
from tests.support.town import write_town

RELEASE = "20261101T060000Z-00000001"
MINUTE, HOUR, DAY = 60, 3600, 86_400
# The interface's documents below /api/v1, by their time; each with its Spanish mirror, if it has one.
DOCUMENTS = {
    HOUR // 2: "intents qa sitemap financials grants data-quality state/NY",
    HOUR: (
        "sister-entities donor-rights programs major-gifts family-foundations endowment legacy "
        "ratings giving-options states help-near-me cities changelog whoami corporate-giving "
        "calendar glossary contacts policies board"
    ),
    DAY: (
        "snap-eligibility wic-eligibility school-meals-eligibility eligibility-summary "
        "program-deadlines commodity-programs data-sources integrations safety-net"
    ),
}
ANSWERS = {
    MINUTE: [
        "/",
        "/api/resources/search?zip=10002",
        "/api/resources/nearby?lat=40.7&lng=-74",
        "/api/resources/101",
        "/api/resources/101/status",
        "/api/resources/bulk?limit=3",
        "/api/resources/bulk?limit=3&format=csv",
        "/api/llm-search?q=comida+gratis+10002",
        "/api/pantry/101/status",
        "/api/v1/health.json",
    ],
    5 * MINUTE: [
        "/api/resources/counts?zip=10002",
        "/api/resources/types",
        "/api/autocomplete?q=new",
        "/api/stats",
        "/api/disasters/current",
    ],
    10 * MINUTE: ["/api/stats/quality", "/api/leaderboard.json", "/api/v1/quick-stats.json"],
    HOUR // 2: ["/api/feed/news.atom", "/press/feed.atom", "/press/feed.json"],
    HOUR: [
        "/api/openapi.json",
        "/.well-known/openapi.json",
        "/atlas.json",
        "/atlas/NY.json",
        "/coverage/NY",
        "/api/v1/access.json",
        "/api/v1/access/NY.json",
        "/api/v1/access/counties.csv",
        "/api/v1/access/zips.csv",
        "/coverage/map",
        "/calendar/101.ics",
        "/api/resources/search.ics?zip=10002",
        "/packs/10002.json",
        "/hsds/v3",
        "/hsds/v3/datapackage.json",
        "/hsds/v3/services?per_page=5",
        "/hsds/v3/services?full=true",
        "/hsds/v3/services.csv",
    ],
    DAY: ["/problems/not-found", "/api/v1/verify/00-0000000"],
    365 * DAY: [f"/exports/{RELEASE}/resources.csv"],
}
SIBLING = ["/api/veteran-resources.json", "/api/donor-information.json"]
SHARED = (
    "x-release",
    "x-synthetic",
    "x-request-id",
    "access-control-allow-origin",
    "x-content-type-options",
    "vary",
)


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cache_times")
    storm = declaration("DR", 1, "NY", datetime.now(UTC).date() - timedelta(days=10))
    write_town(folder, bulk=True, hsds=True, veterans=True, declarations=[storm])
    return folder


@pytest.fixture(scope="module")
def client(town: Path) -> Iterator[Client]:
    with open_client(town, limits="off") as client:
        yield client


def addresses() -> Iterator[Any]:
    known = {path for row in library().list_answered() for path in row.paths()}
    for seconds, names in DOCUMENTS.items():
        for name in names.split():
            yield f"/api/v1/{name}.json", seconds
            if (mirror := f"/api/v1/{name}-es.json") in known:
                yield mirror, seconds
    for state in ("/api/v1/grants/{}.json", "/api/v1/es-grants/{}.json"):
        assert state.format(STATE) in known, state
        yield state.format("NY"), HOUR // 2
    for seconds, paths in ANSWERS.items():
        yield from ((path, seconds) for path in paths)


@pytest.mark.parametrize(("path", "seconds"), list(addresses()))
def test_cache_times(client: Client, path: str, seconds: int) -> None:
    full = client.get(path)
    assert full.status_code == 200, full.text
    immutable = ", immutable" if seconds == 365 * DAY else ""
    assert full.headers["cache-control"] == f"public, max-age={seconds}{immutable}"
    assert [name for name in SHARED if name not in full.headers] == []
    tag = full.headers["etag"]
    head = client.head(path)
    assert (head.status_code, head.content, head.headers["etag"]) == (200, b"", tag)
    for condition in (tag, f'"other", {tag.removeprefix("W/")}', "*"):
        again = client.get(path, headers={"If-None-Match": condition})
        assert (again.status_code, again.content) == (304, b"")
        for name in ("etag", "cache-control", "vary", "x-release"):
            assert again.headers[name] == full.headers[name]
        assert "content-length" not in again.headers
    assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_cache_times_of_the_sibling(town: Path) -> None:
    app = create_sibling_app(Settings(data_dir=town, log_level="error"))
    with TestClient(app) as client:
        for path in SIBLING:
            assert client.get(path).headers["cache-control"] == f"public, max-age={DAY}", path
