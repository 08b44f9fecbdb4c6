"""Problems as pages, for a person who followed an old or mistyped link."""

from collections.abc import Callable

from litestar.types import Scope

from schemas.languages import PUBLISHED, SOURCE, language_of_path
from serving.context import context_of, request_id_of
from serving.http.answers import VARY_ACCEPT, Answer, private, weights_of
from serving.http.errors import ServiceProblem
from serving.render.page import Head, page
from serving.render.words import Language, active_languages, paths_of, words

# Messages of content/messages/problems.yaml by kind of problem, else by status.
_BY_KIND = {"unknown-place": "unknown_place"}
_BY_STATUS = {404: "missing", 405: "missing", 410: "gone", 429: "unavailable", 503: "unavailable"}
_NOT_SAVED = frozenset({403, 408, 409, 413, 415})


def problem_page(scope: Scope, problem: ServiceProblem, status: int) -> Answer:
    """Return the page of a problem."""
    other = "failed" if status >= 500 else "not_saved" if status in _NOT_SAVED else "unreadable"
    key = _BY_KIND.get(problem.kind) or _BY_STATUS.get(status, other)
    return advice_page(scope, key, status, problem.suggestions, headers=problem.headers)


def advice_page(
    scope: Scope,
    key: str,
    status: int,
    suggestions: tuple[str, ...] = (),
    sentence: Callable[[Language], str] | None = None,
    headers: tuple[tuple[bytes, bytes], ...] = (),
) -> Answer:
    """Return a page with a message of content/messages/problems.yaml and the search, in the
    language of the reader and below it in English or Spanish. `sentence` takes the place of the
    message's text."""
    language = _language_of(scope)
    second = PUBLISHED[1] if language == SOURCE else SOURCE
    messages = []
    for one in (language, second):
        w = words("problems", one)[key]
        messages.append((one, w.title, sentence(one) if sentence else w.text))
    # Not the address of the request, which may contain a token.
    path, _ = paths_of("/", language)
    title, text = messages[0][1:]
    head = Head(path, title, text, language, is_indexed=False, has_finder=True)
    answer = page(
        scope,
        "problem_page.html",
        head,
        max_age=0,
        status=status,
        headers=(*headers, VARY_ACCEPT),
        said=messages,
        s=words("site", language),
        home=words("layout", second).home,
        suggestions=suggestions,
        request_id=request_id_of(scope) if key == "failed" else None,
    )
    return private(answer)


def _language_of(scope: Scope) -> Language:
    """Return the language that the address names; else the one that the browser prefers of those
    that are switched on."""
    active = [one.code for one in active_languages(context_of(scope).settings)]
    language = language_of_path(scope["path"])
    if language != SOURCE and language in active:
        return language
    by_base = {code.split("-")[0]: code for code in active}
    weights = weights_of(scope, b"accept-language")
    for tag in sorted(weights, key=weights.__getitem__, reverse=True):
        base = tag.split("-")[0]
        if weights[tag] > 0 and base in by_base:
            return by_base[base]
    return SOURCE
