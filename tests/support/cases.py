"""Tables of named cases, in a test or in a YAML file beside it."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import msgspec
import pytest
import yaml

Test = TypeVar("Test", bound=Callable[..., Any])


def cases(names: str, table: Mapping[str, Any]) -> pytest.MarkDecorator:
    """Return the parameters of a test from rows by the name of their case.

    `names` are separated by commas; with a single name a row is its value.
    """
    is_single = "," not in names
    rows = [pytest.param(*((row,) if is_single else row), id=name) for name, row in table.items()]
    return pytest.mark.parametrize([name.strip() for name in names.split(",")], rows)


def labelled(names: str) -> Callable[[Test], Test]:
    """Give a test the rows of its table: the one of its name in the YAML file of its module.

    Rows may have names, as those of `cases`. Values become what the annotations of the test say.
    """

    def decorate(test: Test) -> Test:
        hints = get_type_hints(test)
        types = [hints.get(name.strip(), Any) for name in names.split(",")]
        table = table_of(test.__globals__["__file__"], test.__name__)
        rows: dict[str, Any] = {}
        for name, row in table.items() if isinstance(table, dict) else enumerate(table):
            values = row if len(types) > 1 else [row]
            converted = [msgspec.convert(v, kind) for v, kind in zip(values, types, strict=True)]
            rows[str(name)] = converted if len(types) > 1 else converted[0]
        decorated: Test = cases(names, rows)(test)
        return decorated

    return decorate


def table_of(module: str, name: str) -> Any:
    """Return a table of the YAML file beside a module, which is named as it is."""
    return _read(Path(module).with_suffix(".yaml"))[name]


@cache
def _read(file: Path) -> dict[str, Any]:
    tables: dict[str, Any] = yaml.load(file.read_text("utf-8"), yaml.CSafeLoader)
    return tables
