"""The official HSDS files, if present in ../shared."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

OFFICIAL = Path(__file__).resolve().parents[3] / "shared" / "reference" / "hsds"


def official_json(name: str, version: str = "3.0") -> Any:
    """Return a file of the specification; skip the test if it is missing."""
    path = OFFICIAL / version / name
    if not path.exists():
        pytest.skip("the official HSDS files are not in ../shared")
    return json.loads(path.read_text(encoding="utf-8"))


def official_schema(table: str, version: str = "3.0") -> dict[str, Any]:
    """Return the JSON Schema of a table, without metadata of the descriptor."""
    schema: dict[str, Any] = official_json(f"schema/{table}.json", version)
    schema.pop("datapackage_metadata", None)
    return schema


def validator(schema: dict[str, Any], version: str = "3.0") -> Draft202012Validator:
    """Return a validator that checks formats and resolves references to official files."""

    def fetch(uri: str) -> Resource[Any]:
        name = uri.rsplit("/", 1)[-1]
        return DRAFT202012.create_resource(official_json(f"schema/{name}", version))

    return Draft202012Validator(
        schema, registry=Registry(retrieve=fetch), format_checker=FormatChecker()
    )
