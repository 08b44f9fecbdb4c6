"""Splits the API description: rarely used operations are described separately, so that the rest
stays small."""

from collections.abc import Iterator
from typing import Any

MAIN, WHOLE = "/api/openapi.json", "/api/openapi/whole.json"
# Addresses of separately described tags.
APART = {"hsds": "/api/openapi/hsds.json", "statistics": "/api/openapi/statistics.json"}
DESCRIPTIONS = (MAIN, WHOLE, *APART.values())


def cut(whole: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the descriptions by address: one per separate tag, and the main one, which links to
    them."""
    tags = {tag["name"] for tag in whole["tags"]}
    apart = [
        tag
        for tag in APART
        if any(tag in operation["tags"] for operation in _operations(whole["paths"]))
    ]
    parts = {APART[tag]: _part(whole, {tag}) for tag in apart}
    main = _part(whole, tags - set(apart))
    links = ", ".join(f"{tag} ({APART[tag]})" for tag in apart)
    words = f"Described apart: {links}; all in one: {WHOLE}." if apart else ""
    main["info"] = main["info"] | {
        "description": f"{main['info']['description']}\n\n{words}".rstrip()
    }
    return parts | {MAIN: main}


def _part(whole: dict[str, Any], tags: set[str]) -> dict[str, Any]:
    """Return the description of some tags' operations, with the components they use."""
    paths = {
        path: item
        for path, item in whole["paths"].items()
        if any(tags & set(operation["tags"]) for operation in item.values())
    }
    part = whole | {"paths": paths, "tags": [t for t in whole["tags"] if t["name"] in tags]}
    component_names = components_of([paths], whole["components"])
    if any("security" in operation for operation in _operations(paths)):
        component_names |= {
            f"securitySchemes/{name}" for name in whole["components"]["securitySchemes"]
        }
    part["components"] = {
        kind: {name: one for name, one in members.items() if f"{kind}/{name}" in component_names}
        for kind, members in whole["components"].items()
    }
    return part


def _operations(paths: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for item in paths.values():
        yield from item.values()


def components_of(parts: list[Any], components: dict[str, Any]) -> set[str]:
    """Return components that parts use, directly or indirectly, such as `schemas/Problem`."""
    names: set[str] = set()
    waiting = list(parts)
    while waiting:
        for name in set(_references(waiting.pop())) - names:
            names.add(name)
            kind, _, component = name.partition("/")
            waiting.append(components[kind][component])
    return names


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, list):
        for item in part:
            yield from _references(item)
    elif isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"].removeprefix("#/components/")
        for item in part.values():
            yield from _references(item)
