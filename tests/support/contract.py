"""Schemathesis with all its checks against a running service, and values by the description."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_CONFIG = Path(__file__).parents[1] / "contract" / "schemathesis.toml"
# For each operation and kind of data. The suite sends the same cases in every run, so that only a
# change makes it fail; `make contract EXAMPLES=300` sends other cases in every run.
_MORE = os.environ.get("CONTRACT_EXAMPLES")
_EXAMPLES = (
    ["--max-examples", _MORE, "--generation-database", "none"]
    if _MORE
    else ["--max-examples", "10", "--generation-deterministic"]
)
SCHEMAS = "#/components/schemas/"
_BY_DIALECT = re.compile(r"\\[sSdDwWbB]")


def check_answers(address: str, folder: Path, *options: str) -> str:
    """Run schemathesis in `folder` against the service at `address`; return its output.

    Raises AssertionError with the failures if an answer violates the description.
    """
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(_CONFIG), "run"]
    target = [f"{address}/api/openapi.json", "--checks", "all", "--no-color"]
    process = subprocess.run(
        [*command, *target, *_EXAMPLES, *options],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    print(process.stdout[process.stdout.rfind("= SUMMARY =") :])
    assert process.returncode == 0, _failures(process.stdout) + process.stderr[-2000:]
    return process.stdout


def _failures(output: str) -> str:
    """Return the failures without warnings and summary, which are long."""
    begin = max(output.find("= FAILURES ="), 0)
    return output[begin : begin + 8000] + output[-1500:]


def patterns_by_dialect(description: Mapping[str, Any]) -> list[str]:
    """Return patterns of inputs that differ between Python, ECMA-262 and Rust
    (`schemas/api/common.py`).
    """
    operations = [
        operation for item in description["paths"].values() for operation in item.values()
    ]
    inputs = [
        [operation.get("parameters"), operation.get("requestBody")] for operation in operations
    ]
    return [p for p in _patterns(inputs, description, set()) if _BY_DIALECT.search(p)]


def _patterns(node: Any, description: Mapping[str, Any], references: set[str]) -> Iterator[str]:
    """Yield every `pattern` at or below a node, following references."""
    if isinstance(node, list):
        for entry in node:
            yield from _patterns(entry, description, references)
    elif isinstance(node, dict):
        reference = node.get("$ref")
        if isinstance(reference, str) and reference not in references:
            references.add(reference)
            yield from _patterns(_at(description, reference), description, references)
        if isinstance(node.get("pattern"), str):
            yield node["pattern"]
        yield from _patterns(list(node.values()), description, references)


def _at(description: Mapping[str, Any], reference: str) -> Any:
    node: Any = description
    for step in reference.removeprefix("#/").split("/"):
        node = node[step.replace("~1", "/").replace("~0", "~")]
    return node


def sample(document: dict[str, Any], schema: dict[str, Any]) -> Any:
    """Return a value for a schema: its example or default, else the minimum allowed; required
    members only."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(SCHEMAS)
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
