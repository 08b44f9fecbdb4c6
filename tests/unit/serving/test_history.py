"""Releases, changes, the log and the key over HTTP."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from schemas.api.history import Change, ChangePage, LogEntry, ReleaseList, ReleaseLog
from tests.support.clients import Client, open_client
from tests.support.releases import identity, resource, write_release
from warehouse.release.signing import write_new_key
from warehouse.release.store import ReleaseStore

IDS = [f"2026110{n}T060000Z-0000000{n}" for n in (1, 2, 3, 4)]
NEVER_SERVED = "20261109T060000Z-00000009"
RELEASES = {
    IDS[0]: [resource(1), resource(2), resource(3, name='<b>"Ñ"</b> & Co')],
    IDS[1]: [resource(1, phone="a"), resource(3, name='<b>"Ñ"</b> & Co'), resource(4)],
    IDS[2]: [resource(1, phone="b"), resource(2), resource(4)],
}


RETIRED: dict[str, list[int]] = {IDS[0]: [], IDS[1]: [2], IDS[2]: [3]}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three releases, the third served; a fourth was never promoted."""
    folder = tmp_path_factory.mktemp("history")
    for release_id, rows in RELEASES.items():
        retired = [identity(i, "retired") for i in RETIRED[release_id]]
        write_release(folder, rows, release_id=release_id, history=True, identities=retired)
    write_release(folder, [resource(1)], release_id=NEVER_SERVED, promote=False)
    return folder


@pytest.fixture(scope="module")
def client(data: Path) -> Iterator[Client]:
    with open_client(data) as client:
        yield client


def changes_of(client: Client, path: str) -> list[tuple[int, str]]:
    page = msgspec.json.decode(client.get(path).content, type=ChangePage)
    return [(change.resource_id, change.change) for change in page.changes]


def test_the_history_lists_releases_newest_first(client: Client) -> None:
    releases = msgspec.json.decode(client.get("/api/releases").content, type=ReleaseList)
    assert [r.id for r in releases.releases] == [IDS[2], IDS[1], IDS[0]]
    newest, middle, oldest = releases.releases
    assert (newest.is_current, middle.is_current) == (True, False)
    assert (oldest.parent, middle.parent) == (None, IDS[0])
    assert oldest.changes == {"added": 3, "changed": 0, "reactivated": 0, "merged": 0, "retired": 0}
    assert middle.changes == {"added": 1, "changed": 1, "reactivated": 0, "merged": 0, "retired": 1}
    assert [r.log_sequences for r in releases.releases] == [[3], [2], [1]]
    for release in releases.releases:
        for address in msgspec.to_builtins(release.links).values():
            assert client.get(address.removeprefix("http://127.0.0.1:8000")).status_code == 200


PAGES = {
    "of a release": (
        f"/api/releases/{IDS[1]}/changes",
        [(1, "changed"), (2, "retired"), (4, "added")],
    ),
    "of the first release": (f"/api/releases/{IDS[0]}/changes", []),
    "since the parent": (
        f"/api/changes?since={IDS[1]}",
        [(1, "changed"), (2, "reactivated"), (3, "retired")],
    ),
    "over two releases": (
        f"/api/changes?since={IDS[0]}",
        [(1, "changed"), (3, "retired"), (4, "added")],
    ),
    "since the served one": (f"/api/changes?since={IDS[2]}", []),
    "backwards": (
        f"/api/changes?since={IDS[2]}&until={IDS[0]}",
        [(1, "changed"), (3, "reactivated"), (4, "retired")],
    ),
}


@pytest.mark.parametrize(("path", "expected"), PAGES.values(), ids=PAGES)
def test_changes(client: Client, path: str, expected: list[tuple[int, str]]) -> None:
    changes = changes_of(client, path)
    assert changes == expected
    lines = client.get(path + ("&" if "?" in path else "?") + "format=ndjson")
    assert lines.headers["content-type"] == "application/x-ndjson"
    decoded = [msgspec.json.decode(line, type=Change) for line in lines.content.splitlines()]
    assert [(c.resource_id, c.change) for c in decoded] == changes


def test_pages_join_up_to_the_whole_and_stay_between_the_same_releases(client: Client) -> None:
    address: str | None = f"/api/changes?since={IDS[0]}&limit=2"
    ids: list[int] = []
    pages = 0
    while address:
        answer = client.get(address.removeprefix("http://127.0.0.1:8000"))
        page = msgspec.json.decode(answer.content, type=ChangePage)
        assert (page.until, page.total, page.count) == (IDS[2], 3, len(page.changes))
        assert ("link" in answer.headers) == (page.next is not None)
        ids += [change.resource_id for change in page.changes]
        address, pages = page.next, pages + 1
        assert address is None or f"until={IDS[2]}" in address
    assert (ids, pages) == ([1, 3, 4], 2)


REFUSALS = {
    "no since": ("/api/changes", 400, "since is required"),
    "unknown since": (
        "/api/changes?since=20200101T000000Z-00000000",
        404,
        "since: this service never served release",
    ),
    "unknown until": (
        f"/api/changes?since={IDS[0]}&until=20200101T000000Z-00000000",
        404,
        "until: this service never served release",
    ),
    "never served": (f"/api/changes?since={NEVER_SERVED}", 404, "never served release"),
    "unknown release": (
        "/api/releases/20200101T000000Z-00000000/changes",
        404,
        "never served release",
    ),
    "unknown manifest": (
        "/api/releases/20200101T000000Z-00000000/manifest.json",
        404,
        "never served release",
    ),
    "unknown page": ("/releases/..%2f..", 404, ""),
    "no key": ("/.well-known/larder-release-key.pem", 404, "has no public key"),
}


@pytest.mark.parametrize(("path", "status", "message"), REFUSALS.values(), ids=REFUSALS)
def test_refusals(client: Client, path: str, status: int, message: str) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert message in answer.json()["detail"]


def test_the_log_is_given_as_an_object_and_as_its_bytes(client: Client, data: Path) -> None:
    log = msgspec.json.decode(client.get("/api/releases/log").content, type=ReleaseLog)
    content = client.get("/api/releases/log?format=ndjson").content
    assert content == ReleaseStore(data).log.path.read_bytes()
    assert [
        msgspec.json.decode(line, type=LogEntry) for line in content.splitlines()
    ] == log.entries


def test_a_manifest_is_given_as_it_was_written(client: Client, data: Path) -> None:
    content = client.get(f"/api/releases/{IDS[0]}/manifest.json").content
    assert content == (data / "releases" / IDS[0] / "manifest.json").read_bytes()


def test_the_report_page_agrees_with_the_feed_and_escapes_names(client: Client) -> None:
    page = client.get(f"/releases/{IDS[2]}")
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert '<html lang="en">' in page.text
    assert "invented" in page.text
    assert "&lt;b&gt;&#34;Ñ&#34;&lt;/b&gt; &amp; Co" in page.text
    assert "<b>" not in page.text
    assert "None of its sources lists it now." in page.text
    assert page.text.count("<caption>") == page.text.count("<table>") >= 4
    assert "retrieved_at" in page.text
    index = client.get("/releases").text
    assert all(f'href="/releases/{i}"' in index for i in IDS[:3])
    assert NEVER_SERVED not in index


def test_a_pruned_release_has_a_report_but_no_changes(data: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(data, tmp_path / "copy")
    shutil.rmtree(copy / "releases" / NEVER_SERVED)
    assert ReleaseStore(copy).prune(1) == IDS[:2]
    with open_client(copy) as client:
        for path in (f"/api/changes?since={IDS[0]}", f"/api/releases/{IDS[0]}/changes"):
            answer = client.get(path)
            assert answer.status_code == 410
            assert answer.json()["type"].endswith("/problems/release-gone")
            assert "full export" in answer.json()["detail"]
        # The feed from the parent lies in the release itself.
        assert client.get(f"/api/changes?since={IDS[1]}").json()["total"] == 3
        assert client.get(f"/api/releases/{IDS[0]}/manifest.json").status_code == 200
        page = client.get(f"/releases/{IDS[1]}")
        assert page.status_code == 200
        assert "no longer kept" in page.text
        releases = client.get("/api/releases").json()["releases"]
        assert [(r["id"], r["is_kept"]) for r in releases] == [
            (IDS[2], True),
            (IDS[1], False),
            (IDS[0], False),
        ]


def test_releases_without_recorded_changes_are_compared_on_demand(tmp_path: Path) -> None:
    """Earlier versions recorded no changes: the feed is computed, and the page names the gap."""
    for release_id, rows in list(RELEASES.items())[:2]:
        write_release(tmp_path, rows, release_id=release_id)
    with open_client(tmp_path) as client:
        assert changes_of(client, f"/api/releases/{IDS[1]}/changes") == [
            (1, "changed"),
            (2, "retired"),
            (4, "added"),
        ]
        assert "before changes were recorded" in client.get(f"/releases/{IDS[1]}").text


def test_a_damaged_line_of_the_log_does_not_hide_the_history(data: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(data, tmp_path / "copy")
    path = ReleaseStore(copy).log.path
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"nonsense\n" + lines[2])
    with open_client(copy) as client:
        assert [r["id"] for r in client.get("/api/releases").json()["releases"]] == [IDS[2], IDS[0]]
        assert client.get(f"/api/changes?since={IDS[0]}").status_code == 200


def test_the_public_key_is_published(data: Path, tmp_path: Path) -> None:
    public = write_new_key(tmp_path / "k.pem")
    with open_client(data, release_keys=str(public)) as client:
        assert client.get("/.well-known/larder-release-key.pem").content == public.read_bytes()


def test_a_withdrawn_release_is_named_with_the_reason(data: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(data, tmp_path / "data")
    ReleaseStore(folder).withdraw(IDS[1], "Links led to <b>another</b> domain.")
    with open_client(folder) as client:
        releases = msgspec.json.decode(client.get("/api/releases").content, type=ReleaseList)
        middle = releases.releases[1]
        assert (middle.id, middle.is_kept, middle.changes) == (IDS[1], False, None)
        assert middle.withdrawn == "Links led to <b>another</b> domain."
        for path in ("/releases", f"/releases/{IDS[1]}"):
            assert "Links led to &lt;b&gt;another&lt;/b&gt; domain." in client.get(path).text
        gone = client.get(f"/api/releases/{IDS[1]}/changes")
        assert gone.status_code == 410
        assert "was withdrawn" in gone.json()["detail"]
        # Who has it can go on from it.
        assert client.get(f"/api/changes?since={IDS[1]}").status_code == 200
        log = msgspec.json.decode(client.get("/api/releases/log").content, type=ReleaseLog)
        assert [entry.event for entry in log.entries][-1] == "withdraw"
