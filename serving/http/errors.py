"""Problem types and exception handlers (RFC 9457)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from litestar import Request
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import Scope

from schemas.api.patterns import SAYS_SOMETHING
from schemas.api.problem import FieldFault, Problem
from schemas.vocab.resource_types import MODES
from serving.context import Context, context_of, current_release, request_id_of
from serving.http.answers import Answer, Header
from warehouse.index.reader import OpenRelease
from warehouse.release.integrity import is_read_fault

PROBLEM_TYPE = b"application/problem+json"


@dataclass(frozen=True)
class Kind:
    """A kind of problem: its status, its name and what to do about it."""

    status: int
    title: str
    advice: str


KINDS: dict[str, Kind] = {
    "invalid-parameter": Kind(
        400,
        "Invalid parameter",
        "A parameter has an invalid value. The member `errors` names each parameter and its rule. /api/openapi.json lists the rules.",
    ),
    "missing-parameter": Kind(
        400, "Missing parameter", "A required parameter is missing. The member `errors` names it."
    ),
    "bad-request": Kind(400, "Bad request", "The request could not be read."),
    "unknown-host": Kind(
        400,
        "Unknown host",
        "This instance does not serve the host in the Host header. Use the public address. Operators: set it in LARDER_BASE_URL, and other hosts in LARDER_HOSTS.",
    ),
    "unauthorized": Kind(
        401,
        "Unauthorized",
        "This address needs `Authorization: Bearer <token>`. The operators of this instance set the token.",
    ),
    "not-found": Kind(
        404, "Not found", "There is nothing at this address. /api/openapi.json lists all addresses."
    ),
    "unknown-resource": Kind(
        404, "Unknown resource", "No place has or ever had this id. Get ids from the search."
    ),
    "unknown-place": Kind(
        404,
        "Unknown place",
        "We cannot find the ZIP code or city. Send a five-digit ZIP code, or a city and state such as `Salem, OR`. The member `suggestions` lists similar places, which you can send as they are.",
    ),
    "place-too-wide": Kind(
        404,
        "Place too wide",
        "The text names a whole state. Send a city, such as `Salem, OR`, or a ZIP code. The member `suggestions` lists the largest cities in the state.",
    ),
    "no-point": Kind(
        404,
        "Place without a point",
        "The ZIP code exists but has no location on the map, such as a military post office. Search by city or by latitude and longitude.",
    ),
    "unknown-ein": Kind(
        404,
        "Unknown EIN",
        "The EIN has a valid form, but it does not belong to this organization or a related one. The member `hint_url` is the official lookup.",
    ),
    "gone": Kind(410, "Gone", "The place is no longer listed. No other listing replaced it."),
    "unknown-release": Kind(
        404,
        "Unknown release",
        "This service never served a release with this id. `/api/releases` lists its releases. Every answer names its own release in `X-Release`.",
    ),
    "release-gone": Kind(
        410,
        "Release files deleted",
        "The files of this release were deleted, so it cannot be compared. Download the full export and continue from the release that it names in `X-Release`.",
    ),
    "conflict": Kind(409, "Conflict", "Someone else has already decided this. Reload the page."),
    "forbidden": Kind(
        403,
        "Forbidden",
        "The form has expired or does not belong to this page. Reload the page and send the form again.",
    ),
    "bad-signature": Kind(
        403,
        "Bad signature",
        "The signature of the text-message provider is wrong. Operators: LARDER_SMS_TOKEN and LARDER_BASE_URL must match the provider's settings.",
    ),
    "already-claimed": Kind(
        409,
        "Already claimed",
        "This e-mail address claimed this place before. The token is given again only to the network that claimed, within an hour, before the claim is confirmed. Later, open the link that we send to that address: it gives a new token. Without e-mail here, ask an administrator.",
    ),
    "duplicate": Kind(
        409,
        "Duplicate",
        "A place with this name and ZIP code is already listed or waiting for review. Correct the listing instead with `POST /api/partner/edit`.",
    ),
    "method-not-allowed": Kind(
        405,
        "Method not allowed",
        "The address exists but does not accept this method. The `Allow` header lists the methods it accepts.",
    ),
    "too-large": Kind(
        413, "Too large", "The body is larger than this address accepts. Nothing was saved."
    ),
    "unsupported-media-type": Kind(
        415,
        "Unsupported media type",
        "This page accepts forms only as `application/x-www-form-urlencoded` or `multipart/form-data`. Programs should use the addresses under /api/.",
    ),
    "too-slow": Kind(
        408, "Too slow", "The body did not arrive in time. Nothing was saved. Send it again."
    ),
    "range-not-satisfiable": Kind(
        416,
        "Range not satisfiable",
        "The range starts beyond the end of the file. The `Content-Range` header gives its size.",
    ),
    "unknown-token": Kind(
        404,
        "Unknown token",
        "Unknown or expired token. A token expires after a year, or when a new one replaces it. To get a new link, claim the place again with the same email address.",
    ),
    "wrong-code": Kind(
        400,
        "Wrong code",
        "The code is wrong or has expired. After five wrong codes, request a new one.",
    ),
    "not-available": Kind(
        409,
        "Not available here",
        "This instance does not offer this way to confirm, or the place lists no phone number. An administrator can confirm the claim.",
    ),
    "not-set-up": Kind(
        503,
        "Not set up",
        "This part of the service is not set up here. The detail names the setting that is missing.",
    ),
    "too-many-requests": Kind(
        429,
        "Too many requests",
        "There have been too many requests from this address. Wait for the number of seconds in the `Retry-After` header.",
    ),
    "store-unavailable": Kind(
        503,
        "Cannot save now",
        "We cannot save submissions right now. Nothing was saved. Send the request again after `Retry-After` seconds. You can still search.",
    ),
    "unsupported-format": Kind(
        501, "Unsupported format", "This address answers only in json and xml."
    ),
    "internal-error": Kind(
        500,
        "Internal error",
        "Something went wrong on our side. Give the operators the `request_id` so they can find the error in the logs.",
    ),
    "unreadable": Kind(
        503,
        "Data cannot be read",
        "A data file is damaged on our side. We are looking for a good release. Try again after the number of seconds in the `Retry-After` header.",
    ),
    "overloaded": Kind(
        503,
        "Too busy",
        "The server is over capacity. Try again after the number of seconds in the `Retry-After` header.",
    ),
    "no-release": Kind(
        503,
        "No data yet",
        "No data release has been promoted, or the promoted one could not be opened. Try again later. Operators: build and promote a release.",
    ),
    "not-in-release": Kind(
        503,
        "Not in this release",
        "The current release comes from an earlier version and lacks the data for this answer. Try again after the next release. Operators: build a release.",
    ),
}
_KIND_BY_STATUS = {
    400: "bad-request",
    401: "unauthorized",
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
}
# Rules in words, where the checker's own message would not help the client.
RULES = {
    "zip": "five digits, ZIP+4, or a city such as `Salem, OR`",
    "mode": f"one of {', '.join(MODES)}",
    "state": "the two-letter code of a state or territory, in capital letters",
    "on": "a date, such as 2026-11-22",
    "format": "json or csv; the export also takes ndjson",
    "open_at": "a date and time in the place's local time, such as 2026-11-24T17:00",
    "day": "the English name of a weekday, in lowercase",
    "age": "whole years from 0 to 120",
    "sort": "distance or relevance",
    **dict.fromkeys(
        (
            "open_now",
            "walk_in",
            "appointment",
            "no_documents",
            "no_id",
            "delivery",
            "wheelchair",
            "verified_only",
            "hours_known",
            "explain",
        ),
        "true or false",
    ),
    "bbox": "four numbers in degrees: west,south,east,north",
}
# Arguments that cannot have the name of their parameter.
_PARAMETER_NAMES = {"us_state": "state", "authorization": "Authorization"}
# As msgspec writes that pattern in its message.
_BLANK = f"matching regex {SAYS_SOMETHING!r}"
_MISSING_MEMBER = re.compile(r"missing required field `(\w+)`")
_MISSING = re.compile(r"Missing required \w+(?: \w+)* '?([\w-]+)'?")


class ServiceProblem(Exception):
    """Problem for the client. `faults` maps parameter names to the rule they break;
    `suggestions` are valid alternatives."""

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


def gone(release: OpenRelease, resource_id: int) -> ServiceProblem:
    """Return the problem of a place that is no longer listed, with the true cause if known."""
    reason = release.gone_reason(resource_id)
    because = f" ({reason})" if reason else ""
    return ServiceProblem("gone", f"Resource {resource_id} is no longer listed{because}.")


def release_of(scope: Scope) -> OpenRelease:
    """Return the release that answers this request, the same for its whole life.

    Raises ServiceProblem (503) when there is none.
    """
    release = current_release(scope)
    if release is None:
        failed = context_of(scope).watch.failed
        detail = (
            f"The promoted release {failed[0]} could not be opened."
            if failed
            else "No release has been promoted yet."
        )
        raise ServiceProblem("no-release", detail, headers=((b"retry-after", b"30"),))
    return release


def problem_answer(
    context: Context,
    path: str,
    request_id: str,
    problem: ServiceProblem,
    status: int | None = None,
) -> Answer:
    """Return a problem as an answer."""
    kind = KINDS[problem.kind]
    body = Problem(
        type=f"{context.settings.url}/problems/{problem.kind}",
        title=kind.title,
        status=status or kind.status,
        detail=problem.detail,
        instance=path,
        error=problem.detail,
        request_id=request_id,
        success=False,
        errors=[FieldFault(name, rule) for name, rule in problem.faults.items()] or None,
        suggestions=list(problem.suggestions) or None,
    )
    return Answer(
        msgspec.json.encode(body),
        media_type=PROBLEM_TYPE,
        max_age=0,
        status=body.status,
        headers=problem.headers,
    )


# ---------------------------------------------------------------- exception handlers


def _answered(request: Request, problem: ServiceProblem, status: int | None = None) -> Answer:
    scope = request.scope
    return problem_answer(context_of(scope), scope["path"], request_id_of(scope), problem, status)


def on_problem(request: Request, problem: ServiceProblem) -> Answer:
    """Answer our own problems."""
    return _answered(request, problem)


def on_http_exception(request: Request, error: HTTPException) -> Answer:
    """Answer Litestar's problems: routing, methods, parameters."""
    if isinstance(error, ValidationException):
        return _answered(request, _of_validation(error))
    status = error.status_code
    if status >= 500:
        return on_exception(request, error)
    kind = _KIND_BY_STATUS.get(status, "bad-request")
    headers = [(k.lower().encode(), _allowing_head(v)) for k, v in (error.headers or {}).items()]
    detail = KINDS[kind].advice if kind in {"not-found", "method-not-allowed"} else error.detail
    return _answered(request, ServiceProblem(kind, detail, headers=tuple(headers)), status)


def _allowing_head(value: str) -> bytes:
    """Add HEAD to `Allow`: the edge answers HEAD wherever there is a GET."""
    return value.replace("GET", "GET, HEAD").encode()


def _of_validation(error: ValidationException) -> ServiceProblem:
    missing = _MISSING.search(error.detail)
    if missing:
        name = missing[1]
        return ServiceProblem("missing-parameter", f"{name} is required", {name: "required"})
    extra = error.extra if isinstance(error.extra, list) else []
    faults = dict(_fault(entry) for entry in extra if isinstance(entry, dict))
    if not faults:
        return ServiceProblem("bad-request", error.detail)
    detail = "; ".join(f"{name}: {rule}" for name, rule in faults.items())
    return ServiceProblem("invalid-parameter", detail, faults)


def _fault(entry: dict[str, Any]) -> tuple[str, str]:
    """Return parameter and rule of one entry of Litestar's list."""
    argument = str(entry.get("key", ""))
    if argument == "data":  # the body as a whole
        missing = _MISSING_MEMBER.search(str(entry.get("message", "")))
        return (
            (missing[1], "required")
            if missing
            else ("body", "a JSON object as described in /api/openapi.json")
        )
    name = _PARAMETER_NAMES.get(argument, argument)
    message = str(entry.get("message", ""))
    return name, RULES.get(name) or ("more than blanks" if message.endswith(_BLANK) else message)


def on_exception(request: Request, error: Exception) -> Answer:
    """Answer anything else: log the whole error, hide its details. The release may be corrupt:
    have it verified."""
    scope = request.scope
    context = context_of(scope)
    context.watch.suspect()
    context.log.error(
        "request_failed",
        route=scope.get("path_template", "unmatched"),
        method=scope["method"],
        request_id=request_id_of(scope),
        exc_info=error,
    )
    if context.watch.is_damaged or is_read_fault(error):
        advice, retry = KINDS["unreadable"].advice, ((b"retry-after", b"10"),)
        return _answered(request, ServiceProblem("unreadable", advice, headers=retry))
    return _answered(request, ServiceProblem("internal-error", KINDS["internal-error"].advice))
