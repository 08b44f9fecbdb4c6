"""Signing in to and out of the console, and the page on which reviewers add and remove passkeys.

A passkey signs in, a one-time code adds the first one. Forms work as all others do; the script
`passkey.js` only requests the passkey from the browser and writes its response into the form.
"""

import ipaddress
import secrets
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from litestar.types import Scope

from schemas.values.place_fields import plain_text
from serving.context import context_of
from serving.http.answers import Answer
from serving.http.errors import InsteadError, ServiceProblem
from serving.http.rate_limits import enforce_limit, store_problems
from serving.reference.organization import organization_of
from serving.review.requests import (
    COOKIE,
    SIGN_IN_PATH,
    ConsoleRequest,
    check_form,
    console_page,
    cookie,
    decision_of,
    find_session,
    get_page,
    go_to,
    post_form,
    read,
    session_for,
)
from warehouse.operations import administrators, passkeys
from warehouse.operations.administrators import SignInError, end_sessions
from warehouse.operations.reviews import NotPossibleError

ENROL_PATH = "/admin/enrol"
_FORM_COOKIE = "larder_sign_in"
_HOUR = 3600
# Of one network address: wrong answers of both forms.
_FAILURES_PER_HOUR = 30
_REFUSED = "That did not work. The passkey is not known here, or the page is too old. Try again."
_WRONG_CODE = "The code is wrong, was used, or is over. Codes are made on the server."


# ---------------------------------------------------------------- who we are to browsers


def relying_party(request: ConsoleRequest) -> passkeys.RelyingParty:
    """Return the service as the relying party of passkeys. Raises InsteadError with a page that
    explains why passkeys cannot be used.

    Passkeys belong to a name, never to an IP address (WebAuthn, 5.1.2): LARDER_BASE_URL, or
    `localhost` for a service without a public address.
    """
    settings = context_of(request.scope).settings
    name = organization_of(settings).common_name
    public = urlsplit(settings.url)
    if not _is_address(public.hostname or "") and public.hostname != "localhost":
        return passkeys.RelyingParty(
            public.hostname or "", f"{public.scheme}://{public.netloc}", name
        )
    host = urlsplit(f"//{request.headers.get('host', '')}")
    if host.hostname == "localhost":
        return passkeys.RelyingParty("localhost", f"http://{host.netloc}", name)
    if _is_address(host.hostname or "", loopback=True):
        port = f":{host.port}" if host.port else ""
        raise InsteadError(go_to(f"http://localhost{port}{request.url.path}"))
    page = console_page(request.scope, "console_no_passkeys.html", "Sign in", status=503)
    raise InsteadError(page)


def _is_address(host: str, *, loopback: bool = False) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback or not loopback
    except ValueError:
        return False


# ---------------------------------------------------------------- signing in


@get_page(SIGN_IN_PATH)
async def sign_in_page(request: ConsoleRequest) -> Answer:
    """Return the page with the passkey button."""
    return await _sign_in_page(request, relying_party(request))


async def _sign_in_page(
    request: ConsoleRequest, party: passkeys.RelyingParty, error: str = "", status: int = 200
) -> Answer:
    store, csrf, now = context_of(request.scope).store, secrets.token_urlsafe(32), datetime.now(UTC)
    async with store_problems():
        challenge = await store.transact(lambda db: passkeys.new_challenge(db, "get", csrf, now))
    return console_page(
        request.scope,
        "console_sign_in.html",
        "Sign in",
        status=status,
        csrf=csrf,
        challenge=challenge,
        options=passkeys.request_options(party, challenge),
        error=error,
        headers=(cookie(request.scope, _FORM_COOKIE, csrf, _HOUR),),
    )


@post_form(SIGN_IN_PATH)
async def enter(request: ConsoleRequest) -> Answer:
    """Begin a session; the one before it ends, so that a token planted in the browser is worth
    nothing.
    """
    form = await check_form(request, request.cookies.get(_FORM_COOKIE, ""))
    party = relying_party(request)
    store, now = context_of(request.scope).store, datetime.now(UTC)

    def sign_in(db: Any) -> str:
        owner = passkeys.owner_of_passkey(db, party, reply_of(form), now)
        return administrators.begin_session(db, owner, request.cookies.get(COOKIE), now, "passkey")

    try:
        async with store_problems():
            return _open_session(request.scope, await store.transact(sign_in))
    except administrators.SignInError:
        await _count_failure(request)
        return await _sign_in_page(request, party, _REFUSED, 403)


async def _count_failure(request: ConsoleRequest) -> None:
    """Count a wrong passkey or code of a network address. Raises ServiceProblem (429).

    Only failures count, and a right answer is never refused: others behind the same address stay
    able to sign in.
    """
    await enforce_limit(request.scope, "sign-in", _FAILURES_PER_HOUR, _HOUR)


def reply_of(form: dict[str, str]) -> passkeys.Reply:
    """Return the browser's answer in a form of a passkey."""
    return passkeys.Reply(form["csrf"], form.get("challenge", ""), form.get("credential", ""))


def label_of(form: dict[str, str]) -> str:
    """Return the name that a passkey was given."""
    return (plain_text(form.get("label")) or "")[:60]


def _open_session(scope: Scope, token: str) -> Answer:
    life = int(administrators.SESSION_FOR.total_seconds())
    return go_to("/admin", cookie(scope, COOKIE, token, life), cookie(scope, _FORM_COOKIE, "", 0))


# ---------------------------------------------------------------- the first passkey


@get_page(ENROL_PATH)
async def code_page(request: ConsoleRequest) -> Answer:
    """Return the form of the one-time code, which the link of the command line fills in."""
    relying_party(request)
    return _code_page(request.scope)


def _code_page(scope: Scope, error: str = "", status: int = 200) -> Answer:
    csrf = secrets.token_urlsafe(32)
    token = (cookie(scope, _FORM_COOKIE, csrf, _HOUR),)
    return console_page(
        scope,
        "console_code.html",
        "Set up your sign-in",
        csrf=csrf,
        error=error,
        status=status,
        headers=token,
    )


@post_form(ENROL_PATH)
async def use_one_time_code(request: ConsoleRequest) -> Answer:
    """Show the request for a passkey; with its answer, store it and begin a session."""
    form = await check_form(request, request.cookies.get(_FORM_COOKIE, ""))
    party = relying_party(request)
    store, now = context_of(request.scope).store, datetime.now(UTC)
    code, action = form.get("code", ""), form.get("action", "")

    def enrol(db: Any) -> str:
        owner = administrators.use_code(db, code, now)
        passkeys.add_passkey(db, party, owner, reply_of(form), label_of(form), now)
        return administrators.begin_session(
            db, owner, request.cookies.get(COOKIE), now, "one-time code"
        )

    try:
        async with store_problems():
            if action == "create":
                return _open_session(request.scope, await store.transact(enrol))
            creation = await store.transact(
                lambda db: creation_values(
                    db, party, administrators.owner_of_code(db, code, now), form["csrf"], now
                )
            )
    except administrators.SignInError:
        await _count_failure(request)
        return _code_page(request.scope, _WRONG_CODE, 403)
    return console_page(
        request.scope,
        "console_first_passkey.html",
        "Set up your sign-in",
        csrf=form["csrf"],
        code=code,
        **creation,
    )


def creation_values(
    db: Any,
    party: passkeys.RelyingParty,
    owner: administrators.Administrator,
    csrf: str,
    now: datetime,
) -> dict[str, Any]:
    """Return the options that a page needs to ask for a new passkey of an administrator."""
    challenge = passkeys.new_challenge(db, "create", csrf, now)
    return {
        "name": owner.name,
        "challenge": challenge,
        "options": passkeys.creation_options(db, party, owner, challenge),
    }


# ---------------------------------------------------------------- leaving


@post_form("/admin/sign-out")
async def leave(request: ConsoleRequest) -> Answer:
    """End the session."""
    session = await find_session(request)
    if session is not None:
        await check_form(request, session.csrf)
        token = request.cookies[COOKIE]
        async with store_problems():
            await context_of(request.scope).store.transact(
                lambda db: administrators.sign_out(db, token)
            )
    return go_to(SIGN_IN_PATH, cookie(request.scope, COOKIE, "", 0))


# ---------------------------------------------------------------- passkeys

PASSKEYS_PATH = "/admin/passkeys"
_STALE = "Sign out and in again first: passkeys change within 10 minutes of signing in."
_NOT_ADDED = "The passkey was not added. Reload the page and try again."


@get_page(PASSKEYS_PATH)
async def passkeys_page(request: ConsoleRequest) -> Answer:
    """Show the reviewer's own passkeys; soon after signing in, with forms to change them."""
    session, now = await session_for(request), datetime.now(UTC)
    store, party = context_of(request.scope).store, relying_party(request)
    owner = session.administrator
    rows = await read(request, lambda db: passkeys.passkeys_of(db, owner))
    creation: dict[str, Any] = {"options": None, "challenge": ""}
    if session.is_fresh(now):
        async with store_problems():
            creation = await store.transact(
                lambda db: creation_values(db, party, owner, session.csrf, now)
            )
    return console_page(
        request.scope,
        "console_passkeys.html",
        "Your passkeys",
        session=session,
        passkeys=rows,
        stale=_STALE,
        **creation,
    )


@post_form(PASSKEYS_PATH)
async def change_passkeys(request: ConsoleRequest) -> Answer:
    """Add a passkey, or remove one; then other sessions of the reviewer end."""
    decision, party = await decision_of(request), relying_party(request)
    if not decision.session.is_fresh(decision.now):
        raise ServiceProblem("forbidden", _STALE)
    session, form, now = decision.session, decision.form, decision.now
    owner = session.administrator

    def add(db: Any) -> None:
        try:
            passkeys.add_passkey(db, party, owner, reply_of(form), label_of(form), now)
        except SignInError:
            raise NotPossibleError(_NOT_ADDED) from None

    def remove(db: Any) -> None:
        """Remove one of the reviewer's own, but not the last: that would shut them out."""
        number = decision.number_of("passkey")
        own = [row.passkey_id for row in passkeys.passkeys_of(db, owner)]
        if number not in own or len(own) == 1:
            raise NotPossibleError("it is not yours, or your last one")
        passkeys.remove_passkey(db, number, decision.actor, now)
        end_sessions(db, owner.administrator_id, session.token_hash)

    await decision.make(request, {"create": add, "remove": remove})
    return go_to(PASSKEYS_PATH)
