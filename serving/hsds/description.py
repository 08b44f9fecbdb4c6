"""Describes HSDS rows in the API description, from the declaration of the collections."""

import re
from collections.abc import Iterator
from typing import Any

from schemas.hsds.collections import BY_NAME, COLLECTIONS, HSDS_ROOT
from schemas.hsds.model import Collection
from warehouse.hsds.nesting import NESTED, Member

# The path of the official API for `service_at_location`.
ALIAS = "service_at_locations"
_TEXT = {"schema": {"type": "string"}}
_MEDIA = {
    "csv": "text/csv",
    "ndjson": "application/x-ndjson",
    "zip": "application/zip",
    "txt": "text/plain",
}
_COUNTS = {
    "total_items": "Rows that match, on all pages.",
    "total_pages": "Number of pages.",
    "page_number": "Number of this page, from 1.",
    "size": "Rows on this page.",
}
_FLAGS = {
    "first_page": "Whether this is the first page.",
    "last_page": "Whether no page follows.",
    "empty": "Whether this page has no rows.",
}
_PAGE = "HsdsPage"
_PAGE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "Where a page stands among the rows that match.",
    "properties": {
        **{k: {"type": "integer", "minimum": 0, "description": v} for k, v in _COUNTS.items()},
        **{k: {"type": "boolean", "description": v} for k, v in _FLAGS.items()},
    },
    "required": [*_COUNTS, *_FLAGS],
}
_TABLE_FILES = re.compile(rf"{HSDS_ROOT}/(?P<table>\w+)\.(?P<kind>csv|ndjson)")
_TABLE = {
    "name": "table",
    "in": "path",
    "required": True,
    "description": "Name of a table.",
    "schema": {"type": "string", "enum": [c.name for c in COLLECTIONS]},
    "example": "services",
}


def operation_name(verb: str, name: str) -> str:
    """Return `listHsdsServices`, `downloadHsdsServicesCsv`."""
    words = name.replace(".", "_").split("_")
    return f"{verb}Hsds{''.join(word.capitalize() for word in words)}"


def describe(document: dict[str, Any]) -> None:
    """Add the schemas of all rows, and of each HSDS address's answer, to an API description."""
    if not any(path.startswith("/hsds/") for path in document["paths"]):
        return
    document["paths"] = dict(_with_tables(document["paths"]))
    schemas = document["components"]["schemas"]
    schemas[_PAGE] = _PAGE_SCHEMA
    for collection in COLLECTIONS:
        schemas[_name(collection)] = _object(collection)
        schemas[f"{_name(collection)}Page"] = _page(collection)
    shapes: dict[str, Any] = {}
    by_name = {c.name: c for c in COLLECTIONS} | {ALIAS: BY_NAME["service_at_location"]}
    for path_name, collection in by_name.items():
        shapes[operation_name("list", path_name)] = _list_content(collection)
        shapes[operation_name("get", path_name)] = {
            "application/json": {"schema": _ref(_name(collection))}
        }
    for path, item in document["paths"].items():
        for operation in item.values():
            name = operation["operationId"]
            if name in shapes:
                operation["responses"]["200"]["content"] = shapes[name]
            elif name == operation_name("get", "feed"):
                operation["responses"]["200"]["content"]["text/html"] = _TEXT
            elif name.startswith("downloadHsds"):
                _describe_file(operation, path.rpartition(".")[2])


def _with_tables(paths: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield paths, with the files of all tables as one address for each format."""
    for path, item in paths.items():
        file = _TABLE_FILES.fullmatch(path)
        if file is None:
            yield path, item
        elif file["table"] == COLLECTIONS[0].name:
            item["get"] |= {
                "operationId": operation_name("download", f"table_{file['kind']}"),
                "summary": f"A whole HSDS table as {file['kind'].upper()}",
                "parameters": [_TABLE],
            }
            yield f"{HSDS_ROOT}/{{table}}.{file['kind']}", item


def _name(collection: Collection) -> str:
    return "Hsds" + "".join(word.capitalize() for word in collection.table.split("_"))


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _object(collection: Collection) -> dict[str, Any]:
    """Return one row, with the members that its nested forms add."""
    schema = {k: v for k, v in collection.row_schema().items() if k not in {"$schema", "title"}}
    schema["properties"] = dict(schema["properties"])
    for member in _members_of(collection.name):
        inner = _ref(_name(BY_NAME[member.collection]))
        words = member.name.replace("_", " ")
        schema["properties"][member.name] = (
            {"description": f"The {words} (nested form only).", "allOf": [inner]}
            if member.is_one
            else {
                "description": f"Its {words} (nested form only).",
                "type": "array",
                "items": inner,
            }
        )
    return schema


def _members_of(name: str) -> Iterator[Member]:
    """Yield members that rows of a collection have in any nested form, each once."""
    names: set[str] = set()
    for outer, members in NESTED.items():
        for holder, member in _walk(outer, members):
            if holder == name and member.name not in names:
                names.add(member.name)
                yield member


def _walk(holder: str, members: tuple[Member, ...]) -> Iterator[tuple[str, Member]]:
    for member in members:
        yield holder, member
        yield from _walk(member.collection, member.members)


def _page(collection: Collection) -> dict[str, Any]:
    row = _ref(_name(collection))
    if collection.name == "services":
        names = ("id", "last_modified")
        short = {c.name: c.json_schema() for c in collection.columns if c.name in names}
        row = {
            "anyOf": [
                row,
                {
                    "type": "object",
                    "properties": short,
                    "required": list(names),
                    "additionalProperties": False,
                },
            ]
        }
    contents = {
        "type": "array",
        "items": row,
        "description": "The rows, in the order of their ids.",
    }
    title = collection.title.lower()
    return {
        "description": f"A page of HSDS {title}, as the HSDS API names its members.",
        "allOf": [_ref(_PAGE)],
        "type": "object",
        "properties": {"contents": contents},
        "required": ["contents"],
        "unevaluatedProperties": False,
    }


def _list_content(collection: Collection) -> dict[str, Any]:
    return {
        "application/json": {"schema": _ref(f"{_name(collection)}Page")},
        "text/csv": _TEXT,
        "application/x-ndjson": _TEXT,
    }


def _describe_file(operation: dict[str, Any], suffix: str) -> None:
    content = {_MEDIA[suffix]: _TEXT}
    responses = operation["responses"]
    responses["200"]["content"] = content
    responses["206"] = {"description": "The part that `Range` asks for.", "content": content}
