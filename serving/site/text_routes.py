"""Sends a place to the reader's own telephone, if a program for text messages is configured."""

from datetime import UTC, datetime, timedelta
from typing import Any

from litestar import Request, post
from litestar.params import FromPath
from litestar.types import Scope

from schemas.values.contacts import parse_phone
from serving.context import context_of
from serving.http.answers import Answer, private
from serving.http.errors import ServiceProblem, release_of
from serving.http.origins import is_own_origin
from serving.http.rate_limits import enforce_limit, store_problems
from serving.http.request_limits import form_of
from serving.places.listings import find_row
from serving.places.view import PlaceView, place_view
from serving.processes.notifications import can_text
from serving.render.page import page, page_head
from serving.render.words import Language, finder_paths, path_language, paths_of, words
from warehouse.operations.outbox import (
    NewMessage,
    NotContactedError,
    RecipientLimitError,
    enqueue,
)

# Texts that one client may cause in an hour; of one telephone see `outbox.MAX_PER_RECIPIENT`.
TEXTS_PER_HOUR = 3
_HOUR = 3600
# A text later than this is useless.
_LIFE = timedelta(hours=1)
# Two parts of a text in the 7-bit alphabet.
_MAX_TEXT = 306


@post(
    finder_paths("/place/{resource_id:int}/text"),
    include_in_schema=False,
    status_code=200,
)
async def text_place(request: Request, resource_id: FromPath[int]) -> Answer:
    """Send name, address, hours and page of a place to a telephone, once; report the outcome."""
    scope, release, now = request.scope, release_of(request.scope), datetime.now(UTC)
    language, settings = path_language(request.scope), context_of(request.scope).settings
    row = find_row(release, resource_id, paths_of("/place/{id}", language)[0])
    view = place_view(release, row, now, language)
    if not can_text(settings) or view.is_confidential:
        raise ServiceProblem("not-set-up", "Texts about this place are not set up here.")
    phone_text = str((await form_of(request)).get("phone", "")).strip()[:40]
    w, phone = words("site", language), parse_phone(phone_text)
    if not is_own_origin(scope, context_of(scope).settings.url):
        return _answer(scope, view, words("forms", language).elsewhere, 403)
    if phone is None:
        return _answer(scope, view, w.text_wrong.format(phone=phone_text), 400)
    try:
        await enforce_limit(scope, "texts", TEXTS_PER_HOUR, _HOUR)
    except ServiceProblem as problem:
        if problem.kind != "too-many-requests":
            raise
        return _answer(scope, view, w.text_busy, 429)
    text = text_of(view, settings.url, language)
    if not await _queue(scope, view, phone.e164, text, now):
        return _answer(scope, view, w.text_refused, 429)
    return _answer(scope, view, w.text_sent.format(phone=phone.display), 200)


def text_of(view: PlaceView, base_url: str, language: Language) -> str:
    """Return the message: name, address, link, then hours; shortened in its middle, never the
    link.
    """
    page_url = base_url + view.path
    when = view.usual or view.today or view.hours or words("site", language).hours_none
    lines = [part for part in (view.name, view.address, view.phone, when) if part]
    text = "\n".join(lines)[: _MAX_TEXT - len(page_url) - 1]
    return f"{text}\n{page_url}".replace("\u00a0", " ")


async def _queue(scope: Scope, view: PlaceView, number: str, text: str, now: datetime) -> bool:
    """Queue a text; false for a telephone that wants none, or got its three of the day."""
    context = context_of(scope)
    message = NewMessage("phone", number, "", text, f"place {view.id}", now + _LIFE)

    def work(db: Any) -> None:
        enqueue(db, message, now)

    try:
        async with store_problems():
            await context.store.transact(work)
    except (RecipientLimitError, NotContactedError):
        return False
    context.courier.wake()
    return True


def _answer(scope: Scope, view: PlaceView, sentence: str, status: int) -> Answer:
    language = path_language(scope)
    title = words("site", language).text_title
    head = page_head(scope, f"/place/{view.id}", title, title, is_indexed=False)
    answer = page(
        scope,
        "place_text.html",
        head,
        max_age=0,
        status=status,
        place=view,
        sentence=sentence,
    )
    return private(answer)
