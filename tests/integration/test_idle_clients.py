"""Test that silent connections take nothing from other clients."""

import httpx
import pytest

from faults.hostile import idle, open_files_limit
from tests.support.server import running_service
from tests.support.town import write_town

pytestmark = pytest.mark.slow
# More than the server's own default (1,024).
_IDLE = 1500


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    if open_files_limit() < 2 * _IDLE:
        pytest.skip("too few files may be open (ulimit -Hn)")
    folder = tmp_path_factory.mktemp("idle")
    write_town(folder)
    with running_service(folder, LARDER_LOG_LEVEL="error") as address:
        yield address


def test_other_clients_are_answered(service):
    with idle(service, _IDLE) as connections:
        assert httpx.get(f"{service}/api/resources/101", timeout=20).status_code == 200
        # Accepted, and closed after thirty seconds (serving/run.py).
        assert len(connections) == _IDLE
    assert httpx.get(f"{service}/api/health", timeout=20).status_code == 200
