"""HSDS 3.1: the tables of 3.0 with the additions of the later version."""

import csv
import io

import httpx
import pytest
from litestar.testing import TestClient

from schemas.hsds.collections import HSDS_3_0, HSDS_3_1
from tests.support.clients import open_client
from tests.support.hsds_schemas import official_schema, validator
from tests.support.operators import make_tokens

PLACE, OTHER = 110, 111
OLD, NEW = HSDS_3_0.root, HSDS_3_1.root
SHARED = [c.name for c in HSDS_3_0.collections]


@pytest.fixture(scope="module")
def client(feed, tmp_path_factory):
    """A client, and the token of an operator who reported that food is out."""
    url = f"sqlite:///{tmp_path_factory.mktemp('reports') / 'operations.sqlite'}"
    tokens = make_tokens(url, [PLACE, OTHER])
    with open_client(feed, operations_url=url) as client:
        for token, inventory in zip(
            tokens, ({"bread": "out", "dairy": "low", "baby": "out"}, {"water": "low"}), strict=True
        ):
            body = {"claim_token": token, "status": "low_stock", "inventory": inventory}
            assert client.post("/api/pantry/status", json=body).status_code == 200
        yield client


def get(client: TestClient, path: str, root: str = NEW) -> httpx.Response:
    answer = client.get(f"{root}{path}")
    assert answer.status_code == 200, answer.text
    return answer


def rows(client: TestClient, path: str, root: str = NEW):
    return get(client, path, root).json()["contents"]


@pytest.mark.parametrize("root", [OLD, NEW])
def test_the_front_has_its_version(client, root):
    accept = {"Accept": "application/json"}
    front = client.get(f"{root}/", headers=accept).json()
    assert front["version"] == {OLD: "3.0", NEW: "3.1"}[root]
    assert front["profile"].endswith(root)
    page = client.get(f"{root}/").text
    assert f"HSDS {front['version']}" in page
    assert f'href="{NEW if root == OLD else OLD}/"' in page


@pytest.mark.parametrize("name", SHARED)
@pytest.mark.parametrize("form", ["?per_page=7&page=2", "?format=csv", ".csv", ".ndjson"])
def test_flat_rows_are_those_of_3_0(client, name, form):
    assert get(client, f"/{name}{form}").content == get(client, f"/{name}{form}", OLD).content


def test_units_are_the_kinds_of_food_that_operators_report_on(client):
    units = rows(client, "/units")
    assert {u["identifier"] for u in units} >= {"produce", "bread", "baby"}
    one = get(client, f"/units/{units[0]['id']}").json()
    assert one == units[0]


def test_food_reported_as_out_is_a_capacity_of_0(client):
    objects = rows(client, "/service_capacity")
    assert {row["unit"]["identifier"] for row in objects} == {"bread", "baby"}
    assert {row["available"] for row in objects} == {0}
    assert all("Out of: baby, bread." in row["description"] for row in objects)
    assert get(client, f"/service_capacity/{objects[0]['id']}").json() == objects[0]
    service = get(client, f"/services/{objects[0]['service_id']}").json()
    assert service["resource_id"] == PLACE
    assert sorted(c["id"] for c in service["capacities"]) == [row["id"] for row in objects]
    assert service["alert"].startswith("Low on food")
    older = get(client, f"/services/{objects[0]['service_id']}", OLD).json()
    assert older.keys() == service.keys() - {"capacities"}


def test_capacities_come_as_csv_and_lines_as_well(client):
    objects = rows(client, "/service_capacity")
    sheet = list(
        csv.DictReader(io.StringIO(get(client, "/service_capacity?format=csv").text, newline=""))
    )
    assert [row["id"] for row in sheet] == [row["id"] for row in objects]
    assert {row["available"] for row in sheet} == {"0"}
    lines = get(client, "/service_capacity?format=ndjson").text.splitlines()
    assert len(lines) == len(objects) == 2


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("services", "?full=true"),
        ("organizations", "?full=true&full_service=true"),
        ("service_at_locations", "?full=true"),
        *((name, "") for name in ("units", "service_capacity", "url", "attributes")),
    ],
)
def test_objects_are_valid_by_the_official_schemas_of_3_1(client, name, query):
    table = next(c.table for c in HSDS_3_1.collections if name in {c.name, f"{c.name}s"})
    check = validator(official_schema(table, "3.1"), "3.1")
    objects = rows(client, f"/{name}{query or '?'}&per_page=1000")
    assert [e.message for row in objects for e in check.iter_errors(row)] == []


REFUSED = {
    "a table that is none": ("/pantries", 404),
    "a file of a live table": ("/service_capacity.csv", 404),
    "a file of another form": ("/services.xml", 404),
    "a search of a live table": ("/service_capacity?search=bread", 400),
    "a filter of another table": ("/phones?taxonomy_id=3b9a7c0e-5d5f-5a51-9f0c-0d6c2b7d9f10", 400),
    "a row that is none": ("/units/3b9a7c0e-5d5f-5a51-9f0c-0d6c2b7d9f10", 404),
}


@pytest.mark.parametrize(("path", "status"), REFUSED.values(), ids=REFUSED)
def test_unknown_addresses_are_refused(client, path, status):
    assert client.get(f"{NEW}{path}").status_code == status


def test_new_tables_are_not_in_3_0(client):
    for name in ("units", "url", "service_capacity"):
        assert client.get(f"{OLD}/{name}").status_code == 404
    package = get(client, "/datapackage.json").json()
    assert {r["name"] for r in package["resources"]} >= {"unit", "url", "service"}
    assert package["hsds_version"] == "3.1"
    for resource in package["resources"]:
        assert client.head(f"{NEW}/{resource['path']}").status_code == 200
    assert get(client, "/profile").json()["hsds_version"] == "3.1"
    assert "label" in get(client, "/schema/attribute.json").json()["properties"]
    sums = get(client, "/checksums.txt").text
    assert "units.csv" in sums
    assert "units.csv" not in get(client, "/checksums.txt", OLD).text
