"""Queues of the console: feedback, and messages that were not sent."""

import asyncio
from datetime import UTC, datetime
from typing import Any, get_args

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
    post_form,
    queue_page,
    read,
)
from warehouse.operations import doubts, feedback, outbox
from warehouse.operations import vote_waves as waves

# ---------------------------------------------------------------- feedback

_FEEDBACK_PATH, _FEEDBACK = "/admin/feedback", ("console_feedback.html", "Feedback")
_OUTBOX_PATH = "/admin/outbox"


async def _feedback(request: Asked, number: int, error: str = "") -> dict[str, Any]:
    """Return waves of votes, listings in doubt or retired for it, and messages."""
    lists = await read(request, lambda db: console_lists.feedback_lists(db, number))
    places = await asyncio.to_thread(
        console.places_by_id, release_of(request.scope), lists.place_ids
    )
    return {"lists": lists, "places": places, "error": error}


feedback_queue = queue_page(_FEEDBACK_PATH, *_FEEDBACK)(_feedback)


@post_form(_FEEDBACK_PATH)
async def decide_feedback(request: Asked) -> Answer:
    """Decide a doubt or a wave of votes, take a decision back, or put a message aside."""
    sent = await decision_of(request)
    action, reason, actor, now = sent.action, sent.reason, sent.actor, sent.now
    if action in get_args(doubts.Decision) and not reason and action != "undone":
        number = page_of(request)
        values = await _feedback(request, number, "Write the reason.")
        return console_page(
            request.scope, *_FEEDBACK, session=sent.session, number=number, status=400, **values
        )

    def decide_wave(db: Any) -> None:
        wave = sent.number_of("wave")
        waves.decide_wave(db, wave, action, actor, now, reason)  # type: ignore[arg-type]

    def decide_doubt(db: Any) -> None:
        effect = sent.number_of("effect")
        doubts.decide_doubt(db, effect, action, actor, now, reason)  # type: ignore[arg-type]

    choices = {
        "read": lambda db: feedback.mark_read(db, sent.number_of("message")),
        **dict.fromkeys(get_args(waves.Decision), decide_wave),
        **dict.fromkeys(get_args(doubts.Decision), decide_doubt),
    }
    await sent.make(request, choices)
    return go_to(_FEEDBACK_PATH)


# ---------------------------------------------------------------- messages that were not sent


@queue_page(_OUTBOX_PATH, "console_outbox.html", "Unsent messages")
async def list_unsent_messages(request: Asked, number: int) -> dict[str, Any]:
    """List messages that failed several times or were given up, the newest first."""
    messages = await read(request, lambda db: outbox.list_troubled(db, number))
    return {"messages": messages, "now": datetime.now(UTC)}


@post_form(_OUTBOX_PATH)
async def decide_message(request: Asked) -> Answer:
    """Send a message again, or discard it."""
    sent = await decision_of(request)
    number, actor, now = sent.number_of("message"), sent.actor, sent.now
    choices = {
        "resend": lambda db: outbox.resend(db, number, actor, now),
        "discard": lambda db: outbox.discard(db, number, actor, now),
    }
    await sent.make(request, choices)
    context_of(request.scope).courier.wake()
    return go_to(_OUTBOX_PATH)
