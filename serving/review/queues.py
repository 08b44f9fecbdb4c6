"""The queues of the review console: submissions, edits, claims, doubtful merges, feedback, unsent
messages; and the audit log.
"""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any, Literal, get_args

import msgspec

from schemas.values.place_fields import FieldFaultError
from schemas.vocab.resource_types import RESOURCE_TYPES
from schemas.vocab.reviews import EDITABLE, REQUIRED_OF_SUBMISSION, SUBMITTED
from serving.context import context_of
from serving.http.answers import Answer
from serving.http.errors import ServiceProblem, release_of
from serving.places.detail import contradiction_count
from serving.places.listings import Listing
from serving.places.proposals import diff_of
from serving.render.words import words
from serving.review import console
from serving.review import lists as console_lists
from serving.review.requests import (
    ConsoleRequest,
    Filters,
    console_page,
    decision_of,
    filters_of,
    get_page,
    go_to_saved,
    post_form,
    queue_page,
    read,
    session_for,
)
from serving.search.parameters import ItemNumber, id_of
from warehouse.operations import audit, claims, feedback, outbox, reviews
from warehouse.operations.administrators import Session
from warehouse.operations.rows import PER_PAGE

ItemKind = Literal["submission", "edit"]
STATES = ("pending", "approved", "rejected")


@queue_page("/admin", "console_home.html", "Review")
async def home(request: ConsoleRequest, _: int) -> dict[str, Any]:
    """Return how much waits, and the last entries of the log."""
    release = release_of(request.scope)
    pairs = await asyncio.to_thread(console_lists.pair_count, release)
    contradictions = await asyncio.to_thread(contradiction_count, release)
    counts = await read(request, lambda db: console_lists.counts(db, pairs, contradictions))
    log = await read(request, lambda db: audit.audit_page(db, None, 10))
    return {"counts": counts, "log": log.rows}


# ---------------------------------------------------------------- submissions and edits


@get_page(["/admin/submissions", "/admin/edits"])
async def item_queue(request: ConsoleRequest) -> Answer:
    """Return a page of a queue, the newest first."""
    session = await session_for(request)
    kind: ItemKind = "edit" if request.scope["path"].endswith("edits") else "submission"
    filters = filters_of(request, STATES)
    wanted = reviews.QueueFilter(
        filters.state,
        filters.resource_id,
        filters.zip,
        filters.network,
        filters.resource_type,
        filters.us_state,
        filters.field,
    )
    places: dict[int, Listing] = {}
    if kind == "edit":
        wanted = wanted._replace(resource_type=None, us_state=None)
        rows, next_key, places = await _matching(
            request,
            filters,
            lambda after: lambda db: reviews.queue(db, kind, wanted, after),
            filters.after,
        )
    else:
        page = await read(request, lambda db: reviews.queue(db, kind, wanted, filters.after))
        rows, next_key = page.rows, page.next_key
    entries = [console_lists.line_of(kind, row, places) for row in rows]
    return console_page(
        request.scope,
        "console_queue.html",
        f"{kind.capitalize()}s",
        session=session,
        kind=kind,
        entries=entries,
        filters=filters,
        states=STATES,
        labels=console.LABELS,
        next_key=next_key,
    )


async def _matching(
    request: ConsoleRequest,
    filters: Filters,
    page_after: Callable[[int | None], Callable[[Any], Any]],
    after: int | None,
) -> tuple[list[Any], int | None, dict[int, Listing]]:
    """Return the rows of a queue whose place has the type and state of the filters, the key of the
    next page, and the places by id. The store does not know places: pages are read until one is
    full."""
    rows: list[Any] = []
    places: dict[int, Listing] = {}
    while True:
        page = await read(request, page_after(after))
        ids = [row.resource_id for row in page.rows if row.resource_id]
        places |= await asyncio.to_thread(console.places_by_id, release_of(request.scope), ids)
        rows += [row for row in page.rows if filters.fits(places.get(row.resource_id))]
        after = page.next_key
        if after is None or len(rows) >= PER_PAGE:
            return rows, after, places


@post_form(["/admin/submissions", "/admin/edits"])
async def reject_network(request: ConsoleRequest) -> Answer:
    """Reject all pending items of a network."""
    kind: ItemKind = "edit" if request.scope["path"].endswith("edits") else "submission"
    decision = await decision_of(request)
    network, actor, now = decision.form.get("network", ""), decision.actor, decision.now
    reason = decision.reason or "all from this network"
    await decision.make(
        request,
        {
            "discard_network": lambda db: reviews.reject_network(
                db, kind, network, actor, now, reason
            )
        },
    )
    return go_to_saved(f"/admin/{kind}s")


@get_page(["/admin/submissions/{number:int}", "/admin/edits/{number:int}"])
async def item_page(request: ConsoleRequest, number: ItemNumber) -> Answer:
    """Return one item with everything that a decision needs."""
    session = await session_for(request)
    return await _item(request, session, number)


def _kind_of(request: ConsoleRequest) -> ItemKind:
    return "edit" if request.scope["path"].startswith("/admin/edits/") else "submission"


async def _item(
    request: ConsoleRequest,
    session: Session,
    number: int,
    error: str = "",
    form_data: dict[str, str] | None = None,
) -> Answer:
    kind, release = _kind_of(request), release_of(request.scope)
    row = await read(request, lambda db: reviews.item_of(db, kind, number))
    if row is None:
        raise ServiceProblem("not-found", f"There is no {kind} {number}.")
    history = await read(request, lambda db: audit.of_subject(db, f"{kind} {number}"))
    same = (
        await read(request, lambda db: reviews.same_places(db, row)) if kind == "submission" else []
    )
    item = (
        console_lists.submission_item(row) if kind == "submission" else console_lists.edit_item(row)
    )
    own_id = None if kind == "submission" else row.resource_id
    place = dict(item.place)
    if own_id is not None:
        listing = (await asyncio.to_thread(console.places_by_id, release, [own_id])).get(own_id)
        place = {**(listing._asdict() if listing else {"name": "", "zip": None}), **place}
    ids = console.rows_near(release, console.point_of(release, place))
    near = await asyncio.to_thread(console.neighbours, release, place, ids, own_id)
    point = console.point_of(release, place)
    sketch = console.small_map(point, [(str(n.mark), n.place.lat, n.place.lng) for n in near])
    fields = [
        (
            name,
            console.as_text(item.values[name]) if form_data is None else form_data.get(name, ""),
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
        same=same,
        error=error,
        types=RESOURCE_TYPES,
        labels=console.LABELS,
        as_text=console.as_text,
        status=400 if error else 200,
    )


@post_form(["/admin/submissions/{number:int}", "/admin/edits/{number:int}"])
async def decide_item(request: ConsoleRequest, number: ItemNumber) -> Answer:
    """Approve, change and approve, reject with a reason, undo."""
    kind, decision, content = _kind_of(request), await decision_of(request), None
    form, reason, actor, now = decision.form, decision.reason, decision.actor, decision.now
    if decision.action == "reject" and not reason:
        return await _item(request, decision.session, number, "Write why it is rejected.", form)
    if decision.action == "approve":
        try:
            row = await read(request, lambda db: reviews.item_of(db, kind, number))
            if row is None:
                raise ServiceProblem("not-found", f"There is no {kind} {number}.")
            if kind == "submission":
                original = msgspec.json.decode(row.place_json)
                content = console.submission_from_form(form)
            else:
                original = msgspec.json.decode(row.changes_json)
                content = console.changes_from_form(list(original), form)
            content = None if content == original else content
        except FieldFaultError as fault:
            return await _item(
                request, decision.session, number, f"{fault.field}: {fault.rule}", form
            )
    decide = partial(reviews.decide, kind=kind, number=number, actor=actor, now=now)
    choices = {
        "undo": lambda db: reviews.undo(db, kind, number, actor, now),
        "reject": lambda db: decide(db, decision="rejected", reason=reason),
        "approve": lambda db: decide(
            db,
            decision="approved",
            reason=reason or None,
            is_confirmed=form.get("is_confirmed") == "1",
            content=content,
        ),
    }
    await decision.make(request, choices)
    return go_to_saved(f"/admin/{kind}s/{number}")


# ---------------------------------------------------------------- claims


@queue_page("/admin/claims", "console_claims.html", "Claims")
async def claim_queue(request: ConsoleRequest, _: int) -> dict[str, Any]:
    """Return a page of claims that wait, or were decided, the newest first, each with its
    place."""
    filters = filters_of(request, claims.QUEUES)
    rows, next_key, places = await _matching(
        request,
        filters,
        lambda after: (
            lambda db: claims.claims_to_review(
                db,
                after,
                state=filters.state,
                resource_id=filters.resource_id,
                network=filters.network,
                is_proven=filters.is_proven,
            )
        ),
        filters.after,
    )
    other_claims = await read(
        request,
        lambda db: {c.claim_id: claims.claims_on(db, c.resource_id)[:10] for c in rows},
    )
    return {
        "claims": rows,
        "next_key": next_key,
        "filters": filters,
        "states": claims.QUEUES,
        "other_claims": other_claims,
        "places": places,
        "undo": id_of(request.query_params.get("undo", "")),
    }


@post_form("/admin/claims")
async def decide_claim(request: ConsoleRequest) -> Answer:
    """Confirm a claim, end it, take that back, or end all undecided claims of its network."""
    decision = await decision_of(request)
    actor, now, network = decision.actor, decision.now, decision.form.get("network", "")
    choices = {
        "confirm": lambda db: claims.confirm(
            db, decision.number_of("claim"), "administrator", actor, now
        ),
        "revoke": lambda db: claims.revoke(db, decision.number_of("claim"), actor, now),
        "undo": lambda db: claims.reopen(db, decision.number_of("claim"), actor, now),
        "discard_network": lambda db: claims.revoke_network(db, network, actor, now),
    }
    await decision.make(request, choices)
    is_decided = decision.action in {"confirm", "revoke"}
    undo = f"?undo={decision.number_of('claim')}" if is_decided else ""
    return go_to_saved(f"/admin/claims{undo}")


# ---------------------------------------------------------------- doubtful merges


@queue_page("/admin/merges", "console_merges.html", "Doubtful merges")
async def merge_queue(request: ConsoleRequest, number: int) -> dict[str, Any]:
    """Return pairs that may be one place, and the answers given so far."""
    decisions, filters = await read(request, reviews.pair_decisions), filters_of(request)
    pairs = await asyncio.to_thread(
        console_lists.pairs_to_review, release_of(request.scope), decisions, number, filters=filters
    )
    return {
        "pairs": pairs,
        "filters": filters,
        "decided": decisions[:50],
        "as_text": console.as_text,
        "labels": console.LABELS,
    }


@post_form("/admin/merges")
async def decide_merge(request: ConsoleRequest) -> Answer:
    """Say that a pair is one place, or two; or take an answer back."""
    decision = await decision_of(request)
    action, actor, now = decision.action, decision.actor, decision.now
    pair = tuple(decision.form.get(name, "")[:300] for name in console_lists.PAIR_KEYS)
    if action in {"same", "different"} and not await asyncio.to_thread(
        console_lists.is_pair, release_of(request.scope), pair
    ):
        raise ServiceProblem("bad-request", "There is no such pair in the release that is served.")

    def decide(db: Any) -> None:
        reviews.decide_pair(db, pair, action, actor, now)  # type: ignore[arg-type]

    choices = {
        "undo": lambda db: reviews.undo_pair(db, decision.number_of("decision"), actor, now),
        "same": decide,
        "different": decide,
    }
    await decision.make(request, choices)
    return go_to_saved("/admin/merges")


@queue_page("/admin/contradictions", "console_contradictions.html", "Contradictions")
async def contradiction_queue(request: ConsoleRequest, number: int) -> dict[str, Any]:
    """Show places whose sources contradict each other, with the values of each."""
    release, filters = release_of(request.scope), filters_of(request)
    return {
        "places": await asyncio.to_thread(
            console_lists.list_contradicted_places, release, number, filters
        ),
        "filters": filters,
        "labels": console.LABELS,
    }


@queue_page("/admin/audit", "console_audit.html", "Audit log")
async def audit_log(request: ConsoleRequest, _: int) -> dict[str, Any]:
    """Show the audit log, the newest first."""
    page = await read(request, lambda db: audit.audit_page(db, filters_of(request).after))
    return {"log": page.rows, "next_key": page.next_key}


# ---------------------------------------------------------------- feedback

_FEEDBACK_PATH, _FEEDBACK = "/admin/feedback", ("console_feedback.html", "Feedback")
_OUTBOX_PATH = "/admin/outbox"


async def _feedback(request: ConsoleRequest, _: int, error: str = "") -> dict[str, Any]:
    """Return listings in doubt or retired for it, and messages."""
    filters = filters_of(request, ("review", "applied"))
    doubts_after = id_of(request.query_params.get("doubts_after", ""))

    in_doubt, next_doubt, places = await _matching(
        request,
        filters,
        lambda after: lambda db: feedback.doubt_queue(db, filters.state, after),
        doubts_after,
    )
    notes, next_note, others = await _matching(
        request,
        filters,
        lambda after: lambda db: feedback.messages(db, after, filters.network),
        filters.after,
    )
    ids = [row.resource_id for row in in_doubt]
    return {
        "doubts": in_doubt,
        "next_doubt": next_doubt,
        "notes": notes,
        "next_note": next_note,
        "note_types": words("forms", "en").feedback.types,
        "networks": await read(request, lambda db: feedback.networks_of(db, ids)),
        "filters": filters,
        "places": places | others,
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
