"""The library of documents, with the functions that compute members: a row of the registry names
them, `computed: {<member>: <function>}`.

Each takes the render context and returns JSON values.
"""

from collections.abc import Callable
from functools import cache, partial
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from serving.documents import (
    benefit_fields,
    data_fields,
    date_fields,
    organization_fields,
    state_fields,
)
from serving.documents.registry import Library
from serving.documents.render_context import RenderContext

MemberFunction = Callable[[RenderContext], Any]
_MODULES = (
    organization_fields,
    state_fields,
    data_fields,
    date_fields,
    benefit_fields,
)
# Every public function of these modules, and partial functions.
FUNCTIONS: dict[str, MemberFunction] = {
    name: value
    for module in _MODULES
    for name, value in vars(module).items()
    if not name.startswith("_")
    and (isinstance(value, partial) or getattr(value, "__module__", None) == module.__name__)
}


def open_library(folder: Traversable | None = None) -> Library:
    """Return the library of a content folder, by default the shipped one. Raises RegistryError."""
    return Library(folder or resources.files("content"), FUNCTIONS)


@cache
def library() -> Library:
    """Return the shipped library, read once per process."""
    return open_library()
