"""What operators report, in the HSDS feed and in calendars: there at once, and gone when it is
taken back.
"""

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from serving.hsds.alerts import alert_text
from tests.support.clients import open_client
from tests.support.operators import make_tokens
from warehouse.index.live_overlay import LiveEntry
from warehouse.operations.engine import open_store
from warehouse.operations.live_reports import mark_changed
from warehouse.operations.review_models import CLOSURES

PLACE, OTHER = 110, 305
NOTE = 'Back door, "Hof";\n<b>Ñ</b>'
SAID = 'Note: Back door, "Hof"; <b>Ñ</b>'


@pytest.fixture
def opened(feed, tmp_path):
    """A client of the service, and a token for each of two places."""
    url = f"sqlite:///{tmp_path / 'operations.sqlite'}"
    tokens = make_tokens(url, [PLACE, OTHER])
    with open_client(feed, operations_url=url) as client:
        yield client, dict(zip((PLACE, OTHER), tokens, strict=True))


def report(client, token, status="closed_today", **more):
    body = {"claim_token": token, "status": status, **more}
    assert client.post("/api/pantry/status", json=body).status_code == 200


def rows(client, path):
    answer = client.get(f"/hsds/v3{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()["contents"]


def alerts(services):
    return {s["resource_id"]: s["alert"] for s in services if "alert" in s}


def by_id(services, resource_id):
    return next(s for s in services if s["resource_id"] == resource_id)


SERVICE_LISTS = {
    "flat": ("/services?per_page=1000", lambda contents: contents),
    "filtered": ("/services?search=pantry&per_page=1000", lambda contents: contents),
    "full": ("/services?full=true&per_page=1000", lambda contents: contents),
    "joined": ("/service_at_location?full=true&per_page=1000", lambda c: [r["service"] for r in c]),
    "of organizations": (
        "/organizations?full=true&per_page=1000",
        lambda c: [s for r in c for s in r.get("services", [])],
    ),
    "of organizations in full": (
        "/organizations?full_service=true&per_page=1000",
        lambda c: [s for r in c for s in r.get("services", [])],
    ),
}


@pytest.mark.parametrize(("path", "services"), SERVICE_LISTS.values(), ids=SERVICE_LISTS)
def test_lists_have_the_alert_of_that_service_only(opened, path, services):
    client, tokens = opened
    before = client.get(f"/hsds/v3{path}")
    report(client, tokens[OTHER], notes=NOTE)
    actual = alerts(services(rows(client, path)))
    assert list(actual) == [OTHER]
    assert actual[OTHER].startswith("Closed on ")
    assert actual[OTHER].endswith(SAID)
    after = client.get(f"/hsds/v3{path}", headers={"If-None-Match": before.headers["etag"]})
    assert after.status_code == 200
    again = client.get(f"/hsds/v3{path}", headers={"If-None-Match": after.headers["etag"]})
    assert again.status_code == 304
    client.post("/api/pantry/withdraw", json={"claim_token": tokens[OTHER]})
    assert client.get(f"/hsds/v3{path}").content == before.content
    assert client.get(f"/hsds/v3{path}").headers["etag"] == before.headers["etag"]


def test_single_rows_have_the_alert(opened):
    client, tokens = opened
    service = by_id(rows(client, "/services?per_page=1000"), OTHER)
    link = by_id(rows(client, "/service_at_location?per_page=1000"), OTHER)
    report(
        client,
        tokens[OTHER],
        "low_stock",
        inventory={"bread": "out", "dairy": "low", "water": "plenty"},
    )
    for path, of in (
        (f"/services/{service['id']}", lambda r: r),
        (f"/services/{service['id']}?full=false", lambda r: r),
        (f"/service_at_location/{link['id']}", lambda r: r["service"]),
        (f"/organizations/{service['organization_id']}", lambda r: by_id(r["services"], OTHER)),
    ):
        body = of(client.get(f"/hsds/v3{path}").json())
        assert body["alert"].startswith("Low on food on "), path
        assert "Out of: bread. Low on: dairy. Reported by its operator at " in body["alert"]
        assert {k: v for k, v in body.items() if k in service and k != "alert"} == service


def test_a_csv_page_differs_in_that_cell_alone(opened):
    client, tokens = opened
    path = "/hsds/v3/services?format=csv&per_page=1000"
    before = client.get(path).text
    report(client, tokens[PLACE], notes=NOTE)
    after = client.get(path).text
    old, new = (
        {r["id"]: r for r in csv.DictReader(io.StringIO(t, newline=""))} for t in (before, after)
    )
    cells = [new[key] for key in old if old[key] != new[key]]
    assert [row["resource_id"] for row in cells] == [str(PLACE)]
    assert cells[0]["alert"].endswith(SAID)
    assert {**cells[0], "alert": ""} == old[cells[0]["id"]]
    # All lines but one are the bytes of before.
    assert len(set(before.split("\r\n")) - set(after.split("\r\n"))) == 1


def test_lines_have_the_alert_and_files_do_not(opened):
    client, tokens = opened
    lines_of_release = client.get("/hsds/v3/services.ndjson").content
    assert client.get("/hsds/v3/services?format=ndjson").content == lines_of_release
    report(client, tokens[OTHER])
    lines = [
        json.loads(line) for line in client.get("/hsds/v3/services?format=ndjson").text.splitlines()
    ]
    assert list(alerts(lines)) == [OTHER]
    assert len(lines) == lines_of_release.count(b"\n")
    assert client.get("/hsds/v3/services.ndjson").content == lines_of_release
    assert "alert" not in client.get("/hsds/v3/services?minimal=true").text


def test_pages_without_an_alert_have_the_same_tags(opened):
    client, tokens = opened
    services = rows(client, "/services?per_page=1000")
    page = 1 + next(n for n, s in enumerate(services) if s["resource_id"] == OTHER)
    elsewhere = page % len(services) + 1
    tags = {
        n: client.get(f"/hsds/v3/services?per_page=1&page={n}").headers["etag"]
        for n in (page, elsewhere)
    }
    report(client, tokens[OTHER])
    now = {n: client.get(f"/hsds/v3/services?per_page=1&page={n}").headers["etag"] for n in tags}
    assert now[elsewhere] == tags[elsewhere]
    assert now[page] != tags[page]


def test_a_place_closed_for_good_has_an_alert(feed, tmp_path):
    url = f"sqlite:///{tmp_path / 'operations.sqlite'}"
    store = open_store(url)
    with store.write() as db:
        row = {
            "resource_id": OTHER,
            "cause": "edit 1",
            "closed_at": datetime.now(UTC),
            "cause_kind": "review",
            "reason": "duplicates",
        }
        db.execute(CLOSURES.insert(), row)
        mark_changed(db, [OTHER])
    store.close()
    with open_client(feed, operations_url=url) as client:
        actual = alerts(rows(client, "/services?per_page=1000"))
    assert list(actual) == [OTHER]
    assert actual[OTHER].startswith("Removed after review: duplicates (20")


AT = datetime(2026, 11, 23, 3, 5, tzinfo=UTC)  # the evening before in New York
TEXTS = {
    "the place's own day": (
        "open_today",
        True,
        None,
        "Open on 2026-11-22. Reported by its operator at 2026-11-22 22:05 EST, good until 2026-11-23 22:05 EST.",
    ),
    "nobody confirmed it": (
        "closed_today",
        False,
        None,
        "Closed on 2026-11-22. Reported by somebody who is not confirmed as its operator at 2026-11-22 22:05 EST, good until 2026-11-23 22:05 EST.",
    ),
    "a note": (
        "other",
        True,
        "Line moved.",
        "Notice of 2026-11-22. Reported by its operator at 2026-11-22 22:05 EST, good until 2026-11-23 22:05 EST. Note: Line moved.",
    ),
    "late": (
        "running_late",
        True,
        None,
        "Running late on 2026-11-22. Reported by its operator at 2026-11-22 22:05 EST, good until 2026-11-23 22:05 EST.",
    ),
    "out": (
        "out_of_stock",
        True,
        None,
        "Out of food on 2026-11-22. Reported by its operator at 2026-11-22 22:05 EST, good until 2026-11-23 22:05 EST.",
    ),
}


@pytest.mark.parametrize(("status", "is_confirmed", "notes", "text"), TEXTS.values(), ids=TEXTS)
def test_words(status, is_confirmed, notes, text):
    actual = json.dumps({"inventory": {}, "notes": notes})
    entry = LiveEntry(status, is_confirmed, AT, AT + timedelta(hours=24), actual)
    assert alert_text(entry, ZoneInfo("America/New_York")) == text
