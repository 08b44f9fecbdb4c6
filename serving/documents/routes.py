"""The documents of content/registry.yaml: every row's JSON, page, Spanish twins, aliases and
redirects.
"""

from typing import Any

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.types import Scope

from schemas.api.discovery import InformationDocument
from schemas.languages import PUBLISHED
from schemas.vocab.states import FIFTY_ONE, STATES
from serving.context import context_of, current_release
from serving.documents.library import library
from serving.documents.registry import MAX_AGES, STATE, Library, Row
from serving.documents.render_context import Scene, today
from serving.documents.renderer import render_document
from serving.documents.shapes import document_json, head_of, page_values
from serving.http.answers import JSON_TYPE, Answer, redirect
from serving.http.openapi import answers
from serving.http.per_state import state_of
from serving.http.response_cache import of_release
from serving.render.page import HTML_TYPE, Head, guards, render
from serving.render.words import Language

_PAGE_GUARDS = guards(Head("", "", ""))


def handlers_of(books: Library) -> list[HTTPRouteHandler]:
    """Return everything that the rows of a library are answered at."""
    handlers: list[HTTPRouteHandler] = []
    for row in books.list_answered():
        for language in PUBLISHED:
            if path := row.json_of(language):
                handlers.append(_json_handler(books, row, language, path))
            if page := row.page_of(language):
                page_handler = _handler(books, row, language, is_page=True)
                first, *others = _spell(page)
                handlers.append(get(first, spellings=others, include_in_schema=False)(page_handler))
        if row.redirects and row.json:
            handlers.append(get(list(row.redirects), include_in_schema=False)(_redirect(row.json)))
    return handlers


def _json_handler(books: Library, row: Row, language: Language, path: str) -> HTTPRouteHandler:
    function = _handler(books, row, language, is_page=False)
    first, *others = _spell(path)
    errors = (404,) if STATE in path else ()
    if language == "en":
        others += row.aliases
    return get(
        first,
        spellings=others,
        operation_id=_operation(row, language),
        summary=f"{books.title(row, 'en')}{' (Spanish)' if language == 'es' else ''}",
        description=books.text(row, "en").description,
        tags=["documents"],
        responses=answers(InformationDocument, "The document.", *errors),
    )(function)


def _spell(path: str) -> list[str]:
    """Return a path with every state written out, in capitals and in small letters (see
    serving.http.per_state)."""
    if STATE not in path:
        return [path]
    return [path.replace(STATE, c) for c in (*FIFTY_ONE, *(code.lower() for code in FIFTY_ONE))]


def _operation(row: Row, language: Language) -> str:
    name = "".join(part.capitalize() for part in row.id.split("-"))
    return f"get{name}Document{'InSpanish' if language == 'es' else ''}"


def _handler(books: Library, row: Row, language: Language, *, is_page: bool) -> Any:
    template = row.page_of(language) if is_page else row.json_of(language)
    media_type, guard_headers = (HTML_TYPE, _PAGE_GUARDS) if is_page else (JSON_TYPE, ())
    headers = (*guard_headers, (b"content-language", language.encode()))

    async def document(scope: Scope) -> Answer:
        """Return one document."""
        code = state_of(scope) if row.is_per_state else None
        if code:
            # The metrics count all states under one route.
            scope["path_template"] = template or ""
        scene = scene_of(scope, books, row, language, code)

        def make() -> bytes:
            content = render_document(scene)
            if not is_page:
                return document_json(content)
            return render(scope, row.template, head_of(content), **page_values(content))

        key = of_release(scene.release, "document", is_page, row.id, language, code, scene.day)
        body = await context_of(scope).responses.find_or_compute(key, make)
        return Answer(body, media_type=media_type, max_age=MAX_AGES[row.max_age], headers=headers)

    document.__doc__ = f"{row.id}, {language}."
    return document


def scene_of(scope: Scope, books: Library, row: Row, language: Language, code: str | None) -> Scene:
    """Return the context of a document for this request."""
    state = STATES[code] if code else None
    return Scene(
        books, row, language, context_of(scope).settings, current_release(scope), today(), state
    )


def _redirect(target: str) -> Any:
    async def redirect_retired() -> Answer:
        """Return a retired address."""
        return redirect(target)

    return redirect_retired


HANDLERS = handlers_of(library())
