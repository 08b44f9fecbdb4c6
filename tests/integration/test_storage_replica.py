"""Test the service on object storage: start from nothing, swaps, and loss of the storage."""

import time

import pytest

from tests.support.releases import resource, write_release
from tests.support.server import CLIENT, running_service
from tests.support.storage import SECRET, s3_server
from warehouse.release.store import ReleaseStore
from warehouse.storage.publish import push

pytestmark = pytest.mark.slow
FIRST, SECOND, THIRD = (f"2026110{n}T060000Z-0000000{n}" for n in (1, 2, 3))


def wait_for_release(address, release_id, seconds=60):
    """Wait until the release is served; return statuses and releases of all answers."""
    answers = set()
    for _ in range(int(seconds / 0.05)):
        reply = CLIENT.get(f"{address}/api/resources/1", timeout=20)
        answers.add((reply.status_code, reply.headers.get("x-release")))
        if reply.headers.get("x-release") == release_id:
            return answers
        time.sleep(0.05)
    raise AssertionError(f"{release_id} was not served: {answers}")


def storage_check(address):
    # Strangers do not see the details.
    report = CLIENT.get(
        f"{address}/api/health/deep", timeout=20, headers={"authorization": "Bearer operator"}
    )
    (check,) = (c for c in report.json()["checks"] if c["name"] == "storage")
    return report, check


def wait_for_storage(address, status):
    for _ in range(600):
        report, check = storage_check(address)
        if check["status"] == status:
            return report, check
        time.sleep(0.1)
    raise AssertionError(check)


def test_a_replica_follows_the_storage_and_works_without_it(tmp_path, monkeypatch):
    builder, cache = tmp_path / "builder", tmp_path / "cache"
    cache.mkdir()
    with s3_server() as s3:
        for name, value in s3.environment.items():
            monkeypatch.setenv(name, value)
        s3.new_bucket()
        bucket = s3.bucket()

        def release(release_id):
            write_release(builder, [resource(1, name=release_id)], release_id=release_id)
            push(ReleaseStore(builder), bucket)

        release(FIRST)
        settings = {
            "DIRECTORY_DATA_DIR": s3.url,
            "LARDER_DATA": "",
            "LARDER_CACHE_DIR": str(cache),
            "LARDER_STORAGE_SECONDS": "0.2",
            "LARDER_POLL_SECONDS": "0.05",
            "LARDER_ADMIN_TOKEN": "operator",
        }
        with running_service(cache, **settings) as address:
            wait_for_release(address, FIRST)
            release(SECOND)
            assert wait_for_release(address, SECOND) <= {(200, FIRST), (200, SECOND)}
            assert wait_for_storage(address, "ok")[0].json()["release_id"] == SECOND
            s3.stop()
            report, check = wait_for_storage(address, "degraded")
            assert report.status_code == 200, "the service still answers"
            assert check["detail"].startswith("since 20")
            assert CLIENT.get(f"{address}/api/resources/1").headers["x-release"] == SECOND
        with running_service(cache, **settings) as address:
            assert CLIENT.get(f"{address}/api/resources/1").headers["x-release"] == SECOND, (
                "a restart without storage"
            )
            s3.start()
            release(THIRD)
            assert wait_for_release(address, THIRD, 120) <= {(200, SECOND), (200, THIRD)}
            wait_for_storage(address, "ok")
        assert SECRET not in (cache / "service.log").read_text()
    assert sorted(p.name for p in (cache / "releases").glob("2026*")) == [SECOND, THIRD]
