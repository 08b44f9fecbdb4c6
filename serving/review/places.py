"""The page of a place in the review console: correct it, retire it, merge it, and its history."""

import asyncio
from typing import Any

from schemas.values.place_fields import FieldFaultError
from schemas.vocab.resource_types import RESOURCE_TYPES
from schemas.vocab.reviews import EDITABLE, NEVER_EMPTY
from serving.http.answers import Answer
from serving.http.errors import ServiceProblem, release_of
from serving.places import proposals
from serving.review import console
from serving.review import lists as console_lists
from serving.review.requests import (
    ConsoleRequest,
    console_page,
    decision_of,
    get_page,
    go_to_saved,
    post_form,
    read,
    session_for,
)
from serving.search.parameters import ItemNumber
from warehouse.operations import audit, reviews
from warehouse.operations.administrators import Session

# A place is retired by its own button, with a reason.
_FIELDS = {name: kind for name, kind in EDITABLE.items() if name != "is_active"}


@get_page("/admin/places/{number:int}")
async def place_page(request: ConsoleRequest, number: ItemNumber) -> Answer:
    """Return a place with forms to correct, merge and retire it, and with its history."""
    return await _page(request, await session_for(request), number)


async def _page(
    request: ConsoleRequest,
    session: Session,
    number: int,
    error: str = "",
    form: dict[str, str] | None = None,
) -> Answer:
    release = release_of(request.scope)
    edits = await read(request, lambda db: reviews.edits_of(db, number))
    subjects = [f"resource {number}", *(f"edit {edit.edit_id}" for edit in edits)]
    history = await read(request, lambda db: audit.of_subject(db, *subjects))
    place = (await asyncio.to_thread(console.places_by_id, release, [number])).get(number)
    if place is None and not history:
        raise ServiceProblem("not-found", f"There is no place {number}.")
    fields, pairs, near, sketch = [], [], [], None
    # A place that was retired here is in the release until the next one.
    is_listed = release.row_of(number) is not None
    if place is not None and is_listed:
        record = proposals.record_of(release, number, session.created_at)
        texts = {name: console.as_text(record[name]) for name in _FIELDS} | (form or {})
        fields = [
            (name, texts[name], kind, name in NEVER_EMPTY and texts[name] != "")
            for name, kind in _FIELDS.items()
        ]
        decisions = await read(request, reviews.pair_decisions)
        pairs = await asyncio.to_thread(
            console_lists.pairs_to_review, release, decisions, 1, number
        )
        ids = console.rows_near(release, (place.lat, place.lng))
        near = await asyncio.to_thread(console.neighbours, release, place._asdict(), ids, number)
        others = [(str(one.mark), one.place.lat, one.place.lng) for one in near]
        sketch = console.small_map((place.lat, place.lng), others)
    return console_page(
        request.scope,
        "console_place.html",
        place.name if place else f"Place {number}",
        session=session,
        number=number,
        place=place,
        is_listed=is_listed,
        fields=fields,
        labels=console.LABELS,
        types=RESOURCE_TYPES,
        pairs=pairs,
        near=near,
        sketch=sketch,
        edits=edits,
        history=history,
        error=error,
        as_text=console.as_text,
        status=400 if error else 200,
    )


@post_form("/admin/places/{number:int}")
async def decide_place(request: ConsoleRequest, number: ItemNumber) -> Answer:
    """Correct or retire a place: an edit of the administrator's, approved at once."""
    decision = await decision_of(request)
    form, actor, now, reason = decision.form, decision.actor, decision.now, decision.reason
    record = proposals.record_of(release_of(request.scope), number, now)
    is_edit = decision.action == "edit"
    if decision.action == "retire" and not reason:
        return await _page(request, decision.session, number, "Write why it is removed.")
    try:
        given: dict[str, object] = {"is_active": False}
        if is_edit:
            typed = {name: form.get(name, "").replace("\r\n", "\n").strip() for name in _FIELDS}
            changed = {n for n in typed if typed[n] != console.as_text(record[n]).strip()}
            if changed & {"lat", "lng"}:
                changed |= {"lat", "lng"}
            given = console.changes_from_form([n for n in _FIELDS if n in changed], form)
        changes, base, _ = proposals.read_changes(record, given)
    except (ServiceProblem, FieldFaultError) as fault:
        return await _page(request, decision.session, number, _sentence(fault), form)

    def store(db: Any) -> None:
        edit = reviews.queue_edit(db, number, changes, base, None, now, by=actor)
        is_confirmed = is_edit and form.get("is_confirmed") == "1"
        reviews.decide(
            db,
            "edit",
            edit,
            "approved",
            actor,
            now,
            reason=reason or None,
            is_confirmed=is_confirmed,
        )

    await decision.make(request, {"edit": store, "retire": store})
    return go_to_saved(f"/admin/places/{number}")


def _sentence(fault: Exception) -> str:
    """Return a fault with the labels of the form instead of the names of columns."""
    faults = fault.faults if isinstance(fault, ServiceProblem) else None
    if isinstance(fault, FieldFaultError):
        faults = {fault.field: fault.rule}
    if not faults or "changes" in faults:
        return "Nothing was changed."
    named = ((name.removeprefix("changes."), rule) for name, rule in faults.items())
    return "; ".join(f"{console.LABELS.get(name, name)}: {rule}" for name, rule in named)
