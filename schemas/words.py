"""Words for people: texts in all languages, and the messages of `content/messages`.

A message is a text with `{places}`. A mapping of CLDR plural categories (`one`, `other`) is one
message with a form for each number.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from importlib import resources
from typing import Annotated, Any, Self

import msgspec

from schemas.descriptions import describe
from schemas.languages import PUBLISHED, SOURCE, Language, languages, translations

_PLACE = re.compile(r"\{\w*\}")
_CATEGORIES = frozenset({"zero", "one", "two", "few", "many", "other"})


class InWords(msgspec.Struct, frozen=True, dict=True):
    """A text in the languages of the API; `text[language]` gives it in any language.

    Further languages are rendered with the function of `render_with`; without it the text is a
    label that catalogues have as such.
    """

    def __getitem__(self, language: Language) -> str:
        if language in PUBLISHED:
            return str(getattr(self, language))
        render = self.__dict__.get("_render")
        return str(render(language)) if render else translate(self["en"], language)

    def render_with(self, render: Callable[[Language], str]) -> Self:
        """Render further languages with a function; return the text."""
        self.__dict__["_render"] = render
        return self


class Words(InWords, frozen=True, forbid_unknown_fields=True):
    """A sentence in both languages of the directory."""

    en: Annotated[str, describe("In English.")]
    es: Annotated[str, describe("In Spanish.")]


def say(render: Callable[[Language], str]) -> Words:
    """Return the text that a function renders in a language."""
    return Words(*(render(language) for language in PUBLISHED)).render_with(render)


def message(name: str, key: str) -> Words:
    """Return a message of content/messages/<name>.yaml without places to fill in."""
    return say(lambda language: str(messages(name, language)[key]))


def translate(text: str, language: Language) -> str:
    """Translate a label by its English text, which is the default."""
    return str(translations(language).ugettext(text)) if text else text


class Plural:
    """A message with a form for each plural category of its language (CLDR)."""

    __slots__ = ("_form",)

    def __init__(self, form: Callable[[float], str]) -> None:
        self._form = form

    def __call__(self, n: float, **values: object) -> str:
        """Return the form of a number, with `{n}` and other places filled in."""
        return self._form(n).format(**{"n": n, **values})


class Messages:
    """A tree of messages that templates read as `t.nav.home`.

    A message that is missing is a fault of ours: raises KeyError naming it.
    """

    def __init__(self, tree: dict[str, Any], where: str) -> None:
        self._tree = {
            name: Messages(node, f"{where}.{name}") if isinstance(node, dict) else node
            for name, node in tree.items()
        }
        self._where = where
        # Attribute access is faster.
        self.__dict__ |= {k: v for k, v in self._tree.items() if not hasattr(Messages, k)}

    def __getitem__(self, name: str) -> Any:
        if name not in self._tree:
            raise KeyError(f"{self._where}.{name}")
        return self._tree[name]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __contains__(self, name: str) -> bool:
        return name in self._tree

    def items(self) -> list[tuple[str, Any]]:
        """Return name and message, in the order of the file."""
        return list(self._tree.items())


@cache
def messages(name: str, language: Language) -> Messages:
    """Return the messages of content/messages/<name>.yaml in one language.

    A message missing in a catalogue, or translated from another English text, is in English.
    """
    return Messages(_tree(name, language), f"{name}.{language}")


@cache
def _tree(name: str, language: Language) -> dict[str, Any]:
    source_language = language if language in PUBLISHED else SOURCE
    tree: dict[str, Any] = _build(read_messages(name)[source_language], name, language)
    return tree


@cache
def read_messages(name: str) -> dict[str, Any]:
    """Return a file of messages as it is written, by published language."""
    file = resources.files("content") / "messages" / f"{name}.yaml"
    texts: dict[str, Any] = msgspec.yaml.decode(file.read_bytes())
    return texts


def is_plural(node: Any) -> bool:
    """Return whether a node of a file of messages is one message with forms by category."""
    return isinstance(node, dict) and "other" in node and node.keys() <= _CATEGORIES


def leaves(node: Any, path: str) -> Iterator[tuple[str, str | dict[str, str]]]:
    """Yield path and text, or forms by category, of each message below a node."""
    if isinstance(node, str) or is_plural(node):
        yield path, node
    elif isinstance(node, dict | list):
        for name, inner in node.items() if isinstance(node, dict) else enumerate(node):
            yield from leaves(inner, f"{path}.{name}")


def _build(node: Any, path: str, language: Language) -> Any:
    """Return a node with messages in a language. `path`: its context in catalogues."""
    if is_plural(node):
        return Plural(_forms(node, path, language))
    if isinstance(node, dict):
        return {name: _build(inner, f"{path}.{name}", language) for name, inner in node.items()}
    if isinstance(node, list):
        return [_build(inner, f"{path}.{i}", language) for i, inner in enumerate(node)]
    if language in PUBLISHED or not isinstance(node, str) or not node:
        return node
    return _message(translations(language).upgettext(path, node), language)


def _message(text: str, language: Language) -> str:
    """Return a message; in languages from right to left, filled-in values have a direction of their
    own: names, addresses and telephones run from left to right (Unicode UAX 9, first strong
    isolate).
    """
    if languages()[language].direction == "ltr" or not _PLACE.search(text):
        return text
    # The mark at the beginning is what an isolate around the whole finds first.
    return "\u200f" + _PLACE.sub("\u2068\\g<0>\u2069", text)


def _forms(forms: dict[str, str], path: str, language: Language) -> Callable[[float], str]:
    if language in PUBLISHED:
        # Distances and counts repeat; CLDR's rule parses each number as a decimal text.
        category = lru_cache(maxsize=1024)(languages()[language].locale.plural_form)
        return lambda n: forms.get(category(n), forms["other"])
    catalogue, one, other = translations(language), forms.get("one", forms["other"]), forms["other"]
    # gettext counts whole things: part of one takes the form of two.
    return lambda n: _message(
        catalogue.unpgettext(path, one, other, int(n) if n == int(n) else 2), language
    )
