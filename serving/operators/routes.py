"""Operators over the API: find a place, claim it, report, manage."""

from functools import partial
from typing import Annotated

from litestar import get, post
from litestar.params import HeaderParameter, JSONBody
from litestar.types import Scope

from schemas.api import operators as shapes
from schemas.values.place_fields import plain_text
from serving.context import context_of
from serving.http.answers import Answer, json_answer, prefers_html, private_json
from serving.http.errors import release_of
from serving.http.openapi import answers
from serving.http.parameters import path_part, query
from serving.operators import claims, operators
from serving.operators.pages import manage_page
from serving.places.listings import find_row
from serving.search.parameters import ResourceId, Zip
from warehouse.operations.claims import Claim

_TAG = "operators"
Token = Annotated[str, path_part("token", max_length=200)]
PartOfName = Annotated[str | None, query("q", of="pantries", max_length=100)]
RequestKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        max_length=64,
        description="Your own name for this report. Repeats with the same name are stored once.",
    ),
]
_get = partial(get, tags=[_TAG])
_post = partial(post, tags=[_TAG], status_code=200)


@_get(
    "/api/pantry/search",
    summary="Places to claim",
    responses=answers(shapes.ClaimablePantries, "Nearest first.", 404),
)
async def search_pantries(scope: Scope, zip: Zip, q: PartOfName = None) -> Answer:
    """Return at most 25 places that give food free of charge (mode `free`) within 5 miles of a ZIP
    code.

    Summer meal sites and diaper banks can be claimed too, from their own pages.
    """
    return json_answer(await operators.claimable(scope, zip, q), 0)


@_post(
    "/api/pantry/claim",
    summary="Claim a place",
    responses=answers(shapes.PantryClaim, "The claim and its token.", 404, 409, 410, 429),
)
async def claim_pantry(scope: Scope, data: JSONBody[shapes.NewPantryClaim]) -> Answer:
    """Say that you run a place. The same e-mail address claims a place once, however often it asks.

    A repeat from the same network within an hour, while the claim is unconfirmed, gets the same
    answer. Any other repeat gets 409 (`already-claimed`), which says how to get a new token: from
    the link sent to the e-mail address, at most three in 24 hours (then 429), or from an
    administrator.

    Until the claim is confirmed (by the link sent by e-mail, a code to the listed telephone, or an
    administrator), its reports are shown as not confirmed and do not change the opening state. At
    most ten claims an hour from one address.
    """
    return private_json(await claims.claim_place(scope, data))


@_post(
    "/api/pantry/status",
    summary="Report how it is today",
    responses=answers(shapes.StatusReceipt, "Stored, and shown.", 404, 429),
)
async def report_status(
    scope: Scope, data: JSONBody[shapes.NewPantryStatus], request_key: RequestKey = None
) -> Answer:
    """Report open, closed, late, low or out, for 24 hours or until the next report. At most sixty
    an hour for each claim."""
    return private_json(await operators.store_report(scope, data, plain_text(request_key)))


@_get(
    "/api/pantry/{resource_id:int}/status",
    summary="Present report on a place",
    responses=answers(shapes.CurrentStatus, "The report, or null.", 404, 410),
)
async def get_pantry_status(scope: Scope, resource_id: ResourceId) -> Answer:
    """Return the report of a place in the last 24 hours; null without one."""
    release = release_of(scope)
    row = find_row(release, resource_id, "/api/pantry/{id}/status")
    return json_answer(operators.current(context_of(scope), release, row))


@_get(
    "/api/pantry/manage/{token:str}",
    summary="Dashboard of a claim",
    responses=answers(shapes.ManagedPantry, "The claim, the place, its reports.", 404),
)
async def manage_pantry(scope: Scope, token: Token) -> Answer:
    """Return the claim, the place as the public sees it, the current report and the last reports.
    Browsers get a page.

    Wrong, revoked and expired tokens get the same answer.
    """
    if prefers_html(scope):
        return await manage_page(scope, token, "en")
    return private_json(await operators.manage_claim(scope, token))


@_post(
    "/api/pantry/withdraw",
    summary="Withdraw a report",
    responses=answers(shapes.Done, "It is no longer shown.", 404),
)
async def withdraw_status(scope: Scope, data: JSONBody[shapes.TokenOnly]) -> Answer:
    """Take back the reports of this claim that are still shown."""
    return _acknowledge(await operators.withdraw(scope, data.claim_token), "Taken back.")


@_post(
    "/api/pantry/rotate",
    summary="Get a new token",
    responses=answers(shapes.PantryClaim, "The new token. The old one is void.", 404),
)
async def rotate_token(scope: Scope, data: JSONBody[shapes.TokenOnly]) -> Answer:
    """Exchange a token for a new one, for example after someone else has seen it."""
    return private_json(_renew(scope, *await operators.rotate_token(scope, data.claim_token)))


@_post(
    "/api/pantry/revoke",
    summary="End a claim",
    responses=answers(shapes.Done, "The claim has ended.", 404),
)
async def revoke_claim(scope: Scope, data: JSONBody[shapes.TokenOnly]) -> Answer:
    """End a claim for good: its token stops working and its reports are no longer shown."""
    await operators.revoke_claim(scope, data.claim_token)
    return private_json(shapes.Done(True, "revoked", "The claim has ended."))


@_post(
    "/api/pantry/confirm",
    summary="Confirm with the link sent by email",
    responses=answers(shapes.PantryClaim, "A new token. The previous token no longer works.", 404),
)
async def confirm_by_link(scope: Scope, data: JSONBody[shapes.LinkSecret]) -> Answer:
    """Prove that you read the claim's email. This confirms the claim if the address is in the
    place's own domain; otherwise an administrator or the listed telephone must confirm it.

    A domain is the place's own if it hosts the place's website, at most three places of one
    organization list it, and it belongs to no school, government, mail provider, directory or
    national body.
    """
    return private_json(_renew(scope, *await claims.confirm_by_link(scope, data.secret)))


@_post(
    "/api/pantry/phone/send",
    summary="Have a code sent to the listed telephone",
    responses=answers(shapes.Done, "A code is on its way.", 404, 409, 429),
)
async def send_phone_code(scope: Scope, data: JSONBody[shapes.TokenOnly]) -> Answer:
    """Send a six-digit code to the telephone of the listing. It is valid for 15 minutes.

    A telephone gets at most three messages in 24 hours, for all places and claims together (then
    429).
    """
    return _acknowledge(
        await claims.send_code(scope, data.claim_token),
        "A code is on its way to the listed telephone.",
    )


@_post(
    "/api/pantry/phone/confirm",
    summary="Confirm by the code sent to the listed telephone",
    responses=answers(shapes.Done, "The code was right.", 404),
)
async def confirm_by_phone(scope: Scope, data: JSONBody[shapes.PhoneCode]) -> Answer:
    """Confirm with the code. It stops working after five wrong ones."""
    return _acknowledge(
        await claims.confirm_by_code(scope, data.claim_token, data.code), "The code was right."
    )


def _acknowledge(claim: Claim, message: str) -> Answer:
    return private_json(shapes.Done(True, claim.state, message))  # type: ignore[arg-type]


def _renew(scope: Scope, claim: Claim, token: str) -> shapes.PantryClaim:
    return shapes.PantryClaim(
        success=True,
        claim_token=token,
        dashboard_url=f"{context_of(scope).settings.url}/pantry/manage/{token}",
        state=claim.state,  # type: ignore[arg-type]
        is_link_sent=False,
        message="Save this token now. It is shown only once. The previous token no longer works.",
        message_es="Guarde esta clave, se muestra una sola vez. La anterior ya no sirve.",
    )
