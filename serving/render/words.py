"""Words of pages and messages: content/messages/*.yaml, the same keys in English and Spanish."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any, Literal, get_args

import msgspec
from litestar.types import Scope

Language = Literal["en", "es"]
LANGUAGES: tuple[Language, ...] = get_args(Language)


def path_language(scope: Scope) -> Language:
    """Return the language of a page: addresses of Spanish pages begin with `/es/`."""
    return "es" if f"{scope['path']}/".startswith("/es/") else "en"


class Words:
    """A tree of words that templates read as `t.nav.home`; a word that is missing is a fault of
    ours.

    Raises KeyError naming the word.
    """

    __slots__ = ("_tree", "_where")

    def __init__(self, tree: dict[str, Any], where: str) -> None:
        self._tree = tree
        self._where = where

    def __getitem__(self, name: str) -> Any:
        if name not in self._tree:
            raise KeyError(f"{self._where}.{name}")
        found = self._tree[name]
        return Words(found, f"{self._where}.{name}") if isinstance(found, dict) else found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __contains__(self, name: str) -> bool:
        return name in self._tree

    def items(self) -> list[tuple[str, Any]]:
        """Return name and word, in the order of the file."""
        return [(name, self[name]) for name in self._tree]


@cache
def _file(name: str) -> dict[str, Any]:
    file = resources.files("content") / "messages" / f"{name}.yaml"
    found: dict[str, Any] = msgspec.yaml.decode(file.read_bytes())
    return found


@cache
def words(name: str, language: Language) -> Words:
    """Return the words of content/messages/<name>.yaml in one language."""
    return Words(_file(name)[language], f"{name}.{language}")
