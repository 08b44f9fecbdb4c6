"""Members about the site itself: its documents and pages."""

from collections.abc import Callable
from typing import Any

from schemas.vocab.states import FIFTY_ONE
from serving.documents.registry import STATE, Row
from serving.documents.render_context import Scene
from serving.render.words import Language


def documents(scene: Scene) -> list[dict[str, Any]]:
    """Return every document and page of the registry, with its addresses. `{state}` is for 51
    codes."""
    library, base = scene.library, scene.settings.url
    return [
        {
            "id": row.id,
            "section": row.section,
            "title": library.title(row, scene.language),
            "json": _full(base, row.json_of(scene.language) or row.json),
            "page": _full(base, row.page_of(scene.language) or row.page),
            "json_or_page": _path_to_open(row, scene.language),
            "is_per_state": row.is_per_state,
        }
        for row in library.listed()
    ]


def section_pages(scene: Scene) -> list[dict[str, Any]]:
    """Return the other pages of this document's section."""
    library = scene.library
    return [
        {
            "title": library.title(row, scene.language),
            "path": row.page_of(scene.language) or row.page,
        }
        for row in library.listed()
        if row.section == scene.row.section
        and row.id != scene.row.id
        and row.page
        and STATE not in row.page
    ]


def _path_to_open(row: Row, language: Language) -> str:
    """Return the path that a person would open: the page if there is one. One state represents
    all."""
    path = row.page_of(language) or row.page or row.json_of(language) or row.json or "/"
    return path.replace(STATE, FIFTY_ONE[0])


def _full(base: str, path: str | None) -> str | None:
    return path and base + path


FIELDS: dict[str, Callable[[Scene], Any]] = {"documents": documents, "section_pages": section_pages}
