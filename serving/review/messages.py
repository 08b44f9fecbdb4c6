"""Queues of the console: feedback, and messages that were not sent."""

import asyncio
from datetime import UTC, datetime
from typing import get_args

from litestar import get, post

from serving.context import context_of
from serving.http.answers import Answer
from serving.http.errors import release_of
from serving.review import console
from serving.review import lists as console_lists
from serving.review.requests import (
    Asked,
    console_page,
    decision_of,
    go_to,
    page_of,
    read,
    session_for,
    unknown_button,
    write,
)
from warehouse.operations import doubts, feedback, outbox
from warehouse.operations import vote_waves as waves
from warehouse.operations.administrators import Session

# ---------------------------------------------------------------- feedback


@get("/admin/feedback")
async def feedback_queue(request: Asked) -> Answer:
    """Return waves of votes, listings in doubt or retired for it, and messages."""
    session = await session_for(request)
    return await _feedback(request, session)


async def _feedback(request: Asked, session: Session, error: str = "") -> Answer:
    number = page_of(dict(request.query_params.items()))
    lists = await read(request, lambda db: console_lists.feedback_lists(db, number))
    places = await asyncio.to_thread(
        console.listed_places, release_of(request.scope), lists.place_ids
    )
    return console_page(
        request.scope,
        "console_feedback.html",
        "Feedback",
        session=session,
        lists=lists,
        places=places,
        number=number,
        error=error,
        status=400 if error else 200,
    )


@post("/admin/feedback")
async def decide_feedback(request: Asked) -> Answer:
    """Decide a doubt or a wave of votes, take a decision back, or put a message aside."""
    sent, store = await decision_of(request), context_of(request.scope).store
    action, reason, actor, now = sent.action, sent.reason, sent.actor, sent.now
    if action == "read":
        message = sent.number_of("message")
        await write(request, lambda db: feedback.mark_read(db, message))
    elif action in get_args(waves.Decision):
        wave = sent.number_of("wave")
        await write(
            request,
            lambda db: waves.decide_wave(store, db, wave, action, actor, now, reason),  # type: ignore[arg-type]
        )
    elif action in get_args(doubts.Decision):
        effect = sent.number_of("effect")
        if not reason and action != "undone":
            return await _feedback(request, sent.session, "Write the reason.")
        await write(
            request,
            lambda db: doubts.decide_doubt(db, effect, action, actor, now, reason),  # type: ignore[arg-type]
        )
    else:
        raise unknown_button()
    await context_of(request.scope).live.refresh()
    return go_to("/admin/feedback")


# ---------------------------------------------------------------- messages that were not sent


@get("/admin/outbox")
async def unsent_messages(request: Asked) -> Answer:
    """List messages that failed several times or were given up, the newest first."""
    session = await session_for(request)
    number = page_of(dict(request.query_params.items()))
    messages = await read(request, lambda db: outbox.troubled_messages(db, number))
    return console_page(
        request.scope,
        "console_outbox.html",
        "Unsent messages",
        session=session,
        messages=messages,
        number=number,
        now=datetime.now(UTC),
    )


@post("/admin/outbox")
async def decide_message(request: Asked) -> Answer:
    """Send a message again, or discard it."""
    sent = await decision_of(request)
    number, actor, now = sent.number_of("message"), sent.actor, sent.now
    if sent.action == "resend":
        await write(request, lambda db: outbox.resend(db, number, actor, now))
        context_of(request.scope).courier.wake()
    elif sent.action == "discard":
        await write(request, lambda db: outbox.discard(db, number, actor, now))
    else:
        raise unknown_button()
    return go_to("/admin/outbox")
