"""Reviews submissions: stored once, decided by a person, reversible; each step has an audit row.

All functions work in the caller's transaction. States: pending, approved, rejected.
"""

import contextlib
import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, Table, delete, select, update

from schemas.values.place_fields import place_key
from schemas.vocab.reviews import ClosureCause
from warehouse.operations import audit
from warehouse.operations.engine import Store
from warehouse.operations.limits import client_hash, network_of
from warehouse.operations.models import CLOSURES, EDITS, LIVE_CHANGES, MERGE_DECISIONS, SUBMISSIONS
from warehouse.operations.reports import mark_changed
from warehouse.operations.rows import Page, count_rows, insert_into, page_after, request_digest

Kind = Literal["submission", "edit"]
Decision = Literal["approved", "rejected"]
TABLES: dict[Kind, Table] = {"submission": SUBMISSIONS, "edit": EDITS}


class Submitter(NamedTuple):
    """Sender of a submission; any member may be unknown."""

    email: str | None = None
    name: str | None = None
    relationship: str | None = None


class DuplicateError(Exception):
    """The same place was approved, or is pending from this client; `item` is its number."""

    def __init__(self, item: int) -> None:
        super().__init__(f"submission {item} describes the same place")
        self.item = item


class NotPossibleError(Exception):
    """The item's state does not allow the decision; the message gives the reason."""


def digest(*parts: object) -> str:
    """Return 64 hex digits for a key column."""
    return hashlib.sha256("\x1f".join(map(str, parts)).encode()).hexdigest()


def as_json(value: object) -> str:
    """Return JSON with sorted members: equal values give equal texts."""
    return msgspec.json.encode(value, order="deterministic").decode()


def insert_once(db: Connection, table: Table, row: Mapping[str, Any]) -> bool:
    """Insert a row unless a key is taken; return whether it was inserted."""
    statement = insert_into(db, table).on_conflict_do_nothing().values(dict(row))
    return db.execute(statement.returning(_key(table))).first() is not None


# ---------------------------------------------------------------- taking in


def find_replayed(db: Connection, request_key: str, address: str) -> int | None:
    """Return the submission stored by an earlier send of a client's same request, if any."""
    key = request_digest(db, "submissions", network_of(address), request_key)
    query = select(SUBMISSIONS.c.submission_id).where(SUBMISSIONS.c.request_key == key)
    number: int | None = db.execute(query).scalar()
    return number


def submit(
    db: Connection,
    place: Mapping[str, Any],
    submitter: Submitter,
    now: datetime,
    address: str,
    request_key: str | None = None,
) -> int:
    """Store a pending place; return its number. Raises DuplicateError if one of its name and ZIP
    code was approved, or is pending from the same client.

    Another client's pending one does not stop it, right or wrong: the reviewer sees both.
    """
    if request_key and (earlier := find_replayed(db, request_key, address)) is not None:
        return earlier
    network, client = client_hash(db, address, now), network_of(address)
    row = {
        "state": "pending",
        "place_key": digest(place_key(place["name"], place["zip"])),
        "request_key": request_digest(db, "submissions", client, request_key)
        if request_key
        else None,
        "place_json": as_json(place),
        "zip": place["zip"],
        "submitter_email": submitter.email,
        "submitter_name": submitter.name,
        "submitter_relationship": submitter.relationship,
        "network": network,
        "submitted_at": now,
    }
    own = SUBMISSIONS.c
    is_taken = (own.state == "approved") | ((own.state == "pending") & (own.network == network))
    twin = select(own.submission_id).where(own.place_key == row["place_key"], is_taken)
    if (number := db.execute(twin).scalar()) is not None:
        raise DuplicateError(number)
    insertion = SUBMISSIONS.insert().values(row).returning(own.submission_id)
    item: int = db.execute(insertion).scalar_one()
    audit.record(db, "public", "submitted", f"submission {item}", now)
    return item


def same_places(db: Connection, row: Row[Any]) -> list[Row[Any]]:
    """Return the other submissions of a submission's name and ZIP code that were not rejected."""
    own = SUBMISSIONS.c
    query = select(SUBMISSIONS).where(
        own.place_key == row.place_key,
        own.submission_id != row.submission_id,
        own.state != "rejected",
    )
    return list(db.execute(query.order_by(own.submission_id)))


def queue_edit(
    db: Connection,
    resource_id: int,
    changes: Mapping[str, Any],
    base: Mapping[str, Any],
    submitted_by: str | None,
    now: datetime,
    *,
    network: str = "",
    claim_id: int | None = None,
    by: str | None = None,
) -> int:
    """Queue changes of a listed place for review; return the number. Equal pending changes of the
    public are stored once, and so are those of one operator.

    `claim_id` names a confirmed claim: then the changes are an operator's own. `by`: the
    administrator who makes them.
    """
    open_key = digest("edit", resource_id, claim_id or "community", as_json(changes))
    row = {
        "resource_id": resource_id,
        "state": "pending",
        "authority": "community" if claim_id is None else "operator",
        "claim_id": claim_id,
        "changes_json": as_json(changes),
        "base_json": as_json(base),
        "open_key": open_key,
        "submitted_by": submitted_by,
        "network": network or None,
        "submitted_at": now,
    }
    is_new = insert_once(db, EDITS, row)
    item: int = db.execute(select(EDITS.c.edit_id).where(EDITS.c.open_key == open_key)).scalar_one()
    if is_new:
        actor = by or "partner" if claim_id is None else f"claim {claim_id}"
        audit.record(
            db, actor, "edited", f"edit {item}", now, resource=resource_id, fields=sorted(changes)
        )
    return item


# ---------------------------------------------------------------- reading


def item_of(db: Connection, kind: Kind, number: int) -> Row[Any] | None:
    """Return one item with all its fields."""
    table = TABLES[kind]
    return db.execute(select(table).where(_key(table) == number)).first()


class QueueFilter(NamedTuple):
    """What a reviewer looks for; None is no condition. `network`: a hash, as stored."""

    state: str = "pending"
    resource_id: int | None = None
    zip: str | None = None
    network: str | None = None
    resource_type: str | None = None
    us_state: str | None = None
    field: str | None = None


def queue(db: Connection, kind: Kind, wanted: QueueFilter, after: int | None = None) -> Page:
    """Return a page of items, the newest first."""
    table = TABLES[kind]
    query = select(table).where(table.c.state == wanted.state)
    for name in ("resource_id", "zip", "network"):
        value = getattr(wanted, name)
        if value is not None and name in table.c:
            query = query.where(table.c[name] == value)
    # Members of the stored JSON, which `as_json` writes without blanks.
    members = []
    if kind == "submission":
        values = {"resource_type": wanted.resource_type, "state": wanted.us_state}
        members = [f'"{name}":"{value}"' for name, value in values.items() if value]
    elif wanted.field:
        members = [f'"{wanted.field}":']
    content = table.c.place_json if kind == "submission" else table.c.changes_json
    for member in members:
        query = query.where(content.contains(member, autoescape=True))
    return page_after(db, query, _key(table), after)


def edits_of(db: Connection, resource_id: int) -> list[Row[Any]]:
    """Return all edits of a place, the newest first."""
    query = select(EDITS).where(EDITS.c.resource_id == resource_id)
    return list(db.execute(query.order_by(EDITS.c.edit_id.desc())))


def reject_network(
    db: Connection, kind: Kind, network: str, actor: str, now: datetime, reason: str
) -> int:
    """Reject all pending items of a network; return their number."""
    table = TABLES[kind]
    of_network: ColumnElement[bool] = (table.c.network == network) & (table.c.state == "pending")
    numbers = list(db.execute(select(_key(table)).where(of_network)).scalars())
    for number in numbers:
        decide(db, kind, number, "rejected", actor, now, reason=reason)
    return len(numbers)


def waiting(db: Connection) -> dict[Kind, int]:
    """Return the number of pending items of each kind."""
    return {
        kind: count_rows(db, table, table.c.state == "pending") for kind, table in TABLES.items()
    }


def _key(table: Table) -> Any:
    return next(iter(table.primary_key))


# ---------------------------------------------------------------- deciding


def decide(
    db: Connection,
    kind: Kind,
    number: int,
    decision: Decision,
    actor: str,
    now: datetime,
    *,
    reason: str | None = None,
    is_confirmed: bool = False,
    content: Mapping[str, Any] | None = None,
) -> Row[Any]:
    """Approve or reject a pending item; `content` replaces the submission before approval.

    `is_confirmed`: a person asked the place itself. Raises NotPossibleError if it is no longer
    pending.
    """
    table = TABLES[kind]
    item = item_of(db, kind, number)
    if item is None or item.state != "pending":
        raise NotPossibleError("it has already been decided" if item else "there is no such item")
    values: dict[str, Any] = {
        "state": decision,
        "decided_at": now,
        "decided_by": actor,
        "reason": reason,
        "is_confirmed": is_confirmed and decision == "approved",
    }
    if content is not None:
        values |= {"place_json" if kind == "submission" else "changes_json": as_json(content)}
    if kind == "submission" and decision == "approved":
        place = content or msgspec.json.decode(item.place_json)
        values |= {"zip": place["zip"], "place_key": _free_key(db, place, number)}
    if kind == "edit":
        values["open_key"] = None
    db.execute(update(table).where(_key(table) == number).values(values))
    details = {"reason": reason, "changed": content is not None, "confirmed": is_confirmed}
    told = {name: value for name, value in details.items() if value}
    audit.record(db, actor, decision, f"{kind} {number}", now, **told)
    if kind == "edit" and decision == "approved":
        changes = msgspec.json.decode(values.get("changes_json") or item.changes_json)
        if changes.get("is_active") is False:
            cause = edit_cause(item.authority, is_confirmed=values["is_confirmed"])
            close_place(db, item.resource_id, f"edit {number}", now, cause, reason)
    return item


def edit_cause(authority: str, *, is_confirmed: bool) -> ClosureCause:
    """Return who closed the place; `is_confirmed`: a person asked the place itself."""
    return "operator" if authority == "operator" else "place" if is_confirmed else "review"


def undo(db: Connection, kind: Kind, number: int, actor: str, now: datetime) -> Row[Any]:
    """Return a decided item to the queue. NotPossibleError: it is pending."""
    table = TABLES[kind]
    item = item_of(db, kind, number)
    if item is None or item.state == "pending":
        raise NotPossibleError("it has not been decided")
    undone = dict.fromkeys(("decided_at", "decided_by", "reason"))
    values: dict[str, Any] = {"state": "pending", **undone, "is_confirmed": False}
    if kind == "edit":
        reopen_place(db, item.resource_id, f"edit {number}")
    db.execute(update(table).where(_key(table) == number).values(values))
    audit.record(db, actor, "undone", f"{kind} {number}", now, was=item.state)
    return item


def _free_key(db: Connection, place: Mapping[str, Any], number: int) -> str:
    key = digest(place_key(place["name"], place["zip"]))
    own = SUBMISSIONS.c
    is_other = (own.place_key == key) & (own.state == "approved") & (own.submission_id != number)
    other = db.execute(select(own.submission_id).where(is_other)).scalar()
    if other is not None:
        raise NotPossibleError(f"submission {other} of this name and ZIP code was approved")
    return key


# ---------------------------------------------------------------- retired listings


def close_place(
    db: Connection,
    resource_id: int,
    cause: str,
    now: datetime,
    kind: ClosureCause,
    reason: str | None,
) -> None:
    """Hide a place now, before the next release drops it. The first cause stays.

    `cause` identifies the decision, to undo it; `kind` and the administrator's reason are public.
    """
    if db.execute(select(CLOSURES.c.cause).where(CLOSURES.c.resource_id == resource_id)).first():
        return
    row = {
        "resource_id": resource_id,
        "cause": cause,
        "closed_at": now,
        "cause_kind": kind,
        "reason": reason,
    }
    db.execute(CLOSURES.insert(), row)
    mark_changed(db, [resource_id])


def reopen_place(db: Connection, resource_id: int, cause: str) -> None:
    """Show a place again that was hidden for this cause."""
    closure = CLOSURES.c
    db.execute(delete(CLOSURES).where(closure.resource_id == resource_id, closure.cause == cause))
    mark_changed(db, [resource_id])


# ---------------------------------------------------------------- doubtful merges

Pair = tuple[str, str, str, str]
PAIR_KEYS = ("source_id", "source_key", "other_source_id", "other_source_key")


def decide_pair(db: Connection, pair: Pair, decision: str, actor: str, now: datetime) -> None:
    """Record two source records as "same" or "different"; replaces earlier answers."""
    row = {
        **dict(zip(PAIR_KEYS, pair, strict=True)),
        "decision": decision,
        "decided_at": now,
        "decided_by": actor,
    }
    statement = insert_into(db, MERGE_DECISIONS)
    changes = {name: statement.excluded[name] for name in ("decision", "decided_at", "decided_by")}
    db.execute(statement.on_conflict_do_update(index_elements=PAIR_KEYS, set_=changes), row)
    one, other = f"{pair[0]}:{pair[1]}"[:80], f"{pair[2]}:{pair[3]}"
    audit.record(db, actor, f"merge {decision}", one, now, other=other)


def undo_pair(db: Connection, number: int, actor: str, now: datetime) -> None:
    """Withdraw an answer. Raises NotPossibleError without one."""
    gone = delete(MERGE_DECISIONS).where(MERGE_DECISIONS.c.decision_id == number)
    pair = db.execute(gone.returning(*(MERGE_DECISIONS.c[name] for name in PAIR_KEYS))).first()
    if pair is None:
        raise NotPossibleError("there is no such decision")
    one, other = f"{pair[0]}:{pair[1]}"[:80], f"{pair[2]}:{pair[3]}"
    audit.record(db, actor, "merge undone", one, now, other=other)


def pair_decisions(db: Connection) -> list[Row[Any]]:
    """Return all answers, the newest first."""
    return list(db.execute(select(MERGE_DECISIONS).order_by(MERGE_DECISIONS.c.decision_id.desc())))


# ---------------------------------------------------------------- health

# No place has this id: ids have 53 bits.
_NO_PLACE = 2**53


class _CheckedError(Exception):
    """The row was written and read: undo it."""


def check_writable(store: Store) -> int:
    """Write and read one row about a place, and undo it, blocking; return the number of pending
    submissions. Raises StoreUnavailableError, and the database's own error for a row that the
    tables cannot hold."""
    pending = 0
    with contextlib.suppress(_CheckedError), store.write() as db:
        insert_once(db, LIVE_CHANGES, {"resource_id": _NO_PLACE, "version": 0})
        query = select(LIVE_CHANGES.c.resource_id).where(LIVE_CHANGES.c.resource_id == _NO_PLACE)
        if db.execute(query).scalar() != _NO_PLACE:
            raise LookupError("a row that was written cannot be read")
        pending = int(waiting(db)["submission"])
        raise _CheckedError
    return pending
