"""The page on which a reviewer adds and removes passkeys."""

from datetime import UTC, datetime
from typing import Any

from serving.context import context_of
from serving.http.answers import Answer
from serving.http.errors import ServiceProblem
from serving.http.rate_limits import store_problems
from serving.review.requests import (
    ConsoleRequest,
    Decision,
    console_page,
    decision_of,
    get_page,
    go_to,
    post_form,
    read,
    session_for,
)
from serving.review.sign_in import creation_values, label_of, relying_party, reply_of
from warehouse.operations import passkeys
from warehouse.operations.administrators import SignInError, end_sessions
from warehouse.operations.reviews import NotPossibleError

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
    choices = {
        "create": lambda db: _add(request, db, party, decision),
        "remove": lambda db: _remove(db, decision.number_of("passkey"), decision),
    }
    await decision.make(request, choices)
    return go_to(PASSKEYS_PATH)


def _add(
    request: ConsoleRequest, db: Any, party: passkeys.RelyingParty, decision: Decision
) -> None:
    owner = decision.session.administrator
    reply, label = reply_of(decision.form), label_of(decision.form)
    try:
        passkeys.add_passkey(db, party, owner, reply, label, decision.now)
    except SignInError:
        raise NotPossibleError(_NOT_ADDED) from None


def _remove(db: Any, number: int, decision: Decision) -> None:
    """Remove one of the reviewer's own, but not the last: that would shut them out."""
    session = decision.session
    own = [row.passkey_id for row in passkeys.passkeys_of(db, session.administrator)]
    if number not in own or len(own) == 1:
        raise NotPossibleError("it is not yours, or your last one")
    passkeys.remove_passkey(db, number, decision.actor, decision.now)
    end_sessions(db, session.administrator.administrator_id, session.token_hash)
