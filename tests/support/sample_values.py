"""Example values of parameters and bodies, from the API description."""

from typing import Any

_SCHEMAS = "#/components/schemas/"


def example_of(parameter: dict[str, Any]) -> Any:
    """Return the example of a parameter, or the least value its schema allows."""
    if "example" in parameter:
        return parameter["example"]
    for example in (parameter.get("examples") or {}).values():
        return example["value"]
    return sample({}, parameter["schema"])


def sample(document: dict[str, Any], schema: dict[str, Any]) -> Any:
    """Return a value for a schema: its example or default, else the minimum allowed; required
    members only."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_SCHEMAS)
        return sample(document, document["components"]["schemas"][name])
    values = [schema[name][0] for name in ("examples", "enum") if schema.get(name)]
    values += [
        schema[name] for name in ("example", "const", "default") if schema.get(name) is not None
    ]
    if values:
        return values[0]
    choices = schema.get("oneOf") or schema.get("anyOf") or schema.get("allOf")
    if choices:
        return sample(document, choices[0])
    required = schema.get("required", ())
    least = {
        "object": lambda: {
            name: sample(document, part)
            for name, part in schema.get("properties", {}).items()
            if name in required
        },
        "array": lambda: [sample(document, schema.get("items") or {})],
        "integer": lambda: int(schema.get("minimum") or 0),
        "number": lambda: schema.get("minimum") or 0,
        "boolean": lambda: True,
    }
    return least.get(str(schema.get("type")), lambda: "text")()
