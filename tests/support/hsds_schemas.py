"""The official HSDS 3.0 files, where they are present beside the project."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

OFFICIAL = Path(__file__).resolve().parents[3] / "shared" / "reference" / "hsds" / "3.0"


def official_json(name: str) -> Any:
    """A file of the specification; skips the test where it is not there."""
    path = OFFICIAL / name
    if not path.exists():
        pytest.skip("the official HSDS files are not in ../shared")
    return json.loads(path.read_text(encoding="utf-8"))


def official_schema(table: str) -> dict[str, Any]:
    """JSON Schema of one table, without the members that only describe the descriptor."""
    schema: dict[str, Any] = official_json(f"schema/{table}.json")
    schema.pop("datapackage_metadata", None)
    return schema


def validator(schema: dict[str, Any]) -> Draft202012Validator:
    """Formats are checked; references between the official files are followed by file name."""

    def fetch(uri: str) -> Resource[Any]:
        return DRAFT202012.create_resource(official_json(f"schema/{uri.rsplit('/', 1)[-1]}"))

    return Draft202012Validator(
        schema, registry=Registry(retrieve=fetch), format_checker=FormatChecker()
    )
