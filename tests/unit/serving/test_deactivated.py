"""Listings that a behaviour rule deactivated: not shown, and answered with the reason."""

from datetime import date

from tests.support.clients import open_client
from tests.support.releases import identity, resource, write_release


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
