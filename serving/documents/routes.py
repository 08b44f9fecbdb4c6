"""The documents of content/registry.yaml: every row's JSON, page, Spanish twins, aliases and
redirects.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.types import Scope

from schemas.api.discovery import InformationDocument
from schemas.languages import PUBLISHED
from schemas.vocab.states import FIFTY_ONE, STATES
from serving.context import context_of, current_release
from serving.documents.registry import MAX_AGES, STATE, Library, Row
from serving.documents.render_context import RenderContext, today
from serving.documents.renderer import library, render_document
from serving.documents.shapes import document_json, head_of, page_values
from serving.http.answers import JSON_TYPE, Answer, redirect
from serving.http.caching import of_release
from serving.http.openapi import answers
from serving.http.per_state import StateAddress, state_of
from serving.render.page import HTML_TYPE, Head, guards, render
from serving.render.words import Language

_PAGE_GUARDS = guards(Head("", "", ""))
_GENERIC: dict[str, Any] = {
    "tags": ["documents"],
    "summary": "A document of the site",
    "responses": answers(InformationDocument, "The document."),
}


class Address(NamedTuple):
    """What is shown at a path: a document in a language, as JSON or as a page."""

    row: Row
    language: Language
    is_page: bool


def addresses_of(books: Library) -> Iterator[tuple[str, Address]]:
    """Yield the paths of documents, with `{state}` unexpanded, without aliases and redirects."""
    for row in books.list_answered():
        for language in PUBLISHED:
            if path := row.json_of(language):
                yield path, Address(row, language, is_page=False)
            if path := row.page_of(language):
                yield path, Address(row, language, is_page=True)


def handlers_of(books: Library) -> list[HTTPRouteHandler | StateAddress]:
    """Return everything that the rows of a library are answered at."""
    by_path = dict(addresses_of(books))
    aliases = {path: row.json for row in books.list_answered() for path in row.aliases}
    redirects = {path: row.json for row in books.list_answered() for path in row.redirects}

    async def show_document(scope: Scope) -> Answer:
        """Return the document of an address."""
        path = str(scope["path_template"])
        return await _document(scope, books, by_path[aliases.get(path) or path])

    async def redirect_retired(scope: Scope) -> Answer:
        """Redirect a retired address to the JSON that replaced it."""
        return redirect(redirects[str(scope["path_template"])] or "")

    def operation_id(_handler: Any, _method: Any, path: list[Any]) -> str:
        return _operation(by_path["/" + "/".join(map(str, path))])

    handlers: list[HTTPRouteHandler | StateAddress] = []
    described = [p for p, a in by_path.items() if not (a.is_page or STATE in p)]
    others = [p for p, a in by_path.items() if a.is_page and STATE not in p]
    if described:
        handlers.append(get(described, operation_id=operation_id, **_GENERIC)(show_document))
    if others or aliases:
        handlers.append(get([*others, *aliases], include_in_schema=False)(show_document))
    if redirects:
        handlers.append(get(list(redirects), include_in_schema=False)(redirect_retired))
    for path, address in by_path.items():
        if STATE in path:
            facts: dict[str, Any] = {"include_in_schema": False}
            if not address.is_page:
                responses = answers(InformationDocument, "The document.", 404)
                facts = {**_GENERIC, "responses": responses, "operation_id": _operation(address)}
            answer = partial(_document, books=books, address=address)
            handlers.append(StateAddress(path, answer, facts, FIFTY_ONE))
    return handlers


def _operation(address: Address) -> str:
    name = "".join(part.capitalize() for part in address.row.id.split("-"))
    return f"get{name}Document{'InSpanish' if address.language == 'es' else ''}"


def describe(document: dict[str, Any]) -> None:
    """Add the titles of the documents to an API description."""
    books, paths = library(), document["paths"]
    for path, (row, language, is_page) in addresses_of(books):
        if not is_page and path in paths:
            paths[path]["get"] |= {
                "summary": f"{books.title(row, 'en')}{' (Spanish)' if language == 'es' else ''}",
                "description": books.text(row, "en").description,
            }


async def _document(scope: Scope, books: Library, address: Address) -> Answer:
    row, language, is_page = address
    code = state_of(scope) if row.is_per_state else None
    rendering = render_context_of(scope, books, row, language, code)

    def make() -> bytes:
        content = render_document(rendering)
        if not is_page:
            return document_json(content)
        return render(scope, row.template, head_of(content), **page_values(content))

    key = of_release(rendering.release, "document", is_page, row.id, language, code, rendering.day)
    body = await context_of(scope).responses.find_or_compute(key, make)
    media_type, guard_headers = (HTML_TYPE, _PAGE_GUARDS) if is_page else (JSON_TYPE, ())
    headers = (*guard_headers, (b"content-language", language.encode()))
    return Answer(body, media_type=media_type, max_age=MAX_AGES[row.max_age], headers=headers)


def render_context_of(
    scope: Scope, books: Library, row: Row, language: Language, code: str | None
) -> RenderContext:
    """Return the context of a document for this request."""
    state = STATES[code] if code else None
    return RenderContext(
        books, row, language, context_of(scope).settings, current_release(scope), today(), state
    )


HANDLERS = handlers_of(library())
