"""Queues of the console: feedback, and messages that were not sent."""

import asyncio
from datetime import UTC, datetime
from typing import Any, get_args

from serving.context import context_of
from serving.http.answers import Answer
from serving.http.errors import release_of
from serving.review import console
from serving.review.requests import (
    ConsoleRequest,
    console_page,
    decision_of,
    filters_of,
    go_to_saved,
    post_form,
    queue_page,
    read,
)
from serving.search.query_parameters import id_of
from warehouse.operations import feedback, outbox

# ---------------------------------------------------------------- feedback

_FEEDBACK_PATH, _FEEDBACK = "/admin/feedback", ("console_feedback.html", "Feedback")
_OUTBOX_PATH = "/admin/outbox"


async def _feedback(request: ConsoleRequest, _: int, error: str = "") -> dict[str, Any]:
    """Return listings in doubt or retired for it, and messages."""
    filters = filters_of(request, ("review", "applied"))
    doubts_after = id_of(request.query_params.get("doubts_after", ""))

    def work(db: Any) -> tuple[Any, Any, dict[int, list[str]]]:
        in_doubt = feedback.doubt_queue(db, filters.state, doubts_after)
        networks = feedback.networks_of(db, [row.resource_id for row in in_doubt.rows])
        return in_doubt, feedback.messages(db, filters.after, filters.network), networks

    in_doubt, notes, networks = await read(request, work)
    ids = sorted({row.resource_id for row in [*in_doubt.rows, *notes.rows] if row.resource_id})
    places = await asyncio.to_thread(console.places_by_id, release_of(request.scope), ids)
    return {
        "doubts": in_doubt,
        "notes": notes,
        "networks": networks,
        "filters": filters,
        "places": places,
        "error": error,
        "undo_applied": id_of(request.query_params.get("undo_applied", "")),
        "undo_read": id_of(request.query_params.get("undo_read", "")),
    }


feedback_queue = queue_page(_FEEDBACK_PATH, *_FEEDBACK)(_feedback)


@post_form(_FEEDBACK_PATH)
async def decide_feedback(request: ConsoleRequest) -> Answer:
    """Decide a doubt, take a decision back, put a message aside, discard a network's feedback."""
    decision = await decision_of(request)
    action, reason, actor, now = decision.action, decision.reason, decision.actor, decision.now
    if action in get_args(feedback.Decision) and not reason and action != "undone":
        values = await _feedback(request, 1, "Write the reason.")
        return console_page(
            request.scope, *_FEEDBACK, session=decision.session, status=400, **values
        )

    def decide_doubt(db: Any) -> None:
        effect = decision.number_of("effect")
        feedback.decide_doubt(db, effect, action, actor, now, reason)  # type: ignore[arg-type]

    network = decision.form.get("network", "")
    choices = {
        "read": lambda db: feedback.mark_read(db, decision.number_of("message")),
        "unread": lambda db: feedback.mark_read(db, decision.number_of("message"), is_read=False),
        "discard_network": lambda db: feedback.discard_network(db, network, actor, now),
        **dict.fromkeys(get_args(feedback.Decision), decide_doubt),
    }
    await decision.make(request, choices)
    if action in {"applied", "read"}:
        number = decision.number_of("effect" if action == "applied" else "message")
        return go_to_saved(f"{_FEEDBACK_PATH}?undo_{action}={number}")
    return go_to_saved(_FEEDBACK_PATH)


# ---------------------------------------------------------------- messages that were not sent


@queue_page(_OUTBOX_PATH, "console_outbox.html", "Unsent messages")
async def list_unsent_messages(request: ConsoleRequest, _: int) -> dict[str, Any]:
    """List messages that failed several times or were given up, the newest first."""
    page = await read(request, lambda db: outbox.list_troubled(db, filters_of(request).after))
    return {"messages": page.rows, "next_key": page.next_key, "now": datetime.now(UTC)}


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
    return go_to_saved(_OUTBOX_PATH)
