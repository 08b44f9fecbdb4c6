"""The review console at /admin: who may enter, and what all of its pages share.

No script, nothing cached. Every form carries the token of its session; a form without it is
refused.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from litestar import Request, get, post
from litestar.types import Scope

from schemas.values.place_fields import plain_text
from serving.context import Context, context_of
from serving.http.answers import Answer, Header
from serving.http.errors import ServiceProblem
from serving.http.passwords import TooManyPasswordsError
from serving.http.rate_limits import client_address, store_problems
from serving.http.request_limits import form_of
from serving.render.page import Head, page
from serving.search.query_parameters import page_number
from warehouse.operations.administrators import (
    DEVICE_FOR,
    SESSION_FOR,
    Attempt,
    Session,
    SignedIn,
    SignInError,
    admit,
    begin_session,
    count_failure,
    seen,
    session_of,
    sign_out,
)

COOKIE, SIGN_IN_COOKIE, DEVICE_COOKIE = "larder_admin", "larder_sign_in", "larder_device"
SIGN_IN_PATH = "/admin/sign-in"
_HOUR = 3600
_WRONG = "Name or password is wrong."


# ---------------------------------------------------------------- what all pages share


def console_page(
    scope: Scope,
    template: str,
    title: str,
    *,
    session: Session | None = None,
    status: int = 200,
    headers: tuple[Header, ...] = (),
    **values: Any,
) -> Answer:
    """Render a page of the console: not indexed, not cached, without a referrer."""
    head = Head(scope["path"], title, "Review console", is_indexed=False)
    private = (
        (b"referrer-policy", b"same-origin"),
        (b"x-robots-tag", b"noindex, nofollow"),
        *headers,
    )
    answer = page(
        scope, template, head, max_age=0, status=status, headers=private, session=session, **values
    )
    return without_storage(answer)


def without_storage(answer: Answer) -> Answer:
    """An answer that no cache keeps."""
    answer.start["headers"] = [
        (name, b"private, no-store" if name == b"cache-control" else value)
        for name, value in answer.start["headers"]
    ]
    return answer


def go_to(path: str, *headers: Header) -> Answer:
    """See other: the page to read after a form was sent."""
    return without_storage(
        Answer(
            b"",
            media_type=b"text/plain",
            max_age=0,
            status=303,
            headers=((b"location", path.encode()), *headers),
        )
    )


class SignedOutError(Exception):
    """Nobody is signed in; `to_sign_in` answers it."""


def to_sign_in(_: Request[Any, Any, Any], error: SignedOutError) -> Answer:
    """Send a browser without a session to the form of name and password."""
    return go_to(SIGN_IN_PATH)


async def session_for(request: Request[Any, Any, Any]) -> Session:
    """Return the session of a request. Raises SignedOutError, ServiceProblem (503)."""
    session = await _find_session(request)
    if session is None:
        raise SignedOutError
    return session


async def _find_session(request: Request[Any, Any, Any]) -> Session | None:
    token, now = request.cookies.get(COOKIE, ""), datetime.now(UTC)
    if not token:
        return None
    store = context_of(request.scope).store
    async with store_problems():
        found = await store.fetched(lambda db: session_of(db, token, now))
        if found is None:
            return None
        session, is_due = found
        if is_due:
            await store.written(lambda db: seen(db, session, now))
    return session


async def checked_form(request: Request[Any, Any, Any], wanted: str) -> dict[str, str]:
    """The fields of a form sent from one of our own pages. Raises ServiceProblem (403)."""
    form = {name: str(value) for name, value in (await form_of(request)).items()}
    is_ours = request.headers.get("sec-fetch-site", "same-origin") in {"same-origin", "none"}
    if (
        not is_ours
        or not wanted
        or not secrets.compare_digest(form.get("csrf", "").encode(), wanted.encode())
    ):
        raise ServiceProblem(
            "forbidden", "The form has expired or does not belong to this page. Reload the page."
        )
    return form


def cookie(scope: Scope, name: str, value: str, seconds: int) -> Header:
    """A cookie for the console alone: no script reads it, no other site sends it."""
    is_secure = context_of(scope).settings.url.startswith("https:")
    parts = [f"{name}={value}", "Path=/admin", f"Max-Age={seconds}", "HttpOnly", "SameSite=Strict"]
    return (b"set-cookie", "; ".join([*parts, *(["Secure"] if is_secure else [])]).encode())


# ---------------------------------------------------------------- entering and leaving


@get(SIGN_IN_PATH, include_in_schema=False)
async def sign_in_page(scope: Scope) -> Answer:
    """The form of name and password."""
    return _sign_in_page(scope)


def _sign_in_page(scope: Scope, error: str = "", status: int = 200) -> Answer:
    csrf = secrets.token_urlsafe(32)
    return console_page(
        scope,
        "console_sign_in.html",
        "Sign in",
        status=status,
        csrf=csrf,
        error=error,
        headers=(cookie(scope, SIGN_IN_COOKIE, csrf, _HOUR),),
    )


@post(SIGN_IN_PATH, include_in_schema=False)
async def enter(request: Request[Any, Any, Any]) -> Answer:
    """Begin a session; the one before it ends, so that a token planted in the browser is worth
    nothing.
    """
    scope = request.scope
    form = await checked_form(request, request.cookies.get(SIGN_IN_COOKIE, ""))
    name, password = plain_text(form.get("name")) or "", form.get("password", "")
    cookies = request.cookies
    attempt = Attempt(name, client_address(scope), cookies.get(DEVICE_COOKIE), cookies.get(COOKIE))
    try:
        begun = await _sign_in(context_of(scope), attempt, password)
    except SignInError as error:
        if not error.retry_seconds:
            return _sign_in_page(scope, _WRONG, 403)
        minutes = -(-error.retry_seconds // 60)
        message = f"Too many attempts from your network, or under this name. Try again in {minutes} minute{'s' if minutes > 1 else ''}, or use a device that has signed in before."
        return _sign_in_page(scope, message, 429)
    life, device_life = (int(d.total_seconds()) for d in (SESSION_FOR, DEVICE_FOR))
    return go_to(
        "/admin",
        cookie(scope, COOKIE, begun.token, life),
        cookie(scope, DEVICE_COOKIE, begun.device, device_life),
        cookie(scope, SIGN_IN_COOKIE, "", 0),
    )


async def _sign_in(context: Context, attempt: Attempt, password: str) -> SignedIn:
    """Check name and password and begin a session. Raises SignInError, ServiceProblem (503)."""
    store, now = context.store, datetime.now(UTC)
    limits = context.settings.limits.lower() != "off"
    async with store_problems():
        admission = await store.written(
            lambda db: admit(store, db, attempt, now, limits_addresses=limits)
        )
    try:
        is_right = await context.passwords.matches(
            admission.password_hash, password, is_device=admission.is_device
        )
    except TooManyPasswordsError:
        raise ServiceProblem(
            "overloaded",
            "Too many people are signing in. Try again in a moment.",
            headers=((b"retry-after", b"2"),),
        ) from None
    async with store_problems():
        if is_right:
            return await store.written(lambda db: begin_session(store, db, attempt, now))
        await store.written(lambda db: count_failure(store, db, attempt, admission, now))
    raise SignInError


@post("/admin/sign-out", include_in_schema=False)
async def leave(request: Request[Any, Any, Any]) -> Answer:
    """End the session."""
    session = await _find_session(request)
    if session is not None:
        await checked_form(request, session.csrf)
        token = request.cookies[COOKIE]
        async with store_problems():
            await context_of(request.scope).store.written(lambda db: sign_out(db, token))
    return go_to(SIGN_IN_PATH, cookie(request.scope, COOKIE, "", 0))


def page_of(query: Mapping[str, str]) -> int:
    """The number of a page; anything else is the first."""
    return page_number(query.get("page", "1"), 10_000)
