"""Test every row of the HSDS feed against the official HSDS 3.0 schemas and its references."""

import csv
import io
from collections import Counter
from typing import Any

import pytest
from litestar.testing import TestClient

from schemas.hsds.collections import BY_NAME, BY_TABLE, COLLECTIONS
from tests.support.clients import open_client
from tests.support.hsds_schemas import OFFICIAL, official_json, validator
from tests.support.hsds_town import write_feed

NAMES = [c.name for c in COLLECTIONS]
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not OFFICIAL.is_dir(), reason="the official HSDS files are not here"),
]
# Collections with a compiled schema of a list row and of the nested object.
COMPILED = {
    "services": "service",
    "organizations": "organization",
    "service_at_location": "service_at_location",
}


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("official")
    write_feed(folder)
    with open_client(folder) as client:
        yield client


def faults(name: str, rows: list[dict[str, Any]]) -> list[str]:
    schema = validator(official_json(f"schema/{name}"))
    return [
        f"{row['id']}: {error.json_path} {error.message}"
        for row in rows
        for error in schema.iter_errors(row)
    ]


def every_row(client: TestClient, name: str, query: str = "") -> list[dict[str, Any]]:
    """Return the rows of all pages of a list."""
    rows: list[dict[str, Any]] = []
    number = 1
    while True:
        page = client.get(f"/hsds/v3/{name}?per_page=7&page={number}{query}").json()
        rows += page["contents"]
        if page["last_page"]:
            return rows
        number += 1


def has_null(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(has_null, value.values()))
    return any(map(has_null, value)) if isinstance(value, list) else value is None


@pytest.mark.parametrize("name", NAMES)
def test_every_row_is_valid(client, name):
    rows = every_row(client, name)
    table = BY_NAME[name].table
    assert faults(f"{table}.json", rows) == []
    if name in COMPILED:
        assert faults(f"compiled/{COMPILED[name]}_list.json", rows) == []
    assert not has_null(rows)
    missing = [
        (row["id"], k)
        for row in rows
        for k in official_json(f"schema/{table}.json").get("tabular_required", [])
        if k not in row
    ]
    assert missing == []


@pytest.mark.parametrize("name", ["services", "organizations", "service_at_locations", "locations"])
def test_every_nested_object_is_valid(client, name):
    table = BY_NAME["service_at_location" if name == "service_at_locations" else name].table
    rows = every_row(client, name, "&full=true")
    assert faults(f"{table}.json", rows) == []
    assert not has_null(rows)
    if table in COMPILED.values():
        assert faults(f"compiled/{table}.json", rows) == []


def test_full_services_are_valid(client):
    rows = every_row(client, "organizations", "&full_service=true&search=alliance")
    assert rows[0]["services"]
    assert faults("compiled/organization.json", rows) == []


def test_every_id_is_unique_and_every_reference_has_a_target(client):
    rows = {name: every_row(client, name) for name in NAMES}
    ids = {name: {row["id"] for row in rows[name]} for name in NAMES}
    for collection in COLLECTIONS:
        assert len(ids[collection.name]) == len(rows[collection.name])
        for key in collection.columns:
            if key.references in BY_TABLE:
                targets = {row[key.name] for row in rows[collection.name] if key.name in row}
                assert targets <= ids[BY_TABLE[key.references].name], (collection.name, key.name)
            elif key.references:
                assert not any(key.name in row for row in rows[collection.name]), key.name
    attributes = Counter(row["link_id"] for row in rows["attributes"])
    assert attributes == dict.fromkeys(ids["services"], 1)
    assert len(rows["taxonomy_terms"]) == 11
    nearest = {term["code"]: term["term_uri"] for term in rows["taxonomy_terms"]}
    assert nearest["food-pantry"].endswith("taxonomy.yaml#human_services:food:food_pantry")
    assert all(nearest.values())


@pytest.mark.parametrize("name", NAMES)
def test_csv_columns_are_the_official_ones_in_order(client, name):
    package = official_json("datapackage.json")
    official = next(r for r in package["resources"] if r["name"] == BY_NAME[name].table)
    names = [entry["name"] for entry in official["schema"]["fields"]]
    header = next(csv.reader(io.StringIO(client.get(f"/hsds/v3/{name}.csv").text)))
    assert [column for column in header if column in names] == names
    assert header[: len(names)] == names
    required = [
        e["name"] for e in official["schema"]["fields"] if e.get("constraints", {}).get("required")
    ]
    sheet = csv.DictReader(
        io.StringIO(client.get(f"/hsds/v3/{name}.csv").content.decode(), newline="")
    )
    assert [(row["id"], k) for row in sheet for k in required if not row[k]] == []


def test_the_envelope_and_the_front_are_the_official_ones(client):
    members = official_json("schema/openapi.json")["components"]["schemas"]["Page"]["properties"]
    page = client.get("/hsds/v3/services").json()
    assert set(page) == {*members, "contents"}
    front = client.get("/hsds/v3/", headers={"Accept": "application/json"}).json()
    assert front.keys() == official_json("examples/base.json").keys()


def test_the_official_parameters_and_paths_are_ours(client):
    document = client.get("/api/openapi.json").json()
    parameters = official_json("schema/openapi.json")["components"]["parameters"]
    for path, item in official_json("schema/openapi.json")["paths"].items():
        address = f"/hsds/v3{path}".replace("{id}", "{entity_id}")
        operation = document["paths"].get(address, document["paths"].get(address.rstrip("/")))
        assert operation, path
        official = {
            p.get("name") or parameters[p["$ref"].rpartition("/")[2]]["name"]
            for p in item["get"].get("parameters", [])
        }
        ours = {p["name"] for p in operation["get"].get("parameters", [])}
        assert official <= ours, path
