"""Claims of places: who may claim, how a claim is confirmed, and its messages by e-mail and
telephone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, NamedTuple

from litestar.types import Scope

from schemas.api.operators import NewPantryClaim, PantryClaim
from schemas.values.place_fields import plain_text
from schemas.vocab.reviews import CLAIMABLE_TYPES
from schemas.words import Words, say
from serving.context import context_of
from serving.http.answers import Header
from serving.http.errors import ServiceProblem, invalid, release_of
from serving.http.rate_limits import client_address, store_problems
from serving.operators.own_addresses import is_own_address
from serving.places.detail import read_record
from serving.processes.notifications import can_mail, can_text
from serving.render.words import words
from warehouse.index.reader import OpenRelease
from warehouse.operations import claims as claim_store
from warehouse.operations.claims import Claim, UnknownTokenError
from warehouse.operations.contacts import is_public_mailbox
from warehouse.operations.limits import take_turn
from warehouse.operations.outbox import (
    NewMessage,
    NotContactedError,
    RecipientLimitError,
    enqueue,
)

CLAIMS_AN_HOUR = 10
_LINK_TEXT = """Someone, we hope you, claimed {name} in the food directory.

To confirm, open this link within three days:
{link}

If it was not you, ignore this e-mail. Nothing happens.

----

Alguien, esperamos que usted, registró {name} en el directorio de comida.

Para confirmar, abra este enlace en los próximos tres días:
{link}

Si no fue usted, ignore este correo. No pasará nada.
"""


def _words(outcome: str, **values: object) -> Words:
    """Return the sentences on a claim, in both languages."""
    return say(lambda language: words("claims", language).saved[outcome].format(**values))


class ClaimedBeforeError(ServiceProblem):
    """The mailbox claimed the place before, and this request does not get the token. `words`:
    advice."""

    def __init__(self, kind: str, message: Words, headers: tuple[Header, ...] = ()) -> None:
        super().__init__(kind, message.en, headers=headers)
        self.words = message


@asynccontextmanager
async def claim_problems() -> AsyncIterator[None]:
    """Turn faults of the store and unknown tokens in the block into answers: 503, 429 and 404."""
    try:
        async with store_problems():
            yield
    except UnknownTokenError:
        raise ServiceProblem("unknown-token", "Unknown or expired token.") from None


def now_utc() -> datetime:
    return datetime.now(UTC)


class Place(NamedTuple):
    """A claimed place in the present release; `row` None when it is not listed at present."""

    resource_id: int
    row: int | None


def place_of(release: OpenRelease, resource_id: int) -> Place:
    """Return the place of an id, or of the id that took over."""
    row = release.row_of(resource_id)
    if row is None:
        _, successor = release.find_gone(resource_id)
        if successor is not None:
            return Place(successor, release.row_of(successor))
    return Place(resource_id, row)


async def claim_place(scope: Scope, pantry_claim: NewPantryClaim) -> PantryClaim:
    """Store a claim. Raises ServiceProblem: 404 or 410 for the place, 409 (ClaimedBeforeError),
    429, 503.
    """
    context, release = context_of(scope), release_of(scope)
    place = place_of(release, pantry_claim.resource_id)
    if place.row is None:
        was_listed, _ = release.find_gone(pantry_claim.resource_id)
        kind = "gone" if was_listed else "unknown-resource"
        raise ServiceProblem(kind, f"There is no resource {pantry_claim.resource_id} to claim.")
    if not is_public_mailbox(pantry_claim.operator_email):
        raise invalid("operator_email", "an address that receives e-mail from the Internet")
    record = read_record(release, place.row)
    if record["resource_type"] not in CLAIMABLE_TYPES:
        raise ServiceProblem(
            "invalid-parameter",
            "resource_id: places of this type cannot be claimed",
            {"resource_id": "a place that hands out food"},
        )
    store, address, now = context.store, client_address(scope), now_utc()
    new = claim_store.NewClaim(
        place.resource_id,
        pantry_claim.operator_email.strip(),
        plain_text(pantry_claim.operator_phone),
        plain_text(pantry_claim.operator_name),
        address,
    )
    is_limited = context.settings.limits.lower() != "off"
    mails = can_mail(context.settings)

    def work(db: Any) -> tuple[claim_store.ClaimResult, _Link]:
        if is_limited:
            take_turn(db, "claims", address, CLAIMS_AN_HOUR, 3600, now)
        result = claim_store.make_claim(db, new, now)
        if not mails or result.claim.state == "revoked":
            return result, _Link("none")
        return result, _queue_link(db, context.settings.url, record["name"], result.claim, now)

    async with store_problems():
        result, link = await store.transact(work)
    context.courier.wake()
    if result.token is None:
        advice = _words(f"again_{link.outcome}", hours=-(-link.retry_seconds // 3600))
        if link.outcome != "full":
            raise ClaimedBeforeError("already-claimed", advice)
        headers = ((b"retry-after", b"%d" % link.retry_seconds),)
        raise ClaimedBeforeError("too-many-requests", advice, headers)
    message = _words("contested" if result.claim.state == "contested" else link.outcome)
    return PantryClaim(
        success=True,
        claim_token=result.token,
        dashboard_url=f"{context.settings.url}/pantry/manage/{result.token}",
        state=result.claim.state,  # type: ignore[arg-type]
        is_link_sent=link.outcome == "link",
        message=message.en,
        message_es=message.es,
    )


class _Link(NamedTuple):
    """Outcome of the link by e-mail: `link` (queued), `full` (the mailbox is at its limit),
    `none` (not set up)."""

    outcome: str
    retry_seconds: int = 0


def _queue_link(db: Any, url: str, name: str, claim: Claim, now: datetime) -> _Link:
    """Queue the e-mail with a link to confirm, unless its mailbox is at its limit."""
    try:
        with db.begin_nested():
            secret = claim_store.email_secret(db, claim.claim_id, now)
            # A name is one line: a line break in it would begin another header.
            one_line = " ".join(name.split())
            subject = words("claims", "en").subject.format(name=one_line)
            body = _LINK_TEXT.format(name=one_line, link=f"{url}/pantry/confirm/{secret}")
            enqueue(
                db,
                NewMessage(
                    "email",
                    claim.operator_email,
                    subject,
                    body,
                    f"claim {claim.claim_id}",
                    now + claim_store.LINK_LIFE,
                ),
                now,
            )
    except RecipientLimitError as error:
        return _Link("full", error.retry_seconds)
    return _Link("link")


# ---------------------------------------------------------------- proofs


async def confirm_by_link(scope: Scope, secret: str) -> tuple[Claim, str]:
    """Return the claim of a link and its fresh token. Raises ServiceProblem (404, 503)."""
    context, release, now = context_of(scope), release_of(scope), now_utc()
    claim = await claim_of_link(scope, secret)

    def is_proof() -> bool:
        """Return whether reading the claim's mail proves who runs the place. Queries the
        database."""
        row = place_of(release, claim.resource_id).row
        email = claim.operator_email
        return row is not None and is_own_address(release, email, read_record(release, row))

    is_listed = await asyncio.to_thread(is_proof)
    async with claim_problems():
        claim_and_token = await context.store.transact(
            lambda db: claim_store.use_email_secret(db, secret, is_listed=is_listed, now=now)
        )
    await context.live.refresh()
    return claim_and_token


async def claim_of_link(scope: Scope, secret: str) -> Claim:
    """Return the claim a link belongs to; the link stays good. Raises ServiceProblem (404, 503)."""
    now = now_utc()
    async with claim_problems():
        return await context_of(scope).store.fetch(
            lambda db: claim_store.claim_of_secret(db, secret, now)
        )


async def send_code(scope: Scope, token: str) -> Claim:
    """Send a code to the place's listed telephone. Raises ServiceProblem (404, 409, 429, 503)."""
    context, release, now = context_of(scope), release_of(scope), now_utc()
    store = context.store

    def work(db: Any) -> tuple[Claim, bool]:
        claim = claim_store.claim_by_token(db, token, now)
        row = place_of(release, claim.resource_id).row
        phone = read_record(release, row)["phone_e164"] if row is not None else None
        if not phone or not can_text(context.settings):
            return claim, False
        code = claim_store.phone_code(db, claim.claim_id, now)
        text = (
            f"{code} is the code to confirm your food pantry. / {code} es el código para "
            "confirmar su despensa."
        )
        enqueue(
            db,
            NewMessage(
                "phone", phone, "", text, f"claim {claim.claim_id}", now + claim_store.CODE_LIFE
            ),
            now,
        )
        return claim, True

    try:
        async with claim_problems():
            claim, is_queued = await store.transact(work)
    except NotContactedError:
        is_queued = False
    except RecipientLimitError as error:
        hours = -(-error.retry_seconds // 3600)
        raise ServiceProblem(
            "too-many-requests",
            f"This telephone got three messages in the last 24 hours. Try again in {hours} hours, "
            "or ask an administrator to confirm the claim.",
            headers=((b"retry-after", b"%d" % error.retry_seconds),),
        ) from None
    if not is_queued:
        raise ServiceProblem("not-available", "We cannot send a code to this place's phone number.")
    context.courier.wake()
    return claim


async def confirm_by_code(scope: Scope, token: str, code: str) -> Claim:
    """Return the claim once the code is right. Raises ServiceProblem (400, 404, 503)."""
    context, now = context_of(scope), now_utc()

    def work(db: Any) -> tuple[bool, Claim]:
        claim = claim_store.claim_by_token(db, token, now)
        is_right = claim_store.use_phone_code(db, claim, code, now)
        return is_right, claim_store.claim_by_id(db, claim.claim_id)

    async with claim_problems():
        is_right, claim = await context.store.transact(work)
    if not is_right:
        raise ServiceProblem("wrong-code", "The code is wrong or has expired.")
    await context.live.refresh()
    return claim
