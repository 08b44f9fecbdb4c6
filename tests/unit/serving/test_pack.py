"""Offline packs: size, assertions with their end, two languages; the manifest."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from serving.render.assets import static_files, tokens
from serving.search.start import start_of_zip
from serving.site import pack
from serving.site.pack import MAX_DAYS, MAX_PACK_BYTES, pack_of_area
from tests.support.town import TODAY

DAY = 86_400


def place(client, resource_id: int, language: str = "") -> dict:
    answer = client.get(f"{language}/packs/place/{resource_id}.json")
    assert answer.status_code == 200, answer.text
    return answer.json()["places"][0]


@pytest.mark.parametrize(
    ("resource_id", "case"), [(101, "always open"), (102, "hours of 2020"), (103, "without hours")]
)
def test_only_current_hours_are_asserted(client, resource_id, case) -> None:
    actual = place(client, resource_id)
    if case == "always open":
        now = datetime.now(UTC).timestamp()
        assert (MAX_DAYS * DAY - 3600) <= actual["until"] - now <= MAX_DAYS * DAY
        assert actual["spans"] == [[actual["until"] - MAX_DAYS * DAY, actual["until"], 1]]
        assert str((TODAY - timedelta(days=20)).year) in actual["as_of"]
    else:
        assert "until" not in actual
        assert "spans" not in actual
        assert ("as_of" in actual) == (case == "hours of 2020")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/packs/10002.json", 200),
        ("/es/packs/10002.json", 200),
        ("/packs/10002", 404),
        ("/packs/abc.json", 400),
        ("/packs/00000.json", 404),
        ("/packs/place/101.json", 200),
        ("/packs/place/999.json", 404),
        ("/packs/place/x.json", 404),
        ("/packs/search.json?q=10002", 200),
        ("/packs/search.json?q=Nirgendwo", 404),
        ("/packs/search.json", 404),
    ],
)
def test_packs_answer(client, path, status) -> None:
    assert client.get(path).status_code == status


@pytest.mark.parametrize("language", ["", "/es"])
def test_an_area_has_its_places_and_contacts(client, language) -> None:
    answer = client.get(f"{language}/packs/10002.json")
    body = answer.json()
    assert body["path"] == f"{language}/zip/10002"
    assert body["total"] == len(body["places"]) == 123
    assert any(one.get("phone") == "211" or one["name"] == "211" for one in body["contacts"])


def test_a_pack_that_is_too_large_has_the_nearest(client, monkeypatch) -> None:
    monkeypatch.setattr(pack, "MAX_PACK_BYTES", 9_000)
    release = client.app.state.context.watch.release
    start = start_of_zip(release, "10002")
    body = pack_of_area(release, "title", "/zip/10002", start, datetime.now(UTC), "en")
    document = msgspec.json.decode(body)
    assert len(body) <= 9_000 < MAX_PACK_BYTES
    assert 0 < len(document["places"]) < document["total"]
    assert document["places"][0]["id"] == 101


def test_a_search_names_its_page_and_counts_no_search_again(client) -> None:
    body = client.get("/es/packs/search.json?q=10002&mode=snap&open_now=true").json()
    assert body["path"].startswith("/es/search?q=10002&mode=snap")
    assert "open_now=true" in body["path"]


@pytest.mark.parametrize("language", ["", "/es"])
def test_files_of_the_manifest_exist(client, language) -> None:
    answer = client.get(f"{language}/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    body = answer.json()
    assert body["name"] == "Open Larder"
    assert len(body["short_name"]) <= 12
    assert body["start_url"] == f"{language}/"
    for one in (*body["icons"], *({"src": s["url"]} for s in body["shortcuts"])):
        image = client.get(one["src"])
        assert image.status_code == 200, one
        if one.get("type") == "image/png":
            width = int.from_bytes(image.content[16:20], "big")
            assert one["sizes"] == f"{width}x{width}"
    assert body["theme_color"] == tokens()["light"]["accent"]


def test_the_worker_answers_for_all_pages_and_may_only_fetch(client) -> None:
    answer = client.get("/sw.js")
    assert answer.content == static_files()["sw.js"].body
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["content-security-policy"] == "default-src 'self'"
