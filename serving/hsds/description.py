"""Describes HSDS rows in the API description, from the declaration of the collections."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from schemas.hsds.collections import BY_NAME, COLLECTIONS, HSDS_ROOT, Collection
from serving.hsds.parameters import offered
from warehouse.hsds.nesting import NESTED, Member

# Further addresses of collections: that of the official API for `service_at_location`.
ALIASES = {"service_at_locations": "service_at_location"}
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
# Files of the feed, by the words of their addresses.
_FILES = {
    "hsds.zip": "The whole HSDS package as one file",
    "checksums.txt": "SHA-256 of every file of the HSDS feed",
    "{table}.csv": "A whole HSDS table as CSV",
    "{table}.ndjson": "A whole HSDS table as NDJSON",
}
_LIST_PATH, _ROW_PATH = f"{HSDS_ROOT}/{{table}}", f"{HSDS_ROOT}/{{table}}/{{entity_id}}"
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
    """Describe each table's list, rows and files, and their schemas, in an API description.

    The handlers have one address for all tables.
    """
    paths = document["paths"]
    if _LIST_PATH not in paths:
        return
    a_list, a_row = paths.pop(_LIST_PATH)["get"], paths.pop(_ROW_PATH)["get"]
    schemas = document["components"]["schemas"]
    schemas[_PAGE] = _PAGE_SCHEMA
    for collection in COLLECTIONS:
        schemas[_name(collection)] = _object(collection)
        schemas[f"{_name(collection)}Page"] = _page(collection)
    for address in (*BY_NAME, *ALIASES):
        collection = BY_NAME[ALIASES.get(address, address)]
        paths[f"{HSDS_ROOT}/{address}"] = {"get": _list_operation(a_list, address, collection)}
        paths[f"{HSDS_ROOT}/{address}/{{entity_id}}"] = {
            "get": _row_operation(a_row, address, collection)
        }
    for name, title in _FILES.items():
        paths[f"{HSDS_ROOT}/{name}"] = {"get": _file_operation(a_list, name, title)}
    front = paths.get(HSDS_ROOT) or paths[f"{HSDS_ROOT}/"]
    front["get"]["responses"]["200"]["content"]["text/html"] = _TEXT
    document["paths"] = dict(sorted(paths.items()))


def _list_operation(generic: dict[str, Any], address: str, collection: Collection) -> Any:
    operation, names = deepcopy(generic), offered(collection.name)
    title = collection.name.replace("_", " ")
    parameters = {parameter["name"]: parameter for parameter in operation["parameters"]}
    responses = {s: r for s, r in operation["responses"].items() if s != "416"}
    if "postcode" not in names:
        del responses["404"]
    responses["200"]["content"] = {
        "application/json": {"schema": _ref(f"{_name(collection)}Page")},
        "text/csv": _TEXT,
        "application/x-ndjson": _TEXT,
    }
    return operation | {
        "operationId": operation_name("list", address),
        "summary": f"HSDS {title}",
        "description": (
            f"One page of {title} in the order of their ids: JSON in the official `Page`, "
            "CSV or NDJSON."
        ),
        "parameters": [parameters[name] for name in names],
        "responses": responses,
    }


def _row_operation(generic: dict[str, Any], address: str, collection: Collection) -> Any:
    operation = deepcopy(generic)
    names = ["entity_id"]
    if collection.name in NESTED:
        names += ["full"]
    if collection.name == "organizations":
        names += ["full_service"]
    operation["responses"]["200"]["content"] = {
        "application/json": {"schema": _ref(_name(collection))}
    }
    return operation | {
        "operationId": operation_name("get", address),
        "summary": f"One row of HSDS {collection.name.replace('_', ' ')}",
        "description": (
            "The row with an id. An id merged into another answers 301, one no longer "
            "published 410."
        ),
        "parameters": [p for p in operation["parameters"] if p["name"] in names],
    }


def _file_operation(generic: dict[str, Any], name: str, title: str) -> Any:
    operation = deepcopy(generic)
    content = {_MEDIA[name.rpartition(".")[2]]: _TEXT}
    del operation["parameters"]
    operation["responses"]["200"] = {"description": "The file.", "content": content}
    operation["responses"]["206"] = {
        "description": "The part that `Range` asks for.",
        "content": content,
    }
    operation |= {
        "operationId": operation_name("download", name.replace("{table}", "table")),
        "summary": title,
        "description": (
            "A file of the release as stored: byte ranges, `If-Range`, precompressed gzip."
        ),
    }
    return operation | ({"parameters": [_TABLE]} if "{table}" in name else {})


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
