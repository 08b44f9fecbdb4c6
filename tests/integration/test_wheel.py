"""The wheels of the images, installed outside the checkout, build a directory and serve it."""

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
def built() -> Path:
    """A data folder that the builder's wheel has built."""
    return share_by_command()


def test_the_builders_wheel_builds_a_release(built: Path) -> None:
    store = ReleaseStore(built)
    current = store.current()
    assert current is not None
    assert store.verify(current).table("core_directory__resources").rows > 100
    # The settings of Dagster's instance came with the package.
    assert "freshness" in (built / "dagster" / "dagster.yaml").read_text(encoding="utf-8")


def walk(client: httpx.Client) -> dict[str, str]:
    """Return the addresses without parameters that fail, pages and API, with what they answer.

    A package or file that a single answer needs is not missed at a start.
    """
    operations = client.get("/api/openapi.json").json()["paths"].items()
    paths = [path for path, verbs in operations if "get" in verbs and "{" not in path]
    site = re.findall(r"<loc>https?://[^/<]+([^<]*)", client.get("/sitemaps/site.xml").text)
    # One state stands for all: their pages come from the same files.
    pages = [path for path in site if not re.search(r"/(?!CA\b)[A-Z]{2}\b", path)]
    assert len(paths) > 50
    assert len(pages) > 50
    answers = {
        path: client.get(path) for path in (*paths, *pages, "/api/resources/search?zip=10002")
    }
    return {path: got.text[:300] for path, got in answers.items() if got.status_code >= 500}


def test_the_services_wheel_answers_from_it(
    built: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("service")
    serve = install_wheel("service-packages", folder) / "larder-serve"
    port = free_port()
    variables = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    variables |= {"LARDER_DATA": str(built), "LARDER_PORT": str(port), "LARDER_SIBLING_PORT": "0"}
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
