"""Build and serve a directory with the images' wheels, installed outside the checkout."""

import os
import re
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.support.dated_builds import share_by_command
from tests.support.server import free_port, wait_for
from tests.support.wheels import install_wheel
from warehouse.release.store import ReleaseStore

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def data() -> Path:
    """Data folder of a build by the builder's wheel."""
    return share_by_command()


def test_the_builders_wheel_builds_a_release(data: Path) -> None:
    store = ReleaseStore(data)
    current = store.current()
    assert current is not None
    assert store.verify(current).table("core_directory__resources").rows > 100
    # The package has the settings of Dagster's instance.
    assert "freshness" in (data / "dagster" / "dagster.yaml").read_text(encoding="utf-8")


def walk(client: httpx.Client) -> dict[str, str]:
    """Return the failed answers of pages and API at all addresses without parameters.

    A start does not show a missing package or file that only one answer needs.
    """
    operations = client.get("/api/openapi.json").json()["paths"].items()
    paths = [path for path, verbs in operations if "get" in verbs and "{" not in path]
    site = re.findall(r"<loc>https?://[^/<]+([^<]*)", client.get("/sitemaps/site.xml").text)
    # One state is enough: the pages of all come from the same files.
    pages = [path for path in site if not re.search(r"/(?!CA\b)[A-Z]{2}\b", path)]
    assert len(paths) > 50
    assert len(pages) > 50
    answers = {
        path: client.get(path) for path in (*paths, *pages, "/api/resources/search?zip=10002")
    }
    return {
        path: answer.text[:300] for path, answer in answers.items() if answer.status_code >= 500
    }


def test_the_services_wheel_serves_the_release(
    data: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("service")
    serve = install_wheel("service-packages", folder) / "larder-serve"
    port = free_port()
    variables = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    variables |= {"LARDER_DATA": str(data), "LARDER_PORT": str(port), "LARDER_SIBLING_PORT": "0"}
    log = folder / "service.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [str(serve)], cwd=folder, env=variables, stdout=output, stderr=output
        )
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(address, process, log)
            with httpx.Client(base_url=address, timeout=60) as client:
                assert client.get("/api/health/deep").json()["status"] == "ok"
                assert walk(client) == {}
        finally:
            process.terminate()
            process.wait(timeout=20)
