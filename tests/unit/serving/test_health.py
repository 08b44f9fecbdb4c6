"""The deep health check fails for each of its causes."""

import shutil
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from serving import health
from tests.support.cases import cases
from tests.support.clients import open_client
from tests.support.metrics import metrics_of
from tests.support.releases import resource, write_release
from tests.support.town import write_town
from warehouse.release.manifest import SourceEntry, read_manifest, write_manifest


def checks(client) -> tuple[int, str, dict[str, str]]:
    answer = client.get("/api/health/deep")
    report = answer.json()
    return answer.status_code, report["status"], {c["name"]: c["status"] for c in report["checks"]}


def opened(folder, **values):
    return open_client(folder, log_level="critical", **values)


def test_all_is_well(tmp_path):
    write_town(tmp_path)
    with opened(tmp_path) as client:
        code, status, parts = checks(client)
        assert (code, status) == (200, "ok")
        assert set(parts) == {
            "pointer",
            "database",
            "records",
            "totals",
            "sources",
            "disasters",
            "store",
            "disk",
            "tasks",
        }
        body = client.get("/api/v1/health.json").json()
        assert (body["status"], body["faults"]) == ("ok", {})


def test_a_disk_that_is_nearly_full(tmp_path):
    write_town(tmp_path)
    free = shutil.disk_usage(tmp_path).free // 1_000_000
    with opened(tmp_path, min_free_mb=free * 2) as client:
        code, status, parts = checks(client)
        assert (code, status, parts["disk"]) == (503, "broken", "broken")
        answer = client.get("/api/v1/health.json")
        assert (answer.status_code, answer.json()["status"]) == (200, "broken")
        assert answer.json()["faults"]["disk"] == "broken", "sizes are for the operator"
        assert client.get("/api/health").status_code == 200


def test_findings_about_the_installation_are_for_its_operator(tmp_path):
    write_town(tmp_path)
    with opened(tmp_path, admin_token="secret") as client:
        stranger = client.get("/api/health/deep").text
        assert "MB free" not in stranger
        assert "SQLite" not in stranger
        wrong = client.get("/api/health/deep", headers={"Authorization": "Bearer x"}).text
        assert "MB free" not in wrong
        own = client.get("/api/health/deep", headers={"Authorization": "Bearer secret"}).text
        assert "MB free" in own
        assert "SQLite" in own


def test_a_store_that_cannot_be_written(tmp_path, monkeypatch):
    monkeypatch.setattr("warehouse.operations.engine.WAIT_SECONDS", 0.1)
    write_town(tmp_path)
    path = tmp_path / "operations" / "operations.sqlite"
    with opened(tmp_path) as client:
        assert checks(client)[1] == "ok"
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        code, status, parts = checks(client)
        assert (code, status, parts["store"]) == (503, "broken", "broken")
        # Food is still found.
        assert client.get("/api/resources/101").status_code == 200
        assert 'larder_store_failures_total{kind="write"}' in metrics_of(client)
        other.close()
        assert checks(client)[1] == "ok"


def test_a_store_out_of_reach(tmp_path):
    write_town(tmp_path)
    url = "postgresql://larder@127.0.0.1:1/nowhere"
    with opened(tmp_path, operations_url=url) as client:
        code, _, parts = checks(client)
        assert (code, parts["store"]) == (503, "broken")
        assert "larder_store_up 0.0" in metrics_of(client)


def write_release_of(source: str, data: Path, days: float, *, is_synthetic: bool = False) -> None:
    """Write a release of one source, which was retrieved so many days ago."""
    folder = data / "releases" / write_release(data, [resource(1)])
    retrieved = (datetime.now(UTC) - timedelta(days=days)).isoformat()
    entry = SourceEntry(source, 1, 1, 0, 0, 0, {}, None, retrieved)
    manifest = read_manifest(folder)
    write_manifest(
        folder, msgspec.structs.replace(manifest, sources=[entry], is_synthetic=is_synthetic)
    )


@cases(
    "times, is_synthetic, expected",
    {
        "within the cadence": (0.5, False, "ok"),
        "due": (1.5, False, "degraded"),
        "too old": (2.5, False, "broken"),
        "invented": (2.5, True, "degraded"),
    },
)
def test_data_by_the_cadence_of_its_source(tmp_path, times, is_synthetic, expected):
    write_release_of("usda_snap", tmp_path, times * 21, is_synthetic=is_synthetic)
    with opened(tmp_path) as client:
        code, status, parts = checks(client)
        assert parts["sources"] == status == expected
        assert code == (503 if expected == "broken" else 200)
        assert 'larder_source_due_days{source="usda_snap"} 21.0' in metrics_of(client)


def test_a_list_whose_cadence_has_ended_is_never_due(tmp_path):
    write_release_of("seattle_food_banks_2017", tmp_path, 2_000)
    with opened(tmp_path) as client:
        assert checks(client)[2]["sources"] == "ok"
        assert 'larder_source_due_days{source="seattle' not in metrics_of(client)


def test_an_unexpected_failure_of_a_check_is_reported(tmp_path, monkeypatch):
    write_town(tmp_path)
    monkeypatch.setattr(health, "_records", lambda _: 1 / 0)
    with opened(tmp_path) as client:
        assert checks(client)[2]["records"] == "broken"
