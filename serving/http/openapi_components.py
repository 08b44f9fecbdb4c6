"""Shares parameters, bodies, answers and headers of the API description, and shortens schemas.

Parts used by several operations are in `components` once (OpenAPI 3.1, Components Object).
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

_FLAGS = ("required", "deprecated", "allowEmptyValue", "allowReserved")
_NOT_LETTER = re.compile(r"[^A-Za-z0-9]+")
_MAX_NAME_WORDS = 6
# The only body shared by two operations.
_BODY = "Household"


def share_components(document: dict[str, Any]) -> None:
    """Replace repeated parts by references, and shorten the schemas. Changes the description."""
    for part in _parts(document):
        _shorten(part)
    operations = [o for item in document["paths"].values() for o in item.values()]
    for operation in operations:
        if operation.get("deprecated") is False:
            del operation["deprecated"]
    components = document["components"]
    answers = [answer for o in operations for answer in o["responses"].values()]
    components["headers"] = _Shared("headers").replace(
        [
            (answer["headers"], name, name)
            for answer in answers
            for name in answer.get("headers", ())
        ]
    )
    components["responses"] = _Shared("responses").replace(
        [
            (o["responses"], status, _name_of(status, answer))
            for o in operations
            for status, answer in o["responses"].items()
        ]
    )
    components["requestBodies"] = _Shared("requestBodies").replace(
        [(o, "requestBody", _BODY) for o in operations if "requestBody" in o]
    )
    components["parameters"] = _Shared("parameters").replace(
        [
            (o["parameters"], place, parameter["name"])
            for o in operations
            for place, parameter in enumerate(o.get("parameters", ()))
        ]
    )


def inline_components(document: dict[str, Any]) -> dict[str, Any]:
    """Replace references to parameters, bodies, answers and headers by their targets, for readers
    that need each operation whole. Changes and returns the description; schemas stay references."""
    for item in document["paths"].values():
        for operation in item.values():
            operation["parameters"] = [
                _resolve(document, one) for one in operation.get("parameters", ())
            ]
            if "requestBody" in operation:
                operation["requestBody"] = _resolve(document, operation["requestBody"])
            operation["responses"] = {
                status: _resolve(document, one) for status, one in operation["responses"].items()
            }
            for answer in operation["responses"].values():
                headers = answer.get("headers", {})
                for name in headers:
                    headers[name] = _resolve(document, headers[name])
    return document


def _resolve(document: dict[str, Any], part: dict[str, Any]) -> Any:
    value: Any = part
    if "$ref" in part:
        value = document
        for step in part["$ref"].removeprefix("#/").split("/"):
            value = value[step]
    return value


class _Shared:
    """Components of one kind, such as `parameters`, used at least twice."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._names: dict[str, str] = {}
        self._components: dict[str, Any] = {}

    def replace(self, uses: list[tuple[Any, Any, str]]) -> dict[str, Any]:
        """Replace repeated uses (container, key, name) by references; return the components."""
        keys = [json.dumps(container[key], sort_keys=True) for container, key, _ in uses]
        counts = Counter(keys)
        for (container, key, name), text in zip(uses, keys, strict=True):
            if counts[text] > 1:
                component = self._names.get(text) or self._add(text, name, container[key])
                container[key] = {"$ref": f"#/components/{self._kind}/{component}"}
        return self._components

    def _add(self, text: str, name: str, value: Any) -> str:
        numbered = (f"{name}{n or ''}" for n in (0, *range(2, 1000)))
        component = next(each for each in numbered if each not in self._components)
        self._components[component], self._names[text] = value, component
        return component


def _name_of(status: str, answer: dict[str, Any]) -> str:
    """Return Problem404, or a name derived from the description of an answer."""
    if "application/problem+json" in answer.get("content", {}):
        return f"Problem{status}"
    words = _NOT_LETTER.sub(" ", answer["description"]).split()[:_MAX_NAME_WORDS]
    return "".join(word[:1].upper() + word[1:] for word in words)


def _parts(part: Any) -> Iterator[dict[str, Any]]:
    """Yield every object, innermost first; examples are data and stay."""
    if isinstance(part, list):
        for item in part:
            yield from _parts(item)
    elif isinstance(part, dict):
        for name, item in part.items():
            if name not in {"example", "examples"}:
                yield from _parts(item)
        yield part


def _shorten(part: dict[str, Any]) -> None:
    if "in" in part and "schema" in part:
        for flag in _FLAGS:
            if part.get(flag) is False:
                del part[flag]
        if part["schema"].get("description") == part.get("description"):
            part["schema"].pop("description", None)
    whole = part.get("allOf")
    if isinstance(whole, list) and len(whole) == 1 and "properties" not in part:
        # OpenAPI 3.1 allows siblings of a reference.
        part |= part.pop("allOf")[0]
    choices = part.get("oneOf")
    if isinstance(choices, list) and all(isinstance(choice, dict) for choice in choices):
        _merge_choices(part, choices)


def _merge_choices(part: dict[str, Any], choices: list[dict[str, Any]]) -> None:
    """Merge a choice of one into that one, and "this or null" into a list of types."""
    others = [choice for choice in choices if choice != {"type": "null"}]
    if len(others) != 1 or others[0].keys() & part.keys():
        return
    (only,) = others
    if len(choices) == 1:
        del part["oneOf"]
        part |= only
    elif isinstance(only.get("type"), str) and not only.keys() & {"enum", "const"}:
        del part["oneOf"]
        part |= only | {"type": [only["type"], "null"]}
