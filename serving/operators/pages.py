"""The operator's page: phone first, English and Spanish, without a script. And the poster with a
link to the place."""

from datetime import datetime
from typing import Annotated, Any
from zoneinfo import ZoneInfo

import msgspec
import segno
from babel.dates import format_datetime
from litestar import Request, get, post
from litestar.types import Scope

from schemas.api.operators import NewPantryStatus
from schemas.languages import language_of_path, languages, localize
from schemas.values.place_fields import plain_text
from schemas.vocab.reviews import INVENTORY_ITEMS, INVENTORY_LEVELS, REPORT_STATUSES
from serving.context import context_of
from serving.http.answers import HOUR, Answer, private, redirect
from serving.http.errors import ServiceProblem, release_of
from serving.http.parameters import path_part
from serving.http.request_limits import form_of
from serving.operators import claims, operators
from serving.places.detail import read_record
from serving.places.listings import find_row
from serving.places.view import place_path
from serving.processes.notifications import can_mail, can_text
from serving.render.page import Head, page, page_head
from serving.render.words import Language, path_language, words
from serving.search.parameters import ResourceId
from warehouse.operations import claims as claim_store

_Secret = Annotated[str, path_part("secret")]
_ZONE_OF_NOWHERE = "UTC"


def _page(
    scope: Scope,
    template: str,
    title: str,
    path: str,
    language: Language,
    status: int = 200,
    **values: Any,
) -> Answer:
    # The address in the head is the one without the token.
    twin = path if language == "en" else path.removeprefix("/es")
    head = Head(
        "/pantry/manage",
        title,
        title,
        language,
        twin=f"/es{twin}" if language == "en" else twin,
        is_indexed=False,
    )
    return private(page(scope, template, head, max_age=0, status=status, **values))


# ---------------------------------------------------------------- the page


async def manage_page(
    scope: Scope, token: str, language: Language, done: str = "", error: str = "", status: int = 200
) -> Answer:
    """Return the dashboard as a page. Raises ServiceProblem (404, 503)."""
    dashboard = await operators.manage_claim(scope, token)
    claim_id, now = dashboard.claim.id, claims.now_utc()
    async with claims.claim_problems():
        has_link = await context_of(scope).store.fetch(
            lambda db: claim_store.is_link_sent(db, claim_id, now)
        )
    w = words("operator", language)
    path = localize(f"/pantry/manage/{token}", language)
    live = dashboard.current_status
    release = release_of(scope)
    row = release.row_of(dashboard.resource.id)
    zone = ZoneInfo(_ZONE_OF_NOWHERE if row is None else read_record(release, row)["timezone"])
    locale = languages()[language].locale

    def time_in_words(at: str) -> str:
        """Return a time by the place's own clock."""
        local = datetime.fromisoformat(at).astimezone(zone)
        return str(format_datetime(local, "EEE d MMM, h:mm a", locale=locale))

    stock = (
        []
        if live is None
        else [(k, v) for k, v in msgspec.to_builtins(live.inventory).items() if v]
    )
    history = [
        {
            "time": time_in_words(r.reported_at),
            "status": r.status,
            "notes": r.notes,
            "is_withdrawn": r.is_withdrawn,
        }
        for r in dashboard.recent_statuses
    ]
    return _page(
        scope,
        "operator.html",
        w.title.format(name=dashboard.resource.name),
        path,
        language,
        status,
        action=path,
        done=done,
        error=error,
        place=dashboard.resource,
        claim=dashboard.claim,
        live=live,
        stock=stock,
        times={"since": time_in_words(live.reported_at), "until": time_in_words(live.expires_at)}
        if live
        else {},
        statuses=REPORT_STATUSES,
        items=INVENTORY_ITEMS,
        levels=INVENTORY_LEVELS,
        history=history,
        has_link=has_link,
        has_phone=can_text(context_of(scope).settings) and bool(dashboard.resource.phone),
        poster=localize(f"/pantry/{dashboard.resource.id}/poster", language),
    )


@get(["/pantry/manage/{token:str}", "/es/pantry/manage/{token:str}"], include_in_schema=False)
async def manage(request: Request, token: _Secret) -> Answer:
    """Return the operator's page."""
    done = request.query_params.get("done", "")
    outcome = done if done in words("operator", "en").done else ""
    return await manage_page(request.scope, token, path_language(request.scope), outcome)


@post(
    ["/pantry/manage/{token:str}", "/es/pantry/manage/{token:str}"],
    include_in_schema=False,
    status_code=200,
)
async def act(request: Request, token: _Secret) -> Answer:
    """Carry out the action of a button. The secret is in the address: no other site can know
    it."""
    scope, language = request.scope, path_language(request.scope)
    form = await form_of(request)
    action = str(form.get("action", ""))
    if action == "rotate":
        _, fresh = await operators.rotate_token(scope, token)
        return _new_link(scope, fresh, language)
    if action == "revoke":
        await operators.revoke_claim(scope, token)
        w = words("operator", language)
        return _note(scope, w.ended_title, w.ended, language)
    try:
        done = await _carry_out(scope, token, action, form)
    except ServiceProblem as problem:
        if problem.kind in {"unknown-token", "store-unavailable", "no-release"}:
            raise
        status = {"too-many-requests": 429, "not-available": 409}.get(problem.kind, 400)
        return await manage_page(scope, token, language, error=problem.detail, status=status)
    # Reloading the page must not report again.
    return private(redirect(f"{scope['path']}?done={done}", status=303, max_age=0))


async def _carry_out(scope: Scope, token: str, action: str, form: Any) -> str:
    if action == "withdraw":
        await operators.withdraw(scope, token)
        return "withdraw"
    if action == "send_code":
        await claims.send_code(scope, token)
        return "code_sent"
    if action == "code":
        await claims.confirm_by_code(scope, token, str(form.get("code", "")))
        return "code"
    if action == "hours":
        await operators.correct_hours(scope, token, str(form.get("hours_text", ""))[:500])
        return "hours"
    levels = {item: form.get(f"inventory_{item}") for item in INVENTORY_ITEMS}
    try:
        report = msgspec.convert(
            {
                "claim_token": token,
                "status": form.get("status"),
                "notes": str(form.get("notes") or "")[:500] or None,
                "inventory": {item: level for item, level in levels.items() if level},
            },
            NewPantryStatus,
        )
    except msgspec.ValidationError as error:
        raise ServiceProblem("invalid-parameter", str(error)) from error
    # Written by web/static/pocket.js: a report that waited for a connection counts once.
    key = plain_text(str(form.get("request_key") or "")[:64])
    receipt = await operators.store_report(scope, report, key)
    if not receipt.is_shown:
        return "report_hidden"
    return "report" if receipt.is_confirmed else "report_unconfirmed"


# ---------------------------------------------------------------- other pages


@get(["/pantry/manage", "/es/pantry/manage"], include_in_schema=False)
async def lost(scope: Scope) -> Answer:
    """Return the page for operators without their link."""
    w = words("operator", path_language(scope))
    text = w.lost if can_mail(context_of(scope).settings) else w.lost_ask
    return _note(scope, w.lost_title, text, path_language(scope))


@get(["/pantry/confirm/{secret:str}", "/es/pantry/confirm/{secret:str}"], include_in_schema=False)
async def confirm_page(scope: Scope, secret: _Secret) -> Answer:
    """Ask before anything happens: programs that check e-mails open every link."""
    claim = await claims.claim_of_link(scope, secret)
    language = path_language(scope)
    w, path = words("operator", language), scope["path"]
    name = operators.find_claimed_place(release_of(scope), claim.resource_id, claims.now_utc()).name
    return _page(
        scope,
        "operator_note.html",
        w.confirm_page_title.format(name=name),
        path,
        language,
        text=w.confirm_page.format(name=name),
        new_url="",
        asks=path,
    )


@post(
    ["/pantry/confirm/{secret:str}", "/es/pantry/confirm/{secret:str}"],
    include_in_schema=False,
    status_code=200,
)
async def confirm(scope: Scope, secret: _Secret) -> Answer:
    """Follow the emailed link: the page of the claim under a new address."""
    _, token = await claims.confirm_by_link(scope, secret)
    return _new_link(scope, token, path_language(scope))


def _new_link(scope: Scope, token: str, language: Language) -> Answer:
    w, base = words("operator", language), context_of(scope).settings.url
    url = base + localize(f"/pantry/manage/{token}", language)
    return _note(scope, w.new_link_title, w.new_link, language, url)


def _note(scope: Scope, title: str, text: str, language: Language, new_url: str = "") -> Answer:
    return _page(
        scope,
        "operator_note.html",
        title,
        localize("/pantry/manage", language),
        language,
        text=text,
        new_url=new_url,
        asks="",
    )


@get(
    ["/pantry/{resource_id:int}/poster", "/es/pantry/{resource_id:int}/poster"],
    include_in_schema=False,
)
async def poster(scope: Scope, resource_id: ResourceId) -> Answer:
    """Return a page to print and hang on the door: its QR code leads to the public page of the
    place."""
    release, language = release_of(scope), path_language(scope)
    row = find_row(release, resource_id, "/pantry/{id}/poster")
    record = read_record(release, row)
    url = f"{context_of(scope).settings.url}{place_path(resource_id, language)}"
    code = segno.make(url, error="m").svg_data_uri(scale=8, border=2)
    head = page_head(
        scope, f"/pantry/{resource_id}/poster", record["name"], record["name"], is_indexed=False
    )
    other = language_of_path(head.twin or "")
    return page(
        scope,
        "operator_poster.html",
        head,
        max_age=HOUR,
        name=record["name"],
        code=code,
        url=url,
        phone_number=record["phone"],
        other=other,
        v=words("operator", other),
    )
