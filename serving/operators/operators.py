"""Operators' actions on a claim: find their place, report, review their reports, end the claim."""

import contextlib
import math
from datetime import datetime
from typing import Any, TypeVar

import msgspec
from litestar.types import Scope

from schemas.api import operators as shapes
from schemas.values.coordinates import chord_to_miles, miles_to_chord, round_miles
from schemas.values.instants import instant_text
from schemas.values.names import without_accents
from schemas.values.place_fields import plain_text
from serving.context import Context, context_of
from serving.http.errors import invalid, release_of
from serving.http.rate_limits import client_address, store_problems
from serving.operators.claims import claim_problems, now_utc, place_of
from serving.places import proposals
from serving.places.detail import read_record
from serving.search.start import start_of_zip
from warehouse.index.points import MODE_TYPES
from warehouse.index.reader import OpenRelease
from warehouse.operations import claims as claim_store
from warehouse.operations import reports as report_store
from warehouse.operations.claims import Claim
from warehouse.operations.engine import StoreUnavailableError, Work
from warehouse.operations.limits import client_hash, take_turn
from warehouse.operations.reviews import queue_edit

T = TypeVar("T")
SEARCH_MILES, SEARCH_COUNT = 5.0, 25
_PANTRIES = MODE_TYPES["free"]


# ---------------------------------------------------------------- search


async def claimable(scope: Scope, zip_code: str, name: str | None) -> shapes.ClaimablePantries:
    """Find pantries to claim within 5 miles of a ZIP code. Raises ServiceProblem (400, 404)."""
    context, release = context_of(scope), release_of(scope)
    start = start_of_zip(release, zip_code)
    hits = release.spatial.select(_PANTRIES).within(start.at, miles_to_chord(SEARCH_MILES)).hits()
    fragment = _fold(name or "")
    matches: list[tuple[dict[str, Any], float]] = []
    for square, row in hits:
        record = read_record(release, row)
        miles = round_miles(chord_to_miles(math.sqrt(square)), release.precision_of(row))
        if fragment in _fold(record["name"]) and miles <= SEARCH_MILES:
            matches.append((record, miles))
        if len(matches) == SEARCH_COUNT:
            break
    ids = [record["id"] for record, _ in matches]
    confirmed_ids: set[int] | None = None  # unknown without the store
    with contextlib.suppress(StoreUnavailableError):
        confirmed_ids = await context.store.fetch(
            lambda db: claim_store.find_confirmed_places(db, ids)
        )
    places = [
        shapes.ClaimablePantry(
            **_members(shapes.ClaimablePantry, record),
            distance_miles=miles,
            is_claimed=None if confirmed_ids is None else record["id"] in confirmed_ids,
        )
        for record, miles in matches
    ]
    return shapes.ClaimablePantries(
        True,
        start.location.zip or zip_code,
        SEARCH_MILES,
        len(places),
        places,
        release.is_synthetic,
        release.release_id,
    )


def _members(shape: type[msgspec.Struct], record: dict[str, Any]) -> dict[str, Any]:
    """Return the members of a record that a shape has too."""
    return {name: record[name] for name in shape.__struct_fields__ if name in record}


def _fold(text: str) -> str:
    """Return small letters without accents."""
    return " ".join(without_accents(text.casefold()).split())


# ---------------------------------------------------------------- reports


async def store_report(
    scope: Scope, pantry_status: shapes.NewPantryStatus, request_key: str | None = None
) -> shapes.StatusReceipt:
    """Store a report; it is shown when this returns. Raises ServiceProblem (404, 429, 503)."""
    context, release = context_of(scope), release_of(scope)
    levels = {} if pantry_status.inventory is None else msgspec.to_builtins(pantry_status.inventory)
    inventory = {item: level for item, level in levels.items() if level is not None}
    new = report_store.NewReport(
        pantry_status.status, plain_text(pantry_status.notes), inventory, request_key
    )
    now = now_utc()

    def work(db: Any) -> tuple[Claim, report_store.Report]:
        claim = claim_store.claim_by_token(db, pantry_status.claim_token, now)
        place = place_of(release, claim.resource_id).resource_id
        if pantry_status.resource_id not in {None, claim.resource_id, place}:
            raise claim_store.UnknownTokenError
        return claim, report_store.add_report(db, claim.claim_id, place, new, now)

    claim, report = await with_token(context, work)
    await context.live.refresh()
    entry = context.live.table.entries.get(report.resource_id)
    is_confirmed = claim.state == "confirmed"
    return shapes.StatusReceipt(
        success=True,
        id=report.status_id,
        resource_id=report.resource_id,
        status=pantry_status.status,
        reported_at=instant_text(report.reported_at),
        expires_at=instant_text(report.expires_at),
        is_confirmed=is_confirmed,
        is_shown=entry is not None
        and (entry.reported_at, entry.is_confirmed) == (report.reported_at, is_confirmed),
    )


async def correct_hours(scope: Scope, token: str, hours_text: str) -> None:
    """Queue other hours of the claim's place for review. Raises ServiceProblem (400, 404, 410,
    429, 503)."""
    context, release, now = context_of(scope), release_of(scope), now_utc()
    store, text = context.store, plain_text(hours_text)
    if text is None:
        raise invalid("hours_text", "the opening hours")
    async with claim_problems():
        claim = await store.fetch(lambda db: claim_store.claim_by_token(db, token, now))
    place = place_of(release, claim.resource_id)
    record = proposals.record_of(release, place.resource_id, now)
    changes, base, _ = proposals.read_changes(record, {"hours_text": text})
    # Only a confirmed operator's word is marked as such for the reviewer.
    claim_id = claim.claim_id if claim.state == "confirmed" else None
    address = client_address(scope)
    is_limited = context.settings.limits.lower() != "off"

    def queue(db: Any) -> int:
        if is_limited:
            take_turn(db, "edits", address, 20, 3600, now)
        network = client_hash(db, address, now)
        return queue_edit(
            db,
            place.resource_id,
            changes,
            base,
            claim.operator_email,
            now,
            network=network,
            claim_id=claim_id,
        )

    async with store_problems():
        await store.transact(queue)


async def withdraw(scope: Scope, token: str) -> Claim:
    """Take back the claim's reports of the last 24 hours. Raises ServiceProblem (404, 503)."""
    now = now_utc()

    def work(db: Any) -> Claim:
        claim = claim_store.claim_by_token(db, token, now)
        report_store.withdraw_reports(db, claim.claim_id, now)
        return claim

    claim = await with_token(context_of(scope), work)
    await context_of(scope).live.refresh()
    return claim


async def with_token(context: Context, work: Work[T]) -> T:
    """Return the result of a write that needs a token. Raises ServiceProblem (404, 429, 503)."""
    async with claim_problems():
        return await context.store.transact(work)


def current(context: Context, release: OpenRelease, row: int) -> shapes.CurrentStatus:
    """Return the report shown for a place now."""
    resource_id = release.id_of(row)
    return shapes.CurrentStatus(
        True, resource_id, read_record(release, row)["name"], live_of(context, resource_id)
    )


def live_of(context: Context, resource_id: int) -> shapes.LiveStatus | None:
    """Return the report now shown for an id, with any reporter's notes."""
    entry = context.live.table.entry_of(resource_id)
    if entry is None:
        return None
    status = msgspec.json.decode(entry.text, type=shapes.LiveStatus)
    status.notes = entry.notes
    return status


# ---------------------------------------------------------------- dashboard


async def manage_claim(scope: Scope, token: str) -> shapes.ManagedPantry:
    """Return the dashboard of a claim. Raises ServiceProblem (404, 503)."""
    context, release, now = context_of(scope), release_of(scope), now_utc()

    def work(db: Any) -> tuple[Claim, list[report_store.Report]]:
        claim = claim_store.claim_by_token(db, token, now)
        return claim, report_store.recent_reports(db, claim.claim_id)

    async with claim_problems():
        claim, reports = await context.store.fetch(work)
    place = find_claimed_place(release, claim.resource_id, now)
    return shapes.ManagedPantry(
        success=True,
        claim=shapes.ClaimFacts(
            id=claim.claim_id,
            resource_id=claim.resource_id,
            operator_email=claim.operator_email,
            operator_name=claim.operator_name,
            operator_phone=claim.operator_phone,
            state=claim.state,  # type: ignore[arg-type]
            confirmed_by=claim.confirmed_by,  # type: ignore[arg-type]
            created_at=instant_text(claim.created_at),
            confirmed_at=None if claim.confirmed_at is None else instant_text(claim.confirmed_at),
            expires_at=instant_text(claim.expires_at),
        ),
        resource=place,
        current_status=live_of(context, place.id),
        recent_statuses=[
            shapes.PastReport(
                report.status_id,
                report.status,  # type: ignore[arg-type]
                report.notes,
                msgspec.convert(report.inventory, shapes.Inventory),
                instant_text(report.reported_at),
                instant_text(report.expires_at),
                report.withdrawn_at is not None,
            )
            for report in reports
        ],
        poster_url=f"{context.settings.url}/pantry/{place.id}/poster",
    )


async def rotate_token(scope: Scope, token: str) -> tuple[Claim, str]:
    """Return a claim and its new token; the one given is dead. Raises ServiceProblem (404, 503)."""
    now = now_utc()

    def work(db: Any) -> tuple[Claim, str]:
        claim = claim_store.claim_by_token(db, token, now)
        return claim, claim_store.rotate(db, claim.claim_id, f"claim {claim.claim_id}", now)

    return await with_token(context_of(scope), work)


async def revoke_claim(scope: Scope, token: str) -> None:
    """End a claim; its reports disappear. Raises ServiceProblem (404, 503)."""
    now = now_utc()

    def work(db: Any) -> None:
        claim = claim_store.claim_by_token(db, token, now)
        claim_store.revoke(db, claim.claim_id, f"claim {claim.claim_id}", now)

    await with_token(context_of(scope), work)
    await context_of(scope).live.refresh()


def find_claimed_place(
    release: OpenRelease, resource_id: int, now: datetime
) -> shapes.ClaimedPlace:
    """Return the listing behind a claim; little is known of one that is currently not listed."""
    place = place_of(release, resource_id)
    if place.row is None:
        return shapes.ClaimedPlace(
            place.resource_id,
            f"#{place.resource_id}",
            "",
            None,
            None,
            "",
            None,
            None,
            "unknown",
            None,
            f"/api/resources/{place.resource_id}",
            is_listed=False,
        )
    record: dict[str, Any] = msgspec.json.decode(release.record(place.row, now))
    url = f"/api/resources/{record['id']}"
    return shapes.ClaimedPlace(
        **_members(shapes.ClaimedPlace, record) | {"url": url, "is_listed": True}
    )
