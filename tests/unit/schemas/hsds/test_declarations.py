"""The HSDS declarations against the official files, and against each other."""

import pytest
from frictionless import Package
from jsonschema import Draft202012Validator

from schemas.hsds.collections import (
    COLLECTIONS,
    MAIN,
    Collection,
    descriptor,
    hsds_id,
    warehouse_table,
)
from schemas.vocab.resource_types import AGES_OF_TYPE, FREE_TYPES, TERM_OF_TYPE, TERMS, TYPE_IDS
from tests.support.hsds_schemas import official_json, official_schema

EACH = pytest.mark.parametrize("collection", COLLECTIONS, ids=lambda c: c.name)


@pytest.mark.shared
@EACH
def test_official_columns_come_first_in_official_order_type_and_need(
    collection: Collection,
) -> None:
    resources = official_json("datapackage.json")["resources"]
    official = next(r for r in resources if r["name"] == collection.table)
    assert official["path"] == collection.csv_name
    ours = [c for c in collection.columns if c.is_official]
    assert collection.columns[: len(ours)] == tuple(ours)
    assert [c.name for c in ours] == [f["name"] for f in official["schema"]["fields"]]
    for column, field in zip(ours, official["schema"]["fields"], strict=True):
        entry, rules = column.tabular(), field["constraints"]
        assert (entry["type"], entry.get("format")) == (field["type"], field.get("format")), column
        assert (column.need != "") == rules["required"], column.name
        assert rules.get("enum") in (None, entry["constraints"].get("enum"))
        assert not rules.get("unique") or entry["constraints"]["unique"]


def test_the_descriptor_is_a_data_package_with_keys_to_its_own_tables() -> None:
    package = descriptor("CC-BY-4.0", is_synthetic=True, version="1")
    assert not Package.validate_descriptor(package).flatten(["type", "note"])
    names = {r["name"] for r in package["resources"]}
    assert names == {c.table for c in COLLECTIONS}
    for resource in package["resources"]:
        assert not resource["path"].startswith(("/", ".."))
        for key in resource["schema"].get("foreignKeys", []):
            assert key["reference"]["resource"] in names
    assert package["license"]["type"] == package["licenses"][0]["name"] == "CC-BY-4.0"
    assert package["is_synthetic"] is True
    assert package["hsds_version"] == "3.0"


def test_the_interface_has_ten_collections() -> None:
    assert [c.name for c in MAIN] == [
        "organizations",
        "services",
        "locations",
        "service_at_location",
        "phones",
        "addresses",
        "schedules",
        "languages",
        "taxonomy_terms",
        "attributes",
    ]


@EACH
def test_row_schemas_are_valid_and_never_nullable(collection: Collection) -> None:
    schema = collection.row_schema()
    Draft202012Validator.check_schema(schema)
    assert all(isinstance(p["type"], str) for p in schema["properties"].values())
    assert set(warehouse_table(collection).required_names) == set(schema["required"])


@pytest.mark.shared
@EACH
def test_rows_are_as_strict_as_the_official_schema(collection: Collection) -> None:
    official, schema = official_schema(collection.table), collection.row_schema()
    assert set(official.get("required", [])) <= set(schema["required"])


def test_every_type_of_place_is_in_exactly_one_of_eleven_categories() -> None:
    assert len(TERMS) == 11
    kinds = [kind for term in TERMS for kind in term.types]
    assert sorted(kinds) == sorted(TYPE_IDS) == sorted(TERM_OF_TYPE)
    assert {*FREE_TYPES, *AGES_OF_TYPE} <= set(TYPE_IDS)
    assert "snap_retailer" not in FREE_TYPES


def test_ids_never_change() -> None:
    # Whoever changes this changes every id that was ever published.
    assert hsds_id("service", "usda_snap", "1694069") == "7cea2b3a-d550-576a-a905-40a267c1fe6d"
