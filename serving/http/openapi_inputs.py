"""Completes request bodies in the API description: unknown members are refused."""

from typing import Any

import msgspec

from schemas.descriptions import structs_below

REFERENCE = "#/components/schemas/"


def close_inputs(document: dict[str, Any]) -> None:
    """Set `additionalProperties: false` on every object of a request body whose struct forbids
    unknown members.

    The framework leaves that out of what it derives.
    """
    schemas = document["components"]["schemas"]
    names = {
        ref
        for path in document["paths"].values()
        for operation in path.values()
        for ref in _referred_schemas(operation.get("requestBody"), schemas, set())
    }
    strict = {
        struct.__name__: struct
        for struct in structs_below(msgspec.Struct)
        if struct.__struct_config__.forbid_unknown_fields
    }
    for name in names & strict.keys():
        if set(schemas[name].get("properties", ())) == set(strict[name].__struct_encode_fields__):
            schemas[name]["additionalProperties"] = False


def _referred_schemas(part: Any, schemas: dict[str, Any], seen: set[str]) -> set[str]:
    """Return names of the schemas that a part of the description refers to, directly or through
    others."""
    if isinstance(part, list):
        for item in part:
            _referred_schemas(item, schemas, seen)
    elif isinstance(part, dict):
        name = str(part.get("$ref", "")).removeprefix(REFERENCE)
        if name in schemas and name not in seen:
            seen.add(name)
            _referred_schemas(schemas[name], schemas, seen)
        for item in part.values():
            _referred_schemas(item, schemas, seen)
    return seen
