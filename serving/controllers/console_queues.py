"""The queues of the review console: submissions, edits, claims, doubtful merges, feedback; and the
audit log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Literal, get_args

import msgspec
from litestar import Request, get, post

from schemas.values.place_fields import FieldFaultError, plain_text
from schemas.vocab.resource_types import RESOURCE_TYPES
from schemas.vocab.reviews import EDITABLE, REQUIRED_OF_SUBMISSION, SUBMITTED
from serving.answers import Answer
from serving.context import context_of
from serving.controllers.console import (
    SIGN_IN_PATH,
    checked_form,
    console_page,
    go_to,
    page_of,
    session_for,
)
from serving.controllers.parameters import ItemNumber, id_of
from serving.errors import ServiceProblem, release_of
from serving.limits import store_problems
from serving.services import console, console_lists
from serving.services.reviews import diff_of
from warehouse.operations import audit, claims, doubts, feedback, outbox, reviews, waves
from warehouse.operations.administrators import Session
from warehouse.operations.reviews import NotPossibleError

ItemKind = Literal["submission", "edit"]
STATES = ("pending", "approved", "rejected")
_MOST_REASON = 500
Asked = Request[Any, Any, Any]


async def _read(request: Asked, work: Callable[[Any], Any]) -> Any:
    async with store_problems():
        return await context_of(request.scope).store.fetched(work)


async def _write(request: Asked, work: Callable[[Any], Any]) -> Any:
    """The result of a decision. Raises ServiceProblem (409) where somebody else was quicker."""
    async with store_problems():
        try:
            return await context_of(request.scope).store.written(work)
        except NotPossibleError as error:
            raise ServiceProblem("conflict", f"Not possible: {error}.") from error


@get("/admin", include_in_schema=False)
async def home(request: Asked) -> Answer:
    """How much waits, and the last entries of the log."""
    session = await session_for(request)
    if session is None:
        return go_to(SIGN_IN_PATH)
    pairs = await asyncio.to_thread(console_lists.pair_count, release_of(request.scope))
    counts = await _read(request, lambda db: console_lists.counts(db, pairs))
    log = await _read(request, lambda db: audit.page_of(db, 1, 10))
    return console_page(
        request.scope, "console_home.html", "Review", session=session, counts=counts, log=log
    )


# ---------------------------------------------------------------- submissions and edits


@get(["/admin/submissions", "/admin/edits"], include_in_schema=False)
async def item_queue(request: Asked) -> Answer:
    """A queue, the oldest first."""
    session = await session_for(request)
    if session is None:
        return go_to(SIGN_IN_PATH)
    kind: ItemKind = "edit" if request.scope["path"].endswith("edits") else "submission"
    query = dict(request.query_params.items())
    state, number = query.get("state", "pending"), page_of(query)
    if state not in STATES:
        state = "pending"
    rows = await _read(request, lambda db: reviews.queue(db, kind, state, number))
    listed = {}
    if kind == "edit":
        ids = [row.resource_id for row in rows]
        listed = await asyncio.to_thread(console.listed, release_of(request.scope), ids)
    entries = [console_lists.line_of(kind, row, listed) for row in rows]
    return console_page(
        request.scope,
        "console_queue.html",
        f"{kind.capitalize()}s",
        session=session,
        kind=kind,
        entries=entries,
        state=state,
        states=STATES,
        number=number,
    )


@get(["/admin/submissions/{number:int}", "/admin/edits/{number:int}"], include_in_schema=False)
async def item_page(request: Asked, number: ItemNumber) -> Answer:
    """One item with everything that a decision needs."""
    session = await session_for(request)
    return go_to(SIGN_IN_PATH) if session is None else await _item(request, session, number)


def _kind_of(request: Asked) -> ItemKind:
    return "edit" if request.scope["path"].startswith("/admin/edits/") else "submission"


async def _item(
    request: Asked,
    session: Session,
    number: int,
    error: str = "",
    typed: dict[str, str] | None = None,
) -> Answer:
    kind, release = _kind_of(request), release_of(request.scope)
    row = await _read(request, lambda db: reviews.item_of(db, kind, number))
    if row is None:
        raise ServiceProblem("not-found", f"There is no {kind} {number}.")
    history = await _read(request, lambda db: audit.of_subject(db, f"{kind} {number}"))
    item = (
        console_lists.submission_item(row) if kind == "submission" else console_lists.edit_item(row)
    )
    own_id = None if kind == "submission" else row.resource_id
    place = dict(item.place)
    if own_id is not None:
        known = (await asyncio.to_thread(console.listed, release, [own_id])).get(own_id)
        place = {**(known._asdict() if known else {"name": "", "zip": None}), **place}
    ids = console.rows_near(release, console.point_of(release, place))
    near = await asyncio.to_thread(console.neighbours, release, place, ids, own_id)
    point = console.point_of(release, place)
    sketch = console.small_map(point, [(str(n.mark), n.place.lat, n.place.lng) for n in near])
    fields = [
        (
            name,
            console.as_text(item.values[name]) if typed is None else typed.get(name, ""),
            kind_of,
            name in REQUIRED_OF_SUBMISSION and kind == "submission",
        )
        for name, kind_of in (SUBMITTED if kind == "submission" else EDITABLE).items()
        if name in item.values
    ]
    return console_page(
        request.scope,
        "console_item.html",
        f"{kind.capitalize()} {number}",
        session=session,
        kind=kind,
        item=item,
        row=row,
        number=number,
        place=place,
        own_id=own_id,
        near=near,
        sketch=sketch,
        point=point,
        fields=fields,
        diff=diff_of(item.base, item.place) if kind == "edit" else [],
        history=history,
        error=error,
        types=RESOURCE_TYPES,
        as_text=console.as_text,
        status=400 if error else 200,
    )


@post(["/admin/submissions/{number:int}", "/admin/edits/{number:int}"], include_in_schema=False)
async def decide_item(request: Asked, number: ItemNumber) -> Answer:
    """Approve, change and approve, reject with a reason, undo."""
    session = await session_for(request)
    if session is None:
        return go_to(SIGN_IN_PATH)
    form = await checked_form(request, session.csrf)
    kind, now, actor = _kind_of(request), datetime.now(UTC), f"administrator {session.name}"
    action, reason = form.get("action", ""), (plain_text(form.get("reason")) or "")[:_MOST_REASON]
    if action == "undo":
        await _write(request, lambda db: reviews.undo(db, kind, number, actor, now))
    elif action == "reject":
        if not reason:
            return await _item(request, session, number, "Write why it is rejected.", form)
        await _write(
            request,
            lambda db: reviews.decide(db, kind, number, "rejected", actor, now, reason=reason),
        )
    elif action == "approve":
        try:
            content = await _content(request, kind, number, form)
        except FieldFaultError as fault:
            return await _item(request, session, number, f"{fault.field}: {fault.rule}", form)
        is_confirmed = form.get("is_confirmed") == "1"
        await _write(
            request,
            lambda db: reviews.decide(
                db,
                kind,
                number,
                "approved",
                actor,
                now,
                reason=reason or None,
                is_confirmed=is_confirmed,
                content=content,
            ),
        )
    else:
        raise ServiceProblem("bad-request", "The form has no such button.")
    await context_of(request.scope).live.refresh()
    return go_to(f"/admin/{kind}s/{number}")


async def _content(
    request: Asked, kind: ItemKind, number: int, form: dict[str, str]
) -> dict[str, Any] | None:
    """What the form says now; None when it is what was sent. Raises FieldFaultError."""
    row = await _read(request, lambda db: reviews.item_of(db, kind, number))
    if row is None:
        raise ServiceProblem("not-found", f"There is no {kind} {number}.")
    sent: dict[str, Any] = msgspec.json.decode(
        row.place_json if kind == "submission" else row.changes_json
    )
    told = (
        console.submission_from_form(form)
        if kind == "submission"
        else console.changes_from_form(list(sent), form)
    )
    return None if told == sent else told


# ---------------------------------------------------------------- claims


@get("/admin/claims", include_in_schema=False)
async def claim_queue(request: Asked) -> Answer:
    """Claims that nobody has confirmed, each beside its place."""
    session = await session_for(request)
    if session is None:
        return go_to(SIGN_IN_PATH)
    found = await _read(request, claims.claims_to_review)
    others = await _read(
        request, lambda db: {c.claim_id: claims.claims_on(db, c.resource_id) for c in found}
    )
    places = await asyncio.to_thread(
        console.listed, release_of(request.scope), [c.resource_id for c in found]
    )
    return console_page(
        request.scope,
        "console_claims.html",
        "Claims",
        session=session,
        claims=found,
        others=others,
        places=places,
    )


@post("/admin/claims", include_in_schema=False)
async def decide_claim(request: Asked) -> Answer:
    """Confirm a claim, or end it."""
    session = await session_for(request)
    if session is None:
        return go_to(SIGN_IN_PATH)
    form = await checked_form(request, session.csrf)
    number, actor, now = _number(form, "claim"), f"administrator {session.name}", datetime.now(UTC)
    if form.get("action") == "confirm":
        await _write(request, lambda db: claims.confirm(db, number, "administrator", actor, now))
    elif form.get("action") == "revoke":
        await _write(request, lambda db: claims.revoke(db, number, actor, now))
    else:
        raise ServiceProblem("bad-request", "The form has no such button.")
    await context_of(request.scope).live.refresh()
    return go_to("/admin/claims")


def _number(form: dict[str, str], name: str) -> int:
    number = id_of(form.get(name, ""))
    if number is None:
        raise ServiceProblem("bad-request", f"The form has no number of a {name}.")
    return number


# ---------------------------------------------------------------- doubtful merges


@get("/admin/merges", include_in_schema=False)
async def merge_queue(request: Asked) -> Answer:
    """Pairs that may be one place, and the answers given so far."""
    session = await session_for(request)
    if session is None:
        return go_to(SIGN_IN_PATH)
    decided = await _read(request, reviews.pair_decisions)
    number = page_of(dict(request.query_params.items()))
    pairs = await asyncio.to_thread(
        console_lists.pairs_to_review, release_of(request.scope), decided, number
    )
    return console_page(
        request.scope,
        "console_merges.html",
        "Doubtful merges",
        session=session,
        pairs=pairs,
        decided=decided[:50],
        number=number,
        as_text=console.as_text,
    )


@post("/admin/merges", include_in_schema=False)
async def decide_merge(request: Asked) -> Answer:
    """Say that a pair is one place, or two; or take an answer back."""
    session = await session_for(request)
    if session is None:
        return go_to(SIGN_IN_PATH)
    form = await checked_form(request, session.csrf)
    store, actor, now = (
        context_of(request.scope).store,
        f"administrator {session.name}",
        datetime.now(UTC),
    )
    action = form.get("action", "")
    if action == "undo":
        number = _number(form, "decision")
        await _write(request, lambda db: reviews.undo_pair(db, number, actor, now))
    elif action in {"same", "different"}:
        pair = tuple(
            form.get(name, "")[:300]
            for name in ("source_id", "source_key", "other_source_id", "other_source_key")
        )
        if not await asyncio.to_thread(console_lists.is_pair, release_of(request.scope), pair):
            raise ServiceProblem(
                "bad-request", "There is no such pair in the release that is served."
            )
        await _write(request, lambda db: reviews.decide_pair(store, db, pair, action, actor, now))  # type: ignore[arg-type]
    else:
        raise ServiceProblem("bad-request", "The form has no such button.")
    return go_to("/admin/merges")


# ---------------------------------------------------------------- feedback


@get("/admin/feedback", include_in_schema=False)
async def feedback_queue(request: Asked) -> Answer:
    """Waves of votes, listings in doubt or retired for it, and messages."""
    session = await session_for(request)
    return go_to(SIGN_IN_PATH) if session is None else await _feedback(request, session)


async def _feedback(request: Asked, session: Session, error: str = "") -> Answer:
    number = page_of(dict(request.query_params.items()))
    told = await _read(request, lambda db: console_lists.feedback_lists(db, number))
    places = await asyncio.to_thread(console.listed, release_of(request.scope), told.place_ids)
    return console_page(
        request.scope,
        "console_feedback.html",
        "Feedback",
        session=session,
        told=told,
        places=places,
        number=number,
        error=error,
        status=400 if error else 200,
    )


@post("/admin/feedback", include_in_schema=False)
async def decide_feedback(request: Asked) -> Answer:
    """Decide a doubt or a wave of votes, take a decision back, or put a message aside."""
    session = await session_for(request)
    if session is None:
        return go_to(SIGN_IN_PATH)
    form = await checked_form(request, session.csrf)
    store, actor, now = (
        context_of(request.scope).store,
        f"administrator {session.name}",
        datetime.now(UTC),
    )
    action, reason = form.get("action", ""), (plain_text(form.get("reason")) or "")[:_MOST_REASON]
    if action == "read":
        message = _number(form, "message")
        await _write(request, lambda db: feedback.mark_read(db, message))
    elif action in get_args(waves.Decision):
        wave = _number(form, "wave")
        await _write(
            request,
            lambda db: waves.decide_wave(store, db, wave, action, actor, now, reason),  # type: ignore[arg-type]
        )
    elif action in get_args(doubts.Decision):
        effect = _number(form, "effect")
        if not reason and action != "undone":
            return await _feedback(request, session, "Write the reason.")
        await _write(
            request,
            lambda db: doubts.decide_doubt(db, effect, action, actor, now, reason),  # type: ignore[arg-type]
        )
    else:
        raise ServiceProblem("bad-request", "The form has no such button.")
    await context_of(request.scope).live.refresh()
    return go_to("/admin/feedback")


# ---------------------------------------------------------------- messages that were not sent


@get("/admin/outbox", include_in_schema=False)
async def unsent_messages(request: Asked) -> Answer:
    """List messages that failed several times or were given up, the newest first."""
    session = await session_for(request)
    if session is None:
        return go_to(SIGN_IN_PATH)
    number = page_of(dict(request.query_params.items()))
    messages = await _read(request, lambda db: outbox.troubled_messages(db, number))
    return console_page(
        request.scope,
        "console_outbox.html",
        "Unsent messages",
        session=session,
        messages=messages,
        number=number,
        now=datetime.now(UTC),
    )


@post("/admin/outbox", include_in_schema=False)
async def decide_message(request: Asked) -> Answer:
    """Send a message again, or discard it."""
    session = await session_for(request)
    if session is None:
        return go_to(SIGN_IN_PATH)
    form = await checked_form(request, session.csrf)
    number, actor, now = (
        _number(form, "message"),
        f"administrator {session.name}",
        datetime.now(UTC),
    )
    if form.get("action") == "resend":
        await _write(request, lambda db: outbox.resend(db, number, actor, now))
        context_of(request.scope).courier.wake()
    elif form.get("action") == "discard":
        await _write(request, lambda db: outbox.discard(db, number, actor, now))
    else:
        raise ServiceProblem("bad-request", "The form has no such button.")
    return go_to("/admin/outbox")


@get("/admin/audit", include_in_schema=False)
async def audit_log(request: Asked) -> Answer:
    """Who did what, the newest first."""
    session = await session_for(request)
    if session is None:
        return go_to(SIGN_IN_PATH)
    number = page_of(dict(request.query_params.items()))
    log = await _read(request, lambda db: audit.page_of(db, number, 50))
    return console_page(
        request.scope, "console_audit.html", "Audit log", session=session, log=log, number=number
    )


HANDLERS = [
    home,
    item_queue,
    item_page,
    decide_item,
    claim_queue,
    decide_claim,
    merge_queue,
    decide_merge,
    feedback_queue,
    decide_feedback,
    unsent_messages,
    decide_message,
    audit_log,
]
