"""The review console at /admin: who may enter, and what all of its pages share.

No script, nothing kept by caches. Every form carries the token of its session; a form without it is refused.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from litestar import Request, get, post
from litestar.types import Scope

from schemas.values.place_fields import plain_text
from serving.answers import Answer, Header
from serving.bodies import form_of
from serving.context import context_of
from serving.controllers.parameters import page_number
from serving.errors import ServiceProblem
from serving.limits import limited, store_problems
from serving.render.page import Head, page
from warehouse.operations import administrators
from warehouse.operations.administrators import (
    Session,
    SignInError,
    seen,
    session_of,
    sign_in,
    sign_out,
)

COOKIE, SIGN_IN_COOKIE = "larder_admin", "larder_sign_in"
SIGN_IN_PATH = "/admin/sign-in"
_SIGN_INS_PER_HOUR, _HOUR = 60, 3600
_WRONG = (
    "Name or password is wrong, or this name is locked for some minutes after too many failures."
)


# ---------------------------------------------------------------- what all pages share


def console_page(
    scope: Scope, template: str, title: str, *, session: Session | None = None, status: int = 200,
    headers: tuple[Header, ...] = (), **values: Any,
) -> Answer:  # fmt: skip
    """A page of the console: in no index, kept by nobody, naming no address to others."""
    head = Head(scope["path"], title, "Review console", is_indexed=False)
    told = ((b"referrer-policy", b"same-origin"), (b"x-robots-tag", b"noindex, nofollow"), *headers)
    answer = page(scope, template, head, max_age=0, status=status, headers=told, session=session, **values)  # fmt: skip
    return unkept(answer)


def unkept(answer: Answer) -> Answer:
    """An answer that no cache keeps."""
    answer.start["headers"] = [
        (name, b"private, no-store" if name == b"cache-control" else value)
        for name, value in answer.start["headers"]
    ]
    return answer


def go_to(path: str, *headers: Header) -> Answer:
    """See other: the page to read after a form was sent."""
    return unkept(Answer(b"", media_type=b"text/plain", max_age=0, status=303, headers=((b"location", path.encode()), *headers)))  # fmt: skip


async def session_for(request: Request[Any, Any, Any]) -> Session | None:
    """Who is signed in; None for nobody. Raises ServiceProblem (503)."""
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
    if not is_ours or not wanted or not secrets.compare_digest(form.get("csrf", "").encode(), wanted.encode()):  # fmt: skip
        raise ServiceProblem("forbidden", "The form is not one of this page, or it is too old. Open the page again.")  # fmt: skip
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
        scope, "console_sign_in.html", "Sign in", status=status, csrf=csrf, error=error,
        headers=(cookie(scope, SIGN_IN_COOKIE, csrf, _HOUR),),
    )  # fmt: skip


@post(SIGN_IN_PATH, include_in_schema=False)
async def enter(request: Request[Any, Any, Any]) -> Answer:
    """Begin a session; the one before it ends, so that a token planted in the browser is worth nothing."""
    scope, now = request.scope, datetime.now(UTC)
    form = await checked_form(request, request.cookies.get(SIGN_IN_COOKIE, ""))
    await limited(scope, "sign-in", _SIGN_INS_PER_HOUR, _HOUR)
    store, old = context_of(scope).store, request.cookies.get(COOKIE)
    name, password = plain_text(form.get("name")) or "", form.get("password", "")
    async with store_problems():
        try:
            token = await asyncio.to_thread(sign_in, store, name, password, old, now)
        except SignInError as error:
            told = _WRONG if not error.locked_seconds else f"Too many failures. Try again in {-(-error.locked_seconds // 60)} minutes."  # fmt: skip
            return _sign_in_page(scope, told, 429 if error.locked_seconds else 403)
    life = int(administrators.SESSION_FOR.total_seconds())
    return go_to("/admin", cookie(scope, COOKIE, token, life), cookie(scope, SIGN_IN_COOKIE, "", 0))


@post("/admin/sign-out", include_in_schema=False)
async def leave(request: Request[Any, Any, Any]) -> Answer:
    """End the session."""
    session = await session_for(request)
    if session is not None:
        await checked_form(request, session.csrf)
        token = request.cookies[COOKIE]
        async with store_problems():
            await context_of(request.scope).store.written(lambda db: sign_out(db, token))
    return go_to(SIGN_IN_PATH, cookie(request.scope, COOKIE, "", 0))


def page_of(query: Mapping[str, str]) -> int:
    """The number of a page; anything else is the first."""
    return page_number(query.get("page", "1"), 10_000)


HANDLERS = [sign_in_page, enter, leave]
