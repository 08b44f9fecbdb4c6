"""`as_of`: reads that an earlier release answers, while its files are stored."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar.testing import TestClient

from serving.app import create_app
from serving.settings import Settings
from tests.support.clients import Client
from tests.support.releases import resource, write_release
from warehouse.release import older
from warehouse.release.store import ReleaseStore

GONE, FIRST, SECOND, SERVED, NEVER = (f"2026110{n}T060000Z-0000000{n}" for n in (1, 2, 3, 4, 5))
ROWS = {GONE: [1], FIRST: [1, 2, 3], SECOND: [1, 3, 4], SERVED: [1, 4]}
# The release log says on which day each came into service.
DAYS = {GONE: "2026-11-01", FIRST: "2026-11-02", SECOND: "2026-11-03", SERVED: "2026-11-05"}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("as-of")
    for release_id, ids in ROWS.items():
        rows = [resource(i, name=f"Pantry of {DAYS[release_id]}") for i in ids]
        # Of these two alone a table of HSDS is read.
        has_hsds = release_id in {FIRST, SERVED}
        write_release(folder, rows, release_id=release_id, hsds=has_hsds)
    store = ReleaseStore(folder)
    lines = store.log.path.read_text().splitlines(keepends=True)
    for place, entry in enumerate(store.log.readable_entries()):
        day = DAYS[entry.release_id]
        lines[place] = lines[place].replace(entry.created_at, f"{day}T08:00:00Z")
    store.log.path.write_text("".join(lines))
    shutil.rmtree(store.folder(GONE))
    return folder


@pytest.fixture(scope="module")
def client(data: Path) -> Iterator[Client]:
    app = create_app(Settings(data_dir=data, log_level="critical"))
    with TestClient(app, base_url="http://127.0.0.1:8000") as client:
        yield client


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One release after another without a pause."""
    monkeypatch.setattr(older, "MIN_OPEN_SECONDS", 0.0)


def listed(client: Client, as_of: str) -> tuple[str, list[int]]:
    answer = client.get(f"/api/resources/bulk?as_of={as_of}")
    assert answer.status_code == 200, answer.text
    document = answer.json()
    assert answer.headers["x-release"] == document["release_id"]
    return document["release_id"], [record["id"] for record in document["resources"]]


@pytest.mark.parametrize(
    ("as_of", "release_id"),
    [
        pytest.param(FIRST, FIRST, id="a release"),
        pytest.param(SECOND, SECOND, id="another release"),
        pytest.param(SERVED, SERVED, id="the one that is served"),
        pytest.param("2026-11-02", FIRST, id="the day on which it came into service"),
        pytest.param("2026-11-04", SECOND, id="a day on which none came into service"),
        pytest.param("2030-01-01", SERVED, id="a day to come"),
    ],
)
def test_as_of_selects_a_release(client: Client, as_of: str, release_id: str) -> None:
    assert listed(client, as_of) == (release_id, ROWS[release_id])
    assert client.get("/api/resources/bulk").headers["x-release"] == SERVED


@pytest.mark.parametrize(
    ("as_of", "status", "kind"),
    [
        pytest.param(GONE, 410, "release-gone", id="a release whose files are gone"),
        pytest.param("2026-11-01", 410, "release-gone", id="the day of that release"),
        pytest.param(NEVER, 404, "unknown-release", id="a release that was never served"),
        pytest.param("2026-10-31", 404, "unknown-release", id="a day before the first release"),
        pytest.param("yesterday", 400, "invalid-parameter", id="no day"),
        pytest.param("2026-02-30", 400, "invalid-parameter", id="no day of the calendar"),
        pytest.param("", 400, "invalid-parameter", id="nothing"),
        pytest.param("../current", 400, "invalid-parameter", id="a path"),
    ],
)
def test_a_release_that_is_not_stored_is_a_problem(
    client: Client, as_of: str, status: int, kind: str
) -> None:
    answer = client.get("/api/resources/search", params={"zip": "10002", "as_of": as_of})
    assert answer.status_code == status
    assert answer.json()["type"].endswith(f"/problems/{kind}")
    assert "as_of" in answer.json()["detail"]
    assert [fault["field"] for fault in answer.json()["errors"]] == ["as_of"]


@pytest.mark.parametrize(
    "path", ["/api/resources/1", "/api/resources/nearby?lat=40.71&lng=-73.98", "/hsds/v3/services"]
)
def test_every_read_follows_it(client: Client, path: str) -> None:
    sign = "&" if "?" in path else "?"
    answer = client.get(f"{path}{sign}as_of={FIRST}")
    assert answer.headers["x-release"] == FIRST
    assert "Pantry of 2026-11-02" in answer.text
    assert "Pantry of 2026-11-05" in client.get(path).text


def test_links_have_the_same_release(client: Client) -> None:
    ids, address = [], f"/api/resources/bulk?limit=1&as_of={FIRST}"
    while address:
        document = client.get(address).json()
        ids += [record["id"] for record in document["resources"]]
        address = document["next"]
    assert ids == ROWS[FIRST]


def test_one_older_release_at_a_time(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(older, "MIN_OPEN_SECONDS", 10.0)
    client.app.state["context"].watch.older.close()
    assert listed(client, FIRST)[0] == FIRST
    answer = client.get(f"/api/resources/bulk?as_of={SECOND}")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "10")
    assert listed(client, FIRST)[0] == FIRST
    assert listed(client, SERVED)[0] == SERVED


def test_a_damaged_release_is_a_problem_and_the_served_one_answers(
    client: Client, data: Path
) -> None:
    client.app.state["context"].watch.older.close()
    table = data / "releases" / SECOND / "serving" / "points.arrow"
    content = table.read_bytes()
    table.write_bytes(content[:-8])
    try:
        answer = client.get(f"/api/resources/bulk?as_of={SECOND}")
        assert answer.status_code == 503
        assert client.get("/api/resources/bulk").json()["release_id"] == SERVED
    finally:
        table.write_bytes(content)


def test_an_instance_can_do_without(data: Path) -> None:
    settings = Settings(data_dir=data, log_level="critical", older_releases="off")
    with TestClient(create_app(settings), base_url="http://127.0.0.1:8000") as client:
        answer = client.get(f"/api/resources/1?as_of={FIRST}")
        assert (answer.status_code, "LARDER_OLDER_RELEASES" in answer.text) == (503, True)
        assert client.get("/api/resources/1").status_code == 200


def test_pages_and_the_list_of_releases_ignore_it(client: Client) -> None:
    assert client.get(f"/api/releases?as_of={FIRST}").json()["current"] == SERVED
    assert client.get(f"/?as_of={NEVER}").status_code == 200
