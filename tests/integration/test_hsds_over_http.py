"""The HSDS data package as a stranger's tool takes it: frictionless, over HTTP, from the service as
it runs.
"""

from __future__ import annotations

import hashlib

import frictionless
import httpx
import pytest

from schemas.hsds.collections import HSDS_3_0
from tests.support.hsds_town import write_feed
from tests.support.server import running_service

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("feed")
    write_feed(folder)
    with running_service(folder, LARDER_LOG_LEVEL="error") as url:
        yield f"{url}/hsds/v3"


@pytest.mark.parametrize("query", ["", "?paths=pages"])
def test_frictionless_finds_the_package_valid(address, query):
    report = frictionless.validate(f"{address}/datapackage.json{query}", type="package")
    told = [
        (task.name, task.stats.get("rows", 0), [e.message for e in task.errors])
        for task in report.tasks
    ]
    assert report.valid, [entry for entry in told if entry[2]] or report.errors
    assert [name for name, _, _ in told] == [c.table for c in HSDS_3_0.collections]
    lists = {
        c.table: httpx.get(f"{address}/{c.name}").json()["total_items"]
        for c in HSDS_3_0.collections
    }
    assert {name: rows for name, rows, _ in told} == lists


def test_files_come_whole_in_parts_and_compressed(address):
    plain = httpx.get(f"{address}/services.csv", headers={"Accept-Encoding": "identity"})
    packed = httpx.get(f"{address}/services.csv", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(plain.content)
    assert packed.content == plain.content
    assert int(plain.headers["content-length"]) == len(plain.content)
    parts = [
        httpx.get(f"{address}/services.csv", headers={"Range": span})
        for span in ("bytes=0-999", "bytes=1000-")
    ]
    assert [part.status_code for part in parts] == [206, 206]
    assert b"".join(part.content for part in parts) == plain.content
    beyond = httpx.get(f"{address}/services.csv", headers={"Range": "bytes=99999999-"})
    assert beyond.status_code == 416
    assert beyond.headers["content-range"] == f"bytes */{len(plain.content)}"
    head = httpx.head(f"{address}/hsds.zip")
    zipped = httpx.get(f"{address}/hsds.zip")
    assert int(head.headers["content-length"]) == len(zipped.content)
    sums = dict(
        reversed(line.split("  "))
        for line in httpx.get(f"{address}/checksums.txt").text.splitlines()
    )
    assert hashlib.sha256(plain.content).hexdigest() == sums["services.csv"]


def test_a_large_page_is_compressed_once(address):
    told = httpx.get(
        f"{address}/services?per_page=1000&full=true", headers={"Accept-Encoding": "br"}
    )
    assert told.headers["content-encoding"] == "br"
    assert len(told.json()["contents"]) == told.json()["total_items"]
    flat = httpx.get(f"{address}/attributes?per_page=1000", headers={"Accept-Encoding": "br, gzip"})
    assert flat.headers["content-encoding"] == "br"
    assert len(flat.json()["contents"]) == flat.json()["total_items"]
