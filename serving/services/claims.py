"""Claiming a place: who may, how it is confirmed, and what goes out by e-mail and telephone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from litestar.types import Scope

from schemas.api.operators import NewPantryClaim, PantryClaim
from schemas.values.clock_words import Words
from schemas.values.place_fields import plain_text
from schemas.vocab.operators import CLAIMABLE_TYPES
from serving.context import Context, context_of
from serving.errors import ServiceProblem, release_of
from serving.limits import client_address, store_problems
from serving.mail import can_mail, can_text, mail_later, text_later
from serving.services.single import stored_of
from warehouse.operations import claims as kept
from warehouse.operations.claims import Claim, UnknownTokenError
from warehouse.operations.limits import take_turn
from warehouse.reader import OpenRelease

CLAIMS_AN_HOUR = 10
# Of links to one place and address: nobody's mailbox is to be filled.
_LINKS_A_DAY = 5
# Hosts of many people's pages and mailboxes: an address there is nobody's own.
_SHARED_HOSTS = frozenset(
    ["gmail.com", "googlemail.com", "google.com", "yahoo.com", "outlook.com", "hotmail.com", "live.com", "aol.com", "icloud.com", "me.com", "msn.com", "proton.me", "protonmail.com", "gmx.com", "mail.com", "comcast.net", "verizon.net", "att.net", "sbcglobal.net", "bellsouth.net", "facebook.com", "instagram.com", "twitter.com", "x.com", "youtube.com", "linktr.ee", "wixsite.com", "wix.com", "wordpress.com", "weebly.com", "squarespace.com", "blogspot.com", "sites.google.com", "github.io", "godaddysites.com", "business.site"]
)  # fmt: skip
_SUBJECT = Words("Confirm your claim of {name}", "Confirme que usted atiende {name}")
_WORDS = {
    "new_mail": Words(
        "Claimed. We sent a link to your e-mail address: follow it to confirm. Keep this token, it is told once.",
        "Registrado. Le enviamos un enlace a su correo: ábralo para confirmar. Guarde esta clave, se muestra una sola vez.",
    ),
    "new": Words(
        "Claimed. Keep this token, it is told once. An administrator confirms the claim.",
        "Registrado. Guarde esta clave, se muestra una sola vez. Un administrador confirmará el registro.",
    ),
    "contested": Words(
        "Somebody else claimed this place before. An administrator decides. Keep this token, it is told once.",
        "Otra persona registró antes este lugar. Decide un administrador. Guarde esta clave, se muestra una sola vez.",
    ),
    "again_mail": Words(
        "You claimed this place before. We sent a link to your e-mail address that gives you a new token.",
        "Usted ya registró este lugar. Le enviamos a su correo un enlace que le da una clave nueva.",
    ),
    "again": Words(
        "You claimed this place before. If you lost your token, ask an administrator.",
        "Usted ya registró este lugar. Si perdió su clave, pídasela a un administrador.",
    ),
}


def unknown_token() -> ServiceProblem:
    """The one answer to every token that opens nothing here."""
    return ServiceProblem("unknown-token", "This token opens nothing here.")


def now_utc() -> datetime:
    return datetime.now(UTC)


class Place(NamedTuple):
    """A claimed place in the present release; `row` None when it is not listed at present."""

    resource_id: int
    row: int | None


def place_of(release: OpenRelease, resource_id: int) -> Place:
    """The place of an id, or of the id that took over."""
    row = release.row_of(resource_id)
    if row is None:
        _, successor = release.gone(resource_id)
        if successor is not None:
            return Place(successor, release.row_of(successor))
    return Place(resource_id, row)


async def claimed(scope: Scope, asked: NewPantryClaim) -> PantryClaim:
    """Store a claim. Raises ServiceProblem: 404 or 410 for the place, 429, 503."""
    context, release = context_of(scope), release_of(scope)
    place = place_of(release, asked.resource_id)
    if place.row is None:
        was_listed, _ = release.gone(asked.resource_id)
        kind = "gone" if was_listed else "unknown-resource"
        raise ServiceProblem(kind, f"There is no resource {asked.resource_id} to claim.")
    record = stored_of(release, place.row)
    if record["resource_type"] not in CLAIMABLE_TYPES:
        raise ServiceProblem("invalid-parameter", "resource_id: places of this type cannot be claimed", {"resource_id": "a place that hands out food"})  # fmt: skip
    new = kept.NewClaim(place.resource_id, asked.operator_email.strip(), plain_text(asked.operator_phone), plain_text(asked.operator_name))  # fmt: skip
    store, address, now = context.store, client_address(scope), now_utc()
    is_limited = context.settings.limits.lower() != "off"
    mails = can_mail(context)

    def work(db: Any) -> tuple[kept.Claimed, str | None]:
        if is_limited:
            take_turn(store, db, "claims", address, CLAIMS_AN_HOUR, 3600, now)
        made = kept.make_claim(store, db, new, now)
        secret = None
        if mails and made.claim.state != "revoked" and (made.token is not None or kept.links_since(db, made.claim.claim_id, now) < _LINKS_A_DAY):  # fmt: skip
            secret = kept.email_secret(db, made.claim.claim_id, now)
        return made, secret

    async with store_problems():
        made, secret = await store.written(work)
    if secret is not None:
        _mail_link(context, record["name"], made.claim, secret)
    return _answer(context, made, is_link_sent=secret is not None)


def _answer(context: Context, made: kept.Claimed, *, is_link_sent: bool) -> PantryClaim:
    url = context.settings.url
    if made.token is None:
        words = _WORDS["again_mail" if is_link_sent else "again"]
    elif made.claim.state == "contested":
        words = _WORDS["contested"]
    else:
        words = _WORDS["new_mail" if is_link_sent else "new"]
    return PantryClaim(
        success=True,
        claim_token=made.token,
        dashboard_url=f"{url}/pantry/manage/{made.token}" if made.token else f"{url}/pantry/manage",
        # Whoever asks again need not be the one who claimed: they learn nothing of how it went on.
        state=made.claim.state if made.token else "unconfirmed",  # type: ignore[arg-type]
        is_link_sent=is_link_sent,
        message=words.en,
        message_es=words.es,
    )


def _mail_link(context: Context, name: str, claim: Claim, secret: str) -> None:
    link = f"{context.settings.url}/pantry/confirm/{secret}"
    # A name is one line: a line break in it would begin another header.
    shown = " ".join(name.split())
    text = (
        f"Somebody, we hope you, claimed {shown} in the food directory.\n\nTo confirm, open this link within three days:\n{link}\n\n"
        "Were it not you, ignore this e-mail: nothing happens.\n\n----\n\n"
        f"Alguien, esperamos que usted, registró {shown} en el directorio de comida.\n\nPara confirmar, abra este enlace en los próximos tres días:\n{link}\n\n"
        "Si no fue usted, no haga caso de este correo: no pasará nada.\n"
    )
    mail_later(context, claim.operator_email, _SUBJECT.en.format(name=shown), text)


# ---------------------------------------------------------------- proofs


async def confirmed_by_link(scope: Scope, secret: str) -> tuple[Claim, str]:
    """The claim of a link and its fresh token. Raises ServiceProblem (404, 503)."""
    context, release, now = context_of(scope), release_of(scope), now_utc()

    def work(db: Any) -> tuple[Claim, str]:
        claim = kept.claim_of_secret(db, secret, now)
        return kept.use_email_secret(db, secret, is_listed=_confirms(context, release, claim), now=now)  # fmt: skip

    try:
        async with store_problems():
            found = await context.store.written(work)
    except UnknownTokenError:
        raise unknown_token() from None
    await context.live.refresh()
    return found


async def claim_of_link(scope: Scope, secret: str) -> Claim:
    """The claim a link belongs to; the link stays good. Raises ServiceProblem (404, 503)."""
    now = now_utc()
    try:
        async with store_problems():
            return await context_of(scope).store.fetched(lambda db: kept.claim_of_secret(db, secret, now))  # fmt: skip
    except UnknownTokenError:
        raise unknown_token() from None


def _confirms(context: Context, release: OpenRelease, claim: Claim) -> bool:
    if context.settings.email_confirms.lower() == "any":
        return True
    row = place_of(release, claim.resource_id).row
    return row is not None and is_own_address(claim.operator_email, stored_of(release, row)["website"])  # fmt: skip


def is_own_address(email: str, website: str | None) -> bool:
    """Whether an e-mail address is of the host of a place's listed website, and that host is one's own."""
    if not website:
        return False
    host = (urlsplit(website if "//" in website else f"//{website}").hostname or "").removeprefix("www.")  # fmt: skip
    domain = email.rpartition("@")[2].strip().lower()
    return bool(host) and domain == host.lower() and domain not in _SHARED_HOSTS


async def code_sent(scope: Scope, token: str) -> Claim:
    """Send a code to the place's listed telephone. Raises ServiceProblem (404, 409, 429, 503)."""
    context, release, now = context_of(scope), release_of(scope), now_utc()

    def work(db: Any) -> tuple[Claim, str | None, str | None]:
        claim = kept.claim_by_token(db, token, now)
        row = place_of(release, claim.resource_id).row
        phone = stored_of(release, row)["phone_e164"] if row is not None else None
        usable = phone if can_text(context) else None
        return claim, usable, kept.phone_code(db, claim.claim_id, now) if usable else None

    try:
        async with store_problems():
            claim, phone, code = await context.store.written(work)
    except UnknownTokenError:
        raise unknown_token() from None
    if phone is None:
        raise ServiceProblem("not-available", "No code can be sent to this place's telephone.")
    if code is None:
        raise ServiceProblem("too-many-requests", "Three codes were sent today. Try again tomorrow.", headers=((b"retry-after", b"86400"),))  # fmt: skip
    text_later(context, phone, f"{code} is the code to confirm your food pantry. / {code} es el código para confirmar su despensa.")  # fmt: skip
    return claim


async def confirmed_by_code(scope: Scope, token: str, code: str) -> Claim:
    """The claim once the code is right. Raises ServiceProblem (400, 404, 503)."""
    context, now = context_of(scope), now_utc()

    def work(db: Any) -> tuple[bool, Claim]:
        claim = kept.claim_by_token(db, token, now)
        is_right = kept.use_phone_code(db, claim, code, now)
        return is_right, kept.claim_by_id(db, claim.claim_id)

    try:
        async with store_problems():
            is_right, claim = await context.store.written(work)
    except UnknownTokenError:
        raise unknown_token() from None
    if not is_right:
        raise ServiceProblem("wrong-code", "The code is wrong or no longer good.")
    await context.live.refresh()
    return claim
