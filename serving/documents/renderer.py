"""Renders a document from its text: the members of its JSON and the parts of its page.

Strings are Jinja templates in a sandbox where a name that is not there is an error. They read

    fact('snap.max_allotment', 'contiguous', 4) | money  the value of a dated fact
    figure('snap.max_allotment', 'contiguous', 4)        value, source and time (in `data`)
    live.total_resources | number                        of the release (`reference.totals`)
    organization.common_name                             content/organization.yaml
    state.code, state.name, totals.resource_count        in documents of a state
    surface('search')                                    address and query (`reference.surfaces`)
    url('/glossary'), sibling_url, day, language         addresses, the day of the facts

A string that consists of one expression keeps the type of its value: a number stays a number. A
string that names a fact no longer confirmed (`FactNotInForce`) is left out: it is null in `data`;
on the page its entry is omitted, and a section that has nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

import msgspec
from jinja2 import StrictUndefined, Undefined
from jinja2.exceptions import TemplateError
from jinja2.sandbox import SandboxedEnvironment

from serving.documents import (
    benefit_fields,
    data_fields,
    date_fields,
    organization_fields,
    state_fields,
)
from serving.documents.inline import phone_mark
from serving.documents.registry import Library, Section
from serving.documents.render_context import FactUse, RenderContext
from serving.reference.policy import FactNotInForce, UnknownFact
from serving.reference.surfaces import SURFACES
from serving.render.formats import filters
from serving.render.words import Language
from serving.settings import API_VERSION

# The value of a string whose fact may not be published today.
_LEFT_OUT: Any = object()
_EXPRESSION = re.compile(r"\{\{((?:(?!\}\}|\{\{).)+)\}\}", re.DOTALL)
# What a row of the registry may name in `computed: {<member>: <function>}`: every public function
# of these modules. Each takes the render context and returns JSON values.
FUNCTIONS: dict[str, Callable[[RenderContext], Any]] = {
    name: value
    for module in (benefit_fields, data_fields, date_fields, organization_fields, state_fields)
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


class TextError(ValueError):
    """A text of a document cannot be rendered; the message names the document, the place and the
    reason.
    """


@dataclass(frozen=True)
class RenderedDocument:
    """A document in one language on one day. `data` and the sections have the markup of
    `serving.documents.inline`."""

    context: RenderContext
    title: str
    description: str
    lead: str
    updated: str
    sections: list[Section]
    data: dict[str, Any]

    @property
    def used(self) -> list[FactUse]:
        """The facts that it shows, in order of appearance."""
        return list(self.context.facts.used.values())


def render_document(context: RenderContext) -> RenderedDocument:
    """Raise TextError, RegistryError, ServiceProblem (503) when it needs a release that is not
    there."""
    text = context.library.text(context.row, context.language)
    evaluator = _TextEvaluator(context)
    computed = {}
    for name, function in context.row.computed.items():
        try:
            computed[name] = FUNCTIONS[function](context)
        except FactNotInForce:
            computed[name] = None  # while a fact that it rests on may not be published
    data = {**_with_nulls(evaluator.value(text.data, "data")), **computed}
    gaps = frozenset(name for name, value in data.items() if value is None)
    parts = (
        _section(evaluator, section, gaps, f"page[{n}]") for n, section in enumerate(text.page)
    )
    sections = [part for part in parts if part is not None]
    texts = {
        name: evaluator.sentence(getattr(text, name), name)
        for name in ("title", "description", "lead")
    }
    return RenderedDocument(
        context, **texts, updated=text.updated.isoformat(), sections=sections, data=data
    )


def _section(
    evaluator: _TextEvaluator, section: Section, gaps: frozenset[str], at: str
) -> Section | None:
    """Render a section without the parts that rest on members in `gaps`; None if it is left out."""
    if section.when is not None and not evaluator.holds(section.when, f"{at}.when"):
        return None
    raw: dict[str, Any] = msgspec.to_builtins(section)
    raw.pop("when", None)
    parts = {}
    for name, value in evaluator.value(raw, at).items():
        member = value.get("from") if isinstance(value, dict) else None
        # A part may take its entries from a member that is not there today.
        is_gap = member is not None and member.partition(".")[0] in gaps
        if not is_gap and (part := _entry(value)) is not _LEFT_OUT:
            parts[name] = part
    section_values = _as_text(parts)
    if _has_content(raw) and not _has_content(section_values):
        return None
    try:
        return msgspec.convert(section_values, Section)
    except msgspec.ValidationError as error:
        raise TextError(f"{evaluator.where}, {at}: {error}") from error


def _with_nulls(value: Any) -> Any:
    """Set missing members to null, as the JSON members promise a fixed shape."""
    if isinstance(value, dict):
        return {name: _with_nulls(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_with_nulls(inner) for inner in value]
    return None if value is _LEFT_OUT else value


def _has_content(section: Mapping[str, Any]) -> bool:
    return any(value for name, value in section.items() if name not in {"id", "heading"})


def _entry(value: Any) -> Any:
    """Return an entry, or `_LEFT_OUT` if any of its strings was; lists drop such entries."""
    if isinstance(value, list):
        return [whole for inner in value if (whole := _entry(inner)) is not _LEFT_OUT]
    if isinstance(value, dict):
        parts = {name: _entry(inner) for name, inner in value.items()}
        return _LEFT_OUT if any(part is _LEFT_OUT for part in parts.values()) else parts
    return value


def _as_text(value: Any) -> Any:
    """Return the tree with its numbers as text: a page shows text."""
    if isinstance(value, dict):
        return {name: _as_text(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_as_text(inner) for inner in value]
    return value if value is None or isinstance(value, str | bool) else str(value)


class _TextEvaluator:
    """Evaluates the strings of one document."""

    def __init__(self, context: RenderContext) -> None:
        self.where = f"{context.row.id}/{context.language}"
        self._environment = _environment(context.language)
        sibling, state = context.settings.sibling, context.state
        self._names: dict[str, Any] = {
            "fact": context.facts.fact,
            "figure": context.facts.figure,
            "has_fact": context.facts.__contains__,
            "live": context.live,
            "organization": context.organization,
            "url": context.url,
            "surface": lambda name: context.settings.url + SURFACES[name].template,
            "base_url": context.settings.url,
            "api_version": API_VERSION,
            "sibling_url": sibling.url if sibling else context.settings.sibling_base_url or None,
            "day": context.day,
            "language": context.language,
            "state": state and {"code": state.code, "name": state.names[context.language]},
            "totals": state and context.live.state(state.code),
        }

    def holds(self, condition: str, at: str) -> bool:
        """Return whether a condition is true; false if it depends on an omitted fact."""
        value = self.expression(condition, at)
        return value is not _LEFT_OUT and bool(value)

    def sentence(self, text: str, at: str) -> str:
        """Return the text of a string; empty when it is left out."""
        value = self.value(text, at)
        return "" if value is _LEFT_OUT else str(value)

    def value(self, raw: Any, at: str) -> Any:
        """Return the tree with every template evaluated."""
        if isinstance(raw, str):
            return self._string(raw, at)
        if isinstance(raw, dict):
            return {name: self.value(inner, f"{at}.{name}") for name, inner in raw.items()}
        if isinstance(raw, list):
            return [self.value(inner, f"{at}[{n}]") for n, inner in enumerate(raw)]
        return raw

    def _string(self, text: str, at: str) -> Any:
        if "{{" not in text and "{%" not in text:
            return text
        whole = _EXPRESSION.fullmatch(text.strip())
        if whole:
            return self.expression(whole[1], at)
        try:
            return self._environment.from_string(text).render(self._names)
        except FactNotInForce:
            return _LEFT_OUT
        except (TemplateError, UnknownFact, TypeError, LookupError) as error:
            raise TextError(f"{self.where}, {at}: {error} in {text[:120]!r}") from error

    def expression(self, text: str, at: str) -> Any:
        """Return the value of an expression."""
        try:
            value = self._environment.compile_expression(text, undefined_to_none=False)(self._names)
            if isinstance(value, Undefined):
                str(value)  # raises, naming the missing value
        except FactNotInForce:
            return _LEFT_OUT
        except (TemplateError, UnknownFact, TypeError, LookupError) as error:
            raise TextError(f"{self.where}, {at}: {error} in {text[:120]!r}") from error
        return value


@cache
def _environment(language: Language) -> SandboxedEnvironment:
    environment = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False)
    environment.filters |= {**filters(language), "phone": phone_mark}
    return environment
