"""Describes members of requests and answers for the OpenAPI document.

The members of the structs of `schemas.api` are described in a YAML file beside each module, by
struct and member (`schemas.api.registry` reads them). A type shared by several members carries its
own description (`describe`).
"""

from typing import Annotated, Any, Literal, get_type_hints

import msgspec

from schemas.table import Field, Table

_PYTHON_TYPES: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "date": str,
    "datetime": str,
    "json": str,
    "strings": list[str],
}


def describe(description: str, *examples: object, **rules: Any) -> msgspec.Meta:
    """Return the metadata of a member: its description, examples, and rules such as `ge=0`."""
    return msgspec.Meta(
        description=description, examples=list(examples) if examples else None, **rules
    )


def type_of(field: Field) -> Any:
    """Return the type of a field's values in an answer."""
    return Literal[field.values] if field.values else _PYTHON_TYPES[field.type]


def describe_as(annotation: Any, field: Field) -> Any:
    """Return the annotation with the field's description and example."""
    examples = () if field.example is None else (field.example,)
    return Annotated[annotation, describe(field.description, *examples)]


def members_of(table: Table, *left_out: str) -> list[tuple[str, Any]]:
    """Return the fields of a table as members of a struct; those that a row may lack may be
    null."""
    required = set(table.required_names)
    return [
        (f.name, describe_as(type_of(f) if f.name in required else type_of(f) | None, f))
        for f in table.fields
        if f.name not in left_out
    ]


def list_members(struct: type[msgspec.Struct]) -> list[tuple[str, Any]]:
    """Return the members that a struct declares itself, for `msgspec.defstruct`."""
    hints = get_type_hints(struct, include_extras=True)
    return [(name, hints[name]) for name in struct.__struct_fields__]


class Meaning(msgspec.Struct, forbid_unknown_fields=True):
    """The meaning of a member, with examples of its values."""

    meaning: str
    examples: list[Any]
