"""Open the library of documents with the functions that compute their members."""

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from serving.documents.computed import FUNCTIONS
from serving.documents.registry import Library


def open_library(folder: Traversable | None = None) -> Library:
    """Return the library of a content folder, by default the shipped one. Raises RegistryError."""
    return Library(folder or resources.files("content"), FUNCTIONS)


@cache
def library() -> Library:
    """Return the shipped library, read once per process."""
    return open_library()
