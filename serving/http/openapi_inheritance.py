"""Describes derived shapes with `allOf` in the API description, so that each member is listed once.
Request bodies stay whole, and refuse unknown members.

The framework repeats the members of a base class in every subclass.
"""

from collections import Counter
from inspect import cleandoc
from typing import Any

import msgspec

from schemas.descriptions import structs_below
from serving.http.openapi_parts import components_of

_Schema = dict[str, Any]


def share_bases(document: dict[str, Any]) -> None:
    """Replace inherited members of a shape by a reference to its base; drop titles that repeat the
    name. A base that no answer uses is described if two shapes extend it.

    Request bodies stay whole: a base that refuses unknown members would refuse the extension's own.
    """
    schemas: dict[str, _Schema] = document["components"]["schemas"]
    structs = {struct.__name__: struct for struct in structs_below(msgspec.Struct)}
    for name in schemas.keys() & structs.keys():
        if schemas[name].get("title") == name:
            del schemas[name]["title"]
    uses = Counter(
        base.__name__ for name in schemas.keys() & structs.keys() for base in _bases(structs[name])
    )
    waiting = sorted(schemas.keys() & structs.keys())
    while waiting:
        name = waiting.pop()
        for base in _bases(structs[name]):
            shared = _part(schemas[name], base)
            if shared is None or (base.__name__ not in schemas and uses[base.__name__] < 2):
                continue
            if base.__name__ not in schemas:
                schemas[base.__name__] = shared
                waiting.append(base.__name__)
            _extend(schemas[name], base.__name__, shared)
            break


def _bases(struct: type[msgspec.Struct]) -> list[type[msgspec.Struct]]:
    """Return the base classes of a struct that have members, the nearest first."""
    above = [base for base in struct.__mro__[1:] if issubclass(base, msgspec.Struct)]
    return [base for base in above if base.__struct_fields__ and base.__name__[0] != "_"]


def _part(schema: _Schema, base: type[msgspec.Struct]) -> _Schema | None:
    """Return the schema of a base as a part of its extensions; None if it is unsuitable."""
    members, names = schema.get("properties", {}), base.__struct_encode_fields__
    if schema.get("additionalProperties") is False or not members.keys() > set(names):
        return None
    required = set(schema.get("required", ()))
    return {
        "type": "object",
        "description": cleandoc(base.__doc__ or base.__name__),
        "properties": {name: members[name] for name in names},
        "required": [name for name in names if name in required],
    }


def _extend(schema: _Schema, base: str, shared: _Schema) -> None:
    schema["allOf"] = [{"$ref": REFERENCE + base}]
    schema["properties"] = {
        name: part
        for name, part in schema["properties"].items()
        if name not in shared["properties"]
    }
    if "required" in schema:
        own = [name for name in schema["required"] if name in schema["properties"]]
        schema["required"] = own


REFERENCE = "#/components/schemas/"


def close_inputs(document: dict[str, Any]) -> None:
    """Set `additionalProperties: false` on every object of a request body whose struct forbids
    unknown members.

    The framework does not derive it.
    """
    components = document["components"]
    schemas = components["schemas"]
    bodies = [
        operation.get("requestBody")
        for path in document["paths"].values()
        for operation in path.values()
    ]
    names = {name.removeprefix("schemas/") for name in components_of(bodies, components)}
    strict = {
        struct.__name__: struct
        for struct in structs_below(msgspec.Struct)
        if struct.__struct_config__.forbid_unknown_fields
    }
    for name in names & strict.keys():
        if set(schemas[name].get("properties", ())) == set(strict[name].__struct_encode_fields__):
            schemas[name]["additionalProperties"] = False
