"""Validate the HSDS data package with frictionless, over HTTP, from a running service."""

import frictionless
import httpx
import pytest

from schemas.hsds.collections import COLLECTIONS
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
def test_frictionless_validates_the_package(address, query):
    report = frictionless.validate(f"{address}/datapackage.json{query}", type="package")
    tasks = [
        (task.name, task.stats.get("rows", 0), [e.message for e in task.errors])
        for task in report.tasks
    ]
    assert report.valid, [entry for entry in tasks if entry[2]] or report.errors
    assert [name for name, _, _ in tasks] == [c.table for c in COLLECTIONS]
    lists = {c.table: httpx.get(f"{address}/{c.name}").json()["total_items"] for c in COLLECTIONS}
    assert {name: rows for name, rows, _ in tasks} == lists
