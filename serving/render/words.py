"""Words of pages and messages (`schemas.words`), and the languages in which a page is answered."""

import re
from typing import TypeAlias

from litestar.types import Scope

from schemas.languages import (
    PUBLISHED,
    SOURCE,
    Language,
    LanguageSpec,
    language_of_path,
    languages,
    localize,
)
from schemas.words import Messages, messages
from serving.context import context_of
from serving.http.errors import ServiceProblem
from serving.settings import Settings, entries_of

__all__ = ["Language", "Words", "path_language", "words"]
Words: TypeAlias = Messages
words = messages
_PARAMETER = re.compile(r"\{[^}]+\}")
_FINDER: list[re.Pattern[str]] = []


def finder_paths(path: str) -> list[str]:
    """Return the routes of a page of the finder, in every language; the page is known as such."""
    _FINDER.append(re.compile(_PARAMETER.sub("[^/]+", path)))
    return [localize(path, language) for language in languages()]


def is_of_finder(path: str) -> bool:
    """Return whether an English address is of a page that exists in every language."""
    bare = re.split("[?#]", path, maxsplit=1)[0]
    return any(pattern.fullmatch(bare) for pattern in _FINDER)


def page_path(path: str, language: Language) -> str:
    """Return the address of an English page in a language; of a document that a language lacks the
    English one."""
    return localize(path, language) if language in PUBLISHED or is_of_finder(path) else path


def paths_of(path: str, language: Language) -> tuple[str, str]:
    """Return the address of an English page in a language, and of its twin: English, of an English
    page Spanish."""
    twin = SOURCE if language != SOURCE else PUBLISHED[1]
    return localize(path, language), localize(path, twin)


def active_languages(settings: Settings) -> list[LanguageSpec]:
    """Return the languages of pages; drafts only if the operator enables them."""
    codes = entries_of(settings.languages)
    return [one for one in languages().values() if not one.is_draft or {one.code, "*"} & codes]


def path_language(scope: Scope) -> Language:
    """Return the language of a page: addresses of Spanish pages begin with `/es/`.

    Raises ServiceProblem (404) for a language that is switched off.
    """
    language = language_of_path(scope["path"])
    if language in PUBLISHED:
        return language
    if all(one.code != language for one in active_languages(context_of(scope).settings)):
        raise ServiceProblem("not-found", f"Pages in the language {language} are switched off.")
    return language
