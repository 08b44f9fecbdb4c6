"""Problem types and exception handlers (RFC 9457)."""

import re
from collections.abc import Mapping
from importlib import resources
from typing import Any, get_type_hints

import msgspec
from litestar import Request
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import Scope

from schemas.api.common import FieldFault, Problem
from schemas.vocab.resource_types import MODES
from serving.context import OPTIONS_KEY, context_of, current_release, request_id_of
from serving.http.answers import VARY_ACCEPT, Answer, Header, prefers_html
from serving.http.parameters import rule_of
from warehouse.index.reader import OpenRelease
from warehouse.release.watch import is_read_fault

PROBLEM_TYPE = b"application/problem+json"


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Kind of problem: its status, name and advice."""

    status: int
    title: str
    advice: str


KINDS: dict[str, Kind] = msgspec.yaml.decode(
    (resources.files("content") / "problems.yaml").read_bytes(), type=dict[str, Kind]
)
_KIND_BY_STATUS = {
    400: "bad-request",
    401: "unauthorized",
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
}
# Addresses for programs and for frames of other sites; for an unserved host the resources of a page
# would not load either.
_PROGRAMS = ("/api/", "/hsds/", "/mcp/", "/embed/")
_STRANGERS = frozenset({"unknown-host"})
# Rules in words, where the checker's own message would not help the client.
RULES = {
    "zip": "five digits, ZIP+4, or a city such as `Salem, OR`",
    "mode": f"one of {', '.join(MODES)}",
    "state": "the two-letter code of a state or territory, in capital letters",
    "on": "a date, such as 2026-11-22",
    "format": "json or csv",
    "open_at": "a date and time in the place's local time, such as 2026-11-24T17:00",
    "bbox": "four numbers in degrees: west,south,east,north",
}
# Arguments that cannot have the name of their parameter.
_PARAMETER_NAMES = {"us_state": "state", "authorization": "Authorization"}
_UNKNOWN_MEMBER = re.compile(r"unknown field `(.+)`")
_MISSING_MEMBER = re.compile(r"missing required field `(\w+)`")
_MISSING = re.compile(r"Missing required \w+(?: \w+)* '?([\w-]+)'?")


class ServiceProblem(Exception):
    """Problem for the client. `faults` maps parameter names to the broken rules; `suggestions` are
    valid alternatives."""

    def __init__(
        self,
        kind: str,
        detail: str,
        faults: Mapping[str, str] | None = None,
        headers: tuple[Header, ...] = (),
        suggestions: tuple[str, ...] = (),
    ) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.faults = dict(faults or {})
        self.headers = headers
        self.suggestions = suggestions


def invalid(field: str, rule: str) -> ServiceProblem:
    """Return a parameter that breaks a rule."""
    return ServiceProblem("invalid-parameter", f"{field}: {rule}", {field: rule})


def make_gone_problem(release: OpenRelease, resource_id: int) -> ServiceProblem:
    """Return the problem of a place that is no longer listed, with the true cause if known."""
    reason = release.find_gone_reason(resource_id)
    because = f" ({reason})" if reason else ""
    return ServiceProblem("gone", f"Resource {resource_id} is no longer listed{because}.")


def release_of(scope: Scope) -> OpenRelease:
    """Return the release that answers this request, constant during the request.

    Raises ServiceProblem (503) without one.
    """
    release = current_release(scope)
    if release is None:
        failed = context_of(scope).watch.refusal
        detail = (
            f"The promoted release {failed[0]} could not be opened."
            if failed
            else "No release has been promoted yet."
        )
        raise ServiceProblem("no-release", detail, headers=((b"retry-after", b"30"),))
    return release


class InsteadError(Exception):
    """A request gets a different answer than requested, such as a redirect to a place's
    successor."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer


def problem_answer(scope: Scope, problem: ServiceProblem, status: int | None = None) -> Answer:
    """Return a problem as an answer: a page for a person's browser, else RFC 9457 JSON."""
    context, path, kind = context_of(scope), scope["path"], KINDS[problem.kind]
    show, is_read = context.problem_page, not path.startswith(_PROGRAMS)
    if show and is_read and prefers_html(scope) and problem.kind not in _STRANGERS:
        return show(scope, problem, status or kind.status)  # type: ignore[no-any-return]
    body = Problem(
        type=f"{context.settings.url}/problems/{problem.kind}",
        title=kind.title,
        status=status or kind.status,
        detail=problem.detail,
        instance=path,
        error=problem.detail,
        request_id=request_id_of(scope),
        success=False,
        errors=[FieldFault(name, rule) for name, rule in problem.faults.items()] or None,
        suggestions=list(problem.suggestions) or None,
    )
    return Answer(
        msgspec.json.encode(body),
        media_type=PROBLEM_TYPE,
        max_age=0,
        status=body.status,
        headers=(*problem.headers, VARY_ACCEPT),
    )


# ---------------------------------------------------------------- exception handlers


def on_problem(request: Request, problem: ServiceProblem) -> Answer:
    """Answer a ServiceProblem."""
    return problem_answer(request.scope, problem)


def on_instead(_: Request, error: InsteadError) -> Answer:
    """Return the different answer."""
    return error.answer


def on_http_exception(request: Request, error: HTTPException) -> Answer:
    """Answer Litestar's problems: routing, methods, parameters."""
    if isinstance(error, ValidationException):
        return problem_answer(request.scope, _of_validation(request, error))
    status = error.status_code
    if status >= 500:
        return on_exception(request, error)
    kind = _KIND_BY_STATUS.get(status, "bad-request")
    headers = [(k.lower().encode(), v.encode()) for k, v in (error.headers or {}).items()]
    if status == 405 and OPTIONS_KEY in request.scope:
        return Answer(b"", status=204, headers=tuple(headers))
    detail = KINDS[kind].advice if kind in {"not-found", "method-not-allowed"} else error.detail
    return problem_answer(
        request.scope, ServiceProblem(kind, detail, headers=tuple(headers)), status
    )


def _of_validation(request: Request, error: ValidationException) -> ServiceProblem:
    missing = _MISSING.search(error.detail)
    if missing:
        name = missing[1]
        return ServiceProblem("missing-parameter", f"{name} is required", {name: "required"})
    extra = error.extra if isinstance(error.extra, list) else []
    # Types of the arguments of the handler and of what it depends on, by name.
    handler = request.route_handler
    models = [handler.signature_model]
    models += [one.signature_model for one in handler.resolve_dependencies().values()]
    types = {k: v for m in models for k, v in get_type_hints(m, include_extras=True).items()}
    faults = dict(_fault(entry, types) for entry in extra if isinstance(entry, dict))
    if not faults:
        return ServiceProblem("bad-request", error.detail)
    detail = "; ".join(f"{name}: {rule}" for name, rule in faults.items())
    return ServiceProblem("invalid-parameter", detail, faults)


def _fault(entry: dict[str, Any], types: Mapping[str, Any]) -> tuple[str, str]:
    """Return parameter and rule of one entry of Litestar's list."""
    argument, message = str(entry.get("key", "")), str(entry.get("message", ""))
    if argument == "data":  # the body as a whole
        if missing := _MISSING_MEMBER.search(message):
            return missing[1], "required"
        if unknown := _UNKNOWN_MEMBER.search(message):
            return unknown[1], "no member of this body"
        return "body", "a JSON object as described in /api/openapi.json"
    name = _PARAMETER_NAMES.get(argument, argument)
    in_body = entry.get("source") == "body"
    rule = rule_of(types["data"], argument) if in_body else rule_of(types.get(argument, Any))
    return name, rule or RULES.get(name, message)


def on_exception(request: Request, error: Exception) -> Answer:
    """Answer any other exception: log it in full, hide its details."""
    scope = request.scope
    context = context_of(scope)
    context.log.error(
        "request_failed",
        route=scope.get("path_template", "unmatched"),
        method=scope["method"],
        request_id=request_id_of(scope),
        exc_info=error,
    )
    if is_read_fault(error):
        advice, retry = KINDS["unreadable"].advice, ((b"retry-after", b"10"),)
        return problem_answer(request.scope, ServiceProblem("unreadable", advice, headers=retry))
    return problem_answer(
        request.scope, ServiceProblem("internal-error", KINDS["internal-error"].advice)
    )
