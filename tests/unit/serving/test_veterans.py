"""The sibling service on a small data set of resources for veterans."""

import csv
import io
from collections.abc import Iterator

import pyarrow.parquet as pq
import pytest
from litestar.testing import TestClient

from schemas.tables.veterans import VETERAN_RESOURCES
from serving.settings import Settings, read_settings
from serving.sibling.app import create_sibling_app
from tests.support.clients import Client
from tests.support.metrics import metrics_of
from tests.support.town import write_town

FORMS = ("json", "csv", "parquet")


@pytest.fixture(scope="module")
def sibling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder = tmp_path_factory.mktemp("veterans")
    write_town(folder, veterans=True)
    settings = Settings(
        data_dir=folder, log_level="error", sibling_base_url="https://vets.example/"
    )
    with TestClient(create_sibling_app(settings), raise_server_exceptions=False) as client:
        yield client


def test_discovery_lists_the_data_set_first(sibling: Client) -> None:
    document = sibling.get("/api/discovery").json()
    assert document["datasets"][0]["json_url"] == "https://vets.example/api/veteran-resources.json"
    assert document["is_synthetic"] is True
    for endpoint in document["endpoints"]:
        path = endpoint["url"].removeprefix("https://vets.example")
        assert sibling.get(path).status_code == 200, path


def test_the_formats_have_the_same_records(sibling: Client) -> None:
    document = sibling.get("/api/veteran-resources.json").json()
    rows = list(csv.DictReader(io.StringIO(sibling.get("/api/veteran-resources.csv").text)))
    table = pq.read_table(io.BytesIO(sibling.get("/api/veteran-resources.parquet").content))
    ids_listed = [record["id"] for record in document["records"]]
    assert ids_listed == [int(row["id"]) for row in rows] == table["id"].to_pylist()
    assert ids_listed == sorted(ids_listed)
    assert list(rows[0]) == VETERAN_RESOURCES.field_names == table.column_names
    assert len(ids_listed) == document["record_count"] == 5


@pytest.mark.parametrize("form", FORMS)
def test_every_format_is_cacheable_for_a_day(sibling: Client, form: str) -> None:
    path = f"/api/veteran-resources.{form}"
    answer = sibling.get(path)
    assert answer.headers["cache-control"] == "public, max-age=86400"
    assert answer.headers["x-synthetic"] == "true"
    assert 'rel="license"' in answer.headers["link"]
    unchanged = sibling.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    head = sibling.head(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == answer.headers["etag"]
    part = sibling.get(path, headers={"Range": "bytes=0-9", "Accept-Encoding": "identity"})
    assert (part.status_code, len(part.content)) == (206, 10)


WRONG = {
    "unknown path": ("/api/resources/search", 404),
    "beyond the end": ("/api/veteran-resources.xlsx", 404),
}


@pytest.mark.parametrize(("path", "status"), WRONG.values(), ids=WRONG)
def test_errors_are_problem_reports(sibling: Client, path: str, status: int) -> None:
    answer = sibling.get(path)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["type"].startswith("https://vets.example/problems/")


def test_the_sibling_has_the_common_endpoints(sibling: Client) -> None:
    assert sibling.get("/api/health").json()["status"] == "ok"
    assert sibling.get("/api/health/deep").status_code == 200
    assert "larder_release_swaps" in metrics_of(sibling)
    assert sibling.get("/problems/gone").status_code == 200
    front = sibling.get("/", follow_redirects=False)
    assert front.headers["location"] == "/api/discovery"


# ---------------------------------------------------------------- settings

PORTS = {
    "the next one": ({"LARDER_PORT": "8123"}, 8124),
    "its own": ({"LARDER_PORT": "8123", "LARDER_SIBLING_PORT": "9000"}, 9000),
    "default": ({}, 8001),
}


@pytest.mark.parametrize(("environment", "port"), PORTS.values(), ids=PORTS)
def test_its_port(environment: dict[str, str], port: int) -> None:
    own = read_settings(environment).sibling
    assert own is not None
    assert (own.port, own.url) == (port, f"http://127.0.0.1:{port}")


def test_it_can_be_left_out() -> None:
    settings = read_settings({"LARDER_SIBLING_PORT": "0"})
    assert settings.sibling is None
    with pytest.raises(ValueError, match="LARDER_SIBLING_PORT=0"):
        create_sibling_app(settings)
