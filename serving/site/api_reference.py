"""The API description for pages: by tag, with parameters, a call to copy, and shapes.

Reads the OpenAPI document alone, so that a page cannot contradict it.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from shlex import quote as shell_quote
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import msgspec

_SCHEMAS = "#/components/schemas/"
_MAX_VALUES = 24
_DEEPEST = 6


class TypeText(NamedTuple):
    """A type in words; `shape` names the shape to look it up under."""

    text: str
    shape: str | None = None


class Parameter(NamedTuple):
    name: str
    where: str
    type: TypeText
    is_required: bool
    description: str
    default: str | None


class Member(NamedTuple):
    name: str
    type: TypeText
    is_required: bool
    description: str


class Response(NamedTuple):
    status: str
    description: str
    media_types: list[str]
    type: TypeText | None


class Operation(NamedTuple):
    """One address with one method."""

    id: str
    method: str
    path: str
    summary: str
    paragraphs: list[str]
    parameters: list[Parameter]
    body: TypeText | None
    curl: str
    responses: list[Response]


class Shape(NamedTuple):
    """A named shape of the description."""

    name: str
    description: str
    members: list[Member]


class Group(NamedTuple):
    """A tag with its addresses and the shapes they need."""

    tag: str
    title: str
    description: str
    operations: list[Operation]
    shapes: list[Shape]


def groups(document: dict[str, Any]) -> list[Group]:
    """Return all tags that have an address, in the order of the description."""
    base = document["servers"][0]["url"]
    descriptions = {tag["name"]: tag.get("description", "") for tag in document["tags"]}
    by_tag: dict[str, list[Operation]] = {name: [] for name in descriptions}
    for path, item in document["paths"].items():
        for method, operation in item.items():
            entry = _operation(document, base, path, method, operation)
            for tag in operation.get("tags") or ["other"]:
                by_tag.setdefault(tag, []).append(entry)
    return [
        Group(
            tag,
            tag.capitalize() if tag != "hsds" else "HSDS",
            descriptions.get(tag, ""),
            operations,
            _shapes(document, operations),
        )
        for tag, operations in by_tag.items()
        if operations
    ]


def _operation(
    document: dict[str, Any], base: str, path: str, method: str, operation: dict[str, Any]
) -> Operation:
    body = next(iter(operation.get("requestBody", {}).get("content", {}).items()), None)
    responses = [
        Response(
            status, answer["description"], list(answer.get("content", {})), _response_type(answer)
        )
        for status, answer in sorted(operation["responses"].items())
    ]
    return Operation(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation.get("summary", ""),
        paragraphs=[
            " ".join(p.split()) for p in operation.get("description", "").split("\n\n") if p.strip()
        ],
        parameters=[_parameter(p) for p in operation.get("parameters", [])],
        body=type_text(body[1]["schema"]) if body else None,
        curl=curl(document, base, path, method, operation),
        responses=responses,
    )


def _response_type(answer: dict[str, Any]) -> TypeText | None:
    return next((type_text(c["schema"]) for c in answer.get("content", {}).values()), None)


def _parameter(parameter: dict[str, Any]) -> Parameter:
    schema = parameter["schema"]
    default = schema.get("default")
    return Parameter(
        parameter["name"],
        parameter["in"],
        type_text(schema),
        bool(parameter.get("required")),
        parameter.get("description", ""),
        None if default is None else msgspec.json.encode(default).decode().strip('"'),
    )


# ---------------------------------------------------------------- types


def type_text(schema: dict[str, Any]) -> TypeText:
    """Return a schema in words: "integer, 1 to 100", "list of FoundRecord", "string or null"."""
    reference = _reference(schema)
    if reference:
        return TypeText(reference, reference)
    choices = schema.get("oneOf") or schema.get("anyOf")
    if choices:
        parts = [type_text(part) for part in choices]
        shape = next((part.shape for part in parts if part.shape), None)
        return TypeText(" or ".join(dict.fromkeys(part.text for part in parts)), shape)
    if "const" in schema:
        return TypeText(f"always {schema['const']}")
    if "enum" in schema:
        return TypeText(_values(schema["enum"]))
    return _plain_type(schema)


def _plain_type(schema: dict[str, Any]) -> TypeText:
    """Return a type that is no choice: a list, an object, or a bare value with its bounds."""
    kind = schema.get("type", "anything")
    if kind == "array":
        items = type_text(schema.get("items") or {})
        return TypeText(f"list of {items.text}", items.shape)
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        values = type_text(schema["additionalProperties"])
        return TypeText(f"object of {values.text}", values.shape)
    name = " or ".join(kind) if isinstance(kind, list) else kind
    return TypeText(
        ", ".join(part for part in (name, schema.get("format"), _bounds(schema)) if part)
    )


def _reference(schema: dict[str, Any]) -> str | None:
    # With its own members it extends the other shape; see `members_of`.
    whole = [] if "properties" in schema else schema.get("allOf") or []
    target = schema.get("$ref") or (whole[0].get("$ref") if len(whole) == 1 else None)
    return str(target).removeprefix(_SCHEMAS) if target else None


def _values(values: list[Any]) -> str:
    texts = [str(value) for value in values if value is not None]
    more = len(texts) - _MAX_VALUES
    text = ", ".join(texts[:_MAX_VALUES])
    return f"one of {text} and {more} more" if more > 0 else f"one of {text}"


def _bounds(schema: dict[str, Any]) -> str:
    low, high, words = schema.get("minimum"), schema.get("maximum"), "{:.17g}"
    if low is not None and high is not None:
        return f"{words.format(low)} to {words.format(high)}"
    if low is not None:
        return f"{words.format(low)} or more"
    longest = schema.get("maxLength")
    return f"at most {longest} characters" if longest is not None else ""


# ---------------------------------------------------------------- shapes


def _shapes(document: dict[str, Any], operations: Iterable[Operation]) -> list[Shape]:
    """Return every shape used by the answers and bodies, those of the answers first."""
    schemas = document["components"]["schemas"]
    first = [t.shape for o in operations for t in (o.body, *(r.type for r in o.responses)) if t]
    shapes: dict[str, Shape] = {}
    waiting = deque(name for name in first if name)
    while waiting:
        name = waiting.popleft()
        if name in shapes or name not in schemas:
            continue
        shapes[name] = _shape(document, name)
        waiting.extend(_find_referred_schemas(schemas[name]))
    return list(shapes.values())


def _shape(document: dict[str, Any], name: str) -> Shape:
    schema = document["components"]["schemas"][name]
    properties, required = members_of(document, schema)
    members = [
        Member(member, type_text(part), member in required, part.get("description", ""))
        for member, part in properties.items()
    ]
    return Shape(name, schema.get("description", ""), members)


def members_of(
    document: dict[str, Any], schema: dict[str, Any]
) -> tuple[dict[str, Any], frozenset[str]]:
    """Return the members of an object, including inherited ones, and the required names."""
    properties: dict[str, Any] = {}
    required: set[str] = set()
    for base in schema.get("allOf", ()):
        name = base["$ref"].removeprefix(_SCHEMAS)
        inherited, base_required = members_of(document, document["components"]["schemas"][name])
        properties |= inherited
        required |= base_required
    properties |= schema.get("properties", {})
    return properties, frozenset(required.union(schema.get("required", ())))


def _find_referred_schemas(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"].removeprefix(_SCHEMAS)
        for part in value.values():
            yield from _find_referred_schemas(part)
    elif isinstance(value, list):
        for part in value:
            yield from _find_referred_schemas(part)


# ---------------------------------------------------------------- a call to copy


def curl(
    document: dict[str, Any], base: str, path: str, method: str, operation: dict[str, Any]
) -> str:
    """Return a command that calls an address with its example values."""
    parts = ["curl"] if method == "get" else ["curl", "-X", method.upper()]
    query: list[tuple[str, str]] = []
    for parameter in operation.get("parameters", []):
        value = example_of(parameter)
        if parameter["in"] == "path":
            path = path.replace(f"{{{parameter['name']}}}", quote(str(value), safe=""))
        elif parameter["in"] == "header" and parameter.get("required"):
            parts += ["-H", shell_quote(f"{parameter['name']}: {value}")]
        elif parameter["in"] == "query" and (parameter.get("required") or _has_example(parameter)):
            query.append((parameter["name"], str(value)))
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        body = sample(document, content["schema"])
        is_form = media_type == "application/x-www-form-urlencoded"
        text = urlencode(body) if is_form else msgspec.json.encode(body).decode()
        parts += ["-H", shell_quote(f"Content-Type: {media_type}"), "-d", shell_quote(text)]
        break
    address = base + path + ("?" + urlencode(query, quote_via=quote) if query else "")
    return " ".join([*parts, shell_quote(address)])


def _has_example(parameter: dict[str, Any]) -> bool:
    return "example" in parameter or bool(parameter.get("examples"))


def example_of(parameter: dict[str, Any]) -> Any:
    """Return the example of a parameter, or the least value its schema allows."""
    if "example" in parameter:
        return parameter["example"]
    for example in (parameter.get("examples") or {}).values():
        return example["value"]
    return sample({}, parameter["schema"])


def sample(document: dict[str, Any], schema: dict[str, Any], depth: int = 0) -> Any:
    """Return a value for a schema: its example or default, else the minimum allowed; required
    members only."""
    reference = _reference(schema)
    if reference and depth < _DEEPEST:
        return sample(document, document["components"]["schemas"][reference], depth + 1)
    values = [schema[name][0] for name in ("examples", "enum") if schema.get(name)]
    values += [
        schema[name] for name in ("example", "const", "default") if schema.get(name) is not None
    ]
    if values:
        return values[0]
    choices = schema.get("oneOf") or schema.get("anyOf")
    return sample(document, choices[0], depth) if choices else _least(document, schema, depth)


def _least(document: dict[str, Any], schema: dict[str, Any], depth: int) -> Any:
    kind = schema.get("type")
    if kind == "object":
        members, required = members_of(document, schema)
        return {
            name: sample(document, part, depth + 1)
            for name, part in members.items()
            if name in required
        }
    if kind == "array":
        return [sample(document, schema.get("items") or {}, depth + 1)]
    least = {
        "integer": int(schema.get("minimum") or 0),
        "number": schema.get("minimum") or 0,
        "boolean": True,
    }
    return least.get(str(kind), "text")
