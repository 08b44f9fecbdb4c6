"""Submissions, feedback and partners: all that the public writes."""

import asyncio
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import get, post
from litestar.params import HeaderParameter, JSONBody
from litestar.types import Scope

from schemas.api import writing as shapes
from schemas.values.place_fields import plain_text
from serving.context import context_of
from serving.http.answers import Answer, json_answer, with_cache_control
from serving.http.errors import ServiceProblem, invalid, release_of
from serving.http.openapi import answers
from serving.http.parameters import query
from serving.http.rate_limits import client_address, store_problems
from serving.places import proposals
from serving.places.view import place_path
from serving.search.parameters import Zip
from warehouse.operations.feedback import Feedback, give_feedback
from warehouse.operations.limits import client_hash, take_turn
from warehouse.operations.reviews import DuplicateError, find_replayed, queue_edit, submit

SUBMISSIONS_PER_HOUR, FEEDBACK_PER_HOUR, EDITS_PER_HOUR = 5, 60, 60
_HOUR = 3600
Name = Annotated[str, query("name", min_length=2, max_length=200)]
IdempotencyKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        max_length=200,
        description=(
            "Any text of your own. A repeat with the same key gets the first answer and stores "
            "nothing again."
        ),
    ),
]
_post = partial(post, tags=["writing"])


@_post(
    "/api/submissions",
    summary="Submit a new place",
    status_code=201,
    responses=answers(
        shapes.SubmissionReceipt, "Accepted. An administrator will review it.", 409, 429, status=201
    ),
)
async def submit_place(
    scope: Scope, data: JSONBody[shapes.NewSubmission], idempotency_key: IdempotencyKey = None
) -> Answer:
    """Submit a place that the directory lacks. It is stored inactive and pending until an
    administrator reviews it.

    A place with the same name and ZIP code that is listed, approved or pending from the same client
    gives 409. At most five in an hour from one address. After a lost answer, send it again: with
    the same `Idempotency-Key` you get the first answer, without it 409; nothing is stored twice.
    """
    return _answer_receipt(await store_submission(scope, data, idempotency_key), 201)


async def store_submission(
    scope: Scope, data: shapes.NewSubmission, idempotency_key: str | None = None
) -> shapes.SubmissionReceipt:
    """Store a submission, once. Raises ServiceProblem (400, 409, 429, 503)."""
    context, release, now = context_of(scope), release_of(scope), datetime.now(UTC)
    place, submitter = proposals.read_submission(data)
    store, address = context.store, client_address(scope)
    is_limited = context.settings.limits.lower() != "off"
    twin = await asyncio.to_thread(proposals.find_twin, release, place)

    def work(db: Any) -> int:
        if idempotency_key:
            earlier = find_replayed(db, idempotency_key, address)
            if earlier is not None:
                return earlier
        if is_limited:
            take_turn(db, "submissions", address, SUBMISSIONS_PER_HOUR, _HOUR, now)
        return submit(db, place, submitter, now, address, idempotency_key)

    if twin is not None:
        raise ServiceProblem(
            "duplicate",
            "A place with this name and ZIP code is already listed: "
            f"{context.settings.url}{place_path(twin)}",
        )
    async with store_problems():
        try:
            number = await store.transact(work)
        except DuplicateError as error:
            raise ServiceProblem(
                "duplicate", "A place with this name and ZIP code is already waiting for review."
            ) from error
    return shapes.SubmissionReceipt(
        success=True,
        id=number,
        is_active=0,
        verification_status="pending",
        message="Thank you. An administrator looks at it before it is listed.",
    )


@_post(
    "/api/feedback",
    operation_id="giveFeedback",
    summary="Say whether a listing is right",
    status_code=202,
    responses=answers(shapes.FeedbackReceipt, "Stored.", 404, 410, 429, status=202),
)
async def feedback(
    scope: Scope, data: JSONBody[shapes.NewFeedback], idempotency_key: IdempotencyKey = None
) -> Answer:
    """Store one feedback for each client, listing and day; a later one replaces it.

    If two different visitors say `closed` within 180 days, or `wrong_info` within 30, the listing
    is in doubt: every answer shows it as `doubt`, and an administrator decides. No vote removes a
    listing. If two say `helpful`, its hours are relied on for another 180 days; they do not count
    as confirmed. One network votes on at most 20 places in 24 hours. Every step is in the audit
    log.
    """
    return _answer_receipt(await accept_feedback(scope, data, idempotency_key), 202)


async def accept_feedback(
    scope: Scope, data: shapes.NewFeedback, idempotency_key: str | None = None
) -> shapes.FeedbackReceipt:
    """Store feedback. Raises ServiceProblem (400, 404, 410, 429, 503)."""
    context, now = context_of(scope), datetime.now(UTC)
    if data.resource_id is not None:
        proposals.record_of(release_of(scope), data.resource_id, now)
    comment, contact = plain_text(data.comment, keeps_lines=True), plain_text(data.contact)
    is_limited = context.settings.limits.lower() != "off"
    feedback = Feedback(data.type, data.resource_id, comment, contact, plain_text(idempotency_key))
    store, address = context.store, client_address(scope)

    def work(db: Any) -> tuple[int, list[str]]:
        if is_limited:
            take_turn(db, "feedback", address, FEEDBACK_PER_HOUR, _HOUR, now)
        return give_feedback(db, feedback, address, now, is_limited=is_limited)

    async with store_problems():
        number, effects = await store.transact(work)
    if {"doubted", "doubt_lifted"} & set(effects):
        await context.live.refresh()
    return shapes.FeedbackReceipt(success=True, id=number, effects=effects)


@get(
    "/api/partner/find",
    summary="Find a listing by name and ZIP code",
    tags=["writing"],
    responses=answers(shapes.PartnerMatches, "The listing that matches best, and the others."),
)
async def find_partner_listing(scope: Scope, name: Name, zip: Zip) -> Answer:
    """Return listings in a ZIP code with a similar name, for a partner to find the id to edit."""
    matches = await asyncio.to_thread(proposals.partner_matches, release_of(scope), name, zip[:5])
    return json_answer(
        shapes.PartnerMatches(success=True, match=matches[0] if matches else None, matches=matches)
    )


@_post(
    "/api/partner/edit",
    summary="Correct a listing",
    status_code=202,
    responses=answers(
        shapes.EditReceipt, "Stored for review, with what would change.", 404, 410, 429, status=202
    ),
)
async def edit_listing(scope: Scope, data: JSONBody[shapes.NewEdit]) -> Answer:
    """Submit changes of a listing as a JSON merge patch (RFC 7396) on its public record; null
    removes a value.

    Nothing changes until an administrator approves. Unknown, read-only or invalid fields give 400,
    as does a patch without any change; unchanged fields are left out and named in `unchanged`. The
    same changes sent again are stored once.
    """
    context, now = context_of(scope), datetime.now(UTC)
    record = proposals.record_of(release_of(scope), data.resource_id, now)
    changes, base, unchanged = proposals.read_changes(record, data.changes)
    submitted_by = plain_text(data.submitted_by)
    if submitted_by is None:
        raise invalid("submitted_by", "a name or an e-mail address")
    store, address = context.store, client_address(scope)

    is_limited = context.settings.limits.lower() != "off"

    def work(db: Any) -> int:
        if is_limited:
            take_turn(db, "edits", address, EDITS_PER_HOUR, _HOUR, now)
        network = client_hash(db, address, now)
        return queue_edit(db, data.resource_id, changes, base, submitted_by, now, network=network)

    async with store_problems():
        number = await store.transact(work)
    receipt = shapes.EditReceipt(
        success=True,
        id=number,
        status="pending",
        resource_id=data.resource_id,
        diff=proposals.diff_of(base, changes),
        unchanged=unchanged,
        message="Thank you. An administrator looks at it before it shows.",
    )
    return _answer_receipt(receipt, 202)


def _answer_receipt(receipt: msgspec.Struct, status: int) -> Answer:
    answer = Answer(msgspec.json.encode(receipt), max_age=0, status=status)
    return with_cache_control(answer, b"no-store")
