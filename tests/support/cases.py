"""Tables of named cases."""

from collections.abc import Mapping
from typing import Any

import pytest


def cases(names: str, table: Mapping[str, Any]) -> pytest.MarkDecorator:
    """Return the parameters of a test from rows by the name of their case.

    `names` are separated by commas; with a single name a row is its value.
    """
    is_single = "," not in names
    rows = [pytest.param(*((row,) if is_single else row), id=name) for name, row in table.items()]
    return pytest.mark.parametrize([name.strip() for name in names.split(",")], rows)
