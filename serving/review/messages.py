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
    ConsoleRequest,
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


async def _feedback(request: ConsoleRequest, number: int, error: str = "") -> dict[str, Any]:
    """Return waves of votes, listings in doubt or retired for it, and messages."""
    lists = await read(request, lambda db: console_lists.feedback_lists(db, number))
    places = await asyncio.to_thread(
        console.places_by_id, release_of(request.scope), lists.place_ids
    )
    return {"lists": lists, "places": places, "error": error}


feedback_queue = queue_page(_FEEDBACK_PATH, *_FEEDBACK)(_feedback)


@post_form(_FEEDBACK_PATH)
async def decide_feedback(request: ConsoleRequest) -> Answer:
    """Decide a doubt or a wave of votes, take a decision back, or put a message aside."""
    decision = await decision_of(request)
    action, reason, actor, now = decision.action, decision.reason, decision.actor, decision.now
    if action in get_args(doubts.Decision) and not reason and action != "undone":
        number = page_of(request)
        values = await _feedback(request, number, "Write the reason.")
        return console_page(
            request.scope, *_FEEDBACK, session=decision.session, number=number, status=400, **values
        )

    def decide_wave(db: Any) -> None:
        wave = decision.number_of("wave")
        waves.decide_wave(db, wave, action, actor, now, reason)  # type: ignore[arg-type]

    def decide_doubt(db: Any) -> None:
        effect = decision.number_of("effect")
        doubts.decide_doubt(db, effect, action, actor, now, reason)  # type: ignore[arg-type]

    choices = {
        "read": lambda db: feedback.mark_read(db, decision.number_of("message")),
        **dict.fromkeys(get_args(waves.Decision), decide_wave),
        **dict.fromkeys(get_args(doubts.Decision), decide_doubt),
    }
    await decision.make(request, choices)
    return go_to(_FEEDBACK_PATH)


# ---------------------------------------------------------------- messages that were not sent


@queue_page(_OUTBOX_PATH, "console_outbox.html", "Unsent messages")
async def list_unsent_messages(request: ConsoleRequest, number: int) -> dict[str, Any]:
    """List messages that failed several times or were given up, the newest first."""
    messages = await read(request, lambda db: outbox.list_troubled(db, number))
    return {"messages": messages, "now": datetime.now(UTC)}


@post_form(_OUTBOX_PATH)
async def decide_message(request: ConsoleRequest) -> Answer:
    """Send a message again, or discard it."""
    decision = await decision_of(request)
    number, actor, now = decision.number_of("message"), decision.actor, decision.now
    choices = {
        "resend": lambda db: outbox.resend(db, number, actor, now),
        "discard": lambda db: outbox.discard(db, number, actor, now),
    }
    await decision.make(request, choices)
    context_of(request.scope).courier.wake()
    return go_to(_OUTBOX_PATH)
