"""All requests and answers of the API, and the meanings of their members."""

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from schemas.descriptions import Meaning

# Each file has the meanings of the module of its name.
_FILES = sorted(Path(__file__).parent.glob("*.yaml"))
STRUCTS: dict[str, type[msgspec.Struct]] = {
    struct.__name__: struct
    for file in _FILES
    for struct in vars(import_module(f"schemas.api.{file.stem}")).values()
    if isinstance(struct, type) and issubclass(struct, msgspec.Struct)
}


@cache
def meanings() -> dict[str, dict[str, str | Meaning]]:
    """Return the meanings of the members of `schemas.api`, by struct and member."""
    by_type: dict[str, dict[str, str | Meaning]] = {}
    for file in _FILES:
        by_type |= msgspec.yaml.decode(file.read_bytes(), type=dict[str, dict[str, str | Meaning]])
    return by_type


def describe_members(schemas: dict[str, dict[str, Any]]) -> None:
    """Add the meanings of members to JSON schemas, which are named after their structs."""
    for name in schemas.keys() & STRUCTS.keys():
        struct, members = STRUCTS[name], schemas[name].get("properties", {})
        names = dict(zip(struct.__struct_fields__, struct.__struct_encode_fields__, strict=True))
        for base in reversed(struct.__mro__):
            for field, meaning in meanings().get(base.__name__, {}).items():
                if names.get(field) not in members:
                    continue
                if isinstance(meaning, str):
                    members[names[field]]["description"] = meaning
                else:
                    members[names[field]] |= {
                        "description": meaning.meaning,
                        "examples": meaning.examples,
                    }
