"""Single places, export, catalog, suggestions, reports, health, analytics."""

from datetime import date

import msgspec
import pytest

from schemas.api import reports
from schemas.api.lists import BulkPage
from schemas.api.record import LIVE_MEMBERS, RECORD_MEMBERS
from serving.app import create_app
from serving.settings import Settings
from tests.support.clients import open_client
from tests.support.processes import comes_true
from tests.support.releases import identity, resource, write_release
from tests.support.town import TODAY, resources, write_town
from tests.unit.serving.conftest import TOKEN


def test_members_are_in_the_declared_order(client):
    names = list(client.get("/api/resources/101").json())
    live = [name for name, _ in LIVE_MEMBERS]
    assert names[: len(RECORD_MEMBERS)] == [m.name for m in RECORD_MEMBERS]
    assert names[-len(live) :] == live


def test_one_place(client):
    place = client.get("/api/resources/101").json()
    assert (place["hours_status"], place["mode"], place["distance"]) == ("open", "free", None)
    assert place["hours_json"] == '{"monday":"00:00-24:00"}', "old clients decode it themselves"
    assert place["hours"][0]["opens_at"] == "00:00"
    assert [source["source_id"] for source in place["sources"]] == ["nyc_pantries_2023"]


@pytest.mark.parametrize(
    ("place", "valid", "toll_free"),
    {"open": (101, True, False), "old": (102, None, None), "toll-free": (104, True, True)}.values(),
)
def test_status(client, place, valid, toll_free):
    document = client.get(f"/api/resources/{place}/status").json()
    phone = document["phone"]
    assert (phone["is_valid"], phone["is_toll_free"]) == (valid, toll_free)
    assert document["verification"]["confidence"] == 30
    assert document["verification"]["reasons"]


# ---------------------------------------------------------------- export

PAGES = {
    "first of several": ("limit=50", 50, 132, 3, {"first", "next", "last", "license"}),
    "middle": ("limit=50&page=2", 50, 132, 3, {"first", "prev", "next", "last", "license"}),
    "last": ("limit=50&page=3", 32, 132, 3, {"first", "prev", "last", "license"}),
    "past the end": ("limit=50&page=9", 0, 132, 3, {"first", "prev", "last", "license"}),
    "several types": ("type=food_bank,soup_kitchen", 2, 2, 1, {"first", "last", "license"}),
    "state and type without a match": (
        "state=AK&type=food_bank",
        0,
        0,
        0,
        {"first", "last", "license"},
    ),
}


@pytest.mark.parametrize(("query", "count", "total", "pages", "links"), PAGES.values(), ids=PAGES)
def test_bulk_pages(client, query, count, total, pages, links):
    answer = client.get(f"/api/resources/bulk?{query}")
    page = msgspec.json.decode(answer.content, type=BulkPage)
    assert (page.count, len(page.resources), page.total, page.total_pages) == (
        count,
        count,
        total,
        pages,
    )
    assert set(answer.links) == links
    assert page.next == answer.links.get("next", {}).get("url")


# ---------------------------------------------------------------- reports


def test_quality(client):
    document = client.get("/api/stats/quality").json()
    assert document["field_completeness"]["phone"] == {"count": 2, "pct": 1.52}
    # A partner's list of today holds one of the places. That is no confirmation.
    assert document["freshness"]["confirmed_in_last_7d"]["count"] == 0
    assert document["freshness"]["confirmed_in_last_30d"]["count"] == 8
    assert document["freshness"]["confirmed_older_than_365d_or_unknown"]["count"] == 1


def test_only_a_confirmation_counts_as_confirmed(tmp_path):
    rows = resources()
    rows[0] = {**rows[0], "confirmed_date": TODAY}
    rows[2] = {**rows[2], "confirmed_date": None, "listed_date": TODAY}
    write_town(tmp_path, resources=rows)
    with open_client(tmp_path) as client:
        document = client.get("/api/stats/quality").json()["freshness"]
    assert document["confirmed_in_last_7d"]["count"] == 1
    assert document["dated_in_last_7d"]["count"] == 2
    assert document["confirmed_older_than_365d_or_unknown"]["count"] == 2


def test_dashboard_counts_searches(town, tmp_path):
    with open_client(
        town, admin_token=TOKEN, operations_file=str(tmp_path / "operations.sqlite")
    ) as client:
        for path in ("zip=10002&mode=free", "zip=10002&mode=free", "zip=99546&mode=wic"):
            client.get(f"/api/resources/search?{path}")
        headers = {"Authorization": f"Bearer {TOKEN}"}
        answer = client.get("/api/analytics/dashboard", headers=headers)
    report = msgspec.json.decode(answer.content, type=reports.Dashboard)
    assert answer.headers["cache-control"] == "private, no-store"
    assert report.daily[0].searches == 3
    assert report.top_zips[0].zip == "10002"
    assert any((z.zip, z.mode) == ("99546", "wic") for z in report.zero_result_searches)


@pytest.mark.parametrize(
    "authorization", ["", "Bearer wrong", f"Basic {TOKEN}", "Bearer ", "Bearer ñ"]
)
def test_dashboard_is_closed(client, authorization):
    answer = client.get(
        "/api/analytics/dashboard", headers={"Authorization": authorization.encode()}
    )
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"


# ---------------------------------------------------------------- without data, with bad data


def test_without_a_release(tmp_path):
    with open_client(tmp_path) as empty:
        assert empty.get("/api/health").json()["status"] == "no_release"
        ready = empty.get("/api/health/ready")
        assert (ready.status_code, ready.headers["retry-after"]) == (503, "30")
        for path in ("/api/resources/search?zip=10002", "/atlas.json", "/api/v1/state/NY.json"):
            answer = empty.get(path)
            assert answer.status_code == 503
            assert answer.headers["retry-after"] == "30"
            assert "x-release" not in answer.headers
        assert empty.get("/api/health/deep").status_code == 503
        assert empty.get("/").status_code == empty.get("/api/openapi.json").status_code == 200


def test_the_dashboard_without_a_token_set_is_closed_to_all(tmp_path):
    with open_client(tmp_path) as empty:
        headers = {"Authorization": "Bearer "}
        assert empty.get("/api/analytics/dashboard", headers=headers).status_code == 401


def test_deep_health_reports_a_release_that_could_not_be_opened(tmp_path):
    first = write_town(tmp_path)
    with open_client(tmp_path, log_level="critical", poll_seconds=0.02) as client:
        second = write_town(tmp_path, release_id="20261102T060000Z-00000002", promote=False)
        (tmp_path / "releases" / second / "serving" / "directory.duckdb").unlink()
        (tmp_path / "releases" / "current").write_text(second)

        def is_refused() -> bool:
            report = client.get("/api/health/deep").json()
            return f"{second} is refused" in report["checks"][0]["detail"]

        assert comes_true(is_refused)
        assert client.get("/api/health/deep").status_code == 503
        assert client.get("/api/stats").headers["x-release"] == first


def test_an_internal_error_hides_its_details(town, monkeypatch):
    from serving.site import site
    from serving.statistics import reports as made

    monkeypatch.setattr(made, "stats", lambda _: 1 / 0)
    with open_client(town, log_level="critical") as broken:
        answer = broken.get("/api/stats")
        assert answer.status_code == 500
        assert answer.json()["type"].endswith("/problems/internal-error")
        assert "division" not in answer.text
        monkeypatch.setattr(site, "largest_cities", lambda _: 1 / 0)
        page = broken.get("/es/", headers={"accept": "text/html"})
        assert page.status_code == 500
        assert "<h1>Algo falló de nuestro lado" in page.text
        assert page.headers["x-request-id"] in page.text


def test_ids_that_moved(tmp_path):
    ended = [
        identity(901, "merged", 101),
        identity(902, "merged", 901),
        identity(903, "retired"),
        identity(904, "merged", 903),
        identity(905, "merged", 906),
        identity(906, "merged", 905),
    ]
    write_town(tmp_path, resources=resources(), identities=ended)
    with open_client(tmp_path) as client:
        for resource_id, status in {
            901: 301,
            902: 301,
            903: 410,
            904: 410,
            905: 410,
            907: 404,
        }.items():
            for suffix in ("", "/status"):
                answer = client.get(f"/api/resources/{resource_id}{suffix}", follow_redirects=False)
                assert answer.status_code == status
                if status == 301:
                    assert answer.headers["location"] == f"/api/resources/101{suffix}"


def test_a_deactivated_listing_is_410_with_its_reason(tmp_path):
    change = {
        "rule_id": "dead_end",
        "changed_field": "is_active",
        "old_value": "true",
        "new_value": "false",
        "observed_on": date(2026, 11, 1),
        "evidence": "unverified; no phone",
        "release_id": "r1",
    }
    rows = [resource(101), resource(102, is_active=False), resource(103, is_active=False)]
    merged_id = identity(99, "merged", 102)
    write_release(tmp_path, rows, changes=[{**change, "resource_id": 102}], identities=[merged_id])
    with open_client(tmp_path) as client:
        for suffix in ("", "/status"):
            assert client.get(f"/api/resources/101{suffix}").status_code == 200
            answer = client.get(f"/api/resources/102{suffix}")
            assert answer.status_code == 410
            assert "unverified; no phone" in answer.json()["detail"]
            assert client.get(f"/api/resources/103{suffix}").status_code == 410, (
                "without a known reason"
            )
            answer = client.get(f"/api/resources/99{suffix}", follow_redirects=False)
            assert answer.status_code == 410, "the successor is gone too"
        nearby = client.get("/api/resources/nearby?lat=40.7157&lng=-73.9863").json()["resources"]
        assert [r["id"] for r in nearby] == [101]


def test_the_single_record_has_its_confidence(tmp_path):
    write_release(tmp_path, [resource(101)])
    with open_client(tmp_path) as client:
        record = client.get("/api/resources/101").json()
        assert record["verification_confidence"] == 30
        assert record["verification_reasons"] == ["authority_compiled", "point_exact"]
        status = client.get("/api/resources/101/status").json()["verification"]
        assert status["confidence"] == 30
        assert "The point is exact." in status["reasons"]


def test_create_app_opens_nothing_by_itself(tmp_path):
    create_app(Settings(data_dir=tmp_path / "absent"))
    assert not (tmp_path / "absent").exists()
