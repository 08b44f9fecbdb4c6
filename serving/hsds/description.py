"""Describes HSDS rows in the API description, from the declaration of the collections."""

import re
from collections.abc import Iterator
from typing import Any

from schemas.hsds.collections import BY_NAME, HSDS_3_0, VERSIONS, Version
from schemas.hsds.model import Collection
from schemas.hsds.profile import row_schema
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
_TABLE_FILES = re.compile(rf"{HSDS_3_0.root}/(?P<table>\w+)\.(?P<kind>csv|ndjson)")
_TABLE = {
    "name": "table",
    "in": "path",
    "required": True,
    "description": "Name of a table.",
    "schema": {"type": "string", "enum": [c.name for c in HSDS_3_0.collections]},
    "example": "services",
}


def operation_name(verb: str, name: str, version: Version = HSDS_3_0) -> str:
    """Return `listHsdsServices`, `downloadHsdsServicesCsv`, and with 31 after Hsds for version
    3.1."""
    words = name.replace(".", "_").split("_")
    number = "" if version is HSDS_3_0 else version.number.replace(".", "")
    return f"{verb}Hsds{number}{''.join(word.capitalize() for word in words)}"


def describe(document: dict[str, Any]) -> None:
    """Add the schemas of all rows, and of each HSDS address's answer, to an API description."""
    if not any(path.startswith("/hsds/") for path in document["paths"]):
        return
    document["paths"] = dict(_with_tables(document["paths"]))
    schemas = document["components"]["schemas"]
    schemas[_PAGE] = _PAGE_SCHEMA
    for collection in HSDS_3_0.collections:
        schemas[_name(collection)] = _object(collection)
        schemas[f"{_name(collection)}Page"] = _page(collection)
    shapes: dict[str, Any] = {}
    by_name = {c.name: c for c in HSDS_3_0.collections} | {ALIAS: BY_NAME["service_at_location"]}
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
            elif name in {operation_name("get", "feed", version) for version in VERSIONS}:
                operation["responses"]["200"]["content"]["text/html"] = _TEXT
            elif name in {operation_name("list", "rows", version) for version in VERSIONS[1:]}:
                kinds = ("csv", "ndjson", "txt")  # the last of `checksums.txt`
                operation["responses"]["200"]["content"] |= {_MEDIA[kind]: _TEXT for kind in kinds}
            elif name.startswith("downloadHsds"):
                _describe_file(operation, path.rpartition(".")[2])


def _with_tables(paths: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield paths, with the files of all tables as one address for each format."""
    for path, item in paths.items():
        file = _TABLE_FILES.fullmatch(path)
        if file is None:
            yield path, item
        elif file["table"] == HSDS_3_0.collections[0].name:
            item["get"] |= {
                "operationId": operation_name("download", f"table_{file['kind']}"),
                "summary": f"A whole HSDS table as {file['kind'].upper()}",
                "parameters": [_TABLE, *item["get"]["parameters"]],
            }
            yield f"{HSDS_3_0.root}/{{table}}.{file['kind']}", item


def _name(collection: Collection) -> str:
    return "Hsds" + "".join(word.capitalize() for word in collection.table.split("_"))


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _object(collection: Collection) -> dict[str, Any]:
    """Return one row, with the members that its nested forms add."""
    schema = {k: v for k, v in row_schema(collection).items() if k not in {"$schema", "title"}}
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
            is_here = holder == name and member.since <= HSDS_3_0.number
            if is_here and member.name not in names:
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
